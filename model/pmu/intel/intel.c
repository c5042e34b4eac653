/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel core PMU: what its control registers make of the counters, and what it refuses. */
#include "intel.h"

_Static_assert(sizeof(struct pmu_intel) <= CORE_PMU_STATE, "fits its room");

/* ---- general counters ---- */

static void take_select_apart(struct pmu_intel *p, unsigned ctr, uint64_t select)
{
	uint64_t acts = core_select(&p->core, ctr, select);
	unsigned code = (unsigned)(field_get(SELECT_CODE, acts) |
				   field_get(SELECT_UNIT_MASK_2, acts) << 16);
	const struct intel_event *event = intel_event_find(p->traits, code, ctr);
	struct setting *set = &p->core.counter[ctr].set;

	/* What it does without a threshold is not said: nothing, here. */
	if (acts & SELECT_EQ && set->adds_one)
		set->at_most = set->at_least;
	p->counted[ctr] = (struct intel_counted){event->signal, event->precise, acts & SELECT_ANY};
	p->lbr_logging &= (uint8_t)~BIT(ctr);
	if (acts & SELECT_LBR_LOG)
		p->lbr_logging |= (uint8_t)(p->traits->lbr.logs & BIT(ctr));
}

static void write_select(struct pmu_intel *p, unsigned ctr, uint64_t value)
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

static const uint8_t usual_signals[INTEL_FIXED] = {
	SIGNAL_INSTRUCTIONS,   SIGNAL_CYCLES,        INTEL_TSC_CYCLES, INTEL_SLOTS,
	INTEL_BAD_SPECULATION, INTEL_FRONTEND_BOUND, INTEL_RETIRING,
};

/* The low four bits of field, as the bits of a select register that mean the same. */
static uint64_t select_of_fixed(uint64_t field)
{
	return SELECT_EN | (field & FIXED_EN_OS ? SELECT_OS : 0) |
	       (field & FIXED_EN_USR ? SELECT_USR : 0) | (field & FIXED_ANY ? SELECT_ANY : 0) |
	       (field & FIXED_PMI ? SELECT_INT : 0);
}

static void write_fixed_ctrl(struct pmu_intel *p, uint64_t value)
{
	const uint8_t *signals =
		p->traits->fixed_signals ? p->traits->fixed_signals : usual_signals;

	for (unsigned i = 0; p->traits->fixed >> i; i++) {
		unsigned ctr = INTEL_GENERAL + i;
		uint64_t acts = core_select(&p->core, ctr, select_of_fixed(value >> 4 * i));

		p->counted[ctr] = (struct intel_counted){signals[i], i == 0, acts & SELECT_ANY};
	}
}

/* ---- global registers ---- */

static void write_global_ctrl(struct pmu_intel *p, uint64_t value)
{
	uint64_t enabled = value & ~p->global_ctrl;

	p->global_ctrl = value;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (enabled & intel_bit(i))
			p->core.counter[i].condition = false;
}

static uint64_t inuse_of(const struct pmu_intel *p)
{
	uint64_t inuse = 0;
	bool pmi = p->pebs.enable & p->traits->pebs_counters;

	for (unsigned i = 0; i < INTEL_COUNTERS; i++) {
		uint64_t control = p->core.counter[i].control;

		if (control & (i < INTEL_GENERAL ? SELECT_EVENT : SELECT_USR | SELECT_OS))
			inuse |= intel_bit(i);
		pmi |= (control & SELECT_INT) != 0;
	}
	return inuse | (pmi ? BIT(63) : 0);
}

AT_EXIT static uint64_t shows(const void *pmu, const struct reg_id *reg, uint64_t value)
{
	if (reg->kind == INTEL_PERF_METRICS)
		return intel_metrics_shown(pmu);
	return reg->kind == INTEL_GLOBAL_INUSE ? inuse_of(pmu) : value;
}

/* ---- writing ---- */

static bool is_canonical(uint64_t address)
{
	uint64_t high = address & FIELD(63, 47);

	return !high || high == FIELD(63, 47);
}

/* Bits 63:61 of FROM are flags in some formats, and copies of bit 60 or 47 in all others. */
static bool is_address_refused(const struct pmu_intel *p, const struct reg_id *reg, uint64_t value)
{
	uint64_t format = field_get(CAPS_LBR_FMT, p->traits->capabilities);

	if (reg->kind == INTEL_LBR_FROM && format == 3)
		value = (value & ~BIT(63)) | (value & BIT(62)) << 1;
	switch (reg->kind) {
	case INTEL_LBR_FROM:
	case INTEL_LBR_TO:
	case INTEL_LER:
	case INTEL_DS_AREA:
		return !is_canonical(value);
	default:
		return false;
	}
}

