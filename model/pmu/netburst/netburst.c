/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the NetBurst PMU, and RDPMC. */
#include "hooks.h"
#include "kernel/lib/string.h"

static const struct netburst_hooks healthy;
_Static_assert(sizeof(struct pmu_netburst) <= CORE_PMU_STATE, "fits its room");

/* ---- the registers that are neither counter nor CCCR nor ESCR ---- */

static const struct {
	uint32_t msr;
	uint64_t writable, fixed; /* fixed: set, and read-only */
} others[NETBURST_OTHERS] = {
	/* Performance monitoring and PEBS (bit 12) available, BTS unavailable. */
	[MISC_ENABLE] = {0x1a0, ~(BIT(7) | BIT(11) | BIT(12)), BIT(7) | BIT(11)},
	[TC_PRECISE_EVENT] = {0x3f0, FIELD(15, 0), 0},
	[PEBS_ENABLE] = {0x3f1, FIELD(12, 0) | FIELD(16, 15) | FIELD(26, 24), 0},
	[PEBS_MATRIX_VERT] = {0x3f2, FIELD(1, 0) | BIT(4), 0},
	[DS_AREA] = {0x600, ~UINT64_C(0), 0},
};

/* ---- names ---- */

static bool decode_other(uint32_t msr, struct netburst_reg *reg)
{
	for (unsigned i = 0; i < NETBURST_OTHERS; i++)
		if (others[i].msr == msr) {
			*reg = (struct netburst_reg){REG_OTHER, i};
			return true;
		}
	return false;
}

static bool decode_name(const struct pmu_netburst *p, uint32_t msr, struct netburst_reg *reg)
{
	if (msr - MSR_NETBURST_COUNTER < NETBURST_COUNTERS)
		*reg = (struct netburst_reg){REG_COUNTER, msr - MSR_NETBURST_COUNTER};
	else if (msr - MSR_NETBURST_CCCR < NETBURST_COUNTERS)
		*reg = (struct netburst_reg){REG_CCCR, msr - MSR_NETBURST_CCCR};
	else if (msr - MSR_NETBURST_ESCR < NETBURST_ESCRS)
		*reg = (struct netburst_reg){REG_ESCR, msr - MSR_NETBURST_ESCR};
	else
		return decode_other(msr, reg);
	return reg->kind != REG_ESCR || p->escr[reg->number].power;
}

static enum access decode_register(const struct pmu_netburst *p, uint32_t msr,
				   struct netburst_reg *reg)
{
	if (!decode_name(p, msr, reg))
		return ACCESS_NOT_MINE;
	return p->hooks->address && !p->hooks->address(reg) ? ACCESS_GP : ACCESS_DONE;
}

/* ---- writing ---- */

static bool has_extended_cascade(unsigned ctr)
{
	return ctr == 12 || ctr >= 15;
}

/* Reserved bits are stored as 0; no value faults. */
static uint64_t writable_of_cccr(const struct netburst_traits *traits, unsigned ctr)
{
	uint64_t bits = FIELD(26, 12) | CCCR_CASCADE | CCCR_OVF;

	if (traits->extended_cascade && has_extended_cascade(ctr))
		bits |= CCCR_EXTENDED_CASCADE;
	return traits->hyper_threading ? bits | CCCR_OVF_PMI_T1 : bits;
}

static uint64_t writable_of_escr(const struct netburst_traits *traits)
{
	return traits->hyper_threading ? FIELD(30, 0) : FIELD(30, 2);
}

static uint64_t writable(const struct pmu_netburst *p, const struct netburst_reg *reg)
{
	switch (reg->kind) {
	case REG_COUNTER:
		return NETBURST_MASK;
	case REG_CCCR:
		return writable_of_cccr(p->traits, reg->number);
	case REG_ESCR:
		return writable_of_escr(p->traits);
	default:
		return others[reg->number].writable;
	}
}

static struct cccr take_apart_cccr(unsigned ctr, uint64_t value)
{
	return (struct cccr){
		.counter = ctr,
		.escr_select = (unsigned)field_get(CCCR_ESCR_SELECT, value),
		.active_thread = (unsigned)field_get(CCCR_ACTIVE_THREAD, value),
		.threshold = (unsigned)field_get(CCCR_THRESHOLD, value),
		.enable = value & CCCR_ENABLE,
		.compare = value & CCCR_COMPARE,
		.complement = value & CCCR_COMPLEMENT,
		.edge = value & CCCR_EDGE,
		.force_ovf = value & CCCR_FORCE_OVF,
		.ovf_pmi_t0 = value & CCCR_OVF_PMI_T0,
		.ovf_pmi_t1 = value & CCCR_OVF_PMI_T1,
		.cascade = value & CCCR_CASCADE,
		.extended_cascade = value & CCCR_EXTENDED_CASCADE,
	};
}

