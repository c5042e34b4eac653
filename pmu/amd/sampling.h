/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instruction-based sampling (IBS): two samplers without counters, one of ops and one of fetches.
 * APM vol. 2, 13.3; PPR for family 17h model 01h, 2.1.13.
 */
#pragma once

#include "amd.h"

enum { IBS_SHARED_MAX = 2, IBS_WORDS_MAX = 8 };

struct ibs_engine {
	uint64_t feature; /* CPUID 8000_001B EAX */
	uint32_t ctl, ctl2; /* ctl2 only where CPUID says so */
	uint64_t enable; /* bit of ctl */
};

struct ibs {
	const struct ibs_engine *engine;
	struct pmu_bank bank;
	struct pmu_reg shared[IBS_SHARED_MAX];
	uint64_t saved[PMU_SAVED(0, IBS_SHARED_MAX)];
	struct pmu_sampler sampler;
	uint32_t features; /* CPUID 8000_001B EAX */
	enum amd_part part;
	bool of_10h, of_kaveri; /* family 10h; Kaveri or later */
	/* Erratum 420: its control gets this ahead of 0, so that no tag is under way; 0: need not
	 * be. */
	uint64_t calms;
	uint32_t clears; /* erratum 718: an MSR that is to be 0 ahead of a sample; 0: there is none
			  */
	uint64_t word[IBS_WORDS_MAX]; /* of the last record: the registers that it was in */
};

static inline struct ibs *ibs(const struct pmu *pmu)
{
	return pmu->state;
}

static inline uint32_t ibs_if(uint64_t value, uint64_t bit, uint32_t yes)
{
	return value & bit ? yes : 0;
}

/* Where CPUID has the engine and its control keeps something: fills *pmu, but for the sampler. */
bool ibs_find(struct pmu *pmu, const struct cpu_identity *id, const struct ibs_engine *engine);
/* The rest of the sampler that both engines have in common, behind probe() has filled it. */
void ibs_complete(struct pmu *pmu);
/* NULL, or why the engine cannot do that. */
const char *ibs_refuses(const struct pmu_sampler *sampler, const struct pmu_sampling *what);
void ibs_arm(const struct pmu *pmu, const struct pmu_sampling *what);
/* Stops, and takes the record, if there is one, out of these registers, the control first.  Returns
 * how many bytes. */
uint64_t ibs_finish(const struct pmu *pmu, const uint32_t *msrs, unsigned words);

#define IBS_OPS                                                                                    \
	.manual = "AMD64 APM vol. 2 (24593), 13.3",                                                \
	.processors = "AMD families 10h, and from 15h on, and Hygon, where CPUID has it",          \
	.state_size = sizeof(struct ibs), .reset = ibs_reset
void ibs_reset(const struct pmu *pmu);
