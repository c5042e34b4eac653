/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of freezing on an interrupt: the legacy and the streamlined form, and the LBRs. */
#include "model/pmu/intel/hooks.h"

#define MODEL_LEGACY (MODEL_CORE2 | MODEL_NEHALEM | MODEL_SANDY)

static bool is_fixed(unsigned ctr)
{
	return ctr >= INTEL_GENERAL;
}

static uint64_t no_freeze(struct pmu_intel *p, uint64_t debugctl)
{
	(void)p;
	return debugctl & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

static uint64_t freeze_is_legacy(struct pmu_intel *p, uint64_t debugctl)
{
	if (debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
		p->global_ctrl = 0;
	return debugctl & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

/* Freezes, as the healthy one does, but each overflow does. */
static uint64_t freeze_without_pmi(struct pmu_intel *p, uint64_t overflowed)
{
	if (overflowed)
		intel_freeze(p);
	return overflowed;
}

static uint64_t freeze_misses_fixed(struct pmu_intel *p, uint64_t debugctl)
{
	if (!(debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return debugctl;
	p->global_ctrl &= FIELD(34, 32);
	return debugctl & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

static bool skl090_upper_counters_run_on(const struct pmu_intel *p, unsigned ctr, bool frozen)
{
	(void)p;
	return frozen && (ctr < 4 || is_fixed(ctr));
}

static bool fixed_run_on(const struct pmu_intel *p, unsigned ctr, bool frozen)
{
	(void)p;
	return frozen && !is_fixed(ctr);
}

static uint64_t ctr_frz_stays(struct pmu_intel *p, const struct intel_reg *reg, uint64_t value)
{
	(void)p;
	return reg->kind == INTEL_STATUS_RESET ? value & ~STATUS_CTR_FRZ : value;
}

static uint64_t lbrs_run_on(struct pmu_intel *p, uint64_t debugctl)
{
	(void)p;
	return debugctl & ~DEBUGCTL_FREEZE_LBRS_ON_PMI;
}

static uint64_t lbr_bit_cleared(struct pmu_intel *p, uint64_t debugctl)
{
	if (debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI)
		p->debugctl &= ~DEBUGCTL_LBR;
	return debugctl & ~DEBUGCTL_FREEZE_LBRS_ON_PMI;
}

const struct fault faults_intel_freezing[] = {
	INTEL_FAULT(legacy_freeze_dead, MODEL_LEGACY, "intel.*.freeze.legacy",
		    "Freeze_PerfMon_On_PMI has no effect", .freeze = no_freeze),
	INTEL_FAULT(legacy_freeze_misses_fixed, MODEL_LEGACY, "intel.*.freeze.legacy",
		    "freezing leaves fixed counters enabled", .freeze = freeze_misses_fixed),
	INTEL_FAULT(legacy_freeze_without_pmi, MODEL_LEGACY, "intel.*.freeze.legacy",
		    "an overflow freezes though its interrupt is not enabled",
		    .status = freeze_without_pmi),
	INTEL_FAULT(streamlined_freeze_dead, MODEL_V4, "intel.*.freeze.streamlined",
		    "Freeze_PerfMon_On_PMI has no effect", .freeze = no_freeze),
	INTEL_FAULT(streamlined_freeze_is_legacy, MODEL_V4, "intel.*.freeze.streamlined",
		    "freezing clears the global enable register instead of setting CTR_Frz",
		    .freeze = freeze_is_legacy),
	INTEL_FAULT(streamlined_freeze_without_pmi, MODEL_V4, "intel.*.freeze.streamlined",
		    "an overflow freezes though its interrupt is not enabled",
		    .status = freeze_without_pmi),
	INTEL_FAULT(streamlined_freeze_misses_fixed, MODEL_V4, "intel.*.freeze.streamlined",
		    "fixed counters count while CTR_Frz is set", .frozen = fixed_run_on),
	INTEL_FAULT(skl090_upper_counters_run_on, MODEL_ICELAKE, "intel.*.freeze.streamlined",
		    "counters 4 to 7 count while CTR_Frz is set (as errata SKL090, KBL056)",
		    .frozen = skl090_upper_counters_run_on),
	INTEL_FAULT(ctr_frz_stays, MODEL_V4, "intel.*.freeze.streamlined",
		    "CTR_Frz cannot be cleared", .keep = ctr_frz_stays),
	INTEL_FAULT(lbrs_run_on, MODEL_V2, "intel.*.freeze.lbr", "Freeze_LBRs_On_PMI has no effect",
		    .freeze = lbrs_run_on),
	INTEL_FAULT(lbr_freeze_is_legacy, MODEL_V4, "intel.*.freeze.lbr",
		    "freezing clears DEBUGCTL.LBR instead of setting LBR_Frz",
		    .freeze = lbr_bit_cleared),
	{0},
};
