/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel core PMU: which registers there are, what they hold, and RDPMC. */
#include "intel.h"
#include "hooks.h"
#include "kernel/lib/string.h"

#define RETIRED_INSTRUCTIONS field_put(EVTSEL_EVENT, 0x00c0)
#define ALL_FIXED            UINT64_C(0x3333)

static const struct intel_hooks healthy;
_Static_assert(sizeof(struct pmu_intel) <= CORE_PMU_STATE, "fits its room");

/* ---- reading ---- */

static uint64_t read_register(struct pmu_intel *p, const struct intel_reg *reg)
{
	if (reg->kind == INTEL_PERF_CAPABILITIES)
		return p->traits->capabilities;
	if (reg->kind == INTEL_GLOBAL_INUSE)
		return intel_inuse(p);
	return *intel_cell(p, reg);
}

static enum access rdmsr(void *pmu, uint32_t msr, uint64_t *value)
{
	struct pmu_intel *p = pmu;
	struct intel_reg reg;

	if (!intel_decode_register(p, msr, &reg))
		return ACCESS_GP;
	*value = read_register(p, &reg);
	if (p->hooks->shown)
		*value = p->hooks->shown(p, &reg, *value);
	return ACCESS_DONE;
}

/* ---- writing ---- */

/* Bits 39:32, or whatever lies above, become copies of bit 31. */
static uint64_t extend(const struct pmu_intel *p, uint64_t value)
{
	return (uint64_t)(int64_t)(int32_t)(uint32_t)value & intel_mask(p->traits);
}

static bool is_canonical(uint64_t address)
{
	uint64_t high = address & FIELD(63, 47);

	return !high || high == FIELD(63, 47);
}

static bool is_read_only(const struct pmu_intel *p, const struct intel_reg *reg)
{
	switch (reg->kind) {
	case INTEL_PERF_CAPABILITIES:
	case INTEL_GLOBAL_STATUS:
	case INTEL_GLOBAL_INUSE:
	case INTEL_LASTINT:
	case INTEL_SMI_COUNT:
		return true;
	case INTEL_LBR_TOS: /* written by those that also filter */
		return !p->traits->lbr.select_bits;
	case INTEL_LBR_FROM:
	case INTEL_LBR_TO:
		return !p->traits->version;
	default:
		return false;
	}
}

/* Bits 63:61 of FROM are flags in some formats, and copies of bit 60 or 47 in all others. */
static bool is_address_refused(const struct pmu_intel *p, const struct intel_reg *reg,
			       uint64_t value)
{
	uint64_t format = field_get(CAPS_LBR_FMT, p->traits->capabilities);

	if (reg->kind == INTEL_LBR_FROM && format == 3)
		value = (value & ~BIT(63)) | (value & BIT(62)) << 1;
	if (reg->kind == INTEL_LBR_FROM || reg->kind == INTEL_LBR_TO || reg->kind == INTEL_DS_AREA)
		return !is_canonical(value);
	return false;
}

static bool is_refused(const struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	bool refused = is_read_only(p, reg) || value & ~intel_writable(p, reg) ||
		       is_address_refused(p, reg, value);

	return p->hooks->refused ? p->hooks->refused(p, reg, value, refused) : refused;
}

static void write_pebs_enable(struct pmu_intel *p, uint64_t value)
{
	p->pebs.enable = value;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (!intel_records(p, i))
			p->pebs.armed &= ~(uint32_t)BIT(i);
}

static void write_register(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	const uint64_t fixed_bits = MISC_PERFMON | MISC_BTS_UNAVAILABLE | MISC_PEBS_UNAVAILABLE;

	switch (reg->kind) {
	case INTEL_PMC:
		p->counter[reg->number].value = extend(p, value);
		break;
	case INTEL_EVTSEL:
		intel_write_select(p, reg->number, value);
		break;
	case INTEL_FIXED_CTR_CTRL:
		intel_write_fixed_ctrl(p, value);
		break;
	case INTEL_GLOBAL_CTRL:
		intel_write_global_ctrl(p, value);
		break;
	case INTEL_STATUS_RESET:
		p->status &= ~value;
		break;
	case INTEL_STATUS_SET:
		p->status |= value;
		break;
	case INTEL_PEBS_ENABLE:
		write_pebs_enable(p, value);
		break;
	case INTEL_MISC_ENABLE:
		p->misc_enable = (value & ~fixed_bits) | (p->misc_enable & fixed_bits);
		break;
	default:
		*intel_cell(p, reg) = value;
		break;
	}
}

/* Intel faults where AMD drops: a reserved bit changes nothing. */
static enum access wrmsr(void *pmu, uint32_t msr, uint64_t value)
{
	struct pmu_intel *p = pmu;
	struct intel_reg reg;
	uint64_t old;

	if (!intel_decode_register(p, msr, &reg) || is_refused(p, &reg, value))
		return ACCESS_GP;
	old = read_register(p, &reg);
	if (p->hooks->keep)
		value = p->hooks->keep(p, &reg, value);
	write_register(p, &reg, value);
	if (p->hooks->written)
		p->hooks->written(p, &reg, old);
	intel_update_running(p);
	return ACCESS_DONE;
}

