/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow, the bits of PerfCntrGlobalStatus, and the interrupt that is requested. */
#include "amd.h"

/* ---- when a counter overflows ---- */

AMD_FAULT(pmi_late_by_one, MODEL_AMD, "*.overflow.one_short",
	  "the interrupt is requested when the counter reaches 1, not 0", .overflow = overflows_at,
	  .arg = 1);
AMD_FAULT(pmi_early_by_one, MODEL_AMD, "*.overflow.one_short",
	  "the interrupt is requested when the counter is full, one event before it wraps",
	  .overflow = overflows_at, .arg = UINT64_MAX);
AMD_FAULT(pmi_on_carry_into_31, MODEL_AMD, "*.overflow.width_boundary",
	  "a carry into bit 31 requests an interrupt", .overflow = overflows_into, .arg = 31);
AMD_FAULT(pmi_on_carry_into_47, MODEL_AMD, "*.overflow.width_boundary",
	  "a carry into bit 47 requests an interrupt", .overflow = overflows_into, .arg = 47);
AMD_FAULT(pmi_every_increment, MODEL_AMD, "*.overflow.one_short",
	  "every increment requests an interrupt", .overflow = always_overflows);
AMD_FAULT(pmi_from_counters_0_and_1_only, MODEL_AMD, "amd.2.overflow.skid",
	  "counters 2 and up never interrupt", .overflow = never_overflows,
	  .counters = FIELD(5, 2));
AMD_FAULT(overflow_clears_neighbours_top, MODEL_AMD, "*.overflow.right_counter",
	  "an overflow makes the next counter look overflowed",
	  .overflow = overflow_clears_neighbours_top);
AMD_FAULT(overflow_freezes, MODEL_AMD, "*.overflow.value_after",
	  "a counter stops at its overflow until it is written", .overflow = stops_at_overflow,
	  .increment = is_stopped, .written = forgets, .registers = BIT(AMD_COUNTER));
AMD_FAULT(pmi_without_int, MODEL_AMD, "*.overflow.int_clear",
	  "an overflow interrupts though INT is clear", ACTS(AMD_SELECT, .set = SELECT_INT));

/* ---- what becomes of the request ---- */

AMD_FAULT(pmi_every_second_lost, MODEL_AMD, "*.overflow.exact_period",
	  "every second interrupt is lost", .requests = every_second_lost);
AMD_FAULT_DO(pmi_doubled, MODEL_AMD, "*.overflow.exact_period",
	     "every interrupt comes a second time later", requests, at->requests *= 2);
AMD_FAULT(pmi_lost_when_two, MODEL_AMD, "*.overflow.all_at_once",
	  "two overflows in the same clock request no interrupt", .requests = lost_when_two);
AMD_FAULT(pmi_lost_with_if_clear, MODEL_AMD, "*.overflow.if_delays",
	  "an overflow while IF is clear requests no interrupt", .requests = lost_with_if_clear);
AMD_FAULT(pmi_masks_lvt, MODEL_AMD, "*.overflow.rearm", "delivery masks the LVT entry, as on Intel",
	  .flips_lvt_mask = true);

/* memory[0]: a request was made; forgotten where a select register is written. */
static void forget_request(struct point *at)
{
	at->memory[0] = 0;
}

static void stops_after_first(struct point *at)
{
	unsigned interrupting = 0;

	for (unsigned i = 0; i < at->count; i++)
		interrupting += at->counter[i].set.enable && at->counter[i].set.interrupt;
	if (interrupting > 1 && at->memory[0])
		at->requests = 0;
	else
		at->memory[0] |= at->requests;
}

AMD_FAULT(pmi_stops_after_first, MODEL_AMD, "*.overflow.all_at_once",
	  "with two interrupting counters interrupts stop after the first (as erratum 1023)",
	  .requests = stops_after_first, .written = forget_request, .registers = BIT(AMD_SELECT));

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
