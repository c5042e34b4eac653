/* SPDX-License-Identifier: BSD-2-Clause */
/* What the registers hold, which of them answers, and RDPMC. */
#include "amd.h"

/* ---- the cells of a counter ---- */

AMD_FAULT(counter_truncates_32, MODEL_AMD, "*.access.counter_width", "the counters keep 32 bits",
	  HOLDS(.clear = FIELD(47, 32)));
AMD_FAULT(counter_width_40, MODEL_AMD, "*.access.counter_width", "the counters keep 40 bits",
	  HOLDS(.clear = FIELD(47, 40)));
AMD_FAULT(counter_bit_stuck_0, MODEL_AMD, "amd.2.access.counter_bits",
	  "bit 17 of counter 2 is stuck at 0", HOLDS(.clear = BIT(17)), .counters = BIT(2));
AMD_FAULT(counter_bit_stuck_1, MODEL_AMD, "amd.1.access.counter_bits",
	  "bit 33 of counter 1 is stuck at 1", HOLDS(.set = BIT(33)), .counters = BIT(1));
/* As the P6 does. */
AMD_FAULT(counter_write_extends_bit31, MODEL_AMD, "*.access.counter_bits",
	  "a write loads bits 31:0 and copies bit 31 upwards", .kept = extends_bit31,
	  .registers = BIT(AMD_COUNTER));
AMD_FAULT(wrap_saturates, MODEL_AMD, "*.count.wraps", "a full counter stays full",
	  .hold = saturates);
AMD_FAULT(wrap_adds_one, MODEL_AMD, "*.overflow.value_after",
	  "a counter that wraps skips one value", .hold = wraps_to_1);
AMD_FAULT(carry_into_32_lost, MODEL_AMD, "*.overflow.width_boundary",
	  "a carry out of bit 31 is lost", .hold = carry_lost, .arg = FIELD(31, 0));

/* ---- select registers ---- */

AMD_FAULT(select_unit_mask_dead, MODEL_AMD, "*.access.control_bits",
	  "bit 1 of the unit mask cannot be set", KEEPS(AMD_SELECT, .clear = BIT(9)));
AMD_FAULT(select_edge_sets_inv, MODEL_AMD, "*.access.control_bits", "setting E sets INV as well",
	  KEEPS(AMD_SELECT, .when = SELECT_EDGE, .set = SELECT_INV));
AMD_FAULT(select_int_sets_reserved, MODEL_AMD, "*.access.reserved_bits",
	  "setting INT sets reserved bit 21 as well",
	  KEEPS(AMD_SELECT, .when = SELECT_INT, .set = BIT(21)));
AMD_FAULT(select_write_clears_counter, MODEL_AMD, "*.count.select_keeps_count",
	  "a write to the select register clears the counter", .written = clears_counter,
	  .registers = BIT(AMD_SELECT));
AMD_FAULT(stop_clears_counter, MODEL_AMD, "*.count.instructions", "clearing EN clears the counter",
	  .written = stop_clears_counter, .registers = BIT(AMD_SELECT), .arg = SELECT_EN);

/* ---- addresses ---- */

AMD_FAULT(counters_2_and_3_are_one, MODEL_AMD, "*.access.no_aliasing",
	  "the registers of counters 2 and 3 are the same", .address = answers_for, .arg = 2,
	  .counters = BIT(3));
AMD_FAULT(counter_3_missing, MODEL_AMD, "amd.3.access.registers_present",
	  "the registers of counter 3 fault", .address = missing, .counters = BIT(3));
AMD_FAULT_DO(write_disturbs_neighbour, MODEL_AMD, "*.access.no_aliasing",
	     "a write to a counter flips bit 0 of the one below", written,
	     at->counter[at->reg.number - 1].value ^= 1, .registers = BIT(AMD_COUNTER),
	     .counters = FIELD(5, 1));
AMD_FAULT_DO(legacy_alias_shifted, MODEL_EXTENDED, "*.access.no_aliasing",
	     "the legacy names reach the next counter", address,
	     at->reg.number = (at->reg.number + at->reg.alias) % AMD_COUNTERS);
AMD_FAULT_DO(legacy_alias_missing, MODEL_EXTENDED, "*.access.no_aliasing",
	     "the legacy names do not exist", address,
	     at->access = at->reg.alias ? ACCESS_GP : ACCESS_DONE);

/* ---- RDPMC ---- */

AMD_FAULT(rdpmc_low32, MODEL_AMD, "*.access.rdpmc_equals_rdmsr", "RDPMC returns bits 31:0 only",
	  .rdpmc = rdpmc_low32);
AMD_FAULT(rdpmc_neighbour, MODEL_AMD, "*.access.rdpmc_equals_rdmsr",
	  "RDPMC returns the other counter of the pair", .rdpmc = rdpmc_of_neighbour);
AMD_FAULT(rdpmc_ignores_pce, MODEL_AMD, "*.access.rdpmc_ring3",
	  "ring 3 may use RDPMC while CR4.PCE is clear", .rdpmc = rdpmc_ignores_pce);
AMD_FAULT(rdpmc_refused_in_ring3, MODEL_AMD, "*.access.rdpmc_ring3",
	  "ring 3 may not use RDPMC though CR4.PCE is set", .rdpmc = rdpmc_refused_in_ring3);
AMD_FAULT(rdpmc_accepts_any_index, MODEL_AMD, "*.access.rdpmc_invalid_index",
	  "RDPMC of a counter that does not exist returns another one", .rdpmc = rdpmc_wraps_index);
