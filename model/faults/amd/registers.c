/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of AMD's registers: in what they hold, in which of them answers, in overflow, and in the
 * interrupt that it requests. */
#include "amd.h"

/* ---- the cells of a counter ---- */

FAULT(counter_truncates_32, "*.access.counter_width", "the counters keep 32 bits",
      HOLDS(.clear = FIELD(47, 32)));
FAULT(counter_width_40, "*.access.counter_width", "the counters keep 40 bits",
      HOLDS(.clear = FIELD(47, 40)));
FAULT(counter_bit_stuck_0, "amd.2.access.counter_bits", "bit 17 of counter 2 is stuck at 0",
      HOLDS(.clear = BIT(17)), .counters = BIT(2));
FAULT(counter_bit_stuck_1, "amd.1.access.counter_bits", "bit 33 of counter 1 is stuck at 1",
      HOLDS(.set = BIT(33)), .counters = BIT(1));

/* ---- select registers ---- */

FAULT(select_unit_mask_dead, "*.access.control_bits", "bit 1 of the unit mask cannot be set",
      KEEPS(AMD_SELECT, .clear = BIT(9)));
FAULT(select_edge_sets_inv, "*.access.control_bits", "setting E sets INV as well",
      KEEPS(AMD_SELECT, .when = SELECT_EDGE, .set = SELECT_INV));
FAULT(select_int_sets_reserved, "*.access.reserved_bits", "setting INT also sets reserved bit 21",
      KEEPS(AMD_SELECT, .when = SELECT_INT, .set = BIT(21)));
FAULT(stop_clears_counter, "*.count.instructions", "clearing EN clears the counter",
      .written = stop_clears_counter, .registers = BIT(AMD_SELECT), .arg = SELECT_EN);

/* ---- addresses ---- */

FAULT(counters_2_and_3_are_one, "*.access.no_aliasing", "counters 2 and 3 have the same registers",
      .address = answers_for, .arg = 2, .counters = BIT(3));
FAULT(counter_3_missing, "amd.3.access.registers_present", "the registers of counter 3 fault",
      .address = missing, .counters = BIT(3));
FAULT_DO(write_disturbs_neighbour, "*.access.no_aliasing",
	 "a write to a counter flips bit 0 of the one below", written,
	 at->counter[at->reg.number - 1].value ^= 1, .registers = BIT(AMD_COUNTER),
	 .counters = FIELD(5, 1));
FAULT_DO_ON(MODEL_EXTENDED, legacy_alias_shifted, "*.access.no_aliasing",
	    "the legacy names reach the next counter", address,
	    at->reg.number = (at->reg.number + at->reg.alias) % AMD_COUNTERS);
FAULT_DO_ON(MODEL_EXTENDED, legacy_alias_missing, "*.access.no_aliasing", "the legacy names fault",
	    address, at->access = at->reg.alias ? ACCESS_GP : ACCESS_DONE);

/* ---- when a counter overflows ---- */

FAULT(pmi_on_carry_into_47, "*.overflow.width_boundary",
      "a carry into bit 47 requests an interrupt", .overflow = overflows_into, .arg = 47);
FAULT(pmi_from_counters_0_and_1_only, "amd.2.overflow.skid", "counters 2 and up never interrupt",
      .overflow = never_overflows, .counters = FIELD(5, 2));
FAULT(overflow_clears_neighbours_top, "*.overflow.right_counter",
      "an overflow clears the next counter's top bit", .overflow = overflow_clears_neighbours_top);

/* ---- what becomes of the request ---- */

FAULT_DO(pmi_doubled, "*.overflow.exact_period", "every interrupt comes a second time later",
	 requests, at->requests *= 2);
FAULT(pmi_masks_lvt, "*.overflow.rearm", "delivery masks the LVT entry", .flips_lvt_mask = true);

/* memory[0]: a request was made; forgotten where a select register is written. */
static void forget_request(struct point *at)
{
	at->memory[0] = 0;
}

FAULT_BODY(pmi_stops_after_first, "*.overflow.all_at_once",
	   "with two interrupting counters interrupts stop after the first (as erratum 1023)",
	   requests, .written = forget_request, .registers = BIT(AMD_SELECT))
{
	unsigned interrupting = 0;

	for (unsigned i = 0; i < at->count; i++)
		interrupting += at->counter[i].set.enable && at->counter[i].set.interrupt;
	if (interrupting > 1 && at->memory[0])
		at->requests = 0;
	at->memory[0] |= at->requests;
}

/* ---- PerfCntrGlobalStatus ---- */

FAULT_ON(MODEL_PERFMON_V2, v2_status_not_set, "*.global.shows_overflow",
	 "the overflow of counter 1 is not shown in PerfCntrGlobalStatus", .status = twisted,
	 .twist = {.clear = BIT(1)});
FAULT_ON(MODEL_PERFMON_V2, v2_status_of_neighbour, "*.global.shows_overflow",
	 "an overflow is shown in the bit of the next counter", .status = of_next_counter);
FAULT_ON(MODEL_PERFMON_V2, v2_status_never_cleared, "*.global.shows_overflow",
	 "bits of PerfCntrGlobalStatus are never cleared",
	 KEEPS(AMD_GLOBAL_STATUS_CLR, .clear = ~UINT64_C(0)));
FAULT_ON(MODEL_PERFMON_V2, v2_status_set_dead, "*.global.set_by_software",
	 "PerfCntrGlobalStatusSet has no effect",
	 KEEPS(AMD_GLOBAL_STATUS_SET, .clear = ~UINT64_C(0)));
FAULT_DO_ON(MODEL_PERFMON_V2, v2_status_set_next_too, "*.global.set_by_software",
	    "PerfCntrGlobalStatusSet sets the next bit, too", kept, at->value |= at->value << 1,
	    .registers = BIT(AMD_GLOBAL_STATUS_SET));
FAULT_ON(MODEL_PERFMON_V2, v2_status_cleared_at_once, "*.global.shows_overflow",
	 "any write to PerfCntrGlobalStatusClr clears all bits",
	 KEEPS(AMD_GLOBAL_STATUS_CLR, .set = ~UINT64_C(0)));
