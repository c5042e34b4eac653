/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults in what Intel's core counters count, and when; some are published errata. */
#include "intel.h"

#define BOTH_LEVELS (SELECT_USR | SELECT_OS)

/* ---- CMASK ---- */

FAULT_ON(MODEL_V2, cmask_bit1_dead, "*.threshold.sum_law", "bit 1 of CMASK has no effect",
	 ACTS(INTEL_EVTSEL, .clear = BIT(25)));
FAULT(cmask_all_ones_is_0, "*.select.cmask_maximum", "CMASK at its maximum has no effect",
      ACTS(INTEL_EVTSEL, .when = SELECT_CMASK, .clear = SELECT_CMASK));
FAULT(cmask_ignored, "*.threshold.above_maximum", "CMASK has no effect",
      ACTS(INTEL_EVTSEL, .clear = SELECT_CMASK));
FAULT_ON(MODEL_V2, cmask_matches_exactly, "*.threshold.ladder",
	 "CMASK = M counts clocks of exactly M events", .compare = threshold_exact);

/* ---- INV ---- */

FAULT(inv_acts_without_cmask, "*.select.inv_without_cmask", "INV inverts though CMASK is 0",
      ACTS(INTEL_EVTSEL, .when = SELECT_INV, .unless = SELECT_CMASK, .set = BIT(24)));
FAULT_DO_ON(MODEL_V2, hsd073_inv_counts_other_cpl, "*.invert.partition",
	    "INV also counts clocks of the other privilege level (errata HSD073, HSM074)",
	    occurrences, at->passes |= at->set->invert && (at->set->user || at->set->os));

/* ---- USR and OS ---- */

FAULT_ON(MODEL_SANDY | MODEL_ICELAKE, bdd116_usr_alone_dead, "4.privilege.user_only",
	 "counters 4 to 7 do not count with USR alone (errata BDD116, BDM126)",
	 ACTS(INTEL_EVTSEL, .unless = SELECT_OS, .clear = SELECT_USR), .counters = FIELD(7, 4));
/* Where that is no defect, worse ones are still seen. */
FAULT_ON(MODEL_BROADWELL, upper_usr_dead, "4.privilege.both",
	 "counters 4 to 7 count nothing of ring 3, with USR and OS either",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_USR), .counters = FIELD(7, 4));
FAULT_ON(MODEL_BROADWELL, upper_counter_dead, "6.count.instructions", "counter 6 counts nothing",
	 .increment = counts_nothing, .counters = BIT(6));
FAULT_ON(MODEL_BROADWELL, upper_loses_one_in, "5.count.instructions",
	 "counter 5 loses one of 8 events", .increment = loses_one_in, .arg = 8,
	 .counters = BIT(5));
FAULT_ON(MODEL_BROADWELL, upper_never_overflows, "7.overflow.exact_period",
	 "counter 7 never overflows", .overflow = never_overflows, .counters = BIT(7));
FAULT_ON(MODEL_BROADWELL, upper_edge_dead, "4.edge.bursts", "E of counter 4 has no effect",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_EDGE), .counters = BIT(4));
FAULT_DO(cycles_leak_into_usr, "*.privilege.user_alone",
	 "clocks of ring 0 are counted with USR alone", increment,
	 at->amount +=
	 at->set->user && !at->set->os && at->clock->cpl == 0 && intel_runs(at->pmu, at->ctr),
	 .event = INTEL_EVENT(SIGNAL_CYCLES));

/* ---- PC and ANY ---- */

FAULT(pc_stops_counting, "*.count.pin_control", "a counter with PC set stands still",
      ACTS(INTEL_EVTSEL, .when = SELECT_PC, .clear = SELECT_EN));
FAULT_ON(MODEL_NEHALEM | MODEL_SKYLAKE, any_dead, "*.any.while_halted", "AnyThread has no effect",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_ANY));
FAULT_ON(MODEL_NEHALEM | MODEL_SKYLAKE, any_always, "*.any.while_halted",
	 "all counters count for both threads of the core", ACTS(INTEL_EVTSEL, .set = SELECT_ANY));
FAULT_ON(MODEL_NEHALEM | MODEL_SANDY | MODEL_SKYLAKE, any_stops_counting, "*.select.any_thread",
	 "a counter with ANY set counts the other thread only",
	 ACTS(INTEL_EVTSEL, .when = SELECT_ANY, .clear = SELECT_EN));

/* ---- events ---- */

FAULT(aaj107_instructions_lost, "*.count.instructions",
      "one of 64 retired instructions is lost (errata AAJ107, AAT050)", .increment = loses_one_in,
      .event = INTEL_EVENT(SIGNAL_INSTRUCTIONS), .arg = 64);
FAULT(bv052_iret_counts_twice, "*.privilege.user_gate",
      "far transfers count twice as instructions (errata BV052, BU052)", .occurrences = counts_too,
      .event = INTEL_EVENT(SIGNAL_INSTRUCTIONS), .arg = SIGNAL_FAR);
FAULT_ON(MODEL_V4, bj090_taken_overcounts, "*.count.taken_branches",
	 "returns count twice as taken (as errata BJ090, BK089)", .occurrences = counts_too,
	 .event = INTEL_EVENT(INTEL_NEAR_TAKEN), .arg = SIGNAL_NEAR_RETURNS);
FAULT(mtl012_calls_not_counted, "*.count.branches", "calls are no branches (as erratum MTL012)",
      .occurrences = counts_without, .event = INTEL_EVENT(SIGNAL_BRANCHES),
      .arg = SIGNAL_BRANCH_TYPE + TYPE_CALL);
