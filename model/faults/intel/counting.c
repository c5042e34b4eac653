/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of what Intel's core counters count and when; some are published errata. */
#include "model/pmu/intel/hooks.h"

static bool is_general(const struct intel_setting *set)
{
	return set->counter < INTEL_GENERAL;
}

/* ---- CMASK ---- */

static void cmask_off_by_one(struct intel_setting *set)
{
	set->threshold += set->threshold && !set->invert;
}

static void cmask_bit1_dead(struct intel_setting *set)
{
	set->threshold &= ~2u;
}

static void cmask_all_ones_is_0(struct intel_setting *set)
{
	if (set->threshold == 255)
		set->threshold = 0;
}

static void cmask_ignored(struct intel_setting *set)
{
	set->threshold = 0;
}

static bool cmask_matches_exactly(const struct intel_setting *set, unsigned n, bool result)
{
	return set->threshold && !set->invert ? n == set->threshold : result;
}

/* ---- INV ---- */

static void inv_dead(struct intel_setting *set)
{
	set->invert = false;
}

static bool inv_is_at_most(const struct intel_setting *set, unsigned n, bool result)
{
	return set->threshold && set->invert ? n <= set->threshold : result;
}

static bool inv_misses_idle_clocks(const struct intel_setting *set, unsigned n, bool result)
{
	return set->threshold && set->invert ? result && n > 0 : result;
}

/* As if CMASK were 1. */
static void inv_acts_without_cmask(struct intel_setting *set)
{
	if (set->invert && !set->threshold)
		set->threshold = 1;
}

static bool hsd073_inv_counts_other_cpl(const struct intel_setting *set, const struct clock *clock,
					bool passes)
{
	(void)clock;
	return passes || (set->invert && set->threshold && (set->user || set->os));
}

/* ---- E ---- */

static void e_dead(struct intel_setting *set)
{
	set->edge = false;
}

static bool e_counts_levels(const struct intel_setting *set, bool passes, bool before, bool now)
{
	(void)set, (void)passes, (void)before;
	return now;
}

static bool e_counts_both_edges(const struct intel_setting *set, bool passes, bool before, bool now)
{
	(void)set, (void)passes;
	return before != now;
}

static bool e_counts_falling_edges(const struct intel_setting *set, bool passes, bool before,
				   bool now)
{
	(void)set;
	return passes && before && !now;
}

/* ---- USR and OS ---- */

static void usr_bit_dead(struct intel_setting *set)
{
	set->user = false;
}

static void os_bit_dead(struct intel_setting *set)
{
	set->os = false;
}

static void usr_counts_all_levels(struct intel_setting *set)
{
	set->os |= set->user;
}

static void os_counts_all_levels(struct intel_setting *set)
{
	set->user |= set->os;
}

static void no_level_is_both(struct intel_setting *set)
{
	if (!set->user && !set->os)
		set->user = set->os = true;
}

static void both_levels_are_user(struct intel_setting *set)
{
	set->os &= !set->user;
}

static void bdd116_usr_alone_dead(struct intel_setting *set)
{
	if (is_general(set) && set->counter >= 4 && !set->os)
		set->user = false;
}

static unsigned cycles_leak_into_usr(struct pmu_intel *p, unsigned ctr, const struct clock *clock,
				     unsigned amount)
{
	const struct intel_setting *set = &p->counter[ctr].set;
	bool alone = set->user && !set->os && set->signal == INTEL_CYCLES;

	return amount + (alone && clock->cpl == 0 && intel_counts(p, ctr));
}

/* ---- PC and ANY ---- */

static void pc_stops_counting(struct intel_setting *set)
{
	set->enable &= !set->pin_control;
}

static void any_dead(struct intel_setting *set)
{
	set->any = false;
}

static void any_always(struct intel_setting *set)
{
	set->any = true;
}

static void any_stops_counting(struct intel_setting *set)
{
	set->enable &= !set->any;
}

/* ---- events ---- */

static unsigned events_are_clocks(struct pmu_intel *p, unsigned ctr, const struct clock *clock,
				  unsigned amount)
{
	(void)p, (void)ctr, (void)clock;
	return amount > 0;
}

