/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of what is counted and when: thresholds, inversion, edges, privilege, events. */
#include "model/pmu/amd/hooks.h"

#define EVENT_CYCLES       0x076u
#define EVENT_INSTRUCTIONS 0x0c0u
#define EVENT_BRANCHES     0x0c2u
#define EVENT_TAKEN        0x0c4u

/* ---- threshold ---- */

static void threshold_off_by_one(struct setting *set)
{
	set->threshold += set->threshold && !set->invert;
}

static void threshold_bit1_stuck(struct setting *set)
{
	set->threshold &= ~2u;
}

static void threshold_high_bits_dead(struct setting *set)
{
	set->threshold &= 7;
}

static void threshold_ignored(struct setting *set)
{
	set->threshold = 0;
}

static bool threshold_exact_match(const struct setting *set, unsigned n, bool result)
{
	return set->invert ? result : n == set->threshold;
}

/* ---- inversion ---- */

static void invert_dead(struct setting *set)
{
	set->invert = false;
}

static bool invert_off_by_one(const struct setting *set, unsigned n, bool result)
{
	return set->invert ? n <= set->threshold : result;
}

static bool invert_misses_idle(const struct setting *set, unsigned n, bool result)
{
	return set->invert ? result && n > 0 : result;
}

/* ---- edge ---- */

static void edge_dead(struct setting *set)
{
	set->edge = false;
}

static bool edge_counts_levels(const struct setting *set, bool passes, bool before, bool now)
{
	(void)set, (void)passes, (void)before;
	return now;
}

static bool edge_counts_both(const struct setting *set, bool passes, bool before, bool now)
{
	(void)set, (void)passes;
	return before != now;
}

static bool edge_falling(const struct setting *set, bool passes, bool before, bool now)
{
	(void)set;
	return passes && before && !now;
}

static bool edge_level_when_inverted(const struct setting *set, bool passes, bool before, bool now)
{
	(void)passes;
	return now && (set->invert || !before);
}

static bool edge_counts_false_clocks(const struct setting *set, bool passes, bool before, bool now)
{
	(void)set, (void)before;
	return passes && !now;
}

/* ---- privilege ---- */

static void usr_dead(struct setting *set)
{
	set->user = false;
}

static void os_dead(struct setting *set)
{
	set->os = false;
}

static void usr_counts_ring0(struct setting *set)
{
	set->os |= set->user;
}

static void os_counts_ring3(struct setting *set)
{
	set->user |= set->os;
}

static void neither_counts(struct setting *set)
{
	if (!set->user && !set->os)
		set->user = set->os = true;
}

static void both_counts_user_only(struct setting *set)
{
	set->os &= !set->user;
}

static void both_counts_kernel_only(struct setting *set)
{
	set->user &= !set->os;
}

static void user_and_os_swapped_on_counter1(struct setting *set)
{
	bool user = set->user;

	if (set->counter != 1)
		return;
	set->user = set->os;
	set->os = user;
}

/* The level reaches counter 1 one far transfer late. */
static unsigned gate_closes_late(struct pmu_amd *p, unsigned ctr, const struct clock *clock,
				 unsigned amount)
{
	const struct setting *set = &p->counter[ctr].set;
	bool closing = p->defect[ctr] && clock->cpl == 0;

	p->defect[ctr] = clock->cpl;
	if (ctr == 1 && closing && set->enable && set->user && !set->os && !set->threshold)
		amount += clock->n[SIGNAL_INSTRUCTIONS];
	return amount;
}

static unsigned far_transfer_counted_twice(const struct setting *set, const struct clock *clock,
					   unsigned n)
{
	return set->event == EVENT_INSTRUCTIONS ? n + clock->n[SIGNAL_FAR] : n;
}

/* ---- enabling ---- */

static void enable_ignored(struct setting *set)
{
	set->enable |= set->user || set->os;
}

static void stop_ignored(struct setting *set)
{
	if (set->was_enabled && (set->user || set->os))
		set->enable = true;
}

/* The first events after a write to the select register are lost; defect: it has woken up. */
static unsigned enable_lags(struct pmu_amd *p, unsigned ctr, const struct clock *clock,
			    unsigned amount)
{
	bool asleep = amount && !p->defect[ctr];

	(void)clock;
	p->defect[ctr] |= amount;
	return amount - asleep;
}

static void enable_falls_asleep(struct pmu_amd *p, const struct reg *reg, uint64_t old)
{
	(void)old;
	if (reg->select)
		p->defect[reg->counter] = 0;
}

static void pin_control_stops(struct setting *set)
{
	set->enable &= !set->pin_control;
}

/* ---- amounts ---- */

static unsigned instruction_lost_every_64(struct pmu_amd *p, unsigned ctr,
					  const struct clock *clock, unsigned amount)
{
	(void)clock;
	p->defect[ctr] += amount;
	if (p->defect[ctr] < 64)
		return amount;
	p->defect[ctr] -= 64;
	return amount - 1;
}

