/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in what AMD's counters count, and when, beside those that they share with others. */
#include "amd.h"

#define EVENT_CYCLES       0x076u
#define EVENT_INSTRUCTIONS 0x0c0u
#define EVENT_BRANCHES     0x0c2u
#define EVENT_TAKEN        0x0c4u
#define EVENT_MISPREDICTED 0x0c5u
#define EVENT_CONDITIONAL  0x0d1u

#define BOTH_LEVELS        (SELECT_USR | SELECT_OS)

/* ---- threshold ---- */

FAULT(threshold_bit1_stuck, "*.threshold.ladder", "bit 1 of CNT_MASK does not reach the comparison",
      ACTS(AMD_SELECT, .clear = BIT(25)));
FAULT_ON(MODEL_ZEN_ON, threshold_high_bits_dead, "*.threshold.above_maximum",
	 "CNT_MASK is compared in 3 bits only", ACTS(AMD_SELECT, .clear = FIELD(31, 27)));
FAULT(threshold_ignored, "*.threshold.sum_law", "CNT_MASK is stored and has no effect",
      ACTS(AMD_SELECT, .clear = SELECT_CMASK));

/* ---- privilege ---- */

FAULT(both_counts_kernel_only, "*.privilege.sum_law", "with USR and OS set ring 3 does not count",
      ACTS(AMD_SELECT, .when = BOTH_LEVELS, .clear = SELECT_USR));
FAULT(user_and_os_swapped_on_counter1, "amd.1.privilege.user_only",
      "USR and OS of counter 1 are swapped", EXCHANGES(AMD_SELECT, SELECT_USR, SELECT_OS),
      .counters = BIT(1));
/* memory: the level that the counter knows of. */
FAULT_BODY(gate_closes_late, "*.privilege.user_gate",
	   "counter 1 learns of ring 0 one instruction late", increment, .counters = BIT(1))
{
	const struct setting *set = at->set;
	bool closing = at->memory[at->ctr] && at->clock->cpl == 0;

	at->memory[at->ctr] = at->clock->cpl;
	if (closing && set->enable && set->user && !set->os && !set->adds_one)
		at->amount += at->clock->n[SIGNAL_INSTRUCTIONS];
}

FAULT(far_transfer_counted_twice, "*.privilege.user_gate", "far transfers count as 2 instructions",
      .occurrences = counts_too, .event = EVENT_INSTRUCTIONS, .arg = SIGNAL_FAR);

/* ---- enabling ---- */

FAULT(enable_ignored, "*.count.enable_gates,*.global.gates_each",
      "EN has no effect: always enabled", ACTS(AMD_SELECT, .some = BOTH_LEVELS, .set = SELECT_EN));
FAULT_DO(stop_ignored, "*.count.stopped_holds,*.global.gates_each",
	 "clearing EN does not stop a counter that runs", acts,
	 at->value |= at->value & BOTH_LEVELS ? at->old & SELECT_EN : 0,
	 .registers = BIT(AMD_SELECT));
FAULT_ON(MODEL_K7 | MODEL_K8, pin_control_stops, "*.count.pin_control",
	 "with PC set a counter stops", ACTS(AMD_SELECT, .when = SELECT_PC, .clear = SELECT_EN));
#define MERGE    (SELECT_EVENT_HIGH | SELECT_EVENT)
#define NOT_KVMS .as_lawful = "KVM merges no counters"
FAULT_ON(MODEL_ZEN_ON, merge_ignored, "*.merge.carries", "event FFFh merges nothing",
	 ACTS(AMD_SELECT, .when = MERGE, .clear = BIT(0)), NOT_KVMS);
FAULT_DO_ON(MODEL_ZEN_ON, merge_carry_lost, "*.merge.carries",
	    "no carry comes from an even counter to an odd one", hold,
	    if (at->set->event == EVENT_MERGE && at->value == at->old + 1) at->value = at->old,
	    .counters = BIT(1) | BIT(3) | BIT(5), NOT_KVMS);