static unsigned aaj107_instructions_lost(struct pmu_intel *p, unsigned ctr,
					 const struct clock *clock, unsigned amount)
{
	(void)clock;
	if (p->counter[ctr].set.signal != INTEL_INSTRUCTIONS || !amount)
		return amount;
	return ++p->defect[ctr] % 64 ? amount : amount - 1;
}

static unsigned bv052_iret_counts_twice(const struct intel_setting *set, const struct clock *clock,
					unsigned n)
{
	return set->signal == INTEL_INSTRUCTIONS ? n + clock->n[SIGNAL_FAR] : n;
}

static unsigned bj090_taken_overcounts(const struct intel_setting *set, const struct clock *clock,
				       unsigned n)
{
	return set->signal == INTEL_NEAR_TAKEN ? n + clock->n[SIGNAL_NEAR_RETURNS] : n;
}

static unsigned mtl012_calls_not_counted(const struct intel_setting *set, const struct clock *clock,
					 unsigned n)
{
	return set->signal == INTEL_BRANCHES ? n - clock->n[SIGNAL_BRANCH_TYPE + TYPE_CALL] : n;
}

static unsigned branches_must_be_taken(const struct intel_setting *set, const struct clock *clock,
				       unsigned n)
{
	return set->signal == INTEL_BRANCHES ? clock->n[SIGNAL_TAKEN] : n;
}

static unsigned counter1_sees_counter0(struct pmu_intel *p, unsigned ctr, const struct clock *clock,
				       unsigned amount)
{
	if (ctr == 0)
		p->defect[0] = amount;
	return ctr == 1 && clock->cpl ? amount + (unsigned)(p->defect[0] != 0) : amount;
}

