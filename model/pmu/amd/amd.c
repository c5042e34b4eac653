/* SPDX-License-Identifier: BSD-2-Clause */
/* The AMD core counters: registers, events, one clock. */

#include "amd.h"

_Static_assert(sizeof(struct pmu_amd) <= CORE_PMU_STATE, "fits its room");

static uint64_t all_counters(const struct pmu_amd *p)
{
	return BIT(p->traits->counters) - 1;
}

/* ---- registers ---- */

static bool is_within(const struct amd_limit *limit, unsigned ctr, unsigned code)
{
	return !limit->counters || code < limit->first || code > limit->last ||
	       limit->counters >> ctr & 1;
}

/* NULL: what the profile does not list never occurs, nor what this counter cannot count: no manual
 * says what it then counts, and this is assumed. */
static const struct amd_event *find_event(const struct amd_traits *traits, unsigned ctr,
					  unsigned code)
{
	const struct amd_event *event = traits->events;

	if (!is_within(&traits->limit, ctr, code))
		return NULL;
	while (event->code && event->code != code)
		event++;
	return event->code ? event : NULL;
}

/* The next row of the same code; NULL: there is none. */
static const struct amd_event *next_row(const struct amd_event *event)
{
	return event[1].code == event->code ? event + 1 : NULL;
}

static bool is_alone(const struct amd_event *event)
{
	return event && !event->sub_events && !next_row(event);
}

static void write_select(struct pmu_amd *p, unsigned ctr, uint64_t value)
{
	uint64_t acts = core_select(&p->core, ctr, value);
	struct setting *set = &p->core.counter[ctr].set;

	set->event |= (unsigned)field_get(SELECT_EVENT_HIGH, acts) << 8;
	p->event[ctr] = find_event(p->traits, ctr, set->event);
	p->alone[ctr] = is_alone(p->event[ctr]);
}

static void write_global_ctl(struct pmu_amd *p, uint64_t value)
{
	/* As when EN is set. */
	for (unsigned i = 0; i < p->traits->counters; i++)
		if (!(p->global_ctl >> i & 1))
			p->core.counter[i].condition = false;
	p->global_ctl = value;
}

/* Assumed, as KVM does it: a write to the status is ignored. */
static bool put(void *pmu, const struct reg_id *reg, uint64_t value)
{
	struct pmu_amd *p = pmu;

	switch (reg->kind) {
	case AMD_SELECT:
		write_select(p, reg->number, value);
		return true;
	case AMD_GLOBAL_CTL:
		write_global_ctl(p, value);
		return true;
	case AMD_GLOBAL_STATUS_CLR:
		p->global_status &= ~value;
		return true;
	case AMD_GLOBAL_STATUS_SET:
		p->global_status |= value;
		return true;
	case AMD_GLOBAL_STATUS:
		return true;
	default:
		return false;
	}
}

/* ---- events ---- */

static bool watches_hierarchy(const void *pmu)
{
	const struct pmu_amd *p = pmu;
	const struct amd_event *event;

	for (unsigned i = 0; i < p->traits->counters; i++)
		for (event = p->event[i]; event; event = next_row(event))
			if (event->signal >= SIGNAL_MET)
				return true;
	return false;
}

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
static unsigned occurrences(const struct pmu_amd *p, unsigned ctr, const struct clock *clock)
{
	const struct amd_event *event = p->event[ctr];
	unsigned n = 0;

	if (p->alone[ctr])
		return clock->n[event->signal];
	for (; event; event = next_row(event))
		n += selected(event, clock, p->core.counter[ctr].set.unit_mask);
	return n;
}

/* ---- one clock ---- */

/* There is no SVM: a counter that waits for a guest, or for a host of one, stands still. */
static bool is_enabled(const struct pmu_amd *p, unsigned ctr)
{
	const struct counter *c = &p->core.counter[ctr];
	uint64_t global = core_acting(&p->core, AMD_GLOBAL_CTL, 0, p->global_ctl);

	return c->set.enable && global >> ctr & 1 && !(c->control & (SELECT_GUEST | SELECT_HOST));
}

bool amd_runs(const void *pmu, unsigned ctr)
{
	const struct pmu_amd *p = pmu;
	struct point at = core_point(&p->core, ctr);
	uint64_t frozen = ctr == AMD_LBR ? STATUS_LBR_FROZEN : STATUS_COUNTERS_FROZEN;

	at.enabled = ctr == AMD_LBR ? p->lbr_config & LBR_ENABLE : is_enabled(p, ctr);
	at.frozen = p->global_status & frozen;
	return datapath_runs(&at, p->core.active);
}

