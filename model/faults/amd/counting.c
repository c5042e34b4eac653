/* SPDX-License-Identifier: BSD-2-Clause */
/* What AMD's counters count and when, beside what they have in common with others. */
#include "amd.h"

#define EVENT_CYCLES       0x076u
#define EVENT_INSTRUCTIONS 0x0c0u
#define EVENT_BRANCHES     0x0c2u
#define EVENT_TAKEN        0x0c4u

#define BOTH_LEVELS        (SELECT_USR | SELECT_OS)

/* ---- threshold ---- */

AMD_FAULT(threshold_bit1_stuck, MODEL_AMD, "*.threshold.ladder",
	  "bit 1 of CNT_MASK does not reach the comparison", ACTS(AMD_SELECT, .clear = BIT(25)));
AMD_FAULT(threshold_high_bits_dead, MODEL_EXTENDED, "*.threshold.above_maximum",
	  "CNT_MASK is compared in 3 bits only", ACTS(AMD_SELECT, .clear = FIELD(31, 27)));
AMD_FAULT(threshold_ignored, MODEL_AMD, "*.threshold.sum_law",
	  "CNT_MASK is stored and has no effect", ACTS(AMD_SELECT, .clear = SELECT_CMASK));

/* ---- privilege ---- */

AMD_FAULT(both_counts_kernel_only, MODEL_AMD, "*.privilege.sum_law",
	  "with USR and OS set ring 3 does not count",
	  ACTS(AMD_SELECT, .when = BOTH_LEVELS, .clear = SELECT_USR));
AMD_FAULT(user_and_os_swapped_on_counter1, MODEL_AMD, "amd.1.privilege.user_only",
	  "USR and OS of counter 1 are swapped", EXCHANGES(AMD_SELECT, SELECT_USR, SELECT_OS),
	  .counters = BIT(1));
/* memory: the level that the counter knows of. */
AMD_FAULT_BODY(gate_closes_late, MODEL_AMD, "*.privilege.user_gate",
	       "counter 1 hears of the way to ring 0 one instruction late", increment,
	       .counters = BIT(1))
{
	const struct setting *set = at->set;
	bool closing = at->memory[at->ctr] && at->clock->cpl == 0;

	at->memory[at->ctr] = at->clock->cpl;
	if (closing && set->enable && set->user && !set->os && !set->adds_one)
		at->amount += at->clock->n[SIGNAL_INSTRUCTIONS];
}

AMD_FAULT(far_transfer_counted_twice, MODEL_AMD, "*.privilege.user_gate",
	  "a far transfer counts as two instructions", .occurrences = counts_too,
	  .event = EVENT_INSTRUCTIONS, .arg = SIGNAL_FAR);

/* ---- enabling ---- */

AMD_FAULT(enable_ignored, MODEL_AMD, "*.count.enable_gates,*.global.gates_each",
	  "EN has no effect: always enabled",
	  ACTS(AMD_SELECT, .some = BOTH_LEVELS, .set = SELECT_EN));
AMD_FAULT_DO(stop_ignored, MODEL_AMD, "*.count.stopped_holds,*.global.gates_each",
	     "clearing EN does not stop a counter that runs", acts,
	     at->value |= at->value & BOTH_LEVELS ? at->old & SELECT_EN : 0,
	     .registers = BIT(AMD_SELECT));
AMD_FAULT(pin_control_stops, MODEL_K7 | MODEL_K8, "*.count.pin_control",
	  "a counter with PC set does not count",
	  ACTS(AMD_SELECT, .when = SELECT_PC, .clear = SELECT_EN));
AMD_FAULT(v2_global_ctl_ignored, MODEL_ZEN4, "*.global.gates_each",
	  "PerfCntrGlobalCtl has no effect", ACTS(AMD_GLOBAL_CTL, .set = FIELD(5, 0)));

/* ---- amounts ---- */

AMD_FAULT(counter1_slow, MODEL_AMD, "*.count.counters_agree", "counter 1 loses one of 64 counts",
	  .increment = loses_one_in, .arg = 64, .counters = BIT(1));
AMD_FAULT(counter0_pushes_counter1, MODEL_AMD, "*.count.counters_agree",
	  "what counter 0 counts is added to counter 1 as well", .increment = pushes_neighbour,
	  .counters = BIT(0));
AMD_FAULT(counter4_dead, MODEL_EXTENDED, "amd.4.count.instructions", "counter 4 never counts",
	  .increment = counts_nothing, .counters = BIT(4));

/* ---- events ---- */

AMD_FAULT(taken_counts_all_branches, MODEL_AMD, "*.count.taken_branches",
	  "the taken-branch event counts branches not taken too", .occurrences = counts_instead,
	  .event = EVENT_TAKEN, .arg = SIGNAL_BRANCHES);
AMD_FAULT(branches_miss_returns, MODEL_AMD, "*.count.branches",
	  "the branch event misses near returns", .occurrences = counts_without,
	  .event = EVENT_BRANCHES, .arg = SIGNAL_NEAR_RETURNS);
AMD_FAULT(cycles_only_when_retiring, MODEL_AMD, "*.invert.partition",
	  "the clock event misses clocks in which nothing retires", .occurrences = counts_only_when,
	  .event = EVENT_CYCLES, .arg = SIGNAL_INSTRUCTIONS);
AMD_FAULT(cycles_stop_in_ring3, MODEL_AMD, "*.count.cycles",
	  "the clock event does not count in ring 3", .occurrences = misses_ring3,
	  .event = EVENT_CYCLES);
AMD_FAULT(unit_mask_ignored, MODEL_AMD, "*.count.unit_mask",
	  "every sub-event counts whatever the unit mask",
	  ACTS(AMD_SELECT, .set = SELECT_UNIT_MASK));
AMD_FAULT(unit_mask_first_only, MODEL_AMD, "*.count.unit_mask",
	  "only the lowest bit set in the unit mask counts", .acts = lowest_bit_only,
	  .registers = BIT(AMD_SELECT), .arg = SELECT_UNIT_MASK);