FAULT(branches_filtered, "*.alive.events", "no counter counts branches",
      .increment = counts_nothing, .event = INTEL_EVENT(SIGNAL_BRANCHES));
FAULT_ON(MODEL_V2, llc_misses_dead, "*.sub_event.occurs",
	 "no counter counts misses of the last cache", .increment = counts_nothing,
	 .event = INTEL_EVENT(SIGNAL_MISSED_LOADS));
FAULT(mispredictions_dead, "*.sub_event.occurs", "no counter counts mispredicted branches",
      .increment = counts_nothing, .event = INTEL_EVENT(INTEL_MISPREDICTED));
/* memory: what the counter has counted. */
FAULT_DO(mispredictions_saturate, "*.sub_event.grows",
	 "mispredicted branches are counted until there are 16", increment,
	 if (at->memory[at->ctr] + at->amount > 16) at->amount = 0;
	 at->memory[at->ctr] += at->amount, .event = INTEL_EVENT(INTEL_MISPREDICTED));
FAULT_ON(MODEL_V2, llc_misses_halved_on_1, "*.sub_event.grows",
	 "counter 1 counts every second miss of the last cache", .increment = loses_one_in,
	 .arg = 2, .counters = BIT(1), .event = INTEL_EVENT(SIGNAL_MISSED_LOADS));
FAULT(branches_must_be_taken, "*.count.branches", "branches that are not taken are not counted",
      .occurrences = counts_instead, .event = INTEL_EVENT(SIGNAL_BRANCHES), .arg = SIGNAL_TAKEN);

/* memory[0]: counter 0 has counted in this clock. */
FAULT_BODY(counter1_sees_counter0, "*.count.counters_agree",
	   "in ring 3 counter 1 also counts each clock in which counter 0 counts", increment,
	   .counters = BIT(0) | BIT(1))
{
	if (at->ctr == 0)
		at->memory[0] = at->amount;
	else if (at->clock->cpl)
		at->amount += at->memory[0] != 0;
}

/* ---- fixed counters ---- */

FAULT_ON(MODEL_V2, fixed0_counts_uops, "*.fixed.equals_general", "fixed counter 0 counts micro-ops",
	 .occurrences = counts_instead, .arg = SIGNAL_UOPS, .counters = BIT(INTEL_GENERAL));
FAULT_ON(MODEL_V2, fixed1_misses_idle_clocks, "*.fixed.equals_general",
	 "fixed counter 1 counts only clocks that retire something",
	 .occurrences = counts_only_when, .arg = SIGNAL_INSTRUCTIONS,
	 .counters = BIT(INTEL_GENERAL + 1));
FAULT_DO_ON(MODEL_V2, fixed2_counts_bus_clocks, "*.fixed.reference_rate",
	    "fixed counter 2 counts clocks of the bus, and not of the TSC", increment,
	    at->amount = at->amount && intel(at)->clocks % 8 == 1,
	    .counters = BIT(INTEL_GENERAL + 2));
FAULT_DO_ON(MODEL_V2, fixed2_multiplied_twice, "*.fixed.reference_rate",
	    "fixed counter 2 multiplies the clocks of the bus twice", increment, at->amount *= 8,
	    .counters = BIT(INTEL_GENERAL + 2));
FAULT_ON(MODEL_V2, fixed_enable_is_both, "*.fixed.enable_field",
	 "a fixed counter counts at both levels or not at all",
	 ACTS(INTEL_EVTSEL, .some = BOTH_LEVELS, .set = BOTH_LEVELS), .counters = FIXED_COUNTERS);
FAULT_ON(MODEL_V2, fixed_enable_swapped, "*.fixed.enable_field",
	 "1 enables a fixed counter for ring 3, 2 for ring 0",
	 EXCHANGES(INTEL_EVTSEL, SELECT_USR, SELECT_OS), .counters = FIXED_COUNTERS);
FAULT_ON(MODEL_V2, fixed_counts_when_off, "*.fixed.enable_field",
	 "0 enables a fixed counter for all levels",
	 ACTS(INTEL_EVTSEL, .unless = BOTH_LEVELS, .set = BOTH_LEVELS), .counters = FIXED_COUNTERS);
FAULT_ON(MODEL_V2, fixed_pmi_dead, "*.fixed.interrupt", "fixed counters never interrupt",
	 ACTS(INTEL_EVTSEL, .clear = SELECT_INT), .counters = FIXED_COUNTERS);
FAULT_ON(MODEL_V2, fixed_pmi_stuck, "*.fixed.interrupt",
	 "fixed counters interrupt though their PMI bit is clear",
	 ACTS(INTEL_EVTSEL, .set = SELECT_INT), .counters = FIXED_COUNTERS);

/* ---- system management interrupts: no defect, but a verdict must be told apart from them ---- */

enum { STOLEN_ONE_IN = 16 };

static void smi_steals_once(struct point *at)
{
	if (!at->amount || intel(at)->smi_count)
		return;
	intel(at)->smi_count = 1;
	at->amount = 0;
}

SEEDED(smi_steals_once, "smi_steals_once", MODEL_V3 | MODEL_CORE2, "-",
       "one SMI steals one clock from a counter: the test is run again, and passes",
       DEFECT(.increment = smi_steals_once));

static void smi_always_steals(struct point *at)
{
	if (!at->amount || ++at->memory[at->ctr] % STOLEN_ONE_IN)
		return;
	intel(at)->smi_count++;
	at->amount = 0;
}

SEEDED(smi_always_steals, "smi_always_steals", MODEL_V3, "*.count.instructions",
       "SMIs steal every 16th clock of a counter, whenever it is run again",
       DEFECT(.increment = smi_always_steals));
