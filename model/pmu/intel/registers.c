/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the Intel core PMU: which there are, what each takes, where it keeps its value.
 */
#include "intel.h"
#include "kernel/lib/string.h"

#define ANY_VALUE ~UINT64_C(0)

/* ---- which bits there are ---- */

static uint64_t fixed_ctrl_bits(const struct intel_traits *traits)
{
	uint64_t one = FIXED_EN_OS | FIXED_EN_USR | FIXED_PMI, bits = 0;

	if (traits->select_bits & SELECT_ANY)
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

	/* From version 5 on the upper half belongs to fixed counters. */
	if (traits->load_latency && traits->version < 5)
		bits |= traits->pebs_counters << 32;
	return traits->precise_store ? bits | BIT(63) : bits;
}

/* ---- which registers there are ---- */

#define HELD_AT(member_, stride_) offsetof(struct pmu_intel, member_), stride_
#define HELD(member_)             HELD_AT(member_, sizeof(uint64_t))
#define VALUES                    HELD_AT(core.counter[0].value, sizeof(struct counter))
#define CONTROLS                  HELD_AT(core.counter[0].control, sizeof(struct counter))
#define BRANCHES(member_)         HELD_AT(lbr[0].member_, sizeof(struct intel_lbr))

void intel_lay_out(struct pmu_intel *p)
{
	const struct intel_traits *t = p->traits;
	const struct intel_lbr_traits *lbr = &t->lbr;
	uint16_t general = (uint16_t)t->counters, fixed = (uint16_t)t->fixed,
		 depth = (uint16_t)lbr->depth;
	bool v2 = t->version >= 2, v4 = t->version >= 4, pebs = t->pebs_counters;
	uint64_t status = status_bits(t);
	const struct intel_range ranges[INTEL_KINDS] = {
		[INTEL_PMC] = {0x0c1, general, VALUES, false, ANY_VALUE},
		[INTEL_A_PMC] = {0x4c1, t->capabilities & CAPS_FW_WRITE ? general : 0, VALUES,
				 false, p->core.mask},
		[INTEL_EVTSEL] = {0x186, general, CONTROLS, false, t->select_bits},
		[INTEL_FIXED_CTR] = {0x309, fixed, VALUES, false, p->core.mask},
		[INTEL_FIXED_CTR_CTRL] = {0x38d, v2, HELD(fixed_ctrl), false, fixed_ctrl_bits(t)},
		[INTEL_GLOBAL_STATUS] = {0x38e, v2, HELD(status), true, ANY_VALUE},
		[INTEL_GLOBAL_CTRL] = {0x38f, v2, HELD(global_ctrl), false, intel_counter_bits(t)},
		[INTEL_STATUS_RESET] = {0x390, v2, HELD(zero), false, status},
		[INTEL_STATUS_SET] = {0x391, v4, HELD(zero), false, status & ~STATUS_COND_CHGD},
		[INTEL_GLOBAL_INUSE] = {0x392, v4, HELD(zero), true, 0},
		[INTEL_PEBS_ENABLE] = {0x3f1, pebs, HELD(pebs.enable), false, pebs_enable_bits(t)},
		[INTEL_PEBS_DATA_CFG] = {0x3f2, (t->capabilities & CAPS_PEBS_BASELINE) != 0,
					 HELD(pebs.data_cfg), false, FIELD(31, 24) | FIELD(3, 0)},
		[INTEL_LD_LAT_THRESHOLD] = {0x3f6, t->load_latency, HELD(idle[0]), false,
					    FIELD(15, 0)},
		[INTEL_FRONTEND] = {0x3f7, t->frontend, HELD(idle[1]), false, FIELD(22, 0)},
		[INTEL_OFFCORE_RSP] = {0x1a6, (uint16_t)t->offcore_registers, HELD(idle[2]), false,
				       ANY_VALUE},
		[INTEL_DS_AREA] = {0x600, pebs, HELD(pebs.ds_area), false, ANY_VALUE},
		[INTEL_PERF_CAPABILITIES] = {0x345, t->capabilities != 0, HELD(capabilities), true,
					     0},
		[INTEL_MISC_ENABLE] = {0x1a0, t->version != 0, HELD(misc_enable), false, ANY_VALUE},
		[INTEL_DEBUGCTL] = {0x1d9, 1, HELD(debugctl), false, t->debugctl_bits},
		[INTEL_SMI_COUNT] = {0x034, t->version >= 3, HELD(smi_count), true, 0},
		[INTEL_LBR_SELECT] = {0x1c8, lbr->select_bits != 0, HELD(lbr_select), false,
				      lbr->select_bits},
		/* Written by those that also filter. */
		[INTEL_LBR_TOS] = {0x1c9, lbr->has_tos, HELD(lbr_tos), !lbr->select_bits,
				   lbr->depth - 1},
		[INTEL_LBR_FROM] = {lbr->from, depth, BRANCHES(from), !t->version, ANY_VALUE},
		[INTEL_LBR_TO] = {lbr->to, depth, BRANCHES(to), !t->version, ANY_VALUE},
		[INTEL_LBR_INFO] = {0xdc0, lbr->has_info ? depth : 0, BRANCHES(info), false,
				    FIELD(63, 61) | FIELD(15, 0)},
		[INTEL_LASTINT] = {0x1dd, t->version ? 0 : 2, HELD(last_int), true, 0},
	};

	memcpy(p->range, ranges, sizeof(ranges));
}