/* True: the counter has overflowed. */
DATAPATH bool clock_counter(struct pmu_amd *p, struct point *at, unsigned ctr,
			    const struct clock *clock, uint64_t times, const struct active *active)
{
	core_point_at(at, ctr);
	at->clock = clock;
	at->event = at->set->event;
	at->stands = core_stands(&p->core, ctr, active);
	if (!at->stands) {
		at->n = occurrences(p, ctr, clock);
		at->passes = either(clock->cpl == 0, at->set->os, at->set->user);
		datapath_filter(at, active);
		at->amount *= times;
	}
	return datapath_count(at, active);
}

static unsigned request(struct pmu_amd *p, const struct clock *clock, uint64_t interrupting)
{
	unsigned requests = core_requests(&p->core, clock, interrupting);

	if (p->traits->perfmon[0] & PERFMON_FREEZE)
		amd_freeze(p);
	return requests;
}

DATAPATH unsigned clock_all(struct pmu_amd *p, const struct clock *clock, uint64_t times,
			    const struct active *active)
{
	struct point at = core_point(&p->core, NO_COUNTER);
	uint64_t overflowed = 0, interrupting = 0;

	for (uint32_t left = p->core.running; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		if (!clock_counter(p, &at, ctr, clock, times, active))
			continue;
		overflowed |= BIT(ctr);
		if (p->core.counter[ctr].set.interrupt)
			interrupting |= BIT(ctr);
	}
	/* Assumed: whether INT is set or not, as on Intel. */
	if (overflowed && p->traits->global)
		p->global_status |=
			core_status(&p->core, overflowed, interrupting) & all_counters(p);
	return interrupting ? request(p, clock, interrupting) : 0;
}

APART static unsigned clock_defective(struct pmu_amd *p, const struct clock *clock)
{
	return clock_all(p, clock, 1, p->core.in_clocks);
}

HOT PAGED static unsigned clock_passes(void *pmu, const struct clock *clock)
{
	struct pmu_amd *p = pmu;

	return p->core.in_clocks ? clock_defective(p, clock) : clock_all(p, clock, 1, NULL);
}

HOT static void pass(void *pmu, const struct clock *clock, uint64_t times)
{
	clock_all(pmu, clock, times, NULL);
}

static uint64_t room(const void *pmu)
{
	const struct pmu_amd *p = pmu;

	return p->lbr_config & LBR_ENABLE ? 0 : core_room(&p->core);
}

/* Instructions retire, and then an SMI may come, only where something else counts, too: what waits
 * for SMIs alone, or for what never occurs, is not worth a step. */
static bool is_idle(const struct pmu_amd *p, unsigned ctr)
{
	const struct amd_event *event = p->event[ctr];

	return !p->core.counter[ctr].set.invert && (!event || event->signal == SIGNAL_SMIS);
}

static bool counting(const void *pmu)
{
	const struct pmu_amd *p = pmu;

	if (amd_runs(p, AMD_LBR))
		return true;
	for (unsigned i = 0; i < p->traits->counters; i++)
		if (core_enabled(pmu, i) && !is_idle(p, i))
			return true;
	return false;
}

/* System management mode is ring 0 to the counters, and nothing freezes them there. */
static unsigned take_smi(void *pmu)
{
	(void)pmu;
	return SMI_INSTRUCTIONS;
}

/* ---- which bits of select registers are documented to do something ---- */

/* Bits of event select and unit mask that some event has; unit masks that are codes need all. */
static uint64_t used(const struct amd_traits *traits, bool *has_codes)
{
	uint64_t bits = 0;

	*has_codes = false;
	for (const struct amd_event *event = traits->events; event->code; event++) {
		uint64_t units = (BIT(event->sub_events) - 1) << event->first_bit;

		*has_codes |= event->all_code;
		bits |= field_put(SELECT_EVENT, event->code & 0xff) |
			field_put(SELECT_EVENT_HIGH, event->code >> 8) |
			field_put(SELECT_UNIT_MASK, event->all_code ? event->all_code : units);
	}
	return bits;
}

static const char *unseen(const void *traits_, const struct pmu_register *reg, uint64_t bit,
			  bool inverted)
{
	const struct amd_traits *traits = traits_;
	bool has_codes;
	uint64_t bits = used(traits, &has_codes);

	if (reg->counter < 0)
		return NULL;
	if (bit == SELECT_PC)
		return "pin control drives a pin, which no software sees";
	if (bit & SELECT_UNIT_MASK && !(bits & bit) && !(inverted && has_codes))
		return "no documented event has this bit in its unit mask";
	if (inverted)
		return NULL;
	if (bit & (SELECT_EVENT | SELECT_EVENT_HIGH) && !(bits & bit))
		return "no documented event has this bit in its number";
	if (bit & SELECT_CMASK && field_get(SELECT_CMASK, bit) > traits->threshold_most)
		return "the manual documents lower thresholds only";
	return NULL;
}

