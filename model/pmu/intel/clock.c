/* SPDX-License-Identifier: BSD-2-Clause */
/* One clock of the Intel core counters: from event to increment, overflow, status, freeze. */
#include "hooks.h"
#include "intel.h"

/* ---- when a counter counts ---- */

static bool is_frozen(const struct pmu_intel *p, unsigned ctr)
{
	bool frozen = p->status & STATUS_CTR_FRZ;

	return p->hooks->frozen ? p->hooks->frozen(p, ctr, frozen) : frozen;
}

bool intel_counts(const struct pmu_intel *p, unsigned ctr)
{
	const struct intel_setting *set = &p->counter[ctr].set;
	bool counts = set->enable;

	if (p->traits->version >= 2)
		counts = counts && p->global_ctrl & intel_bit(ctr);
	if (p->hooks->counts)
		counts = p->hooks->counts(p, ctr, counts);
	return counts && !is_frozen(p, ctr);
}

/* A seeded fault may wake a counter that stands still, so with one they all run. */
void intel_update_running(struct pmu_intel *p)
{
	p->running = 0;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (intel_has_counter(p->traits, i) && (p->is_faulty || intel_counts(p, i)))
			p->running |= (uint32_t)BIT(i);
}

/* ---- the time-stamp counter, which ticks a little slower than the core ---- */

uint64_t intel_tsc_ticks(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	return p->clocks - p->clocks / 4;
}

bool intel_counts_tsc(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (p->counter[i].set.signal == INTEL_TSC_CYCLES && intel_counts(p, i))
			return true;
	return false;
}

/* ---- by how much ---- */

static bool compares(const struct pmu_intel *p, const struct intel_setting *set, unsigned n)
{
	bool result = set->threshold ? (n >= set->threshold) != set->invert : n > 0;

	return p->hooks->compare ? p->hooks->compare(set, n, result) : result;
}

static bool is_level(const struct intel_setting *set, unsigned cpl)
{
	return cpl == 0 ? set->os : set->user;
}

/* What a clock in which number 1 executes is to number 0, which these counters are of: with
 * AnyThread the same; else *idle, in which it does nothing; NULL: none, it is halted. */
static const struct clock *as_own(const struct intel_setting *set, const struct clock *clock,
				  struct clock *idle)
{
	if (set->any && (is_level(set, clock->cpl) || !clock->other_active))
		return clock;
	*idle = (struct clock){.cpl = clock->other_cpl};
	idle->n[SIGNAL_CYCLES] = 1;
	return clock->other_active ? idle : NULL;
}

/*
 * The mode filter comes first: a clock in the wrong mode adds nothing, also with INV, and the edge
 * detector sees it as false.  INV counts for nothing without CMASK.
 */
static unsigned amount_of_clock(struct pmu_intel *p, unsigned ctr, const struct clock *clock)
{
	struct intel_counter *c = &p->counter[ctr];
	const struct intel_setting *set = &c->set;
	bool before = c->condition, passes, now;
	struct clock idle;
	unsigned n;

	if (clock->thread != 0)
		clock = as_own(set, clock, &idle);
	c->condition = false;
	if (!clock)
		return 0;
	passes = is_level(set, clock->cpl);
	n = intel_occurrences(p, set->signal, clock);
	if (p->hooks->occurrences)
		n = p->hooks->occurrences(set, clock, n);
	if (p->hooks->passes)
		passes = p->hooks->passes(set, clock, passes);
	now = passes && compares(p, set, n);
	c->condition = now;
	if (set->edge)
		return p->hooks->edge ? p->hooks->edge(set, passes, before, now) : now && !before;
	if (set->threshold)
		return now;
	return passes ? n : 0;
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
	uint64_t what = p->debugctl;

	if (p->hooks->freeze)
		what = p->hooks->freeze(p, what);
	if (what & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
		freeze_counters(p);
	if (what & DEBUGCTL_FREEZE_LBRS_ON_PMI)
		freeze_lbr(p);
	intel_update_running(p);
}

/* ---- overflow ---- */

static bool add(struct pmu_intel *p, unsigned ctr, unsigned amount)
{
	struct intel_counter *c = &p->counter[ctr];
	uint64_t mask = intel_mask(p->traits), old = c->value;
	bool carry = old + amount > mask;

	c->value = (old + amount) & mask;
	if (p->hooks->hold)
		c->value = p->hooks->hold(p, ctr, old, c->value);
	return p->hooks->overflow ? p->hooks->overflow(p, ctr, old, amount, carry) : carry;
}

/* True: the counter overflowed. */
static bool clock_counter(struct pmu_intel *p, unsigned ctr, const struct clock *clock)
{
	unsigned amount = intel_counts(p, ctr) ? amount_of_clock(p, ctr, clock) : 0;
	bool overflows;

	if (p->hooks->increment)
		amount = p->hooks->increment(p, ctr, clock, amount);
	if (!amount)
		return false;
	if (intel_records(p, ctr)) {
		overflows = add(p, ctr, amount);
		intel_pebs_event(p, ctr, overflows);
		return overflows;
	}
	return add(p, ctr, amount);
}

static void set_status(struct pmu_intel *p, uint64_t overflowed)
{
	if (p->traits->version < 2)
		return;
	p->status |= p->hooks->status ? p->hooks->status(p, overflowed) : overflowed;
}

/* Those of the overflowed ones that interrupt. */
static uint64_t interrupting(const struct pmu_intel *p, uint64_t overflowed)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (overflowed & intel_bit(i) && p->counter[i].set.interrupt)
			bits |= intel_bit(i);
	return bits;
}

unsigned intel_clock(void *pmu, const struct clock *clock)
{
	struct pmu_intel *p = pmu;
	uint64_t overflowed = 0;
	unsigned requests;

	p->clocks++;
	for (uint32_t left = p->running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		if (clock_counter(p, ctr, clock))
			overflowed |= intel_bit(ctr);
	}
	p->lbr_inserts = 0;
	set_status(p, overflowed);
	overflowed = interrupting(p, overflowed);
	/* One line to the local APIC: two counters in one clock are one request. */
	requests = overflowed != 0;
	if (p->hooks->requests)
		requests = p->hooks->requests(p, clock, overflowed, requests);
	if (overflowed)
		intel_freeze(p);
	return requests;
}