/* Runs before counter 1 has its own turn. */
static unsigned counter0_pushes_counter1(struct pmu_amd *p, unsigned ctr, const struct clock *clock,
					 unsigned amount)
{
	(void)clock;
	if (ctr == 0)
		p->counter[1].value = (p->counter[1].value + amount) & COUNTER_MASK;
	return amount;
}

static unsigned counter1_slow(struct pmu_amd *p, unsigned ctr, const struct clock *clock,
			      unsigned amount)
{
	return ctr == 1 ? instruction_lost_every_64(p, ctr, clock, amount) : amount;
}

static unsigned one_per_clock(struct pmu_amd *p, unsigned ctr, const struct clock *clock,
			      unsigned amount)
{
	(void)p, (void)ctr, (void)clock;
	return amount > 1 ? 1 : amount;
}

static unsigned counter4_dead(struct pmu_amd *p, unsigned ctr, const struct clock *clock,
			      unsigned amount)
{
	(void)p, (void)clock;
	return ctr == 4 ? 0 : amount;
}

/* ---- events ---- */

static unsigned taken_counts_all_branches(const struct setting *set, const struct clock *clock,
					  unsigned n)
{
	return set->event == EVENT_TAKEN ? clock->n[SIGNAL_BRANCHES] : n;
}

static unsigned branches_miss_returns(const struct setting *set, const struct clock *clock,
				      unsigned n)
{
	return set->event == EVENT_BRANCHES ? n - clock->n[SIGNAL_NEAR_RETURNS] : n;
}

static unsigned cycles_only_when_retiring(const struct setting *set, const struct clock *clock,
					  unsigned n)
{
	return set->event == EVENT_CYCLES ? clock->n[SIGNAL_INSTRUCTIONS] > 0 : n;
}

static unsigned cycles_stop_in_ring3(const struct setting *set, const struct clock *clock,
				     unsigned n)
{
	return set->event == EVENT_CYCLES && clock->cpl == 3 ? 0 : n;
}

static void unit_mask_ignored(struct setting *set)
{
	set->unit_mask = 0xff;
}

static void unit_mask_first_only(struct setting *set)
{
	set->unit_mask &= 0u - set->unit_mask;
}

static bool v2_global_ctl_ignored(unsigned ctr, bool enabled)
{
	(void)ctr, (void)enabled;
	return true;
}

static uint64_t v2_status_not_set(unsigned ctr)
{
	return ctr == 1 ? 0 : BIT(ctr);
}

static uint64_t v2_status_of_neighbour(unsigned ctr)
{
	return BIT(ctr + 1);
}