bool intel_decode_register(const void *pmu, uint32_t msr, struct pmu_reg *reg)
{
	const struct pmu_intel *p = pmu;

	for (unsigned kind = CORE_SELECT; kind < INTEL_KINDS; kind++) {
		uint32_t number = msr - p->range[kind].first;

		if (number >= p->range[kind].count)
			continue;
		number += kind == INTEL_FIXED_CTR ? INTEL_GENERAL : 0;
		*reg = (struct pmu_reg){kind, number, kind == INTEL_A_PMC};
		return true;
	}
	return false;
}

/* ---- reading ---- */

static uint64_t *cell_of(struct pmu_intel *p, const struct pmu_reg *reg)
{
	const struct intel_range *range = &p->range[reg->kind];

	return (uint64_t *)((char *)p + range->cell + reg->number * range->stride);
}

uint64_t intel_get(void *pmu, const struct pmu_reg *reg)
{
	return reg->kind == INTEL_GLOBAL_INUSE ? intel_inuse(pmu) : *cell_of(pmu, reg);
}

/* ---- writing ---- */

static bool is_canonical(uint64_t address)
{
	uint64_t high = address & FIELD(63, 47);

	return !high || high == FIELD(63, 47);
}

/* Bits 63:61 of FROM are flags in some formats, and copies of bit 60 or 47 in all others. */
static bool is_address_refused(const struct pmu_intel *p, const struct pmu_reg *reg, uint64_t value)
{
	uint64_t format = field_get(CAPS_LBR_FMT, p->traits->capabilities);

	if (reg->kind == INTEL_LBR_FROM && format == 3)
		value = (value & ~BIT(63)) | (value & BIT(62)) << 1;
	if (reg->kind == INTEL_LBR_FROM || reg->kind == INTEL_LBR_TO || reg->kind == INTEL_DS_AREA)
		return !is_canonical(value);
	return false;
}

/* Intel faults where AMD drops: a reserved bit changes nothing. */
bool intel_refuses(const void *pmu, const struct pmu_reg *reg, uint64_t value)
{
	const struct pmu_intel *p = pmu;

	return p->range[reg->kind].read_only || value & ~p->range[reg->kind].writable ||
	       is_address_refused(p, reg, value);
}

/* A legacy write copies bit 31 into what lies above. */
uint64_t intel_keeps(const void *pmu, const struct pmu_reg *reg, uint64_t value)
{
	const uint64_t fixed_bits = MISC_PERFMON | MISC_BTS_UNAVAILABLE | MISC_PEBS_UNAVAILABLE;
	const struct pmu_intel *p = pmu;

	value &= p->range[reg->kind].writable;
	if (reg->kind == INTEL_PMC)
		return (uint64_t)(int64_t)(int32_t)(uint32_t)value & p->core.mask;
	if (reg->kind == INTEL_MISC_ENABLE)
		return (value & ~fixed_bits) | (p->misc_enable & fixed_bits);
	/* The P6 has one enable bit, that of counter 0, for both. */
	if (reg->kind == INTEL_EVTSEL && !p->traits->version && reg->number == 1)
		return value & ~SELECT_EN;
	return value;
}

static void write_pebs_enable(struct pmu_intel *p, uint64_t value)
{
	p->pebs.enable = value;
	for (unsigned i = 0; i < INTEL_COUNTERS; i++)
		if (!intel_records(p, i))
			p->pebs.armed &= ~(uint32_t)BIT(i);
}

void intel_put(void *pmu, const struct pmu_reg *reg, uint64_t value)
{
	struct pmu_intel *p = pmu;

	switch (reg->kind) {
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
	default:
		*cell_of(p, reg) = value;
		break;
	}
}
