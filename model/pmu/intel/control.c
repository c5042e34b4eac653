/* SPDX-License-Identifier: BSD-2-Clause */
/* What the control registers of the Intel core PMU make of its counters. */
#include "intel.h"

uint64_t intel_counter_bits(const struct intel_traits *traits)
{
	return (BIT(traits->counters) - 1) | (BIT(traits->fixed) - 1) << 32;
}

/* ---- general counters ---- */

static void take_select_apart(struct pmu_intel *p, unsigned ctr, uint64_t select)
{
	uint64_t acts = core_select(&p->core, (struct pmu_reg){INTEL_EVTSEL, ctr, false}, select);
	const struct intel_event *event =
		intel_event_find(p->traits, (unsigned)field_get(SELECT_CODE, acts), ctr);

	p->counted[ctr] = (struct intel_counted){event->signal, event->precise, acts & SELECT_ANY};
}

void intel_write_select(struct pmu_intel *p, unsigned ctr, uint64_t value)
{
	struct counter *shared = &p->core.counter[1];
	uint64_t kept;

	take_select_apart(p, ctr, value);
	if (p->traits->version)
		return;
	/* Counter 1 of the P6 acts by the enable bit of counter 0, which it does not show. */
	kept = shared->control;
	take_select_apart(p, 1, kept | (p->core.counter[0].set.enable ? SELECT_EN : 0));
	shared->control = kept;
}

/* ---- fixed counters ---- */

static const uint8_t fixed_signals[INTEL_FIXED] = {
	SIGNAL_INSTRUCTIONS,
	SIGNAL_CYCLES,
	INTEL_TSC_CYCLES,
	INTEL_SLOTS,
};

/* Four bits of IA32_FIXED_CTR_CTRL. */
static uint64_t fixed_field(const struct pmu_intel *p, unsigned fixed)
{
	return p->fixed_ctrl >> 4 * fixed & 0xf;
}

/* As a select register would say it. */
static uint64_t select_of_fixed(uint64_t field)
{
	return SELECT_EN | (field & FIXED_EN_OS ? SELECT_OS : 0) |
	       (field & FIXED_EN_USR ? SELECT_USR : 0) | (field & FIXED_ANY ? SELECT_ANY : 0) |
	       (field & FIXED_PMI ? SELECT_INT : 0);
}

void intel_write_fixed_ctrl(struct pmu_intel *p, uint64_t value)
{
	p->fixed_ctrl = value;
	for (unsigned i = 0; i < p->traits->fixed; i++) {
		unsigned ctr = INTEL_GENERAL + i;
		uint64_t acts = core_select(&p->core, (struct pmu_reg){INTEL_EVTSEL, ctr, false},
					    select_of_fixed(fixed_field(p, i)));

		p->counted[ctr] =
			(struct intel_counted){fixed_signals[i], i == 0, acts & SELECT_ANY};
	}
}

/* ---- global registers ---- */

void intel_write_global_ctrl(struct pmu_intel *p, uint64_t value)
{
	uint64_t enabled = value & ~p->global_ctrl;

	p->global_ctrl = value;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (enabled & intel_bit(i))
			p->core.counter[i].condition = false;
}

uint64_t intel_inuse(const struct pmu_intel *p)
{
	uint64_t inuse = 0;
	bool pmi = p->pebs.enable & p->traits->pebs_counters;

	for (unsigned i = 0; i < p->traits->counters; i++) {
		if (p->core.counter[i].control & SELECT_EVENT)
			inuse |= BIT(i);
		pmi |= (p->core.counter[i].control & SELECT_INT) != 0;
	}
	for (unsigned i = 0; i < p->traits->fixed; i++) {
		if (fixed_field(p, i) & (FIXED_EN_OS | FIXED_EN_USR))
			inuse |= BIT(32 + i);
		pmi |= (fixed_field(p, i) & FIXED_PMI) != 0;
	}
	return inuse | (pmi ? BIT(63) : 0);
}
