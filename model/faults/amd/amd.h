/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of AMD's core counters.
 * Uses: model/faults/common, model/pmu/amd
 */
#ifndef FAULTS_AMD_H
#define FAULTS_AMD_H

#include "model/faults/common/common.h"
#include "model/pmu/amd/amd.h"

#define AMD_FAULT(name_, models_, test_, says_, ...)                                               \
	FAULT(name_, #name_, models_, test_, says_, .core = &(const struct defect){__VA_ARGS__})
#define AMD_FAULT_DO(name_, models_, test_, says_, hook_, statement_, ...)                         \
	HOOK(name_, statement_)                                                                    \
	AMD_FAULT(name_, models_, test_, says_, .hook_ = do_##name_, __VA_ARGS__)

#endif
