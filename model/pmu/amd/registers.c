/* SPDX-License-Identifier: BSD-2-Clause */
/* The AMD core counters: registers, the chain from event to increment, overflow, RDPMC. */
#include "amd.h"
#include "hooks.h"
#include "kernel/lib/string.h"

#define MSR_LEGACY_CTL       UINT32_C(0xc0010000)
#define MSR_LEGACY_CTR       UINT32_C(0xc0010004)
#define MSR_EXTENDED         UINT32_C(0xc0010200) /* CTL, CTR alternating */
#define LEGACY_COUNTERS      4u

#define RETIRED_INSTRUCTIONS field_put(SELECT_EVENT_LOW, 0xc0)

static const struct amd_hooks healthy;
_Static_assert(sizeof(struct pmu_amd) <= CORE_PMU_STATE, "fits its room");

static bool globally_enabled(const struct pmu_amd *p, unsigned ctr)
{
	bool enabled = p->global_ctl >> ctr & 1;

	return p->hooks->globally ? p->hooks->globally(ctr, enabled) : enabled;
}

static bool is_enabled(const struct pmu_amd *p, unsigned ctr)
{
	return p->counter[ctr].set.enable && globally_enabled(p, ctr);
}

void amd_update_running(struct pmu_amd *p)
{
	p->running = 0;
	for (unsigned i = 0; i < p->traits->counters; i++)
		if (p->hooks != &healthy || is_enabled(p, i))
			p->running |= 1u << i;
}

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_amd *p = pmu;

	memset(p, 0, sizeof(*p));
	p->traits = traits;
	p->hooks = fault && fault->amd ? fault->amd : &healthy;
	/* Software that knows nothing of it is not hindered. */
	p->global_ctl = amd_all_counters(p);
	for (unsigned i = 0; i < p->traits->counters; i++)
		p->counter[i].set.counter = i;
	amd_update_running(p);
}

/* ---- registers ---- */

static bool decode_name(const struct amd_traits *traits, uint32_t msr, struct reg *reg)
{
	if (msr >= MSR_LEGACY_CTL && msr < MSR_LEGACY_CTR + LEGACY_COUNTERS) {
		reg->counter = (msr - MSR_LEGACY_CTL) % LEGACY_COUNTERS;
		reg->select = msr < MSR_LEGACY_CTR;
		reg->legacy = true;
		return true;
	}
	if (!traits->extended || msr < MSR_EXTENDED || msr >= MSR_EXTENDED + 2 * traits->counters)
		return false;
	reg->counter = (msr - MSR_EXTENDED) / 2;
	reg->select = (msr - MSR_EXTENDED) % 2 == 0;
	reg->legacy = false;
	return true;
}

static enum access decode_register(const struct pmu_amd *p, uint32_t msr, struct reg *reg)
{
	if (!decode_name(p->traits, msr, reg))
		return ACCESS_NOT_MINE;
	return p->hooks->address && !p->hooks->address(reg) ? ACCESS_GP : ACCESS_DONE;
}

static struct setting take_apart(uint64_t select)
{
	return (struct setting){
		.event = (unsigned)(field_get(SELECT_EVENT_HIGH, select) << 8 |
				    field_get(SELECT_EVENT_LOW, select)),
		.unit_mask = (unsigned)field_get(SELECT_UNIT_MASK, select),
		.threshold = (unsigned)field_get(SELECT_CNT_MASK, select),
		.user = select & SELECT_USR,
		.os = select & SELECT_OS,
		.edge = select & SELECT_EDGE,
		.pin_control = select & SELECT_PC,
		.interrupt = select & SELECT_INT,
		.enable = select & SELECT_EN,
		.invert = select & SELECT_INV,
		.guest_only = select & SELECT_GUEST,
		.host_only = select & SELECT_HOST,
	};
}

/* NULL: what the profile does not list never occurs. */
static const struct event *find_event(const struct amd_traits *traits, unsigned code)
{
	const struct event *event = traits->events;

	while (event->code && event->code != code)
		event++;
	return event->code ? event : NULL;
}

static void write_select(struct pmu_amd *p, unsigned ctr, uint64_t value)
{
	struct counter *c = &p->counter[ctr];
	uint64_t old = c->select;

	c->select = value & p->traits->select_bits;
	if (p->hooks->keep_select)
		c->select = p->hooks->keep_select(ctr, c->select);
	c->set = take_apart(c->select);
	c->set.counter = ctr;
	c->set.was_enabled = old & SELECT_EN;
	if (p->hooks->setting)
		p->hooks->setting(&c->set);
	c->event = find_event(p->traits, c->set.event);
	amd_update_running(p);
	/* Before the first clock counted the edge detector's condition is taken as false. */
	if (!(old & SELECT_EN))
		c->condition = false;
}