static int route(const struct pmu_netburst *p, const struct cccr *set)
{
	int escr = netburst_route(set->counter, set->escr_select);

	if (escr >= 0 && !p->escr[escr].power)
		escr = -1;
	return p->hooks->route ? p->hooks->route(set->counter, set->escr_select, escr) : escr;
}

static void set_bit(uint32_t *bits, unsigned n, bool value)
{
	*bits = (*bits & ~(UINT32_C(1) << n)) | (uint32_t)value << n;
}

/* Erratum O9: who stops in the clock of a carry into bit 32 loses it. */
static void stop(const struct pmu_netburst *p, struct netburst_counter *c)
{
	if (p->traits->stop_loses_carry && c->carried)
		c->value = (c->value - BIT(32)) & NETBURST_MASK;
}

static void write_cccr(struct pmu_netburst *p, unsigned ctr, uint64_t value)
{
	struct netburst_counter *c = &p->counter[ctr];
	uint64_t old = c->cccr;

	c->cccr = (uint32_t)(value & ~CCCR_OVF);
	c->set = take_apart_cccr(ctr, value);
	if (p->hooks->cccr)
		p->hooks->cccr(&c->set);
	c->escr = route(p, &c->set);
	set_bit(&p->watched, ctr, c->cccr);
	set_bit(&p->ovf, ctr, value & CCCR_OVF);
	if (old & CCCR_ENABLE && !(value & CCCR_ENABLE))
		stop(p, c);
	/* Before the first clock counted the edge detector's memory is taken as false. */
	if (!(old & CCCR_ENABLE) && value & CCCR_ENABLE)
		c->previous = false;
	if (!(value & CCCR_OVF) || !(value & (CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1))) {
		set_bit(&p->armed, ctr, false);
		set_bit(&p->requested, ctr, false);
	}
	c->amount = 0;
	c->carried = false;
}

/* Erratum N15, O8: the upper 8 bits are stored first, and meet what the old lower ones carry. */
static uint64_t written_value(const struct pmu_netburst *p, const struct netburst_counter *c,
			      uint64_t value)
{
	if (p->traits->write_carries && (uint32_t)c->value + (uint64_t)c->amount > UINT32_MAX)
		value += BIT(32);
	return value & NETBURST_MASK;
}

static void write_other(struct pmu_netburst *p, unsigned number, uint64_t value)
{
	p->other[number] = value | others[number].fixed;
	if (!(p->other[PEBS_ENABLE] & PEBS_ENABLE_MY_THR))
		p->record = RECORD_NONE;
}

static uint64_t read_register(const struct pmu_netburst *p, const struct netburst_reg *reg)
{
	switch (reg->kind) {
	case REG_COUNTER:
		return p->counter[reg->number].value;
	case REG_CCCR:
		return p->counter[reg->number].cccr | (p->ovf >> reg->number & 1 ? CCCR_OVF : 0);
	case REG_ESCR:
		return p->escr_value[reg->number];
	default:
		return p->other[reg->number];
	}
}

static void write_register(struct pmu_netburst *p, const struct netburst_reg *reg, uint64_t value)
{
	struct netburst_counter *c = &p->counter[reg->number % NETBURST_COUNTERS];

	switch (reg->kind) {
	case REG_COUNTER:
		c->value = written_value(p, c, value);
		break;
	case REG_CCCR:
		write_cccr(p, reg->number, value);
		break;
	case REG_ESCR:
		p->escr_value[reg->number] = (uint32_t)value;
		netburst_take_apart_escr(p, &p->escr[reg->number], (uint32_t)value);
		break;
	default:
		write_other(p, reg->number, value);
		break;
	}
}

/* ---- the operations ---- */

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_netburst *p = pmu;

	memset(p, 0, sizeof(*p));
	p->traits = traits;
	p->hooks = fault && fault->netburst ? fault->netburst : &healthy;
	for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
		p->escr[i].number = i;
		if (netburst_escr_exists(p->traits, i))
			p->escr[i].power = netburst_power(i);
	}
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		write_cccr(p, i, 0);
	for (unsigned i = 0; i < NETBURST_OTHERS; i++)
		write_other(p, i, 0);
	p->other[TC_PRECISE_EVENT] = 0xfc00;
}

static enum access rdmsr(void *pmu, uint32_t msr, uint64_t *value)
{
	struct pmu_netburst *p = pmu;
	struct netburst_reg reg;
	enum access access = decode_register(p, msr, &reg);

	if (access != ACCESS_DONE)
		return access;
	*value = read_register(p, &reg);
	if (p->hooks->was_read)
		p->hooks->was_read(p, &reg);
	return ACCESS_DONE;
}

static enum access wrmsr(void *pmu, uint32_t msr, uint64_t value)
{
	struct pmu_netburst *p = pmu;
	struct netburst_reg reg;
	enum access access = decode_register(p, msr, &reg);
	uint64_t old, kept;

