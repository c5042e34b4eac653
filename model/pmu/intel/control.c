/* SPDX-License-Identifier: BSD-2-Clause */
/* The control registers of the Intel core PMU: their bits, and what they mean. */
#include "hooks.h"
#include "intel.h"

uint64_t intel_counter_bits(const struct intel_traits *traits)
{
	return (BIT(traits->counters) - 1) | (BIT(traits->fixed) - 1) << 32;
}

/* Four bits of IA32_FIXED_CTR_CTRL. */
static uint64_t fixed_field(const struct pmu_intel *p, unsigned fixed)
{
	return p->fixed_ctrl >> 4 * fixed & 0xf;
}

/* ---- which bits there are ---- */

static uint64_t fixed_ctrl_bits(const struct intel_traits *traits)
{
	uint64_t one = FIXED_EN_OS | FIXED_EN_USR | FIXED_PMI, bits = 0;

	if (traits->select_bits & EVTSEL_ANY)
		one |= FIXED_ANY;
	if (traits->capabilities & CAPS_PEBS_BASELINE)
		one |= BIT(32);
	for (unsigned i = 0; i < traits->fixed; i++)
		bits |= one << 4 * i;
	return bits;
}

/* Those that OVF_CTRL, or STATUS_RESET, clears. */
static uint64_t status_bits(const struct intel_traits *traits)
{
	uint64_t bits = intel_counter_bits(traits) | STATUS_COND_CHGD;

	if (traits->pebs_counters)
		bits |= STATUS_OVF_BUFFER;
	if (traits->version >= 3)
		bits |= STATUS_OVF_UNCORE;
	if (traits->version >= 4)
		bits |= STATUS_LBR_FRZ | STATUS_CTR_FRZ;
	return bits;
}

static uint64_t pebs_enable_bits(const struct intel_traits *traits)
{
	uint64_t bits = traits->pebs_counters;

	/* From version 5 on the upper half is that of fixed counters. */
	if (traits->load_latency && traits->version < 5)
		bits |= traits->pebs_counters << 32;
	return traits->precise_store ? bits | BIT(63) : bits;
}

uint64_t intel_writable(const struct pmu_intel *p, const struct intel_reg *reg)
{
	const struct intel_traits *traits = p->traits;

	switch (reg->kind) {
	case INTEL_A_PMC:
	case INTEL_FIXED_CTR:
		return intel_mask(traits);
	case INTEL_EVTSEL:
		return traits->select_bits;
	case INTEL_FIXED_CTR_CTRL:
		return fixed_ctrl_bits(traits);
	case INTEL_GLOBAL_CTRL:
		return intel_counter_bits(traits);
	case INTEL_STATUS_RESET:
		return status_bits(traits);
	case INTEL_STATUS_SET:
		return status_bits(traits) & ~STATUS_COND_CHGD;
	case INTEL_PEBS_ENABLE:
		return pebs_enable_bits(traits);
	case INTEL_PEBS_DATA_CFG:
		return FIELD(31, 24) | FIELD(3, 0);
	case INTEL_LD_LAT_THRESHOLD:
		return FIELD(15, 0);
	case INTEL_FRONTEND:
		return FIELD(22, 0);
	case INTEL_DEBUGCTL:
		return traits->debugctl_bits;
	case INTEL_LBR_SELECT:
		return traits->lbr.select_bits;
	case INTEL_LBR_TOS:
		return traits->lbr.depth - 1;
	case INTEL_LBR_INFO:
		return FIELD(63, 61) | FIELD(15, 0);
	default:
		return ~UINT64_C(0);
	}
}

/* ---- general counters ---- */

static struct intel_setting take_apart(const struct pmu_intel *p, unsigned ctr, uint64_t select)
{
	const struct intel_event *event;
	struct intel_setting set = {
		.counter = ctr,
		.event = (unsigned)field_get(EVTSEL_EVENT, select),
		.threshold = (unsigned)field_get(EVTSEL_CMASK, select),
		.user = select & EVTSEL_USR,
		.os = select & EVTSEL_OS,
		.edge = select & EVTSEL_E,
		.pin_control = select & EVTSEL_PC,
		.interrupt = select & EVTSEL_INT,
		.any = select & EVTSEL_ANY,
		.enable = select & EVTSEL_EN,
		.invert = select & EVTSEL_INV,
	};

	if (p->hooks->setting)
		p->hooks->setting(&set);
	event = intel_event_find(p->traits, set.event, ctr);
	set.signal = event->signal;
	set.precise = event->precise;
	return set;
}

/* The P6 has one enable bit, that of counter 0, for both. */
static void share_enable(struct pmu_intel *p)
{
	bool was = p->counter[1].set.enable, is = p->counter[0].set.enable;

	if (p->hooks->shared_enable)
		is = p->hooks->shared_enable(p, is);
	p->counter[1].set.enable = is;
	if (is && !was)
		p->counter[1].condition = false;
}

void intel_write_select(struct pmu_intel *p, unsigned ctr, uint64_t value)
{
	struct intel_counter *c = &p->counter[ctr];
	bool was_enabled = c->set.enable;

	if (!p->traits->version && ctr == 1)
		value &= ~EVTSEL_EN;
	c->select = value;
	c->set = take_apart(p, ctr, value);
	if (!p->traits->version)
		share_enable(p);
	/* Before the first clock counted the edge detector's condition is taken as false. */
	if (!was_enabled)
		c->condition = false;
}

/* ---- fixed counters ---- */

static const enum intel_signal fixed_signals[INTEL_FIXED] = {
	INTEL_INSTRUCTIONS,
	INTEL_CYCLES,
	INTEL_TSC_CYCLES,
	INTEL_SLOTS,
};

static struct intel_setting take_fixed_apart(const struct pmu_intel *p, unsigned fixed)
{
	uint64_t field = fixed_field(p, fixed);
	struct intel_setting set = {
		.counter = INTEL_GENERAL + fixed,
		.signal = fixed_signals[fixed],
		.precise = fixed == 0,
		.user = field & FIXED_EN_USR,
		.os = field & FIXED_EN_OS,
		.interrupt = field & FIXED_PMI,
		.any = field & FIXED_ANY,
		.enable = true,
	};

	if (p->hooks->setting)
		p->hooks->setting(&set);
	return set;
}

void intel_write_fixed_ctrl(struct pmu_intel *p, uint64_t value)
{
	p->fixed_ctrl = value;
	for (unsigned i = 0; i < p->traits->fixed; i++)
		p->counter[INTEL_GENERAL + i].set = take_fixed_apart(p, i);
}

/* ---- global registers ---- */

void intel_write_global_ctrl(struct pmu_intel *p, uint64_t value)
{
	uint64_t enabled = value & ~p->global_ctrl;

	p->global_ctrl = value;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (enabled & intel_bit(i))
			p->counter[i].condition = false;
}

uint64_t intel_inuse(const struct pmu_intel *p)
{
	uint64_t inuse = 0;
	bool pmi = p->pebs.enable & p->traits->pebs_counters;

	for (unsigned i = 0; i < p->traits->counters; i++) {
		if (p->counter[i].select & FIELD(7, 0))
			inuse |= BIT(i);
		pmi |= (p->counter[i].select & EVTSEL_INT) != 0;
	}
	for (unsigned i = 0; i < p->traits->fixed; i++) {
		if (fixed_field(p, i) & (FIXED_EN_OS | FIXED_EN_USR))
			inuse |= BIT(32 + i);
		pmi |= (fixed_field(p, i) & FIXED_PMI) != 0;
	}
	return inuse | (pmi ? BIT(63) : 0);
}
