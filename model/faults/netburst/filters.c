/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the NetBurst filters: threshold, complement, edge; and of enabling. */
#include "model/pmu/netburst/hooks.h"

/* ---- threshold ---- */

static bool threshold_greater_equal(const struct cccr *set, unsigned n, bool result)
{
	return set->complement ? result : n >= set->threshold;
}

static void threshold_plus_one(struct cccr *set)
{
	set->threshold += !set->complement;
}

static void threshold_bit0_stuck(struct cccr *set)
{
	set->threshold &= ~1u;
}

static void threshold_bit3_dead(struct cccr *set)
{
	set->threshold &= 7;
}

static void threshold_ignored(struct cccr *set)
{
	set->threshold = 0;
}

static bool threshold_15_stuck(const struct cccr *set, unsigned n, bool result)
{
	(void)n;
	return result && !(set->complement && set->threshold == 15);
}

static bool threshold_exact_match(const struct cccr *set, unsigned n, bool result)
{
	return set->complement ? result : n == set->threshold + 1;
}

static void compare_ignored(struct cccr *set)
{
	set->compare = false;
}

static unsigned compare_adds_value(const struct cccr *set, unsigned n, bool before, bool now,
				   unsigned amount)
{
	(void)before, (void)now;
	return set->compare && amount ? n : amount;
}

static bool every_clock_needs_input(const struct cccr *set, unsigned n, bool result)
{
	return result && (n || !set->complement || set->threshold < 15);
}

/* ---- complement ---- */

static void complement_ignored(struct cccr *set)
{
	set->complement = false;
}

static void complement_inverted(struct cccr *set)
{
	set->complement = !set->complement;
}

static bool complement_off_by_one(const struct cccr *set, unsigned n, bool result)
{
	return set->complement ? n < set->threshold : result;
}

static bool complement_misses_idle(const struct cccr *set, unsigned n, bool result)
{
	return result && (n > 0 || !set->complement);
}

/* ---- edge ---- */

static void edge_dead(struct cccr *set)
{
	set->edge = false;
}

static unsigned edge_falling(const struct cccr *set, unsigned n, bool before, bool now,
			     unsigned amount)
{
	(void)n;
	return set->compare && set->edge ? before && !now : amount;
}

static unsigned edge_counts_both(const struct cccr *set, unsigned n, bool before, bool now,
				 unsigned amount)
{
	(void)n;
	return set->compare && set->edge ? before != now : amount;
}

static unsigned edge_counts_false_clocks(const struct cccr *set, unsigned n, bool before, bool now,
					 unsigned amount)
{
	(void)n, (void)before;
	return set->compare && set->edge ? !now : amount;
}

static unsigned edge_level_when_complemented(const struct cccr *set, unsigned n, bool before,
					     bool now, unsigned amount)
{
	(void)n, (void)before;
	return set->compare && set->edge && set->complement ? now : amount;
}

static void edge_without_compare(struct cccr *set)
{
	if (!set->edge || set->compare)
		return;
	set->compare = true;
	set->complement = false;
	set->threshold = 0;
}

/* ---- enabling ---- */

static bool enable_ignored(const struct pmu_netburst *p, unsigned ctr, bool runs)
{
	(void)p, (void)ctr, (void)runs;
	return true;
}

/* The counter goes on for a while; defect: for how many events. */
enum { STOP_LAG = 100 };

static void stop_lags(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	struct netburst_counter *c = &p->counter[reg->number % NETBURST_COUNTERS];

	if (reg->kind != REG_CCCR || !(old & CCCR_ENABLE) || c->cccr & CCCR_ENABLE)
		return;
	c->set.enable = true;
	c->set.active_thread = 3;
	c->escr = netburst_route(reg->number, (unsigned)field_get(CCCR_ESCR_SELECT, old));
	p->watched |= UINT32_C(1) << reg->number;
	p->defect[reg->number] = STOP_LAG;
}