const struct fault faults_amd_counting[] = {
	FAULT(threshold_off_by_one, MODEL_AMD, "*.threshold.sum_law",
	      "CNT_MASK c counts clocks with more than c occurrences",
	      .setting = threshold_off_by_one),
	FAULT(threshold_bit1_stuck, MODEL_AMD, "*.threshold.ladder",
	      "bit 1 of CNT_MASK does not reach the comparison", .setting = threshold_bit1_stuck),
	FAULT(v2_global_ctl_ignored, MODEL_ZEN4, "*.global.gates_each",
	      "PerfCntrGlobalCtl has no effect", .globally = v2_global_ctl_ignored),
	FAULT(threshold_high_bits_dead, MODEL_EXTENDED, "*.threshold.above_maximum",
	      "CNT_MASK is compared in 3 bits only", .setting = threshold_high_bits_dead),
	FAULT(threshold_ignored, MODEL_AMD, "*.threshold.sum_law",
	      "CNT_MASK is stored and has no effect", .setting = threshold_ignored),
	FAULT(threshold_exact_match, MODEL_AMD, "*.threshold.sum_law",
	      "CNT_MASK c counts clocks with exactly c occurrences",
	      .compare = threshold_exact_match),
	FAULT(invert_dead, MODEL_AMD, "*.invert.partition", "INV has no effect",
	      .setting = invert_dead),
	FAULT(invert_off_by_one, MODEL_AMD, "*.invert.partition",
	      "INV counts clocks with at most c occurrences, not fewer than c",
	      .compare = invert_off_by_one),
	FAULT(invert_misses_idle, MODEL_AMD, "*.invert.partition",
	      "INV does not count clocks without any occurrence", .compare = invert_misses_idle),
	FAULT(edge_dead, MODEL_AMD, "*.edge.bursts", "E has no effect", .setting = edge_dead),
	FAULT(edge_counts_levels, MODEL_AMD, "*.edge.bursts",
	      "with E every clock in which the condition holds counts one",
	      .edge = edge_counts_levels),
	FAULT(edge_counts_both, MODEL_AMD, "*.edge.bursts", "with E falling edges count as well",
	      .edge = edge_counts_both),
	FAULT(edge_falling, MODEL_AMD, "*.edge.bursts",
	      "with E falling edges count in place of rising ones", .edge = edge_falling),
	FAULT(edge_counts_false_clocks, MODEL_AMD, "*.edge.bound",
	      "with E the clocks count in which the condition does not hold",
	      .edge = edge_counts_false_clocks),
	FAULT(edge_level_when_inverted, MODEL_AMD, "*.edge.alternation",
	      "E has no effect together with INV", .edge = edge_level_when_inverted),
	FAULT(usr_dead, MODEL_AMD, "*.privilege.user_only",
	      "USR has no effect: ring 3 never counts", .setting = usr_dead),
	FAULT(os_dead, MODEL_AMD, "*.privilege.kernel_only",
	      "OS has no effect: ring 0 never counts", .setting = os_dead),
	FAULT(usr_counts_ring0, MODEL_AMD, "*.privilege.user_only", "USR counts ring 0 too",
	      .setting = usr_counts_ring0),
	FAULT(os_counts_ring3, MODEL_AMD, "*.privilege.kernel_only", "OS counts ring 3 too",
	      .setting = os_counts_ring3),
	FAULT(neither_counts, MODEL_AMD, "*.privilege.neither",
	      "with USR and OS clear everything counts", .setting = neither_counts),
	FAULT(both_counts_user_only, MODEL_AMD, "*.privilege.both",
	      "with USR and OS set ring 0 does not count", .setting = both_counts_user_only),
	FAULT(both_counts_kernel_only, MODEL_AMD, "*.privilege.sum_law",
	      "with USR and OS set ring 3 does not count", .setting = both_counts_kernel_only),
	FAULT(user_and_os_swapped_on_counter1, MODEL_AMD, "amd.1.privilege.user_only",
	      "USR and OS of counter 1 are swapped", .setting = user_and_os_swapped_on_counter1),
	FAULT(gate_closes_late, MODEL_AMD, "*.privilege.user_gate",
	      "counter 1 hears of the way to ring 0 one instruction late",
	      .increment = gate_closes_late),
	FAULT(far_transfer_counted_twice, MODEL_AMD, "*.privilege.user_gate",
	      "a far transfer counts as two instructions",
	      .occurrences = far_transfer_counted_twice),
	FAULT(enable_ignored, MODEL_AMD, "*.count.enable_gates,*.global.gates_each",
	      "EN has no effect: always enabled", .setting = enable_ignored),
	FAULT(enable_lags_one, MODEL_AMD, "*.privilege.user_gate",
	      "the first event after EN is set is lost", .increment = enable_lags,
	      .written = enable_falls_asleep),
	FAULT(stop_ignored, MODEL_AMD, "*.count.stopped_holds,*.global.gates_each",
	      "clearing EN does not stop a counter that runs", .setting = stop_ignored),
	FAULT(pin_control_stops, MODEL_K7 | MODEL_K8, "*.count.pin_control",
	      "a counter with PC set does not count", .setting = pin_control_stops),
	FAULT(instruction_lost_every_64, MODEL_AMD, "*.count.instructions",
	      "one of 64 counts is lost", .increment = instruction_lost_every_64),
	FAULT(one_per_clock, MODEL_AMD, "*.count.instructions",
	      "a clock adds one however often the event occurred", .increment = one_per_clock),
	FAULT(counter1_slow, MODEL_AMD, "*.count.counters_agree",
	      "counter 1 loses one of 64 counts", .increment = counter1_slow),
	FAULT(counter0_pushes_counter1, MODEL_AMD, "*.count.counters_agree",
	      "what counter 0 counts is added to counter 1 as well",
	      .increment = counter0_pushes_counter1),
	FAULT(v2_status_not_set, MODEL_ZEN4, "*.global.shows_overflow",
	      "the overflow of counter 1 is not shown in PerfCntrGlobalStatus",
	      .flag = v2_status_not_set),
	FAULT(v2_status_of_neighbour, MODEL_ZEN4, "*.global.shows_overflow",
	      "an overflow is shown as that of the next counter", .flag = v2_status_of_neighbour),
	FAULT(counter4_dead, MODEL_EXTENDED, "amd.4.count.instructions", "counter 4 never counts",
	      .increment = counter4_dead),
	FAULT(taken_counts_all_branches, MODEL_AMD, "*.count.taken_branches",
	      "the taken-branch event counts branches not taken too",
	      .occurrences = taken_counts_all_branches),
	FAULT(branches_miss_returns, MODEL_AMD, "*.count.branches",
	      "the branch event misses near returns", .occurrences = branches_miss_returns),
	FAULT(cycles_only_when_retiring, MODEL_AMD, "*.invert.partition",
	      "the clock event misses clocks in which nothing retires",
	      .occurrences = cycles_only_when_retiring),
	FAULT(cycles_stop_in_ring3, MODEL_AMD, "*.count.cycles",
	      "the clock event does not count in ring 3", .occurrences = cycles_stop_in_ring3),
	FAULT(unit_mask_ignored, MODEL_AMD, "*.count.unit_mask",
	      "every sub-event counts whatever the unit mask", .setting = unit_mask_ignored),
	FAULT(unit_mask_first_only, MODEL_AMD, "*.count.unit_mask",
	      "only the lowest bit set in the unit mask counts", .setting = unit_mask_first_only),
	{0},
};
