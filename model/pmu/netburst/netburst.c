/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the NetBurst PMU. */

#include "netburst.h"

/* Performance monitoring and PEBS (bit 12) available, BTS unavailable: read-only. */
#define MISC_ENABLE_FIXED (BIT(7) | BIT(11))

_Static_assert(sizeof(struct pmu_netburst) <= CORE_PMU_STATE, "fits its room");

/* ---- registers ---- */

static uint64_t writable_of_cccr(const struct netburst_traits *traits, unsigned ctr)
{
	uint64_t bits = FIELD(26, 12) | CCCR_CASCADE | CCCR_OVF;

	if (traits->extended_cascade && netburst_has_extended_cascade(ctr))
		bits |= CCCR_EXTENDED_CASCADE;
	return traits->hyper_threading ? bits | CCCR_OVF_PMI_T1 : bits;
}

AT_EXIT static bool exists(const void *pmu, unsigned kind, unsigned number)
{
	const struct pmu_netburst *p = pmu;

	return kind != NETBURST_ESCR || p->escr[number].power;
}

AT_EXIT static uint64_t shows(const void *pmu, const struct reg_id *reg, uint64_t value)
{
	const struct pmu_netburst *p = pmu;
	bool ovf = reg->kind == NETBURST_CCCR && p->ovf >> reg->number & 1;

	return ovf ? value | CCCR_OVF : value;
}

AT_EXIT static uint64_t keeps(const void *pmu, const struct reg_id *reg, uint64_t value)
{
	const struct pmu_netburst *p = pmu;

	if (reg->kind == NETBURST_CCCR)
		return value & writable_of_cccr(p->traits, reg->number);
	return reg->kind == NETBURST_MISC_ENABLE ? value | MISC_ENABLE_FIXED : value;
}

static int route(const struct pmu_netburst *p, unsigned ctr, uint64_t cccr)
{
	int escr = netburst_route(ctr, (unsigned)field_get(CCCR_ESCR_SELECT, cccr));

	return escr >= 0 && p->escr[escr].power ? escr : -1;
}

static void take_apart(struct pmu_netburst *p, unsigned ctr, uint64_t old, uint64_t value)
{
	static const struct comparison more = {.more = true};
	uint64_t acts = core_twisted(&p->core, NETBURST_CCCR, ctr, old, value);
	struct point at = core_point(&p->core, ctr);

	p->cccr[ctr] = (struct cccr){
		.escr = route(p, ctr, acts),
		.active_thread = (unsigned)field_get(CCCR_ACTIVE_THREAD, acts),
		.force_ovf = acts & CCCR_FORCE_OVF,
		.ovf_pmi_t0 = acts & CCCR_OVF_PMI_T0,
		.ovf_pmi_t1 = acts & CCCR_OVF_PMI_T1,
		.cascade = acts & CCCR_CASCADE,
		.extended_cascade = acts & CCCR_EXTENDED_CASCADE,
	};
	/* The ESCR filters by mode. */
	*at.set = (struct setting){.enable = acts & CCCR_ENABLE, .user = true, .os = true};
	setting_compare(at.set, &more, acts & CCCR_COMPARE,
			(unsigned)field_get(CCCR_THRESHOLD, acts), acts & CCCR_COMPLEMENT,
			acts & CCCR_EDGE);
	REACH(&at, p->core.active, setting);
}

static void set_bit(uint32_t *bits, unsigned n, bool value)
{
	*bits = (*bits & ~(UINT32_C(1) << n)) | (uint32_t)value << n;
}

AT_EXIT static void write_cccr(struct pmu_netburst *p, unsigned ctr, uint64_t value)
{
	struct counter *c = &p->core.counter[ctr];
	uint64_t old = c->control;
	bool carried = (p->moved >> ctr & 1) && p->cccr[ctr].carried;

	c->control = value & ~CCCR_OVF;
	take_apart(p, ctr, old, value);
	/* With a CCCR of 0 it stands still. */
	set_bit(&p->core.watched, ctr, c->control);
	set_bit(&p->ovf, ctr, value & CCCR_OVF);
	/* Erratum O9: a stop in the clock of a carry into bit 32 loses the carry. */
	if (old & ~value & CCCR_ENABLE && p->traits->stop_loses_carry && carried)
		c->value = (c->value - BIT(32)) & NETBURST_MASK;
	/* The edge detector takes the condition as false before the first clock. */
	if (value & ~old & CCCR_ENABLE)
		c->condition = false;
	if (!(value & CCCR_OVF) || !(value & (CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1))) {
		set_bit(&p->armed, ctr, false);
		set_bit(&p->requested, ctr, false);
		p->core.holding = p->requested;
	}
}

