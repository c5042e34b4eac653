/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in what NetBurst's ESCRs deliver: privilege, threads, power, events, tags. */
#include "netburst.h"

#define BOTH_LEVELS            (ESCR_T0_USR | ESCR_T0_OS)
#define BOTH_OF_OTHER          (ESCR_T1_USR | ESCR_T1_OS)

#define UOP_TYPE               0x02
#define BRANCH_RETIRED         0x06
#define INSTR_RETIRED          NETBURST_EVENT(CRU_ESCR0, 0x02)
#define MISPRED_BRANCH_RETIRED NETBURST_EVENT(CRU_ESCR0, 0x03)
#define BRANCHES               NETBURST_EVENT(CRU_ESCR2, BRANCH_RETIRED)
#define EXECUTION_EVENT        NETBURST_EVENT(CRU_ESCR2, 0x0c)
#define GLOBAL_POWER_EVENTS    NETBURST_EVENT(FSB_ESCR0, 0x13)

/* ---- privilege ---- */

FAULT(usr_dead, "*.privilege.user_only", "USR has no effect: ring 3 never counts",
      ACTS(NETBURST_ESCR, .clear = ESCR_T0_USR));
FAULT(os_dead, "*.privilege.kernel_only", "OS has no effect: ring 0 never counts",
      ACTS(NETBURST_ESCR, .clear = ESCR_T0_OS));
FAULT(usr_and_os_swapped, "*.privilege.user_only", "USR and OS are swapped",
      EXCHANGES(NETBURST_ESCR, ESCR_T0_USR, ESCR_T0_OS));
FAULT(usr_counts_ring0, "*.privilege.user_only", "USR counts ring 0 too",
      ACTS(NETBURST_ESCR, .when = ESCR_T0_USR, .set = ESCR_T0_OS));
FAULT(os_counts_ring3, "*.privilege.kernel_only", "OS counts ring 3 too",
      ACTS(NETBURST_ESCR, .when = ESCR_T0_OS, .set = ESCR_T0_USR));
FAULT(neither_counts, "*.privilege.neither", "an ESCR with no mode selected counts in all",
      ACTS(NETBURST_ESCR, .unless = BOTH_LEVELS | BOTH_OF_OTHER, .set = BOTH_LEVELS));
FAULT(both_counts_user_only, "*.privilege.both", "with USR and OS set ring 0 does not count",
      ACTS(NETBURST_ESCR, .when = BOTH_LEVELS, .clear = ESCR_T0_OS));

/* memory: the level that the counters know of. */
FAULT_BODY(gate_closes_late, "*.privilege.user_gate",
	   "the counters hear of the way to ring 0 one instruction late", increment)
{
	const struct pmu_netburst *p = netburst(at);
	int escr = p->cccr[at->ctr].escr;
	bool closing = at->memory[at->ctr] && at->clock->cpl == 0;

	at->memory[at->ctr] = at->clock->cpl;
	if (closing && at->set->enable && !at->set->adds_one && escr >= 0 &&
	    (p->escr[escr].modes & BOTH_LEVELS) == ESCR_T0_USR)
		at->amount += at->clock->n[SIGNAL_INSTRUCTIONS];
}

/* ---- threads ---- */

FAULT_DO_ON(MODEL_NORTHWOOD, t1_counts_t0, "*.thread.other_processor",
	    "T1_OS and T1_USR count the first logical processor", acts,
	    at->value |= (at->value & BOTH_OF_OTHER) << 2, .registers = BIT(NETBURST_ESCR));
FAULT_DO_ON(MODEL_NORTHWOOD, t0_counts_t1, "*.event.of_other",
	    "T0_OS and T0_USR count the second logical processor, too", acts,
	    at->value |= (at->value & BOTH_LEVELS) >> 2, .registers = BIT(NETBURST_ESCR));