/* ---- the whole ---- */

static const struct core_kind kind = {
	.cells = BIT(AMD_COUNTER),
	.programmed = BIT(AMD_SELECT) | BIT(AMD_COUNTER) | BIT(AMD_GLOBAL_CTL),
	.interrupts = SELECT_INT,
	.put = put,
	.runs = amd_runs,
};

#define HELD(member_)    CORE_CELLS(struct pmu_amd, member_, 0)
#define RECORDS(member_) CORE_CELLS(struct pmu_amd, lbr[0].member_, sizeof(struct amd_lbr))
#define ANY_ADDRESS      (BIT(63) | FIELD(56, 0)) /* with the flag above it */
/* Last branch, single steps by branch: they do nothing here. */
#define DEBUGCTL (FIELD(1, 0) | DEBUGCTL_FREEZE_LBR | DEBUGCTL_FREEZE_COUNTERS)
/* In all rings, retired instructions. */
#define RUNS (SELECT_USR | SELECT_OS | SELECT_EN | field_put(SELECT_EVENT, 0xc0))

/* Commands read as 0, as in KVM. */
static void lay_out(struct pmu_amd *p)
{
	const struct amd_traits *t = p->traits;
	unsigned extended = t->extended ? t->counters : 0;
	uint64_t all = all_counters(p), select = t->select_bits;
	unsigned depth = amd_lbr_depth(t);
	bool freezes = t->perfmon[0] & PERFMON_FREEZE;
	uint64_t status = all | (freezes ? STATUS_LBR_FROZEN | STATUS_COUNTERS_FROZEN : 0);
	const struct register_range ranges[] = {
		{AMD_SELECT, 0xc0010200, extended, CORE_CONTROLS, select, .gap = 1, .runs = RUNS},
		{AMD_COUNTER, 0xc0010201, extended, CORE_VALUES, AMD_COUNTER_MASK, .gap = 1},
		{AMD_SELECT, 0xc0010000, 4, CORE_CONTROLS, select, .alias = extended, .runs = RUNS},
		{AMD_COUNTER, 0xc0010004, 4, CORE_VALUES, AMD_COUNTER_MASK, .alias = extended},
		{AMD_GLOBAL_STATUS, 0xc0000300, t->global, HELD(global_status), status},
		{AMD_GLOBAL_CTL, 0xc0000301, t->global, HELD(global_ctl), all, .runs = all},
		{AMD_GLOBAL_STATUS_CLR, 0xc0000302, t->global, CORE_COMMAND, status},
		{AMD_GLOBAL_STATUS_SET, 0xc0000303, t->global, CORE_COMMAND, status},
		{AMD_LBR_SELECT, 0xc000010e, depth != 0, HELD(lbr_select), FIELD(8, 0)},
		{AMD_LBR_CONFIG, 0xc000010f, depth != 0, HELD(lbr_config), LBR_ENABLE},
		{AMD_LBR_FROM, 0xc0010300, depth, RECORDS(from), ANY_ADDRESS, .gap = 1},
		{AMD_LBR_TO, 0xc0010301, depth, RECORDS(to), ANY_ADDRESS | BIT(62), .gap = 1},
		{AMD_DEBUGCTL, 0x1d9, freezes, HELD(debugctl), DEBUGCTL},
	};

	core_lay_out(&p->core, ranges, ARRAY_SIZE(ranges));
}

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_amd *p = pmu;

	core_begin(&p->core, sizeof(*p), &kind, fault);
	p->traits = traits;
	p->core.count = p->traits->counters;
	p->core.present = p->core.watched = (uint32_t)all_counters(p);
	p->core.mask = AMD_COUNTER_MASK;
	lay_out(p);
	/* All are enabled: software need not know of the register. */
	p->global_ctl = all_counters(p);
	core_update_running(&p->core);
}

const struct kind_ops pmu_amd_ops = {
	CORE_OPS,
	.reset = reset,
	.counting = counting,
	.watches_hierarchy = watches_hierarchy,
	.clock = clock_passes,
	.branched = amd_branched,
	.room = room,
	.pass = pass,
	.register_at = core_register_at,
	.unseen = unseen,
	.smi = take_smi,
};