/* Intel faults where AMD drops: a reserved bit changes nothing. */
AT_EXIT static bool refuses(const void *pmu, const struct reg_id *reg, uint64_t value)
{
	const struct pmu_intel *p = pmu;
	const struct register_range *range = core_range(&p->core, reg->kind);

	return range->read_only || value & ~range->writable || is_address_refused(p, reg, value) ||
	       (reg->kind == INTEL_ARCH_LBR_DEPTH && !intel_lbr_takes_depth(p->traits, value));
}

/* A legacy write copies bit 31 into what lies above. */
static uint64_t legacy_write(const struct pmu_intel *p, uint64_t value)
{
	return (p->traits->loads_all ? value : (uint64_t)(int32_t)(uint32_t)value) & p->core.mask;
}

AT_EXIT static uint64_t keeps(const void *pmu, const struct reg_id *reg, uint64_t value)
{
	const uint64_t fixed_bits = MISC_PERFMON | MISC_BTS_UNAVAILABLE | MISC_PEBS_UNAVAILABLE;
	const struct pmu_intel *p = pmu;

	if (reg->kind == INTEL_PMC)
		return legacy_write(p, value);
	if (reg->kind == INTEL_MISC_ENABLE)
		return (value & ~fixed_bits) | (p->misc_enable & fixed_bits);
	/* The P6 has one enable bit for both, in the register of counter 0. */
	if (reg->kind == INTEL_EVTSEL && !p->traits->version && reg->number == 1)
		return value & ~SELECT_EN;
	return value;
}

static void write_pebs_enable(struct pmu_intel *p, uint64_t value)
{
	p->pebs.enable = value;
	p->core.precise = intel_pebs_enable(p);
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (!intel_records(p, i))
			p->pebs.armed[i] = 0;
}

AT_EXIT static bool put(void *pmu, const struct reg_id *reg, uint64_t value)
{
	struct pmu_intel *p = pmu;

	switch (reg->kind) {
	case INTEL_EVTSEL:
		write_select(p, reg->number, value);
		return true;
	case INTEL_FIXED_CTR_CTRL:
		write_fixed_ctrl(p, value);
		return false;
	case INTEL_GLOBAL_CTRL:
		write_global_ctrl(p, value);
		return true;
	case INTEL_STATUS_RESET:
		p->status &= ~value;
		return true;
	case INTEL_STATUS_SET:
		p->status |= value;
		return true;
	case INTEL_PEBS_ENABLE:
		write_pebs_enable(p, value);
		return true;
	case INTEL_PEBS_INDEX:
		p->pebs.index = value;
		intel_arch_pebs_look(p);
		return true;
	case INTEL_CFG_C:
		p->reload[reg->number].value = value;
		intel_arch_pebs_look(p);
		return true;
	case INTEL_OFFCORE_RSP:
		p->offcore_acts[reg->number] = core_twisted(&p->core, reg->kind, reg->number,
							    p->offcore[reg->number], value);
		return false;
	case INTEL_PERF_METRICS:
		intel_metrics_write(p, value);
		return true;
	case INTEL_FIXED_CTR:
		if (reg->number == INTEL_SLOTS_COUNTER)
			intel_metrics_write(p, 0);
		return false;
	case INTEL_ARCH_LBR_CTL:
		intel_lbr_write_ctl(p, value);
		return true;
	case INTEL_ARCH_LBR_DEPTH:
		intel_lbr_write_depth(p, value);
		return true;
	default:
		return false;
	}
}

/* ---- the operations ---- */

/* Bit 31, the fast read of NetBurst, is no index here. */
static int indexed(const void *pmu, uint32_t index)
{
	const struct intel_traits *traits = ((const struct pmu_intel *)pmu)->traits;
	uint32_t fixed = index - UINT32_C(0x40000000);

	if (index < traits->counters)
		return (int)index;
	return fixed < INTEL_FIXED && traits->fixed >> fixed & 1 ? (int)(INTEL_GENERAL + fixed)
								 : -1;
}

/* Registers of one counter alone are there where it is; architectural LBRs as far as they are in
 * use. */
static bool exists(const void *pmu, unsigned reg_kind, unsigned number)
{
	const struct pmu_intel *p = pmu;

	switch (reg_kind) {
	case INTEL_FIXED_CTR:
		return p->traits->fixed >> (number - INTEL_GENERAL) & 1;
	case INTEL_CFG_B:
		return p->traits->reloaded & intel_bit(number);
	case INTEL_CFG_C:
		return (p->traits->reloaded | p->traits->recorded) & intel_bit(number);
	case INTEL_LBR_FROM:
	case INTEL_LBR_TO:
	case INTEL_LBR_INFO:
		return !intel_lbr_is_architectural(p->traits) || number < intel_lbr_depth(p);
	default:
		return true;
	}
}

#define RDPMC_METRICS UINT32_C(0x20000000)