FAULT_ON(MODEL_NORTHWOOD, t1_flags_dead, "*.event.of_other", "T1_OS and T1_USR have no effect",
	 ACTS(NETBURST_ESCR, .clear = BOTH_OF_OTHER));
FAULT_ON(MODEL_NORTHWOOD, pmi_t1_dead, "*.thread.other_interrupted", "OVF_PMI_T1 has no effect",
	 ACTS(NETBURST_CCCR, .clear = CCCR_OVF_PMI_T1));
FAULT_ON(MODEL_NORTHWOOD, pmi_t1_to_t0, "*.thread.other_interrupted",
	 "OVF_PMI_T1 interrupts the first logical processor",
	 ACTS(NETBURST_CCCR, .when = CCCR_OVF_PMI_T1, .clear = CCCR_OVF_PMI_T1,
	      .set = CCCR_OVF_PMI_T0));
FAULT_ON(MODEL_NORTHWOOD, pmi_to_both, "*.thread.other_interrupted",
	 "OVF_PMI_T0 interrupts the second logical processor, too",
	 ACTS(NETBURST_CCCR, .when = CCCR_OVF_PMI_T0, .set = CCCR_OVF_PMI_T1));
FAULT_ON(MODEL_NORTHWOOD, never_both_active, "*.thread.both_active", "Active thread 10b is dead",
	 ACTS(NETBURST_CCCR, .when = BIT(17), .unless = BIT(16), .clear = BIT(17)));
FAULT_ON(MODEL_NORTHWOOD, active_thread_ignored, "*.thread.active_thread",
	 "the Active thread field has no effect", ACTS(NETBURST_CCCR, .set = CCCR_ACTIVE_THREAD));
FAULT_ON(MODEL_NORTHWOOD, active_threads_swapped, "*.thread.active_thread",
	 "Active thread takes 01b for both processors active, and 10b for one",
	 EXCHANGES(NETBURST_CCCR, BIT(16), BIT(17)));

/* ---- power ---- */

FAULT_DO(counter8_does_not_power, "*.power.unpowered_escr",
	 "counter 8 does not power the ESCRs that it reaches", written,
	 netburst(at)->escr[at->reg.number].power &= ~(UINT32_C(1) << 8),
	 .registers = BIT(NETBURST_ESCR));
FAULT_DO(pair_does_not_power, "*.power.any_counter_powers",
	 "only the counters of its own half power an ESCR", written,
	 netburst(at)->escr[at->reg.number].power &= at->reg.number & 1 ? 0x2cccc : 0x13333,
	 .registers = BIT(NETBURST_ESCR));

/* ---- events ---- */

FAULT(far_transfer_counted_twice, "*.privilege.user_gate", "far transfers count as 2 instructions",
      .occurrences = counts_too, .event = INSTR_RETIRED, .arg = SIGNAL_FAR);

/* A Pentium D does the like lawfully (model/faults/lawful/netburst.c), but not in ring 0 alone. */
FAULT_BODY(fences_twice_in_ring0, "*.count.instructions",
	   "SFENCE, MFENCE and their like count as 2 instructions in ring 0 alone", occurrences,
	   .event = INSTR_RETIRED, .arg = SIGNAL_TWICE)
{
	if (at->clock->cpl == 0)
		counts_too(at);
}

/* memory: so many have passed. */
FAULT_BODY(fences_twice_by_turns, "*.count.instructions",
	   "every second SFENCE, MFENCE and their like counts as 2 instructions", occurrences,
	   .event = INSTR_RETIRED, .arg = SIGNAL_TWICE)
{
	if (at->clock->n[SIGNAL_TWICE] && at->memory[at->ctr]++ & 1)
		counts_too(at);
}

FAULT_ON(MODEL_PRESCOTT, completed_twice, "*.event.completed_once",
	 "instr_completed counts SFENCE, MFENCE and their like twice", .occurrences = counts_too,
	 .event = NETBURST_EVENT(CRU_ESCR0, 0x07), .arg = SIGNAL_TWICE);
