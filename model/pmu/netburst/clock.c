/* SPDX-License-Identifier: BSD-2-Clause */
/* One clock of the NetBurst counters: run condition, filters, overflow, cascade, interrupt. */
#include "netburst.h"

/* ---- which counters run ---- */

/* The counter whose overflow starts this one through CASCADE. */
static const uint8_t cascade_source[NETBURST_COUNTERS] = {
	2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 14, 15,
};

/* The counter whose overflow starts this one through CASCNTxINTOy. */
static unsigned extended_source(unsigned ctr)
{
	return ctr == 12 || ctr == 17 ? 16 : 17;
}

bool netburst_has_extended_cascade(unsigned ctr)
{
	return ctr == 12 || ctr >= 15;
}

static bool starts(const struct pmu_netburst *p, unsigned source)
{
	if (p->traits->forced_ovf_starts_none && p->cccr[source].force_ovf)
		return false;
	return p->ovf >> source & 1;
}

DATAPATH bool runs(const struct pmu_netburst *p, unsigned ctr, const struct active *active)
{
	const struct cccr *cccr = &p->cccr[ctr];
	struct point at = core_point(&p->core, ctr);

	at.enabled = at.set->enable || (cccr->cascade && starts(p, cascade_source[ctr])) ||
		     (cccr->extended_cascade && starts(p, extended_source(ctr)));
	return datapath_runs(&at, active);
}

AT_EXIT bool netburst_runs(const void *pmu, unsigned ctr)
{
	const struct pmu_netburst *p = pmu;

	if (!(p->core.watched >> ctr & 1))
		return false;
	return p->core.active ? runs(p, ctr, p->core.active) : runs(p, ctr, NULL);
}

/* ---- overflow and interrupt ---- */

bool netburst_pulses(const struct pmu_netburst *p)
{
	return !core_masks_lvt(p);
}

/* The event after the overflow makes the request. */
DATAPATH void assert_request(struct pmu_netburst *p, struct point *at, const struct active *active)
{
	uint32_t bit = UINT32_C(1) << at->ctr;

	if (!(p->armed & bit))
		return;
	p->armed &= ~bit;
	at->requests = 1;
	REACH(at, active, requests);
	if (at->requests) {
		p->requested |= bit;
		p->core.holding = true;
	}
}

DATAPATH void overflow(struct pmu_netburst *p, struct point *at, const struct active *active)
{
	const struct cccr *cccr = &p->cccr[at->ctr];

	if (netburst_takes_records(p, at->ctr)) {
		p->core.precise = true;
		p->core.wants_assist = false;
	} else if (cccr->ovf_pmi_t0 || cccr->ovf_pmi_t1) {
		p->armed |= UINT32_C(1) << at->ctr;
	}
	at->value = BIT(at->ctr);
	REACH(at, active, status);
	p->ovf |= (uint32_t)at->value;
}

DATAPATH void add(struct pmu_netburst *p, struct point *at, const struct active *active)
{
	struct cccr *cccr = &p->cccr[at->ctr];

	assert_request(p, at, active);
	/* The event after the overflow makes the record. */
	if (p->core.precise && at->ctr == NETBURST_PEBS_COUNTER) {
		p->core.precise = false;
		p->core.wants_assist = true;
	}
	at->carry = cccr->force_ovf;
	datapath_add(at, active);
	cccr->carried = (at->old ^ at->value) >> 32 & 1;
	if (at->carry)
		overflow(p, at, active);
}

/* ---- one clock ---- */

/* An ESCR without event does not drive its counter, not even through COMPLEMENT.  Whenever a clock
 * passes, one logical processor is active or both are. */
static bool is_live(const struct pmu_netburst *p, unsigned ctr, bool other_active)
{
	const struct cccr *cccr = &p->cccr[ctr];
	bool frozen = cccr->escr >= 0 && !p->escr[cccr->escr].event;

	return p->core.running >> ctr & 1 && !frozen && cccr->active_thread >> other_active & 1;
}

DATAPATH unsigned heard_alone(const struct cccr *cccr, const struct clock *clock)
{
	unsigned n = clock->n[cccr->alone];

	return n < NETBURST_INPUT_MAX ? n : NETBURST_INPUT_MAX;
}

/* The number that the counter's ESCR delivers.  kind NULL: nothing is known of clocks like this. */
DATAPATH unsigned input_of(const struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
			   const struct clock_kind *kind)
{
	const struct cccr *cccr = &p->cccr[ctr];

	if (kind && !(kind->hears >> ctr & 1))
		return 0;
	if (!kind || !(kind->alone >> ctr & 1))
		return netburst_input(p, &p->escr[cccr->escr], clock);
	return heard_alone(cccr, clock);
}

