/* SPDX-License-Identifier: BSD-2-Clause */
/* The AMD core counters: what registers say, and the whole. */

#include "amd.h"

_Static_assert(sizeof(struct pmu_amd) <= CORE_PMU_STATE, "fits its room");

/* ---- registers ---- */

static void write_select(struct pmu_amd *p, unsigned ctr, uint64_t value)
{
	uint64_t acts = core_select(&p->core, ctr, value);
	struct setting *set = &p->core.counter[ctr].set;

	set->event |= (unsigned)field_get(SELECT_EVENT_HIGH, acts) << 8;
	amd_event_select(p, ctr);
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
	case AMD_BRS_CONFIG:
		amd_brs_put(p, value);
		return true;
	case AMD_IBS_OP_CTL:
		ibs_put_op(p, value);
		return true;
	case AMD_IBS_FETCH_CTL:
		ibs_put_fetch(p, value);
		return true;
	case AMD_IBS_OP_CTL2:
		p->ibs.op_ctl2 = value;
		ibs_update(p);
		return true;
	case AMD_IBS_FETCH_CTL2:
		p->ibs.fetch_ctl2 = value;
		ibs_update(p);
		return true;
	default:
		return false;
	}
}

static bool exists(const void *pmu, unsigned reg_kind, unsigned number)
{
	(void)number;
	return ibs_has(pmu, reg_kind);
}

static uint64_t shows(const void *pmu, const struct reg_id *reg, uint64_t value)
{
	return ibs_shows(pmu, reg, value);
}

/* Assumed of what must be 1: no text says what happens otherwise. */
static bool refuses(const void *pmu, const struct reg_id *reg, uint64_t value)
{
	switch (reg->kind) {
	case AMD_DEBUGCTL:
		return value & DEBUGCTL_MUST_BE_0;
	case AMD_BRS_CONFIG:
		return (value & BRS_MUST_BE_1) != BRS_MUST_BE_1;
	default:
		return core_range(pmu, reg->kind)->read_only;
	}
}

/* ---- what goes on around them ---- */

static void enter_world(void *pmu, enum world world)
{
	struct pmu_amd *p = pmu;

	p->world = world;
	core_update_running(&p->core);
}

static bool counts_guests(const void *pmu)
{
	const struct pmu_amd *p = pmu;
	bool any = false;

	for (uint32_t left = p->core.enabled; left; left &= left - 1)
		any |= (p->core.counter[__builtin_ctz(left)].control &
			(SELECT_GUEST | SELECT_HOST)) == SELECT_GUEST;
	return any;
}

/* System management mode is ring 0 to the counters, and nothing freezes them there. */
static unsigned take_smi(void *pmu)
{
	(void)pmu;
	return SMI_INSTRUCTIONS;
}

/* ---- the whole ---- */

static const struct core_kind kind = {
	.cells = BIT(AMD_COUNTER),
	.programmed = BIT(AMD_SELECT) | BIT(AMD_COUNTER) | BIT(AMD_GLOBAL_CTL) |
		      BIT(AMD_IBS_OP_CTL) | BIT(AMD_IBS_FETCH_CTL),
	.interrupts = SELECT_INT,
	.exists = exists,
	.put = put,
	.shows = shows,
	.refuses = refuses,
	.runs = amd_runs,
};

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_amd *p = pmu;

	core_begin(&p->core, sizeof(*p), &kind, fault);
	p->traits = traits;
	p->core.count = p->traits->counters;
	p->core.present = p->core.watched = (uint32_t)amd_counter_bits(p);
	p->core.mask = AMD_COUNTER_MASK;
	amd_lay_out(p);
	/* All are enabled: software need not know of the register. */
	p->global_ctl = amd_counter_bits(p);
	p->brs.config = p->traits->brs ? BRS_MUST_BE_1 : 0;
	p->ibs.control = p->traits->ibs_control;
	/* Linux, 28063f05f38b: it is set when the machine comes up. */
	p->ibs.op_ctl2 = p->ibs.fetch_ctl2 = CTL2_DIS;
	core_update_running(&p->core);
}

static const struct core_ops core_ops = {
	.masks_lvt = core_masks_lvt,
	.cell = core_cell,
	.enabled = core_enabled,
	.counting = amd_counting,
	.watches_hierarchy = amd_watches_hierarchy,
	.watches_northbridge = amd_watches_northbridge,
	.clock = amd_clock,
	.branched = amd_branched,
	.assist = ibs_assist,
	.announces = ibs_announces,
	.room = amd_room,
	.pass = amd_pass,
	.smi = take_smi,
	.enter_world = enter_world,
	.counts_guests = counts_guests,
};

const struct kind_ops pmu_amd_ops = {
	.reset = reset,
	.deviate = core_deviate,
	.rdmsr = core_rdmsr,
	.wrmsr = core_wrmsr,
	.rdpmc = core_rdpmc,
	.register_at = core_register_at,
	.unseen = amd_unseen,
	.core = &core_ops,
};