/* Errata N15, O8: the upper 8 bits are stored first, and the old lower ones may carry into them. */
AT_EXIT static void write_counter(struct pmu_netburst *p, unsigned ctr, uint64_t value)
{
	uint64_t *cell = &p->core.counter[ctr].value;
	uint64_t amount = p->moved >> ctr & 1 ? p->cccr[ctr].amount : 0;

	if (p->traits->write_carries && (uint32_t)*cell + amount > UINT32_MAX)
		value += BIT(32);
	*cell = value & NETBURST_MASK;
}

AT_EXIT static bool put(void *pmu, const struct reg_id *reg, uint64_t value)
{
	struct pmu_netburst *p = pmu;

	p->stale = true;
	switch (reg->kind) {
	case NETBURST_COUNTER:
		write_counter(p, reg->number, value);
		return true;
	case NETBURST_CCCR:
		write_cccr(p, reg->number, value);
		return true;
	case NETBURST_ESCR:
		netburst_select(p, &p->escr[reg->number], (uint32_t)value);
		return false;
	case NETBURST_PEBS_ENABLE:
		if (!(value & PEBS_ENABLE_MY_THR))
			p->core.precise = p->core.wants_assist = false;
		return false;
	default:
		return false;
	}
}

/* ---- the operations ---- */

static const struct core_kind kind = {
	.masks_lvt = true,
	.cells = BIT(NETBURST_COUNTER),
	.fast_bit = UINT32_C(1) << 31,
	.programmed = BIT(NETBURST_COUNTER) | BIT(NETBURST_CCCR) | BIT(NETBURST_ESCR),
	.interrupts = CCCR_OVF_PMI_T0,
	.exists = exists,
	.shows = shows,
	.keeps = keeps,
	.put = put,
	.runs = netburst_runs,
};

#define HELD(member_) CORE_CELLS(struct pmu_netburst, member_, sizeof(uint64_t))

/* Reserved bits are stored as 0; no value faults. */
static void lay_out(struct pmu_netburst *p)
{
	const struct register_range ranges[] = {
		{NETBURST_COUNTER, MSR_NETBURST_COUNTER, NETBURST_COUNTERS, CORE_VALUES,
		 NETBURST_MASK},
		{NETBURST_CCCR, MSR_NETBURST_CCCR, NETBURST_COUNTERS, CORE_CONTROLS, UINT32_MAX},
		{NETBURST_ESCR, MSR_NETBURST_ESCR, NETBURST_ESCRS, HELD(escr_value),
		 p->traits->hyper_threading ? FIELD(30, 0) : FIELD(30, 2)},
		{NETBURST_MISC_ENABLE, 0x1a0, 1, HELD(misc_enable), ~(BIT(7) | BIT(11) | BIT(12))},
		{NETBURST_TC_PRECISE_EVENT, 0x3f0, 1, HELD(tc_precise_event), FIELD(15, 0)},
		{NETBURST_PEBS_ENABLE, 0x3f1, 1, HELD(pebs_enable),
		 FIELD(12, 0) | FIELD(16, 15) | FIELD(26, 24)},
		{NETBURST_PEBS_MATRIX_VERT, 0x3f2, 1, HELD(pebs_matrix_vert), FIELD(1, 0) | BIT(4)},
		{NETBURST_DS_AREA, 0x600, 1, HELD(ds_area), ~UINT64_C(0)},
	};

	core_lay_out(&p->core, ranges, ARRAY_SIZE(ranges));
}

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_netburst *p = pmu;

	core_begin(&p->core, sizeof(*p), &kind, fault);
	p->traits = traits;
	p->core.count = NETBURST_COUNTERS;
	p->core.present = (UINT32_C(1) << NETBURST_COUNTERS) - 1;
	p->core.mask = NETBURST_MASK;
	lay_out(p);
	for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
		p->escr[i].number = i;
		if (netburst_escr_exists(p->traits, i))
			p->escr[i].power = netburst_power(i);
	}
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		write_cccr(p, i, 0);
	p->misc_enable = MISC_ENABLE_FIXED;
	p->tc_precise_event = 0xfc00;
}

