/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of Intel's core PMU.
 * Uses: model/faults/common, model/pmu/intel, kernel/lib
 */
#pragma once

#include "model/faults/common/common.h"
#include "model/pmu/intel/intel.h"

#define FAULT_ON INTEL_FAULT
#define MODELS   MODEL_INTEL

/* Models for faults of what is not there: with Alder Lake, where more may be there than CPUID
 * tells. */
#define MODELS_V2 (MODEL_V2 | MODEL_ALDERLAKE | MODEL_LIONCOVE | MODEL_SKYMONT)

/* Models with architectural branch records that have faults. */
#define MODEL_ARCH_LBR MODEL_GOLDENCOVE

/* Models with architectural PEBS. */
#define MODEL_ARCH_PEBS (MODEL_COUGARCOVE | MODEL_DARKMONT)

/* Models with PEBS of the debug store in format 6. */
#define MODEL_STORE_6  (MODEL_LIONCOVE | MODEL_SKYMONT)

#define FIXED_COUNTERS FIELD(INTEL_COUNTERS - 1, INTEL_GENERAL)

static inline struct pmu_intel *intel(const struct point *at)
{
	return at->pmu;
}

/* ---- disable.c: RDPMC user disable, which no model has ---- */

extern const struct cpuid_lie intel_tells_of_disable;
hook intel_takes_disable; /* refused */
hook intel_keeps_disable; /* kept */
hook intel_hides; /* rdpmc */

/* ---- transactions.c: filters of transactions, where CPUID tells of these: what such a part does,
 * of which no model executes any ---- */

extern const struct cpuid_lie intel_tells_of_rtm;
hook intel_takes_tx; /* refused */
hook intel_keeps_tx; /* kept */
hook intel_is_in_no_tx; /* setting */

/* ---- values.c ---- */

/* The group of values in a record of the debug store; NULL: it has none. */
uint64_t *intel_values_group(const struct point *at);
