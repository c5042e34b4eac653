/* SPDX-License-Identifier: BSD-2-Clause */
/* What AMD's registers hold, which of them answers, overflow, and the interrupt that it requests.
 */
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

/* ---- select registers ---- */

AMD_FAULT(select_unit_mask_dead, MODEL_AMD, "*.access.control_bits",
	  "bit 1 of the unit mask cannot be set", KEEPS(AMD_SELECT, .clear = BIT(9)));
AMD_FAULT(select_edge_sets_inv, MODEL_AMD, "*.access.control_bits", "setting E sets INV as well",
	  KEEPS(AMD_SELECT, .when = SELECT_EDGE, .set = SELECT_INV));
AMD_FAULT(select_int_sets_reserved, MODEL_AMD, "*.access.reserved_bits",
	  "setting INT sets reserved bit 21 as well",
	  KEEPS(AMD_SELECT, .when = SELECT_INT, .set = BIT(21)));
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

/* ---- when a counter overflows ---- */

AMD_FAULT(pmi_on_carry_into_47, MODEL_AMD, "*.overflow.width_boundary",
	  "a carry into bit 47 requests an interrupt", .overflow = overflows_into, .arg = 47);
AMD_FAULT(pmi_from_counters_0_and_1_only, MODEL_AMD, "amd.2.overflow.skid",
	  "counters 2 and up never interrupt", .overflow = never_overflows,
	  .counters = FIELD(5, 2));
AMD_FAULT(overflow_clears_neighbours_top, MODEL_AMD, "*.overflow.right_counter",
	  "an overflow makes the next counter look overflowed",
	  .overflow = overflow_clears_neighbours_top);

/* ---- what becomes of the request ---- */

AMD_FAULT_DO(pmi_doubled, MODEL_AMD, "*.overflow.exact_period",
	     "every interrupt comes a second time later", requests, at->requests *= 2);
AMD_FAULT(pmi_masks_lvt, MODEL_AMD, "*.overflow.rearm", "delivery masks the LVT entry, as on Intel",
	  .flips_lvt_mask = true);

/* memory[0]: a request was made; forgotten where a select register is written. */
static void forget_request(struct point *at)
{
	at->memory[0] = 0;
}

AMD_FAULT_BODY(pmi_stops_after_first, MODEL_AMD, "*.overflow.all_at_once",
	       "with two interrupting counters interrupts stop after the first (as erratum 1023)",
	       requests, .written = forget_request, .registers = BIT(AMD_SELECT))
{
	unsigned interrupting = 0;

	for (unsigned i = 0; i < at->count; i++)
		interrupting += at->counter[i].set.enable && at->counter[i].set.interrupt;
	if (interrupting > 1 && at->memory[0])
		at->requests = 0;
	else
		at->memory[0] |= at->requests;
}

/* ---- PerfCntrGlobalStatus ---- */

AMD_FAULT(v2_status_not_set, MODEL_ZEN4, "*.global.shows_overflow",
	  "the overflow of counter 1 is not shown in PerfCntrGlobalStatus", .status = twisted,
	  .twist = {.clear = BIT(1)});
AMD_FAULT(v2_status_of_neighbour, MODEL_ZEN4, "*.global.shows_overflow",
	  "an overflow is shown as that of the next counter", .status = of_next_counter);
AMD_FAULT(v2_status_never_cleared, MODEL_ZEN4, "*.global.shows_overflow",
	  "bits of PerfCntrGlobalStatus are never cleared",
	  KEEPS(AMD_GLOBAL_STATUS_CLR, .clear = ~UINT64_C(0)));
AMD_FAULT(v2_status_cleared_at_once, MODEL_ZEN4, "*.global.shows_overflow",
	  "any write to PerfCntrGlobalStatusClr clears all bits",
	  KEEPS(AMD_GLOBAL_STATUS_CLR, .set = ~UINT64_C(0)));
