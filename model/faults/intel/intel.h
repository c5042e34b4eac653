/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of Intel's core PMU.
 * Uses: model/faults/common, model/pmu/intel
 */
#ifndef FAULTS_INTEL_H
#define FAULTS_INTEL_H

#include "model/faults/common/common.h"
#include "model/pmu/intel/intel.h"

/* test_: within the PMU "intel". */
#define INTEL_FAULT(name_, models_, test_, says_, ...)                                             \
	FAULT(name_, #name_, models_, "intel." test_, says_,                                       \
	      .core = &(const struct defect){__VA_ARGS__})
#define INTEL_FAULT_DO(name_, models_, test_, says_, hook_, statement_, ...)                       \
	HOOK(name_, statement_)                                                                    \
	INTEL_FAULT(name_, models_, test_, says_, .hook_ = do_##name_, __VA_ARGS__)

#define MODEL_FULL_WIDTH (MODEL_SANDY | MODEL_V4)
#define FIXED_COUNTERS   FIELD(INTEL_COUNTERS - 1, INTEL_GENERAL)

static inline struct pmu_intel *intel(const struct point *at)
{
	return at->pmu;
}

#endif