/* A healthy counter without a threshold adds what occurs: nothing is to be remembered. */
DATAPATH void filter(struct point *at, const struct active *active)
{
	if (active || at->set->adds_one)
		datapath_filter(at, active);
	else
		at->amount = at->n;
}

/* The ESCR filters by mode.  live: nothing keeps the counter from counting. */
DATAPATH void clock_counter(struct pmu_netburst *p, unsigned ctr, bool live,
			    const struct clock *clock, const struct clock_kind *kind,
			    const struct active *active)
{
	struct cccr *cccr = &p->cccr[ctr];
	struct point at = core_point(&p->core, ctr);

	at.clock = clock;
	at.passes = true;
	if (cccr->escr >= 0) {
		const struct escr *escr = &p->escr[cccr->escr];

		at.event = NETBURST_EVENT(escr->number, escr->event);
		at.n = input_of(p, ctr, clock, kind);
	}
	filter(&at, active);
	cccr->amount = (unsigned)at.amount;
	cccr->carried = false;
	at.stands = !(p->core.running >> ctr & 1);
	at.amount = either(live, (unsigned)at.amount, 0);
	REACH(&at, active, increment);
	if (at.amount)
		add(p, &at, active);
}

/* A clock of healthy counters that add up one signal: the result of all of the above, for less. */
DATAPATH void clock_plain(struct pmu_netburst *p, uint32_t plain, const struct clock *clock)
{
	for (uint32_t left = plain; left; left &= left - 1) {
		struct point at = core_point(&p->core, (unsigned)__builtin_ctz(left));
		struct cccr *cccr = &p->cccr[at.ctr];
		uint64_t old = at.counter[at.ctr].value, value;

		cccr->amount = heard_alone(cccr, clock);
		value = old + cccr->amount;
		at.counter[at.ctr].value = value & NETBURST_MASK;
		cccr->carried = (old ^ value) >> 32 & 1;
		if (value > NETBURST_MASK)
			overflow(p, &at, NULL);
	}
}

/* Nothing but the OVF flags, writes and defects starts or stops a counter. */
APART static void find_running(struct pmu_netburst *p)
{
	p->core.running = 0;
	for (uint32_t left = p->core.watched; left; left &= left - 1)
		if (netburst_runs(p, (unsigned)__builtin_ctz(left)))
			p->core.running |= left & -left;
}

APART static void look_again(struct pmu_netburst *p)
{
	p->live[0] = p->live[1] = 0;
	for (uint32_t left = p->core.running; left; left &= left - 1)
		for (unsigned other_active = 0; other_active < 2; other_active++)
			if (is_live(p, (unsigned)__builtin_ctz(left), other_active))
				p->live[other_active] |= left & -left;
	p->known = 0;
	p->stale = false;
}

/* Is it to be known what the counter would add?  Errata N15 and O8 ask of one that is stopped. */
static bool matters(const struct pmu_netburst *p, unsigned ctr, const struct clock *clock)
{
	return p->live[clock->other_active] >> ctr & 1 || p->traits->write_carries;
}

/* Does all that it hears go to its cells? */
static bool is_plain(const struct pmu_netburst *p, unsigned ctr, const struct clock *clock)
{
	return !p->core.counter[ctr].set.compares && !p->cccr[ctr].force_ovf &&
	       p->live[clock->other_active] >> ctr & 1;
}

/* Counters move that hear something, and those whose condition an edge detector looks at. */
static void look_at(struct pmu_netburst *p, unsigned ctr, const struct clock *clock,
		    struct clock_kind *kind)
{
	uint32_t bit = UINT32_C(1) << ctr;
	int escr = p->cccr[ctr].escr;
	bool hears = escr >= 0 && netburst_works(p, &p->escr[escr], clock);

	if (hears) {
		p->cccr[ctr].alone = netburst_alone(p, &p->escr[escr]);
		kind->hears |= bit;
		if (!clock->bogus && p->cccr[ctr].alone < SIGNAL_COUNT)
			kind->alone |= bit;
	}
	if (p->core.counter[ctr].set.compares || (hears && matters(p, ctr, clock)))
		kind->moves |= bit;
	if (kind->moves & kind->alone & bit && is_plain(p, ctr, clock))
		kind->plain |= bit;
}

APART static void look_at_all(struct pmu_netburst *p, const struct clock *clock,
			      struct clock_kind *kind)
{
	*kind = (struct clock_kind){0};
	for (uint32_t left = p->core.watched; left; left &= left - 1)
		look_at(p, (unsigned)__builtin_ctz(left), clock, kind);
}

DATAPATH const struct clock_kind *kind_of(struct pmu_netburst *p, const struct clock *clock)
{
	unsigned number = clock->thread | (unsigned)(clock->cpl > 0) << 1 |
			  (unsigned)clock->other_active << 2 |
			  (unsigned)(clock->other_cpl > 0) << 3 | (unsigned)clock->bogus << 4;
	struct clock_kind *kind = &p->clock_kind[number];

	if (!(p->known >> number & 1)) {
		look_at_all(p, clock, kind);
		p->known |= UINT32_C(1) << number;
	}
	return kind;
}