const struct fault faults_intel_counting[] = {
	INTEL_FAULT(cmask_off_by_one, MODEL_V2, "intel.*.threshold.sum_law",
		    "CMASK = M counts clocks of more than M events", .setting = cmask_off_by_one),
	INTEL_FAULT(cmask_bit1_dead, MODEL_V2, "intel.*.threshold.sum_law",
		    "bit 1 of CMASK has no effect", .setting = cmask_bit1_dead),
	INTEL_FAULT(cmask_all_ones_is_0, MODEL_INTEL, "intel.*.select.cmask_maximum",
		    "CMASK at its maximum has no effect", .setting = cmask_all_ones_is_0),
	INTEL_FAULT(cmask_ignored, MODEL_INTEL, "intel.*.threshold.above_maximum",
		    "CMASK has no effect", .setting = cmask_ignored),
	INTEL_FAULT(cmask_matches_exactly, MODEL_V2, "intel.*.threshold.ladder",
		    "CMASK = M counts clocks of exactly M events",
		    .compare = cmask_matches_exactly),
	INTEL_FAULT(inv_dead, MODEL_V2, "intel.*.invert.partition", "INV has no effect",
		    .setting = inv_dead),
	INTEL_FAULT(inv_is_at_most, MODEL_V2, "intel.*.invert.partition",
		    "INV counts clocks of at most, not of less than CMASK events",
		    .compare = inv_is_at_most),
	INTEL_FAULT(inv_misses_idle_clocks, MODEL_V2, "intel.*.invert.partition",
		    "INV does not count clocks without an event",
		    .compare = inv_misses_idle_clocks),
	INTEL_FAULT(inv_acts_without_cmask, MODEL_INTEL, "intel.*.select.inv_without_cmask",
		    "INV inverts though CMASK is 0", .setting = inv_acts_without_cmask),
	INTEL_FAULT(hsd073_inv_counts_other_cpl, MODEL_V2, "intel.*.invert.partition",
		    "INV also counts clocks of the other privilege level (errata HSD073, HSM074)",
		    .passes = hsd073_inv_counts_other_cpl),
	INTEL_FAULT(e_dead, MODEL_INTEL, "intel.*.edge.bursts", "E has no effect",
		    .setting = e_dead),
	INTEL_FAULT(e_counts_levels, MODEL_INTEL, "intel.*.edge.bursts",
		    "E counts clocks, not the first of a row", .edge = e_counts_levels),
	INTEL_FAULT(e_counts_both_edges, MODEL_INTEL, "intel.*.edge.bursts",
		    "E counts rising and falling edges", .edge = e_counts_both_edges),
	/* Nehalem counts neither far transfers nor near returns, which tell the two apart. */
	INTEL_FAULT(e_counts_falling_edges, MODEL_SANDY | MODEL_V4, "intel.*.edge.bursts",
		    "E counts falling edges, so one less while a condition lasts",
		    .edge = e_counts_falling_edges),
	INTEL_FAULT(usr_bit_dead, MODEL_INTEL, "intel.*.privilege.user_only", "USR has no effect",
		    .setting = usr_bit_dead),
	INTEL_FAULT(os_bit_dead, MODEL_INTEL, "intel.*.privilege.kernel_only", "OS has no effect",
		    .setting = os_bit_dead),
	INTEL_FAULT(usr_counts_all_levels, MODEL_INTEL, "intel.*.privilege.user_only",
		    "USR counts ring 0 too", .setting = usr_counts_all_levels),
	INTEL_FAULT(os_counts_all_levels, MODEL_INTEL, "intel.*.privilege.kernel_only",
		    "OS counts ring 3 too", .setting = os_counts_all_levels),
	INTEL_FAULT(no_level_is_both, MODEL_INTEL, "intel.*.privilege.neither",
		    "with USR and OS clear both levels are counted", .setting = no_level_is_both),
	INTEL_FAULT(both_levels_are_user, MODEL_INTEL, "intel.*.privilege.both",
		    "with USR and OS set ring 0 is not counted", .setting = both_levels_are_user),
	INTEL_FAULT(bdd116_usr_alone_dead, MODEL_SANDY | MODEL_ICELAKE,
		    "intel.4.privilege.user_only",
		    "counters 4 to 7 do not count with USR alone (errata BDD116, BDM126)",
		    .setting = bdd116_usr_alone_dead),
	INTEL_FAULT(cycles_leak_into_usr, MODEL_INTEL, "intel.*.privilege.user_alone",
		    "clocks of ring 0 are counted with USR alone",
		    .increment = cycles_leak_into_usr),
	INTEL_FAULT(pc_stops_counting, MODEL_INTEL, "intel.*.count.pin_control",
		    "a counter with PC set stands still", .setting = pc_stops_counting),
	INTEL_FAULT(any_dead, MODEL_NEHALEM | MODEL_SKYLAKE, "intel.*.any.while_halted",
		    "AnyThread has no effect", .setting = any_dead),
	INTEL_FAULT(any_always, MODEL_NEHALEM | MODEL_SKYLAKE, "intel.*.any.while_halted",
		    "every counter counts for both threads of the core", .setting = any_always),
	INTEL_FAULT(any_stops_counting, MODEL_NEHALEM | MODEL_SANDY | MODEL_SKYLAKE,
		    "intel.*.select.any_thread",
		    "a counter with ANY set counts the other thread only",
		    .setting = any_stops_counting),
	INTEL_FAULT(events_are_clocks, MODEL_INTEL, "intel.*.count.instructions",
		    "several events in one clock count one", .increment = events_are_clocks),
	INTEL_FAULT(aaj107_instructions_lost, MODEL_INTEL, "intel.*.count.instructions",
		    "one of 64 retired instructions is lost (errata AAJ107, AAT050)",
		    .increment = aaj107_instructions_lost),
	INTEL_FAULT(bv052_iret_counts_twice, MODEL_INTEL, "intel.*.privilege.user_gate",
		    "far transfers count twice as instructions (errata BV052, BU052)",
		    .occurrences = bv052_iret_counts_twice),
	INTEL_FAULT(bj090_taken_overcounts, MODEL_V4, "intel.*.count.taken_branches",
		    "returns count twice as taken near branches (as errata BJ090, BK089)",
		    .occurrences = bj090_taken_overcounts),
	INTEL_FAULT(mtl012_calls_not_counted, MODEL_INTEL, "intel.*.count.branches",
		    "calls are no branches (as erratum MTL012)",
		    .occurrences = mtl012_calls_not_counted),
	INTEL_FAULT(branches_must_be_taken, MODEL_INTEL, "intel.*.count.branches",
		    "branches that are not taken are not counted",
		    .occurrences = branches_must_be_taken),
	INTEL_FAULT(counter1_sees_counter0, MODEL_INTEL, "intel.*.count.counters_agree",
		    "in ring 3 counter 1 also counts each clock in which counter 0 counts",
		    .increment = counter1_sees_counter0),
	{0},
};