FAULT_DO_ON(MODEL_ZEN_ON, merge_of_8_bits, "*.merge.carries",
	    "an odd counter goes on in 8 bits alone", hold,
	    if (at->set->event == EVENT_MERGE) at->value &= FIELD(7, 0),
	    .counters = BIT(1) | BIT(3) | BIT(5), NOT_KVMS);
FAULT_ON(MODEL_PERFMON_V2, v2_global_ctl_ignored, "*.global.gates_each",
	 "PerfCntrGlobalCtl has no effect", ACTS(AMD_GLOBAL_CTL, .set = FIELD(5, 0)));

FAULT_DO_ON(MODEL_PERFMON_V2, v2_clear_stops_next, "*.global.each_bit",
	    "clearing bit 1 of PerfCntrGlobalCtl clears bit 2, too", kept,
	    if (at->old & ~at->value & BIT(1)) at->value &= ~BIT(2),
	    .registers = BIT(AMD_GLOBAL_CTL));

/* ---- amounts ---- */

FAULT(counter1_slow, "*.count.counters_agree", "counter 1 loses one of 64 counts",
      .increment = loses_one_in, .arg = 64, .counters = BIT(1));
FAULT(counter0_pushes_counter1, "*.count.counters_agree",
      "counts of counter 0 are added to counter 1 as well", .increment = pushes_neighbour,
      .counters = BIT(0));
FAULT_ON(MODEL_EXTENDED, counter4_dead, "amd.4.count.instructions", "counter 4 never counts",
	 .increment = counts_nothing, .counters = BIT(4));

/* ---- events ---- */

FAULT(taken_counts_all_branches, "*.count.taken_branches",
      "the taken-branch event counts branches not taken too", .occurrences = counts_instead,
      .event = EVENT_TAKEN, .arg = SIGNAL_BRANCHES);
FAULT(branches_miss_returns, "*.count.branches", "the branch event misses near returns",
      .occurrences = counts_without, .event = EVENT_BRANCHES, .arg = SIGNAL_NEAR_RETURNS);
FAULT(branches_dead, "*.alive.events", "no counter counts branches", .increment = counts_nothing,
      .event = EVENT_BRANCHES);
FAULT(mispredicted_dead, "*.sub_event.occurs", "no counter counts mispredicted taken branches",
      .increment = counts_nothing, .event = EVENT_MISPREDICTED);
FAULT(mispredicted_slow_on_2, "*.sub_event.grows",
      "counter 2 counts every second mispredicted taken branch", .increment = loses_one_in,
      .arg = 2, .counters = BIT(2), .event = EVENT_MISPREDICTED);
FAULT_ON(MODEL_ZEN_ON, conditional_misses_untaken, "*.sub_event.occurs",
	 "conditional branches that are not taken are not counted as such",
	 .occurrences = counts_without, .event = EVENT_CONDITIONAL,
	 .arg = SIGNAL_OUTCOME + NOT_TAKEN_PREDICTED);
FAULT(cycles_only_when_retiring, "*.invert.partition",
      "the clock event misses clocks in which nothing retires", .occurrences = counts_only_when,
      .event = EVENT_CYCLES, .arg = SIGNAL_INSTRUCTIONS);
FAULT(cycles_stop_in_ring3, "*.count.cycles", "the clock event does not count in ring 3",
      .occurrences = misses_ring3, .event = EVENT_CYCLES);
/* Of a Jaguar no event of the core has sub-events that are known exactly. */
FAULT_ON(MODELS & ~MODEL_JAGUAR, unit_mask_ignored, "*.count.unit_mask",
	 "every sub-event counts whatever the unit mask",
	 ACTS(AMD_SELECT, .set = SELECT_UNIT_MASK));
FAULT_ON(MODELS & ~MODEL_JAGUAR, unit_mask_first_only, "*.count.unit_mask",
	 "only the lowest bit set in the unit mask counts", .acts = lowest_bit_only,
	 .registers = BIT(AMD_SELECT), .arg = SELECT_UNIT_MASK);
