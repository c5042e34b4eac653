/* SPDX-License-Identifier: BSD-2-Clause */
/* One clock of the AMD core counters: which run, what they count, requests. */

#include "amd.h"

/* ---- events ---- */

static unsigned selected(const struct amd_event *event, const struct clock *clock,
			 unsigned unit_mask)
{
	unsigned n = event->sub_events ? 0 : clock->n[event->signal];
	unsigned sub_events = unit_mask >> event->first_bit;

	if (event->all_code)
		sub_events = unit_mask == event->all_code ? ~0u : 0;
	for (unsigned i = 0; i < event->sub_events; i++)
		if (sub_events >> i & 1)
			n += clock->n[event->signal + i];
	return n;
}

/* Occurrences of the selected event in this clock. */
static unsigned occurrences(const void *pmu, unsigned ctr, const struct clock *clock)
{
	const struct pmu_amd *p = pmu;
	const struct amd_event *event = p->event[ctr];
	unsigned n = 0;

	if (p->alone[ctr])
		return clock->n[event->signal];
	for (; event; event = amd_event_next(event))
		n += selected(event, clock, p->core.counter[ctr].set.unit_mask);
	return n;
}

/* ---- when a counter runs ---- */

/* A counter that waits for a guest, or for a host of one, or for both, stands still where EFER.SVME
 * is 0. */
static bool is_in_its_world(const struct pmu_amd *p, uint64_t control)
{
	static const uint64_t wanted[] = {
		[WORLD_WITHOUT_SVM] = 0,
		[WORLD_HOST] = SELECT_HOST,
		[WORLD_GUEST] = SELECT_GUEST,
	};

	return !(control & (SELECT_GUEST | SELECT_HOST)) || control & wanted[p->world];
}

static bool is_enabled(const struct pmu_amd *p, unsigned ctr)
{
	const struct counter *c = &p->core.counter[ctr];
	uint64_t global = core_acting(&p->core, AMD_GLOBAL_CTL, 0, p->global_ctl);

	return c->set.enable && global >> ctr & 1 && is_in_its_world(p, c->control);
}

/* What records branches, or a counter. */
static bool is_switched_on(const struct pmu_amd *p, unsigned ctr)
{
	switch (ctr) {
	case AMD_LBR:
		return p->lbr_config & LBR_ENABLE;
	case AMD_PAIR:
		return p->debugctl & DEBUGCTL_LBR;
	case AMD_BRS:
		return p->brs.filling;
	default:
		return is_enabled(p, ctr);
	}
}

/* The status bit that says that it is frozen; 0: nothing freezes it. */
static uint64_t frozen_bit(unsigned ctr)
{
	if (ctr < AMD_LBR)
		return STATUS_COUNTERS_FROZEN;
	return ctr == AMD_LBR ? STATUS_LBR_FROZEN : 0;
}

/* Each branch makes a difference, or there is a request to be made. */
static bool records(const struct pmu_amd *p)
{
	return amd_runs(p, AMD_LBR) || amd_runs(p, AMD_PAIR) || amd_runs(p, AMD_BRS) || p->brs.due;
}

DATAPATH bool runs(const struct pmu_amd *p, unsigned ctr, const struct active *active)
{
	struct point at = core_point(&p->core, ctr);

	at.enabled = is_switched_on(p, ctr);
	at.frozen = p->global_status & frozen_bit(ctr);
	return datapath_runs(&at, active);
}

bool amd_runs(const void *pmu, unsigned ctr)
{
	const struct pmu_amd *p = pmu;

	return p->core.active ? runs(p, ctr, p->core.active) : runs(p, ctr, NULL);
}

DATAPATH bool is_level(const struct setting *set, unsigned cpl)
{
	return either(cpl == 0, set->os, set->user);
}

/* True: the counter has overflowed. */
DATAPATH bool clock_counter(struct pmu_amd *p, struct point *at, unsigned ctr,
			    const struct clock *clock, const struct active *active)
{
	core_point_at(at, ctr);
	at->clock = clock;
	at->event = at->set->event;
	at->stands = core_stands(&p->core, ctr, active);
	if (!at->stands) {
		at->n = occurrences(p, ctr, clock);
		at->passes = is_level(at->set, clock->cpl);
		datapath_filter(at, active);
	}
	return datapath_count(at, active);
}