static uint64_t hold(const struct pmu_amd *p, unsigned ctr, uint64_t old, uint64_t value)
{
	return p->hooks->hold ? p->hooks->hold(ctr, old, value) : value;
}

/* ---- access ---- */

static enum access rdmsr(void *pmu, uint32_t msr, uint64_t *value)
{
	struct pmu_amd *p = pmu;
	struct reg reg;
	enum access access = decode_register(p, msr, &reg);

	if (amd_is_global(p, msr)) {
		*value = amd_read_global(p, msr);
		return ACCESS_DONE;
	}
	if (access != ACCESS_DONE)
		return access;
	*value = reg.select ? p->counter[reg.counter].select : p->counter[reg.counter].value;
	return ACCESS_DONE;
}

/* No value faults: AMD drops what it does not keep. */
static enum access wrmsr(void *pmu, uint32_t msr, uint64_t value)
{
	struct pmu_amd *p = pmu;
	struct reg reg;
	enum access access = decode_register(p, msr, &reg);
	uint64_t old;

	if (amd_is_global(p, msr)) {
		amd_write_global(p, msr, value);
		return ACCESS_DONE;
	}
	if (access != ACCESS_DONE)
		return access;
	old = p->counter[reg.counter].select;
	value = reg.select ? value : value & COUNTER_MASK;
	if (reg.select)
		write_select(p, reg.counter, value);
	else
		p->counter[reg.counter].value = hold(p, reg.counter, value, value);
	if (p->hooks->written)
		p->hooks->written(p, &reg, old);
	return ACCESS_DONE;
}

static enum access rdpmc(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value)
{
	const struct pmu_amd *p = pmu;
	enum access access = ACCESS_GP;

	*value = 0;
	if (index < p->traits->counters && (cpl == 0 || cr4_pce)) {
		*value = p->counter[index].value;
		access = ACCESS_DONE;
	}
	if (p->hooks->rdpmc)
		p->hooks->rdpmc(p, index, cpl, &access, value);
	return access;
}

/* ---- one clock ---- */

static bool passes_host(const struct pmu_amd *p, const struct setting *set, bool guest)
{
	if (!set->guest_only && !set->host_only)
		return true;
	return p->svme && (guest ? set->guest_only : set->host_only);
}

/* Without SVM there is no guest to wait for: such a counter stands still for good. */
static bool can_count(const struct pmu_amd *p, const struct setting *set)
{
	return is_enabled(p, set->counter) && (set->user || set->os) &&
	       (passes_host(p, set, false) || passes_host(p, set, true));
}

static bool counting(const void *pmu)
{
	const struct pmu_amd *p = pmu;

	for (unsigned i = 0; i < p->traits->counters; i++)
		if (can_count(p, &p->counter[i].set))
			return true;
	return false;
}

static bool selects(const struct event *event, unsigned unit_mask, unsigned sub_event)
{
	if (event->all_code)
		return unit_mask == event->all_code;
	return unit_mask >> (event->first_bit + sub_event) & 1;
}

/* The next row of the same code; NULL: there is none. */
static const struct event *next_row(const struct event *event)
{
	return event[1].code == event->code ? event + 1 : NULL;
}

static bool watches_hierarchy(const void *pmu)
{
	const struct pmu_amd *p = pmu;
	const struct event *event;

	for (unsigned i = 0; i < p->traits->counters; i++)
		for (event = p->counter[i].event; event; event = next_row(event))
			if (event->signal >= SIGNAL_MET)
				return true;
	return false;
}

static unsigned selected(const struct event *event, const struct clock *clock, unsigned unit_mask)
{
	unsigned n = event->sub_events ? 0 : clock->n[event->signal];

	for (unsigned i = 0; i < event->sub_events; i++)
		if (selects(event, unit_mask, i))
			n += clock->n[event->signal + i];
	return n;
}

/* n of this clock for the selected event. */
static unsigned occurrences(const struct pmu_amd *p, const struct counter *c,
			    const struct clock *clock)
{
	const struct setting *set = &c->set;
	unsigned n = 0;

	for (const struct event *event = c->event; event; event = next_row(event))
		n += selected(event, clock, set->unit_mask);
	return p->hooks->occurrences ? p->hooks->occurrences(set, clock, n) : n;
}

static bool compares(const struct pmu_amd *p, const struct setting *set, unsigned n)
{
	bool result = set->threshold ? (n >= set->threshold) != set->invert : n > 0;

	if (set->threshold && p->hooks->compare)
		return p->hooks->compare(set, n, result);
	return result;
}

