/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of Intel's core PMU.
 * Uses: model/faults/common, model/pmu/intel
 */
#pragma once

#include "model/faults/common/common.h"
#include "model/pmu/intel/intel.h"

#define FAULT_ON INTEL_FAULT
#define MODELS   MODEL_INTEL

/* What CPUID does not tell of may be there: faults of what is not. */
#define MODELS_V2      (MODEL_V2 | MODEL_ALDERLAKE)

#define FIXED_COUNTERS FIELD(INTEL_COUNTERS - 1, INTEL_GENERAL)

static inline struct pmu_intel *intel(const struct point *at)
{
	return at->pmu;
}
