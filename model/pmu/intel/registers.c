/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the Intel core PMU by address: which there are, where each keeps its value. */
#include "hooks.h"
#include "intel.h"

static const struct {
	uint32_t first;
	enum intel_kind kind;
} bases[] = {
	{0x0c1, INTEL_PMC},
	{0x4c1, INTEL_A_PMC},
	{0x186, INTEL_EVTSEL},
	{0x309, INTEL_FIXED_CTR},
	{0x345, INTEL_PERF_CAPABILITIES},
	{0x38d, INTEL_FIXED_CTR_CTRL},
	{0x38e, INTEL_GLOBAL_STATUS},
	{0x38f, INTEL_GLOBAL_CTRL},
	{0x390, INTEL_STATUS_RESET},
	{0x391, INTEL_STATUS_SET},
	{0x392, INTEL_GLOBAL_INUSE},
	{0x3f1, INTEL_PEBS_ENABLE},
	{0x3f2, INTEL_PEBS_DATA_CFG},
	{0x3f6, INTEL_LD_LAT_THRESHOLD},
	{0x3f7, INTEL_FRONTEND},
	{0x1a6, INTEL_OFFCORE_RSP},
	{0x600, INTEL_DS_AREA},
	{0x1a0, INTEL_MISC_ENABLE},
	{0x1d9, INTEL_DEBUGCTL},
	{0x034, INTEL_SMI_COUNT},
	{0x1c8, INTEL_LBR_SELECT},
	{0x1c9, INTEL_LBR_TOS},
	{0xdc0, INTEL_LBR_INFO},
	{0x1dd, INTEL_LASTINT},
};

/* ---- which there are ---- */

static unsigned counter_registers(const struct intel_traits *traits, enum intel_kind kind)
{
	switch (kind) {
	case INTEL_FIXED_CTR:
		return traits->fixed;
	case INTEL_A_PMC:
		return traits->capabilities & CAPS_FW_WRITE ? traits->counters : 0;
	default:
		return traits->counters;
	}
}

static unsigned lbr_registers(const struct intel_traits *traits, enum intel_kind kind)
{
	const struct intel_lbr_traits *lbr = &traits->lbr;

	switch (kind) {
	case INTEL_LBR_SELECT:
		return lbr->select_bits != 0;
	case INTEL_LBR_TOS:
		return lbr->has_tos;
	case INTEL_LBR_INFO:
		return lbr->has_info ? lbr->depth : 0;
	case INTEL_LASTINT:
		return traits->version ? 0 : 2;
	default:
		return lbr->depth;
	}
}

static unsigned pebs_registers(const struct intel_traits *traits, enum intel_kind kind)
{
	switch (kind) {
	case INTEL_PEBS_DATA_CFG:
		return (traits->capabilities & CAPS_PEBS_BASELINE) != 0;
	case INTEL_LD_LAT_THRESHOLD:
		return traits->load_latency;
	case INTEL_FRONTEND:
		return traits->frontend;
	case INTEL_OFFCORE_RSP:
		return traits->offcore_registers;
	default:
		return traits->pebs_counters != 0;
	}
}

static unsigned processor_registers(const struct intel_traits *traits, enum intel_kind kind)
{
	switch (kind) {
	case INTEL_PERF_CAPABILITIES:
		return traits->capabilities != 0;
	case INTEL_MISC_ENABLE:
		return traits->version != 0;
	case INTEL_SMI_COUNT:
		return traits->version >= 3;
	default:
		return 1;
	}
}

/* Registers of kind, from its base on; 0: there is none. */
static unsigned registers_of(const struct intel_traits *traits, enum intel_kind kind)
{
	if (kind <= INTEL_FIXED_CTR)
		return counter_registers(traits, kind);
	if (kind <= INTEL_GLOBAL_CTRL)
		return traits->version >= 2;
	if (kind <= INTEL_GLOBAL_INUSE)
		return traits->version >= 4;
	if (kind <= INTEL_DS_AREA)
		return pebs_registers(traits, kind);
	if (kind >= INTEL_LBR_SELECT)
		return lbr_registers(traits, kind);
	return processor_registers(traits, kind);
}

static bool is_at(const struct intel_traits *traits, uint32_t msr, uint32_t first,
		  struct intel_reg *reg)
{
	reg->number = msr - first;
	return msr >= first && reg->number < registers_of(traits, reg->kind);
}

bool intel_decode_register(const struct pmu_intel *p, uint32_t msr, struct intel_reg *reg)
{
	if (p->hooks->address)
		msr = p->hooks->address(p, msr);
	reg->kind = INTEL_LBR_FROM;
	if (is_at(p->traits, msr, p->traits->lbr.from, reg))
		return true;
	reg->kind = INTEL_LBR_TO;
	if (is_at(p->traits, msr, p->traits->lbr.to, reg))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		reg->kind = bases[i].kind;
		if (is_at(p->traits, msr, bases[i].first, reg))
			return true;
	}
	return false;
}

/* ---- where they keep their values ---- */

static uint64_t *lbr_cell(struct pmu_intel *p, const struct intel_reg *reg)
{
	switch (reg->kind) {
	case INTEL_LBR_SELECT:
		return &p->lbr_select;
	case INTEL_LBR_TOS:
		return &p->lbr_tos;
	case INTEL_LBR_FROM:
		return &p->lbr[reg->number].from;
	case INTEL_LBR_TO:
		return &p->lbr[reg->number].to;
	case INTEL_LBR_INFO:
		return &p->lbr[reg->number].info;
	default:
		return &p->last_int[reg->number];
	}
}

static uint64_t *counter_cell(struct pmu_intel *p, const struct intel_reg *reg)
{
	switch (reg->kind) {
	case INTEL_EVTSEL:
		return &p->counter[reg->number].select;
	case INTEL_FIXED_CTR:
		return &p->counter[INTEL_GENERAL + reg->number].value;
	default:
		return &p->counter[reg->number].value;
	}
}

uint64_t *intel_cell(struct pmu_intel *p, const struct intel_reg *reg)
{
	if (reg->kind <= INTEL_FIXED_CTR)
		return counter_cell(p, reg);
	if (reg->kind >= INTEL_LBR_SELECT)
		return lbr_cell(p, reg);
	switch (reg->kind) {
	case INTEL_FIXED_CTR_CTRL:
		return &p->fixed_ctrl;
	case INTEL_GLOBAL_STATUS:
		return &p->status;
	case INTEL_GLOBAL_CTRL:
		return &p->global_ctrl;
	case INTEL_PEBS_ENABLE:
		return &p->pebs.enable;
	case INTEL_PEBS_DATA_CFG:
		return &p->pebs.data_cfg;
	case INTEL_DS_AREA:
		return &p->pebs.ds_area;
	case INTEL_MISC_ENABLE:
		return &p->misc_enable;
	case INTEL_DEBUGCTL:
		return &p->debugctl;
	default:
		return &p->held[reg->kind][reg->number];
	}
}