	if (access != ACCESS_DONE)
		return access;
	old = read_register(p, &reg);
	kept = value & writable(p, &reg);
	if (p->hooks->keep)
		kept = p->hooks->keep(&reg, value, kept);
	write_register(p, &reg, kept);
	if (p->hooks->written)
		p->hooks->written(p, &reg, old);
	return ACCESS_DONE;
}

static enum access rdpmc(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value)
{
	const struct pmu_netburst *p = pmu;
	enum access access = ACCESS_GP;
	bool fast = index & UINT32_C(0x80000000);

	*value = 0;
	index &= UINT32_C(0x7fffffff);
	if (index < NETBURST_COUNTERS && (cpl == 0 || cr4_pce)) {
		*value = p->counter[index].value;
		if (fast)
			*value &= FIELD(31, 0);
		access = ACCESS_DONE;
	}
	if (p->hooks->rdpmc)
		p->hooks->rdpmc(p, index, fast, cpl, &access, value);
	return access;
}

static bool counting(const void *pmu)
{
	return netburst_running(pmu);
}

/* Logical processor 0 gets what is not for the other one alone. */
static bool is_for(const struct cccr *set, unsigned thread)
{
	return thread ? set->ovf_pmi_t1 : set->ovf_pmi_t0 || !set->ovf_pmi_t1;
}

static uint32_t held_by(const void *pmu, unsigned thread)
{
	const struct pmu_netburst *p = pmu;
	uint32_t held = 0;

	if (p->hooks->pulses)
		return 0;
	for (uint32_t left = p->requested; left; left &= left - 1) {
		unsigned ctr = (unsigned)__builtin_ctz(left);

		held |= (uint32_t)is_for(&p->counter[ctr].set, thread) << ctr;
	}
	return held;
}

static bool masks_lvt(const void *pmu)
{
	const struct pmu_netburst *p = pmu;

	return !p->hooks->leaves_lvt;
}

/* An event for the counters of each group, as bits: the first of its two ESCRs, and what to select.
 */
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

static uint32_t next_escr(const struct pmu_netburst *p, unsigned escr)
{
	do
		escr = (escr + 1) % NETBURST_ESCRS;
	while (!p->escr[escr].power);
	return MSR_NETBURST_ESCR + escr;
}

static bool escr_at(const struct pmu_netburst *p, unsigned index, struct pmu_register *reg)
{
	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		if (p->escr[i].power && index-- == 0) {
			*reg = (struct pmu_register){
				.address = MSR_NETBURST_ESCR + i,
				.neighbour = next_escr(p, i),
				.counter = -1,
				.bits = writable_of_escr(p->traits),
				.runs = runs_escr(MSR_NETBURST_ESCR + i),
				.tests = "*.event.*,*.tag.*,*.branch.*,*.bogus.*,*.bus.*,"
					 "*.thread.*",
			};
			return true;
		}
	return false;
}

static bool register_at(const void *pmu, unsigned index, struct pmu_register *reg)
{
	const struct pmu_netburst *p = pmu;
	bool cells = index < NETBURST_COUNTERS;
	unsigned ctr = index % NETBURST_COUNTERS;
	uint32_t base = cells ? MSR_NETBURST_COUNTER : MSR_NETBURST_CCCR;

	if (index >= 2 * NETBURST_COUNTERS)
		return escr_at(p, index - 2 * NETBURST_COUNTERS, reg);
	*reg = (struct pmu_register){
		.address = base + ctr,
		.neighbour = base + (ctr + 1) % NETBURST_COUNTERS,
		.counter = (int)ctr,
		.cells = cells,
		.bits = cells ? NETBURST_MASK : writable_of_cccr(p->traits, ctr) & ~CCCR_OVF,
		.runs = cells ? 0 : runs_cccr(ctr),
		.interrupts = CCCR_OVF_PMI_T0,
		.tests = "*.count.enable_gates,*.filter.*,*.cascade.*,*.force_ovf.*,*.ovf.*,"
			 "*.thread.*",
	};
	return true;
}

static uint64_t *cell(void *pmu, unsigned counter)
{
	return &((struct pmu_netburst *)pmu)->counter[counter].value;
}

static bool enabled(const void *pmu, unsigned counter)
{
	return netburst_running(pmu) >> counter & 1;
}

const struct pmu_ops pmu_netburst_ops = {
	.of_core = true,
	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.counting = counting,
	.watches_hierarchy = netburst_watches_hierarchy,
	.watches_bogus = netburst_watches_bogus,
	.clock = netburst_clock,
	.masks_lvt = masks_lvt,
	.register_at = register_at,
	.unseen = netburst_unseen,
	.cell = cell,
	.enabled = enabled,
	.held_by = held_by,
	.precise = netburst_precise,
	.wants_assist = netburst_wants_assist,
	.assist = netburst_assist,
};