/* ---- RDPMC ---- */

/* The number of the counter, or -1.  Bit 31, the fast read of NetBurst, is no index here. */
static int index_of(const struct intel_traits *traits, uint32_t index)
{
	const uint32_t fixed = UINT32_C(0x40000000);

	if (index < traits->counters)
		return (int)index;
	if (index >= fixed && index - fixed < traits->fixed)
		return (int)(INTEL_GENERAL + index - fixed);
	return -1;
}

static enum access rdpmc(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value)
{
	const struct pmu_intel *p = pmu;
	int ctr = index_of(p->traits, index);
	enum access access = ACCESS_GP;

	*value = 0;
	if (ctr >= 0 && (cpl == 0 || cr4_pce)) {
		*value = p->counter[ctr].value;
		access = ACCESS_DONE;
	}
	if (p->hooks->rdpmc)
		p->hooks->rdpmc(p, index, cpl, &access, value);
	return access;
}

/* ---- life ---- */

static void reset(void *pmu, const void *traits, const struct fault *fault)
{
	struct pmu_intel *p = pmu;

	memset(p, 0, sizeof(*p));
	p->traits = traits;
	p->hooks = fault && fault->intel ? fault->intel : &healthy;
	p->is_faulty = p->hooks != &healthy;
	for (unsigned i = 0; i < p->traits->counters; i++)
		intel_write_select(p, i, 0);
	intel_write_fixed_ctrl(p, 0);
	p->global_ctrl = p->traits->global_ctrl;
	p->misc_enable = MISC_PERFMON | MISC_BTS_UNAVAILABLE |
			 (p->traits->pebs_counters ? 0 : MISC_PEBS_UNAVAILABLE) | BIT(0);
	if (p->hooks->misc_clear)
		p->misc_enable &= ~p->hooks->misc_clear;
	intel_update_running(p);
}

static bool counting(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	if (intel_lbr_enabled(p))
		return true;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++) {
		const struct intel_setting *set = &p->counter[i].set;

		if (intel_has_counter(p->traits, i) && (set->user || set->os) && intel_counts(p, i))
			return true;
	}
	return false;
}

static bool masks_lvt(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	return !p->hooks->leaves_lvt;
}

/* The counters by the names that load all of their bits, where there are two. */
static bool register_at(const void *pmu, unsigned index, struct pmu_register *reg)
{
	const struct pmu_intel *p = pmu;
	const struct {
		uint32_t first;
		unsigned registers;
		int counter;
		bool cells;
		uint64_t bits, runs;
	} rows[] = {
		{0x186, p->traits->counters, 0, false, p->traits->select_bits,
		 EVTSEL_USR | EVTSEL_OS | EVTSEL_EN | RETIRED_INSTRUCTIONS},
		{p->traits->capabilities & CAPS_FW_WRITE ? 0x4c1 : 0x0c1, p->traits->counters, 0,
		 true, intel_mask(p->traits), 0},
		{0x309, p->traits->fixed, INTEL_GENERAL, true, intel_mask(p->traits), 0},
		{0x38d, p->traits->version >= 2, -1, false,
		 intel_writable(p, &(struct intel_reg){INTEL_FIXED_CTR_CTRL, 0}),
		 ALL_FIXED & (BIT(4 * p->traits->fixed) - 1)},
		{0x38f, p->traits->version >= 2, -1, false,
		 intel_writable(p, &(struct intel_reg){INTEL_GLOBAL_CTRL, 0}),
		 intel_counter_bits(p->traits)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (index < rows[i].registers) {
			*reg = (struct pmu_register){
				.address = rows[i].first + index,
				.neighbour = rows[i].first + (index + 1) % rows[i].registers,
				.counter = rows[i].counter < 0 ? -1 : rows[i].counter + (int)index,
				.cells = rows[i].cells,
				.bits = rows[i].bits,
				.runs = rows[i].runs,
				.interrupts = EVTSEL_INT,
			};
			return true;
		}
		index -= rows[i].registers;
	}
	return false;
}

static uint64_t *cell(void *pmu, unsigned counter)
{
	return &((struct pmu_intel *)pmu)->counter[counter].value;
}

static void count_smi(void *pmu)
{
	struct pmu_intel *p = pmu;

	p->held[INTEL_SMI_COUNT][0]++;
}

static bool enabled(const void *pmu, unsigned counter)
{
	return intel_counts(pmu, counter);
}

const struct pmu_ops pmu_intel_ops = {

	.reset = reset,
	.rdmsr = rdmsr,
	.wrmsr = wrmsr,
	.rdpmc = rdpmc,
	.counting = counting,
	.clock = intel_clock,
	.masks_lvt = masks_lvt,
	.register_at = register_at,
	.unseen = intel_unseen,
	.cell = cell,
	.enabled = enabled,
	.branched = intel_branched,
	.precise = intel_precise,
	.wants_assist = intel_wants_assist,
	.assist = intel_assist,
	.counts_tsc = intel_counts_tsc,
	.tsc_ticks = intel_tsc_ticks,
	.smi = count_smi,
};
