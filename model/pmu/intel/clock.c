/* SPDX-License-Identifier: BSD-2-Clause */
/* One clock of the Intel core counters: which run, what they count, status, freeze. */
#include "intel.h"

/* ---- when a counter runs ---- */

static bool is_frozen(const struct pmu_intel *p, uint64_t flag)
{
	return p->traits->version >= 4 && p->status & flag;
}

DATAPATH bool runs(const struct pmu_intel *p, unsigned ctr, const struct active *active)
{
	struct point at = core_point(&p->core, ctr);

	if (ctr == INTEL_LBR) {
		at.enabled = intel_lbr_enabled(p);
		at.frozen = is_frozen(p, STATUS_LBR_FRZ);
	} else {
		at.enabled = at.set->enable &&
			     (p->traits->version < 2 ||
			      core_acting(&p->core, INTEL_GLOBAL_CTRL, 0, p->global_ctrl) &
				      intel_bit(ctr));
		at.frozen = is_frozen(p, STATUS_CTR_FRZ);
	}
	return datapath_runs(&at, active);
}

bool intel_runs(const void *pmu, unsigned ctr)
{
	const struct pmu_intel *p = pmu;

	return p->core.active ? runs(p, ctr, p->core.active) : runs(p, ctr, NULL);
}

/* ---- PERF_METRICS ---- */

static bool metrics_run(const struct pmu_intel *p)
{
	return core_acting(&p->core, INTEL_GLOBAL_CTRL, 0, p->global_ctrl) & GLOBAL_CTRL_METRICS &&
	       intel_runs(p, INTEL_SLOTS_COUNTER);
}

static void share_out(struct pmu_intel *p, const struct clock *clock, uint64_t times)
{
	if (p->traits->metrics && metrics_run(p))
		intel_metrics_pass(p, clock, times);
}

/* ---- the time-stamp counter, which ticks a little slower than the core ---- */

enum { TSC_LAGS = 4 }; /* by one of so many clocks */

uint64_t intel_tsc_ticks(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	return p->clocks - p->clocks / TSC_LAGS;
}

uint64_t intel_tsc_clocks(uint64_t ticks)
{
	return ticks + ticks / (TSC_LAGS - 1);
}

/* A fixed counter that no ring is asked for is enabled all the same. */
static bool counts(const struct pmu_intel *p, unsigned signal)
{
	for (unsigned i = 0; i < INTEL_COUNTERS; i++) {
		const struct setting *set = &p->core.counter[i].set;

		if (p->counted[i].signal == signal && (set->user || set->os) && intel_runs(p, i))
			return true;
	}
	return false;
}

bool intel_counts_tsc(const void *pmu)
{
	return counts(pmu, INTEL_TSC_CYCLES);
}

unsigned intel_period(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	return (counts(p, INTEL_TSC_CYCLES) ? TSC_LAGS : 1) *
	       (counts(p, INTEL_BUS_CYCLES) ? p->traits->bus_ratio : 1);
}

void intel_skipped(void *pmu, uint64_t clocks)
{
	static const struct clock idle = {.n = {[SIGNAL_CYCLES] = 1}};
	struct pmu_intel *p = pmu;

	p->clocks += clocks;
	share_out(p, &idle, clocks);
}

/* ---- one clock of one counter ---- */

static bool is_level(const struct setting *set, unsigned cpl)
{
	return either(cpl == 0, set->os, set->user);
}

/* A clock in which logical processor 1 executes, as the counters of number 0 see it: with AnyThread
 * the same clock, else *idle, in which nothing happens, or NULL if number 0 is halted. */
static const struct clock *as_own(const struct pmu_intel *p, unsigned ctr,
				  const struct clock *clock, struct clock *idle)
{
	if (p->counted[ctr].any &&
	    (is_level(&p->core.counter[ctr].set, clock->cpl) || !clock->other_active))
		return clock;
	*idle = (struct clock){.cpl = clock->other_cpl};
	idle->n[SIGNAL_CYCLES] = 1;
	return clock->other_active ? idle : NULL;
}

DATAPATH void filter(const struct pmu_intel *p, struct point *at, const struct active *active)
{
	struct clock idle;

	if (at->clock->thread != 0)
		at->clock = as_own(p, at->ctr, at->clock, &idle);
	if (!at->clock) {
		at->counter[at->ctr].condition = false;
		return;
	}
	at->passes = is_level(at->set, at->clock->cpl);
	at->n = p->counted[at->ctr].signal < SIGNAL_COUNT
			? at->clock->n[p->counted[at->ctr].signal]
			: intel_occurrences(p, p->counted[at->ctr].signal, at->clock);
	datapath_filter(at, active);
}

/* True: the counter has overflowed. */
DATAPATH bool clock_counter(struct pmu_intel *p, struct point *at, unsigned ctr,
			    const struct clock *clock, const struct active *active)
{
	bool overflows;

	core_point_at(at, ctr);
	at->clock = clock;
	at->event = INTEL_EVENT(p->counted[ctr].signal);
	at->stands = core_stands(&p->core, ctr, active);
	if (!at->stands)
		filter(p, at, active);
	at->clock = clock;
	overflows = datapath_count(at, active);
	if (p->lbr_logging >> ctr & 1)
		intel_lbr_note(p, ctr, at->amount);
	if (p->core.precise && at->amount && intel_records(p, ctr))
		intel_pebs_event(p, ctr, overflows);
	return overflows;
}

/* ---- freezing ---- */

static void freeze_counters(struct pmu_intel *p)
{
	if (p->traits->version >= 4)
		p->status |= STATUS_CTR_FRZ;
	else
		p->global_ctrl = 0;
}