static unsigned stop_catches_up(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
				unsigned amount)
{
	(void)clock;
	if (amount && p->defect[ctr] && --p->defect[ctr] == 0)
		p->counter[ctr].set.enable = false;
	return amount;
}

/* The first event after ENABLE was set is lost; defect: it has woken up. */
static unsigned enable_lags(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			    unsigned amount)
{
	bool asleep = amount && !p->defect[ctr];

	(void)clock;
	p->defect[ctr] |= amount;
	return amount - asleep;
}

static void falls_asleep(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t old)
{
	(void)old;
	if (reg->kind == REG_CCCR)
		p->defect[reg->number] = 0;
}

/* ---- amounts ---- */

static unsigned lost_every_64(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			      unsigned amount)
{
	(void)clock;
	p->defect[ctr] += amount;
	if (p->defect[ctr] < 64)
		return amount;
	p->defect[ctr] -= 64;
	return amount - 1;
}

static unsigned counter13_slow(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			       unsigned amount)
{
	return ctr == 13 ? lost_every_64(p, ctr, clock, amount) : amount;
}

static unsigned one_per_clock(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			      unsigned amount)
{
	(void)p, (void)ctr, (void)clock;
	return amount > 1 ? 1 : amount;
}

static unsigned pushes_pair_mate(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
				 unsigned amount)
{
	struct netburst_counter *mate = &p->counter[ctr ^ 1];

	(void)clock;
	if (!(ctr & 1))
		mate->value = (mate->value + amount) & NETBURST_MASK;
	return amount;
}

static unsigned counter17_dead(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			       unsigned amount)
{
	(void)p, (void)clock;
	return ctr == 17 ? 0 : amount;
}