/* Does the next one go on where this one ends? */
static bool is_merged(const struct pmu_amd *p, unsigned ctr)
{
	return p->traits->merges && ctr % 2 == 0 &&
	       p->core.counter[ctr + 1].set.event == EVENT_MERGE && is_enabled(p, ctr + 1);
}

/* A carry into it; true: it has ended, too. */
DATAPATH bool carry_over(struct pmu_amd *p, struct point *at, unsigned ctr,
			 const struct active *active)
{
	struct counter *c = &p->core.counter[ctr];
	const uint64_t old = c->value;

	core_point_at(at, ctr);
	at->amount = 1;
	datapath_add(at, active);
	c->value = (old & ~MERGED) | (c->value & MERGED);
	return c->value < old;
}

static unsigned request(struct pmu_amd *p, const struct clock *clock, uint64_t interrupting)
{
	unsigned requests = core_requests(&p->core, clock, interrupting);

	if (p->traits->perfmon[0] & PERFMON_FREEZE)
		amd_freeze(p);
	return amd_brs_overflowed(p, interrupting, requests);
}

DATAPATH unsigned clock_all(struct pmu_amd *p, const struct clock *clock,
			    const struct active *active)
{
	struct point at = core_point(&p->core, NO_COUNTER);
	uint64_t overflowed = 0, interrupting = 0;

	for (uint32_t left = p->core.running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		if (!clock_counter(p, &at, ctr, clock, active) ||
		    (is_merged(p, ctr) && !carry_over(p, &at, ctr + 1, active)))
			continue;
		overflowed |= BIT(ctr);
		if (p->core.counter[ctr].set.interrupt)
			interrupting |= BIT(ctr);
	}
	/* Assumed: whether INT is set or not, as on Intel. */
	if (overflowed && p->traits->global)
		p->global_status |=
			core_status(&p->core, overflowed, interrupting) & amd_counter_bits(p);
	return (interrupting ? request(p, clock, interrupting) : 0) + amd_brs_released(p);
}

APART static unsigned clock_defective(struct pmu_amd *p, const struct clock *clock)
{
	return clock_all(p, clock, p->core.in_clocks);
}

APART static unsigned clock_told(struct pmu_amd *p, const struct clock *clock)
{
	struct clock told = *clock;

	ibs_tell(p, &told);
	return clock_all(p, &told, p->core.in_clocks);
}

HOT PAGED unsigned amd_clock(void *pmu, const struct clock *clock)
{
	struct pmu_amd *p = pmu;

	if (p->core.precise)
		ibs_clock(p, clock, 1);
	if (p->ibs.told)
		return clock_told(p, clock);
	return p->core.in_clocks ? clock_defective(p, clock) : clock_all(p, clock, NULL);
}

HOT void amd_pass(void *pmu, const struct passed *passed, unsigned kinds)
{
	struct pmu_amd *p = pmu;

	if (p->core.precise)
		for (unsigned i = 0; i < kinds; i++)
			ibs_clock(p, passed[i].clock, passed[i].times);
	for (uint32_t left = p->core.running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);
		struct counter *c = &p->core.counter[ctr];

		if (!is_level(&c->set, passed->clock->cpl))
			continue;
		if (p->alone[ctr] && !c->set.edge)
			c->value +=
				datapath_sum_alone(&c->set, p->event[ctr]->signal, passed, kinds);
		else
			c->value += datapath_sum(p, occurrences, c, ctr, passed, kinds);
	}
}

uint64_t amd_room(const void *pmu)
{
	const struct pmu_amd *p = pmu;
	uint64_t counters = core_room(&p->core), engines = ibs_room(p);

	if (p->lbr_config & LBR_ENABLE || p->debugctl & DEBUGCTL_LBR ||
	    p->brs.config & BRS_ENABLE || p->brs.due)
		return 0;
	return counters < engines ? counters : engines;
}

/* Instructions retire, and then an SMI may come, only where something else counts, too: what waits
 * for SMIs alone, or for what never occurs, is not worth a step. */
static bool is_idle(const struct pmu_amd *p, unsigned ctr)
{
	const struct amd_event *event = p->event[ctr];

	return !p->core.counter[ctr].set.invert && (!event || event->signal == SIGNAL_SMIS);
}

bool amd_counting(const void *pmu)
{
	const struct pmu_amd *p = pmu;

	if (records(p) || p->core.precise)
		return true;
	for (uint32_t left = p->core.enabled; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		if (core_enabled(pmu, ctr) && !is_idle(p, ctr))
			return true;
	}
	return false;
}
