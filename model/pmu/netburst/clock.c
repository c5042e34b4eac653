/* SPDX-License-Identifier: BSD-2-Clause */
/* One clock of the NetBurst counters: run condition, filters, overflow, cascade, interrupt. */
#include "hooks.h"

/* ---- which counters run ---- */

/* The counter whose overflow starts this one through CASCADE. */
static const uint8_t cascade_source[NETBURST_COUNTERS] = {
	2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 14, 15,
};

/* And through CASCNTxINTOy: only counters 12, 15, 16 and 17 have that bit. */
static unsigned extended_source(unsigned ctr)
{
	return ctr == 12 || ctr == 17 ? 16 : 17;
}

static bool starts(const struct pmu_netburst *p, unsigned source)
{
	if (p->traits->forced_ovf_starts_none && p->counter[source].set.force_ovf)
		return false;
	return p->ovf >> source & 1;
}

static bool runs(const struct pmu_netburst *p, unsigned ctr)
{
	const struct cccr *set = &p->counter[ctr].set;
	bool result = set->enable || (set->cascade && starts(p, cascade_source[ctr])) ||
		      (set->extended_cascade && starts(p, extended_source(ctr)));

	return p->hooks->runs ? p->hooks->runs(p, ctr, result) : result;
}

uint32_t netburst_running(const struct pmu_netburst *p)
{
	uint32_t running = 0;

	for (uint32_t left = p->watched; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		running |= (uint32_t)runs(p, ctr) << ctr;
	}
	return running;
}

/* ---- filters ---- */

static unsigned input(const struct pmu_netburst *p, const struct netburst_counter *c,
		      const struct clock *clock)
{
	const struct escr *escr = &p->escr[c->escr < 0 ? 0 : c->escr];
	unsigned n = c->escr < 0 ? 0 : netburst_input(p, escr, clock);

	return p->hooks->input && c->escr >= 0 ? p->hooks->input(&c->set, escr, clock, n) : n;
}

static bool compares(const struct pmu_netburst *p, const struct cccr *set, unsigned n)
{
	bool result = set->complement ? n <= set->threshold : n > set->threshold;

	return p->hooks->compare ? p->hooks->compare(set, n, result) : result;
}

static unsigned filter(const struct pmu_netburst *p, struct netburst_counter *c, unsigned n)
{
	const struct cccr *set = &c->set;
	bool now = compares(p, set, n), before = c->previous;
	unsigned amount = set->edge ? now && !before : now;

	if (!set->compare)
		amount = n;
	else
		c->previous = now;
	return p->hooks->filtered ? p->hooks->filtered(set, n, before, now, amount) : amount;
}

/* Whenever a clock passes, one logical processor is active or both are. */
static bool threads_are_active(const struct cccr *set, const struct clock *clock)
{
	return set->active_thread >> clock->other_active & 1;
}

/* An ESCR without event does not drive its counter, not even through COMPLEMENT. */
static bool is_frozen(const struct pmu_netburst *p, const struct netburst_counter *c)
{
	return c->escr >= 0 && !p->escr[c->escr].event;
}

/* ---- one clock of one counter ---- */

/* The event after the overflow makes the request. */
static void assert_request(struct pmu_netburst *p, unsigned ctr)
{
	uint32_t bit = UINT32_C(1) << ctr;

	if (!(p->armed & bit))
		return;
	p->armed &= ~bit;
	p->requested |= bit;
	if (p->hooks->requested)
		p->hooks->requested(p, ctr);
}

static void overflow(struct pmu_netburst *p, unsigned ctr)
{
	const struct cccr *set = &p->counter[ctr].set;
	uint32_t bit = UINT32_C(1) << ctr;

	p->ovf |= bit;
	if (netburst_takes_records(p, ctr))
		p->record = RECORD_ARMED;
	else if (set->ovf_pmi_t0 || set->ovf_pmi_t1)
		p->armed |= bit;
	if (p->hooks->overflowed)
		p->hooks->overflowed(p, ctr);
}

static void add(struct pmu_netburst *p, unsigned ctr, unsigned amount)
{
	struct netburst_counter *c = &p->counter[ctr];
	uint64_t old = c->value;
	bool carry = old + amount > NETBURST_MASK;

	assert_request(p, ctr);
	if (ctr == NETBURST_PEBS_COUNTER && p->record == RECORD_ARMED)
		p->record = RECORD_DUE;
	c->value = (old + amount) & NETBURST_MASK;
	if (p->hooks->hold)
		c->value = p->hooks->hold(ctr, old, c->value);
	c->carried = (old ^ c->value) >> 32 & 1;
	carry |= c->set.force_ovf;
	if (p->hooks->overflow)
		carry = p->hooks->overflow(p, ctr, old, amount, carry);
	if (carry)
		overflow(p, ctr);
}

static void clock_counter(struct pmu_netburst *p, unsigned ctr, const struct clock *clock)
{
	struct netburst_counter *c = &p->counter[ctr];
	unsigned amount = filter(p, c, input(p, c, clock));

	c->amount = amount;
	c->carried = false;
	if (is_frozen(p, c) || !threads_are_active(&c->set, clock) || !(p->running >> ctr & 1))
		amount = 0;
	if (p->hooks->increment)
		amount = p->hooks->increment(p, ctr, clock, amount);
	if (amount)
		add(p, ctr, amount);
}

/* All counters see the OVF flags as they were at the start of the clock: so a cascade starts one
 * clock after the overflow. */
unsigned netburst_clock(void *pmu, const struct clock *clock)
{
	struct pmu_netburst *p = pmu;
	uint32_t before = p->requested;
	unsigned pulses;

	p->running = netburst_running(p);
	for (uint32_t left = p->watched; left; left &= left - 1)
		clock_counter(p, (unsigned)__builtin_ctz(left), clock);
	if (p->hooks->pulses && p->requested & ~before)
		p->pulses++;
	pulses = p->pulses;
	p->pulses = 0;
	return pulses;
}