/*
 * Event -> mode filter -> threshold -> inversion -> edge -> amount.  The filter comes first: a
 * clock in the wrong mode never increments, also with INV, and the edge detector sees it as false.
 * With a threshold of 0 INV is ignored, as the register's text attaches it to non-zero masks only.
 */
static unsigned amount_of_clock(struct pmu_amd *p, unsigned ctr, const struct clock *clock)
{
	struct counter *c = &p->counter[ctr];
	const struct setting *set = &c->set;
	bool passes = (clock->cpl == 0 ? set->os : set->user) && passes_host(p, set, clock->guest);
	unsigned n = occurrences(p, c, clock);
	bool now = passes && compares(p, set, n);
	bool before = c->condition;

	c->condition = now;
	if (set->edge)
		return p->hooks->edge ? p->hooks->edge(set, passes, before, now) : now && !before;
	if (set->threshold)
		return now;
	return passes ? n : 0;
}

/* True: the counter overflowed and asks for an interrupt. */
static bool clock_counter(struct pmu_amd *p, unsigned ctr, const struct clock *clock)
{
	struct counter *c = &p->counter[ctr];
	unsigned amount = is_enabled(p, ctr) ? amount_of_clock(p, ctr, clock) : 0;
	uint64_t old = c->value;
	bool carry;

	if (p->hooks->increment)
		amount = p->hooks->increment(p, ctr, clock, amount);
	if (!amount)
		return false;
	c->value = hold(p, ctr, old, (old + amount) & COUNTER_MASK);
	carry = old + amount > COUNTER_MASK;
	if (p->hooks->overflow)
		carry = p->hooks->overflow(p, ctr, old, amount, carry);
	/* Assumed: whether INT is set or not, as on Intel. */
	if (carry && p->traits->global)
		p->global_status |= p->hooks->flag ? p->hooks->flag(ctr) : BIT(ctr);
	return carry && c->set.interrupt;
}

static unsigned clock_passes(void *pmu, const struct clock *clock)
{
	struct pmu_amd *p = pmu;
	uint64_t overflowed = 0;
	unsigned requests;

	for (uint32_t left = p->running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		if (clock_counter(p, ctr, clock))
			overflowed |= BIT(ctr);
	}
	/* One line to the local APIC: two counters in one clock are one request. */
	requests = overflowed != 0;
	return p->hooks->requests ? p->hooks->requests(p, clock, overflowed, requests) : requests;
}

static bool masks_lvt(const void *pmu)
{
	const struct pmu_amd *p = pmu;

	return p->hooks->masks_lvt;
}

/* By the names that all of them have; select registers first, PerfCntrGlobalCtl last. */
static bool register_at(const void *pmu, unsigned index, struct pmu_register *reg)
{
	const struct pmu_amd *p = pmu;
	const struct amd_traits *traits = p->traits;
	unsigned counter = index % traits->counters, next = (counter + 1) % traits->counters;
	bool cells = index >= traits->counters;
	uint32_t base = traits->extended ? MSR_EXTENDED + cells
			: cells          ? MSR_LEGACY_CTR
					 : MSR_LEGACY_CTL;
	unsigned step = traits->extended ? 2 : 1;

	if (index == 2 * traits->counters && traits->global) {
		*reg = (struct pmu_register){
			.address = AMD_MSR_GLOBAL_CTL,
			.neighbour = AMD_MSR_GLOBAL_CTL,
			.counter = -1,
			.bits = amd_all_counters(p),
			.runs = amd_all_counters(p),
		};
		return true;
	}
	*reg = (struct pmu_register){
		.address = base + counter * step,
		.neighbour = base + next * step,
		.counter = (int)counter,
		.cells = cells,
		.bits = cells ? COUNTER_MASK : traits->select_bits,
		.runs = cells ? 0 : SELECT_USR | SELECT_OS | SELECT_EN | RETIRED_INSTRUCTIONS,
		.interrupts = SELECT_INT,
	};
	return index < 2 * traits->counters;
}

static uint64_t *cell(void *pmu, unsigned counter)
{
	return &((struct pmu_amd *)pmu)->counter[counter].value;
}

static bool enabled(const void *pmu, unsigned counter)
{
	const struct pmu_amd *p = pmu;

	return can_count(p, &p->counter[counter].set);
}

const struct pmu_ops pmu_amd_ops = {

	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.counting = counting,
	.watches_hierarchy = watches_hierarchy,
	.clock = clock_passes,
	.masks_lvt = masks_lvt,
	.register_at = register_at,
	.cell = cell,
	.enabled = enabled,
};
