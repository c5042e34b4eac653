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

/* Models for faults of what is not there: with Alder Lake, where more may be there than CPUID
 * tells. */
#define MODELS_V2      (MODEL_V2 | MODEL_ALDERLAKE)

#define FIXED_COUNTERS FIELD(INTEL_COUNTERS - 1, INTEL_GENERAL)

static inline struct pmu_intel *intel(const struct point *at)
{
	return at->pmu;
}