/* Logical processor 0 gets all requests but those for the other one alone. */
static bool is_for(const struct cccr *cccr, unsigned thread)
{
	return thread ? cccr->ovf_pmi_t1 : cccr->ovf_pmi_t0 || !cccr->ovf_pmi_t1;
}

static uint32_t held_by(const void *pmu, unsigned thread)
{
	const struct pmu_netburst *p = pmu;
	uint32_t held = 0;

	if (!p->requested || netburst_pulses(p))
		return 0;
	for (uint32_t left = p->requested; left; left &= left - 1)
		if (is_for(&p->cccr[__builtin_ctz(left)], thread))
			held |= left & -left;
	return held;
}

/* An event that each group of counters can count: the first of two ESCRs, and what to select. */
static const struct group {
	uint32_t counters, escr;
	unsigned route, event, mask;
} groups[] = {
	{0x0000f, 0x3a2, 6, 0x13, 0x0001}, /* global_power_events RUNNING */
	{0x000f0, 0x3c0, 0, 0x09, 0x0007}, /* uop_queue_writes */
	{0x00f00, 0x3a4, 1, 0x04, 0x8000}, /* x87_FP_uop ALL */
	{0x3f000, 0x3b8, 4, 0x02, 0x0001}, /* instr_retired NBOGUSNTAG */
};

static uint64_t runs_cccr(unsigned ctr)
{
	const struct group *group = groups;

	while (!(group->counters >> ctr & 1))
		group++;
	return CCCR_ENABLE | field_put(CCCR_ESCR_SELECT, group->route) | CCCR_ACTIVE_THREAD;
}

static uint64_t runs_escr(uint32_t msr)
{
	for (unsigned i = 0; i < ARRAY_SIZE(groups); i++)
		if (groups[i].escr == (msr & ~1u))
			return field_put(ESCR_EVENT_SELECT, groups[i].event) |
			       field_put(ESCR_EVENT_MASK, groups[i].mask) | ESCR_T0_OS |
			       ESCR_T0_USR;
	return 0;
}

static bool register_at(const void *pmu, unsigned index, struct pmu_register *reg)
{
	const struct pmu_netburst *p = pmu;

	if (!core_register_at(pmu, index, reg))
		return false;
	if (reg->counter < 0) {
		reg->runs = runs_escr(reg->address);
		reg->tests = "*.event.*,*.tag.*,*.branch.*,*.bogus.*,*.bus.*,*.thread.*";
	} else if (!reg->cells) {
		reg->bits = writable_of_cccr(p->traits, (unsigned)reg->counter) & ~CCCR_OVF;
		reg->runs = runs_cccr((unsigned)reg->counter);
		reg->tests = "*.count.enable_gates,*.filter.*,*.cascade.*,*.force_ovf.*,*.ovf.*,"
			     "*.thread.*";
	}
	return true;
}

static const struct core_ops core_ops = {
	.of_core = true,
	.masks_lvt = core_masks_lvt,
	.cell = core_cell,
	.enabled = core_enabled,
	.counting = core_counting,
	.watches_hierarchy = netburst_watches_hierarchy,
	.watches_bogus = netburst_watches_bogus,
	.clock = netburst_clock,
	.room = netburst_room,
	.pass = netburst_pass,
	.held_by = held_by,
	.assist = netburst_assist,
};

const struct kind_ops pmu_netburst_ops = {
	.reset = reset,
	.deviate = core_deviate,
	.rdmsr = core_rdmsr,
	.wrmsr = core_wrmsr,
	.rdpmc = core_rdpmc,
	.register_at = register_at,
	.unseen = netburst_unseen,
	.core = &core_ops,
};