/* Hooks that may let a counter count, or not, that hears nothing. */
#define ASK_ALL                                                                                    \
	(HOOK_BIT(runs) | HOOK_BIT(occurrences) | HOOK_BIT(compare) | HOOK_BIT(amount) |           \
	 HOOK_BIT(increment))

/* All counters see the OVF flags as they were at the start of the clock: so a cascade starts one
 * clock after the overflow. */
DATAPATH void clock_all(struct pmu_netburst *p, const struct clock *clock,
			const struct active *active)
{
	uint32_t ovf = p->ovf;
	bool wakes = having(active, HOOK_BIT(runs)), asks_all = having(active, ASK_ALL);
	const struct clock_kind *kind;
	uint32_t plain = 0;

	if (wakes)
		find_running(p);
	if (p->stale)
		look_again(p);
	kind = wakes ? NULL : kind_of(p, clock);
	p->moved = asks_all ? p->core.watched : kind->moves;
	if (!active && !p->core.precise)
		plain = kind->plain & ~p->armed;
	clock_plain(p, plain, clock);
	for (uint32_t left = p->moved & ~plain; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);
		bool live = wakes ? is_live(p, ctr, clock->other_active)
				  : p->live[clock->other_active] >> ctr & 1;

		clock_counter(p, ctr, live, clock, kind, active);
	}
	if (p->ovf != ovf) {
		find_running(p);
		p->stale = true;
	}
}

APART static void clock_defective(struct pmu_netburst *p, const struct clock *clock)
{
	clock_all(p, clock, p->core.active);
}

APART static void clock_healthy(struct pmu_netburst *p, const struct clock *clock)
{
	clock_all(p, clock, NULL);
}

/* Most defects are in what registers hold and mean, and in no clock. */
static bool has_defect(const struct pmu_netburst *p)
{
	return p->core.in_clocks || having(p->core.active, HOOK_BIT(status) | HOOK_BIT(requests));
}

APART static unsigned clock_with_defect(struct pmu_netburst *p, const struct clock *clock)
{
	uint32_t before = p->requested;
	unsigned pulses;

	if (p->stale)
		find_running(p);
	if (has_defect(p))
		clock_defective(p, clock);
	else
		clock_healthy(p, clock);
	pulses = p->pulses + (netburst_pulses(p) && p->requested & ~before);
	p->pulses = 0;
	return pulses;
}

HOT PAGED unsigned netburst_clock(void *pmu, const struct clock *clock)
{
	struct pmu_netburst *p = pmu;

	if (p->core.active)
		return clock_with_defect(p, clock);
	clock_all(p, clock, NULL);
	return 0;
}

/* What its ESCR delivers in clocks of the kind at hand. */
static unsigned delivered(const void *pmu, unsigned ctr, const struct clock *clock)
{
	const struct pmu_netburst *p = pmu;

	return p->cccr[ctr].escr < 0 ? 0 : input_of(p, ctr, clock, p->passing);
}

/* What a counter goes on by. */
HOT static uint64_t sum(struct pmu_netburst *p, unsigned ctr, const struct passed *passed,
			unsigned kinds)
{
	uint64_t sum = 0;

	if (!(p->passing->plain >> ctr & 1))
		return datapath_sum(p, delivered, &p->core.counter[ctr], ctr, passed, kinds);
	for (unsigned i = 0; i < kinds; i++)
		sum += heard_alone(&p->cccr[ctr], passed[i].clock) * passed[i].times;
	return sum;
}

/* Clocks of one privilege level, while one thread executes, are of one kind to the ESCRs.  The edge
 * detector of a counter that does not count looks on. */
HOT void netburst_pass(void *pmu, const struct passed *passed, unsigned kinds)
{
	struct pmu_netburst *p = pmu;

	if (p->stale)
		look_again(p);
	p->passing = kind_of(p, passed->clock);
	for (uint32_t left = p->passing->moves; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);
		struct counter *c = &p->core.counter[ctr];
		bool live = p->live[0] >> ctr & 1;

		if (live || c->set.edge)
			c->value += either(live, 1, 0) * sum(p, ctr, passed, kinds);
	}
	p->passing = NULL;
}

/* A forced overflow comes in each clock, and the event after an overflow does more than to count.
 */
uint64_t netburst_room(const void *pmu)
{
	const struct pmu_netburst *p = pmu;

	if (p->core.active || p->armed || p->core.precise)
		return 0;
	for (uint32_t left = p->core.running; left; left &= left - 1)
		if (p->cccr[__builtin_ctz(left)].force_ovf)
			return 0;
	return core_room(&p->core);
}