static void freeze_lbr(struct pmu_intel *p)
{
	if (p->traits->version >= 4)
		p->status |= STATUS_LBR_FRZ;
	else
		p->debugctl &= ~DEBUGCTL_LBR;
}

void intel_freeze(struct pmu_intel *p)
{
	struct point at = core_point(&p->core, NO_COUNTER);

	at.value = core_acting(&p->core, INTEL_DEBUGCTL, 0, p->debugctl);
	REACH(&at, p->core.active, freeze);
	if (at.value & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
		freeze_counters(p);
	if (at.value & DEBUGCTL_FREEZE_LBRS_ON_PMI)
		freeze_lbr(p);
	core_update_running(&p->core);
}

/* ---- requests that stand, which only lawful variations have ---- */

uint32_t intel_held_by(const void *pmu, unsigned thread)
{
	const struct pmu_intel *p = pmu;
	const struct active *a = p->core.active;
	uint32_t held = 0;

	while (a && !a->defect->repeats)
		a = a->next;
	for (unsigned i = 0; a && thread == 0 && i < INTEL_COUNTERS; i++)
		if (p->core.counter[i].set.interrupt && p->status & intel_bit(i))
			held |= (uint32_t)BIT(i);
	return held;
}

/* ---- one clock of all counters ---- */

DATAPATH unsigned clock_all(struct pmu_intel *p, const struct clock *clock,
			    const struct active *active)
{
	struct point at = core_point(&p->core, NO_COUNTER);
	uint64_t overflowed = 0, interrupting = 0;
	unsigned requests;

	p->clocks++;
	for (uint32_t left = p->core.running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		if (!clock_counter(p, &at, ctr, clock, active))
			continue;
		overflowed |= intel_bit(ctr);
		if (p->core.counter[ctr].set.interrupt)
			interrupting |= intel_bit(ctr);
	}
	if (p->lbr_inserts)
		intel_lbr_clock(p, clock);
	share_out(p, clock, 1);
	if (overflowed && p->traits->reloaded) {
		overflowed = intel_reload(p, overflowed);
		interrupting &= overflowed;
	}
	if (overflowed && p->traits->version >= 2)
		p->status |= core_status(&p->core, overflowed, interrupting) &
			     intel_counter_bits(p->traits);
	if (!interrupting)
		return 0;
	requests = core_requests(&p->core, clock, interrupting);
	intel_freeze(p);
	return requests;
}

APART static unsigned clock_defective(struct pmu_intel *p, const struct clock *clock)
{
	return clock_all(p, clock, p->core.in_clocks);
}

HOT PAGED unsigned intel_clock(void *pmu, const struct clock *clock)
{
	struct pmu_intel *p = pmu;

	return p->core.in_clocks ? clock_defective(p, clock) : clock_all(p, clock, NULL);
}

static unsigned occurrences(const void *pmu, unsigned ctr, const struct clock *clock)
{
	const struct pmu_intel *p = pmu;

	return intel_occurrences(p, p->counted[ctr].signal, clock);
}

/* What a counter goes on by in so many clocks that have just passed. */
HOT static uint64_t sum(struct pmu_intel *p, unsigned ctr, const struct passed *passed,
			unsigned kinds, uint64_t clocks)
{
	const uint64_t before = p->clocks - clocks, ratio = p->traits->bus_ratio;
	struct counter *c = &p->core.counter[ctr];
	unsigned signal = p->counted[ctr].signal;

	if (signal < SIGNAL_COUNT && !c->set.edge)
		return datapath_sum_alone(&c->set, signal, passed, kinds);
	if (signal == INTEL_TSC_CYCLES)
		return clocks - (p->clocks / TSC_LAGS - before / TSC_LAGS);
	if (signal == INTEL_BUS_CYCLES)
		return p->clocks / ratio - before / ratio;
	return datapath_sum(p, occurrences, c, ctr, passed, kinds);
}

HOT void intel_pass(void *pmu, const struct passed *passed, unsigned kinds)
{
	struct pmu_intel *p = pmu;
	uint64_t clocks = 0;

	for (unsigned i = 0; i < kinds; i++) {
		clocks += passed[i].times;
		share_out(p, passed[i].clock, passed[i].times);
	}
	p->clocks += clocks;
	for (uint32_t left = p->core.running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);
		struct counter *c = &p->core.counter[ctr];

		if (is_level(&c->set, passed->clock->cpl))
			c->value += sum(p, ctr, passed, kinds, clocks);
	}
}

/* Ticks are so many whatever order clocks come in, but for their edges and a threshold of more than
 * one. */
static bool is_additive(const struct pmu_intel *p, unsigned ctr)
{
	const struct setting *set = &p->core.counter[ctr].set;
	unsigned signal = p->counted[ctr].signal;

	if (signal != INTEL_TSC_CYCLES && signal != INTEL_BUS_CYCLES)
		return true;
	return !set->edge && (!set->adds_one || (set->at_least == 1 && !set->invert));
}

static bool is_of_slots(unsigned signal)
{
	return signal == INTEL_SLOTS ||
	       (signal >= INTEL_BAD_SPECULATION && signal <= INTEL_RETIRING);
}

uint64_t intel_room(const void *pmu)
{
	const struct pmu_intel *p = pmu;
	bool slots = false;

	if (p->pebs.due || p->debugctl & DEBUGCTL_BTF || intel_lbr_enabled(p))
		return 0;
	for (uint32_t left = p->core.running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		if (p->pebs.armed[ctr] || !is_additive(p, ctr))
			return 0;
		slots |= is_of_slots(p->counted[ctr].signal);
	}
	/* No signal says how many slots a clock has. */
	return slots ? core_room(&p->core) / p->traits->slots : core_room(&p->core);
}