const struct fault faults_netburst_filters[] = {
	NETBURST_FAULT(p4_threshold_greater_equal, MODEL_NETBURST,
		       "netburst.*.filter.every_threshold",
		       "COMPARE counts clocks with at least THRESHOLD occurrences, not more",
		       .compare = threshold_greater_equal),
	NETBURST_FAULT(p4_threshold_plus_one, MODEL_NETBURST, "netburst.*.threshold.sum_law",
		       "the comparison uses THRESHOLD + 1", .cccr = threshold_plus_one),
	NETBURST_FAULT(p4_threshold_bit0_stuck, MODEL_NETBURST, "netburst.*.filter.every_threshold",
		       "bit 0 of THRESHOLD does not reach the comparison",
		       .cccr = threshold_bit0_stuck),
	NETBURST_FAULT(p4_threshold_bit3_dead, MODEL_NETBURST, "netburst.*.filter.every_threshold",
		       "THRESHOLD is compared in 3 bits only", .cccr = threshold_bit3_dead),
	NETBURST_FAULT(p4_threshold_ignored, MODEL_NETBURST, "netburst.*.threshold.sum_law",
		       "THRESHOLD is stored and taken for 0", .cccr = threshold_ignored),
	NETBURST_FAULT(p4_threshold_exact_match, MODEL_NETBURST, "netburst.*.threshold.sum_law",
		       "COMPARE counts clocks with exactly THRESHOLD + 1 occurrences",
		       .compare = threshold_exact_match),
	NETBURST_FAULT(p4_threshold_15_stuck, MODEL_NETBURST, "netburst.*.filter.threshold_15",
		       "COMPLEMENT with THRESHOLD 15 never counts", .compare = threshold_15_stuck),
	NETBURST_FAULT(p4_every_clock_needs_input, MODEL_NETBURST, "netburst.*.power.no_event",
		       "COMPLEMENT with THRESHOLD 15 counts only clocks in which the event occurs",
		       .compare = every_clock_needs_input),
	NETBURST_FAULT(p4_compare_ignored, MODEL_NETBURST, "netburst.*.filter.compare",
		       "COMPARE has no effect: the input is added", .cccr = compare_ignored),
	NETBURST_FAULT(p4_compare_adds_value, MODEL_NETBURST, "netburst.*.filter.compare",
		       "a clock that COMPARE lets pass adds its input, not 1",
		       .filtered = compare_adds_value),
	NETBURST_FAULT(p4_complement_ignored, MODEL_NETBURST, "netburst.*.filter.complement",
		       "COMPLEMENT has no effect", .cccr = complement_ignored),
	NETBURST_FAULT(p4_complement_inverted, MODEL_NETBURST, "netburst.*.filter.complement",
		       "COMPLEMENT works the other way round", .cccr = complement_inverted),
	NETBURST_FAULT(p4_complement_off_by_one, MODEL_NETBURST, "netburst.*.invert.partition",
		       "COMPLEMENT counts clocks with fewer than THRESHOLD occurrences",
		       .compare = complement_off_by_one),
	NETBURST_FAULT(p4_complement_misses_idle, MODEL_NETBURST, "netburst.*.invert.partition",
		       "COMPLEMENT does not count clocks without any occurrence",
		       .compare = complement_misses_idle),
	NETBURST_FAULT(p4_edge_dead, MODEL_NETBURST, "netburst.*.filter.bursts",
		       "EDGE has no effect", .cccr = edge_dead),
	NETBURST_FAULT(p4_edge_falling, MODEL_NETBURST, "netburst.*.filter.rises",
		       "EDGE counts falling edges in place of rising ones",
		       .filtered = edge_falling),
	NETBURST_FAULT(p4_edge_counts_both, MODEL_NETBURST, "netburst.*.filter.bursts",
		       "EDGE counts falling edges as well", .filtered = edge_counts_both),
	NETBURST_FAULT(p4_edge_counts_false_clocks, MODEL_NETBURST, "netburst.*.edge.bound",
		       "EDGE counts the clocks that COMPARE does not let pass",
		       .filtered = edge_counts_false_clocks),
	NETBURST_FAULT(p4_edge_level_when_complemented, MODEL_NETBURST,
		       "netburst.*.edge.alternation", "EDGE has no effect together with COMPLEMENT",
		       .filtered = edge_level_when_complemented),
	NETBURST_FAULT(p4_edge_without_compare, MODEL_NETBURST,
		       "netburst.*.filter.edge_needs_compare", "EDGE works though COMPARE is clear",
		       .cccr = edge_without_compare),
	NETBURST_FAULT(p4_enable_ignored, MODEL_NETBURST, "netburst.*.count.enable_gates",
		       "ENABLE has no effect: always enabled", .runs = enable_ignored),
	NETBURST_FAULT(p4_stop_lags, MODEL_NETBURST, "netburst.*.count.stopped_holds",
		       "a counter whose ENABLE is cleared counts 100 events more",
		       .written = stop_lags, .increment = stop_catches_up),
	NETBURST_FAULT(p4_enable_lags_one, MODEL_NETBURST, "netburst.*.privilege.user_gate",
		       "the first event after a write to the CCCR is lost",
		       .increment = enable_lags, .written = falls_asleep),
	NETBURST_FAULT(p4_lost_every_64, MODEL_NETBURST, "netburst.*.count.instructions",
		       "one of 64 counts is lost", .increment = lost_every_64),
	NETBURST_FAULT(p4_one_per_clock, MODEL_NETBURST, "netburst.*.count.instructions",
		       "a clock adds one however often the event occurred",
		       .increment = one_per_clock),
	NETBURST_FAULT(p4_counter13_slow, MODEL_NETBURST, "netburst.*.count.counters_agree",
		       "counter 13 loses one of 64 counts", .increment = counter13_slow),
	NETBURST_FAULT(p4_pushes_pair_mate, MODEL_NETBURST, "netburst.*.count.counters_agree",
		       "what the first counter of a pair counts is added to the second as well",
		       .increment = pushes_pair_mate),
	NETBURST_FAULT(p4_counter17_dead, MODEL_NETBURST, "netburst.17.count.instructions",
		       "counter 17 never counts", .increment = counter17_dead),
	{0},
};