FAULT(mmx_counted_twice, "*.count.instructions",
      "every MMX instruction counts as 2 instructions, not EMMS alone", .occurrences = counts_too,
      .event = INSTR_RETIRED, .arg = SIGNAL_FP + 1);
FAULT(clocks_stop_in_ring3, "*.count.cycles", "global_power_events does not count in ring 3",
      .occurrences = misses_ring3, .event = GLOBAL_POWER_EVENTS);
FAULT(clocks_only_when_retiring, "*.invert.partition",
      "global_power_events misses clocks in which nothing retires", .occurrences = counts_only_when,
      .event = GLOBAL_POWER_EVENTS, .arg = SIGNAL_UOPS);
FAULT(taken_and_not_taken_swapped, "*.count.taken_branches",
      "the taken and not-taken bits of branch_retired are swapped",
      EXCHANGES(NETBURST_ESCR, FIELD(10, 9), FIELD(12, 11), EVENT(BRANCH_RETIRED)),
      ON_PAIR(CRU_ESCR2));
FAULT(predicted_and_mispredicted_swapped, "*.branch.mispredicted",
      "the predicted and mispredicted bits of branch_retired are swapped",
      EXCHANGES(NETBURST_ESCR, BIT(11) | BIT(9), BIT(12) | BIT(10), EVENT(BRANCH_RETIRED)),
      ON_PAIR(CRU_ESCR2));
FAULT(branch_mask_first_only, "*.branch.four_masks",
      "only the lowest mask bit of branch_retired that is set counts", .acts = lowest_bit_only,
      .arg = ESCR_EVENT_MASK, .registers = BIT(NETBURST_ESCR), ON_PAIR(CRU_ESCR2),
      .twist = {EVENT(BRANCH_RETIRED)});
FAULT(branches_miss_returns, "*.count.branches", "branch_retired misses near returns",
      .occurrences = counts_without, .event = BRANCHES, .arg = SIGNAL_NEAR_RETURNS);
FAULT(mispredicted_counts_all, "*.branch.mispredicted", "mispred_branch_retired counts any branch",
      .occurrences = counts_instead, .event = MISPRED_BRANCH_RETIRED, .arg = SIGNAL_BRANCHES);

/* ---- tags ---- */

FAULT(store_tags_lost, "*.tag.front_end", "uop_type TAGSTORES tags nothing",
      ACTS(NETBURST_ESCR, EVENT(UOP_TYPE), .clear = BIT(11)), ON_PAIR(RAT_ESCR0));
FAULT(load_and_store_tags_swapped, "*.tag.front_end", "TAGLOADS tags stores, and TAGSTORES loads",
      EXCHANGES(NETBURST_ESCR, BIT(10), BIT(11), EVENT(UOP_TYPE)), ON_PAIR(RAT_ESCR0));
FAULT(tag_value_ignored, "*.tag.tag_values", "a tagged micro-op has all four tag bits",
      ACTS(NETBURST_ESCR, .some = ESCR_TAG_VALUE, .set = ESCR_TAG_VALUE), ON_PAIR(FIRM_ESCR0));
FAULT(tag_enable_ignored, "*.tag.*", "an ESCR tags though Tag enable is clear",
      ACTS(NETBURST_ESCR, .set = ESCR_TAG_ENABLE));

FAULT_BODY(uop_counted_per_tag, "*.tag.tag_values",
	   "execution_event counts a micro-op once for each bit selected", occurrences,
	   .event = EXECUTION_EVENT)
{
	const struct pmu_netburst *p = netburst(at);
	unsigned tags = 0;

	for (unsigned i = 0; i < 4; i++)
		tags += p->escr[p->cccr[at->ctr].escr].mask >> i & 1;
	at->n *= tags;
}

FAULT(replay_ignores_matrix, "*.tag.replay", "replay tags loads whatever PEBS_MATRIX_VERT says",
      ACTS(NETBURST_PEBS_MATRIX_VERT, .set = BIT(0)));
