/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of AMD's core counters.
 * Uses: model/faults/common, model/pmu/amd
 */
#ifndef FAULTS_AMD_H
#define FAULTS_AMD_H

#include "model/faults/common/common.h"
#include "model/pmu/amd/amd.h"

#endif
