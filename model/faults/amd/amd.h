/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of AMD's core counters.
 * Uses: model/faults/common, model/pmu/amd
 */
#pragma once

#include "model/faults/common/common.h"
#include "model/pmu/amd/amd.h"

#define FAULT_ON AMD_FAULT
#define MODELS   MODEL_AMD