static bool reads_other(void *pmu, uint32_t index, uint64_t *value)
{
	struct pmu_intel *p = pmu;

	if (index != RDPMC_METRICS || !p->traits->metrics)
		return false;
	*value = intel_metrics_shown(p);
	if (core_acting(&p->core, INTEL_FIXED_CTR_CTRL, 0, p->fixed_ctrl) & FIXED_METRICS_CLEAR)
		intel_metrics_clear(p);
	return true;
}

static const struct core_kind kind = {
	.faults_elsewhere = true,
	.masks_lvt = true,
	.cells = BIT(INTEL_PMC) | BIT(INTEL_A_PMC) | BIT(INTEL_FIXED_CTR),
	.programmed = BIT(INTEL_EVTSEL) | BIT(INTEL_PMC) | BIT(INTEL_A_PMC) | BIT(INTEL_FIXED_CTR) |
		      BIT(INTEL_FIXED_CTR_CTRL) | BIT(INTEL_GLOBAL_CTRL) | BIT(INTEL_CFG_B) |
		      BIT(INTEL_CFG_C) | BIT(INTEL_ARCH_LBR_CTL) | BIT(INTEL_PERF_METRICS) |
		      BIT(INTEL_PEBS_ENABLE) | BIT(INTEL_PEBS_DATA_CFG),
	.interrupts = SELECT_INT,
	.shows = shows,
	.refuses = refuses,
	.keeps = keeps,
	.put = put,
	.indexed = indexed,
	.reads_other = reads_other,
	.exists = exists,
	.runs = intel_runs,
};

/* For faults that are generated: where what a register does is seen. */
static bool register_at(const void *pmu, unsigned index, struct pmu_register *reg)
{
	if (!core_register_at(pmu, index, reg))
		return false;
	switch (reg->reg.kind) {
	case INTEL_ARCH_LBR_CTL:
		reg->tests = "*.lbr.*";
		break;
	case INTEL_PEBS_ENABLE:
	case INTEL_PEBS_DATA_CFG:
		reg->tests = "*.pebs.*";
		break;
	case INTEL_PERF_METRICS:
		reg->shares = true;
		reg->tests = "*.metrics.*";
		break;
	case INTEL_CFG_B:
		reg->tests = "*.reload.*";
		reg->more_tests = "*.reload.*,";
		break;
	case INTEL_CFG_C:
		reg->tests = "*.reload.*,*.pebs.*";
		reg->more_tests = "*.reload.*,*.pebs.*,";
		break;
	default:
		break;
	}
	return true;
}

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_intel *p = pmu;

	core_begin(&p->core, sizeof(*p), &kind, fault);
	p->traits = traits;
	p->core.count = p->traits->counters;
	p->core.present = p->core.watched =
		(uint32_t)(BIT(p->traits->counters) - 1) | p->traits->fixed << INTEL_GENERAL;
	p->core.mask = BIT(p->traits->width) - 1;
	intel_lay_out(p);
	for (unsigned i = 0; i < p->traits->counters; i++)
		write_select(p, i, 0);
	write_fixed_ctrl(p, 0);
	p->global_ctrl = p->traits->global_ctrl;
	p->lbr_depth = p->traits->lbr.depth;
	p->capabilities = p->traits->capabilities;
	p->misc_enable =
		MISC_PERFMON | MISC_BTS_UNAVAILABLE |
		(p->traits->pebs_counters || p->traits->recorded ? 0 : MISC_PEBS_UNAVAILABLE) |
		BIT(0);
	core_update_running(&p->core);
}

static bool counting(const void *pmu)
{
	return intel_runs(pmu, INTEL_LBR) || core_counting(pmu);
}

static unsigned count_smi(void *pmu)
{
	struct pmu_intel *p = pmu;

	p->smi_count++;
	return 0;
}

static bool hears_boxes(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	return core_acting(&p->core, INTEL_DEBUGCTL, 0, p->debugctl) & DEBUGCTL_UNCORE_PMI;
}

static const struct core_ops core_ops = {
	.masks_lvt = core_masks_lvt,
	.cell = core_cell,
	.enabled = core_enabled,
	.counting = counting,
	.clock = intel_clock,
	.room = intel_room,
	.pass = intel_pass,
	.held_by = intel_held_by,
	.branched = intel_branched,
	.assist = intel_assist,
	.counts_tsc = intel_counts_tsc,
	.tsc_ticks = intel_tsc_ticks,
	.tsc_clocks = intel_tsc_clocks,
	.period = intel_period,
	.skipped = intel_skipped,
	.smi = count_smi,
	.watches_hierarchy = intel_watches_hierarchy,
	.hears_boxes = hears_boxes,
};

const struct kind_ops pmu_intel_ops = {
	.reset = reset,
	.deviate = core_deviate,
	.rdmsr = core_rdmsr,
	.wrmsr = core_wrmsr,
	.rdpmc = core_rdpmc,
	.register_at = register_at,
	.unseen = intel_unseen,
	.core = &core_ops,
};
