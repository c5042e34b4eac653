/* SPDX-License-Identifier: BSD-2-Clause */
/* Instruction-based sampling of fetches: its registers, and what a sample vouches for. */
#include "sampling.h"

enum fetch_word { FETCH_CTL, FETCH_LINEAR, FETCH_PHYSICAL, FETCH_WORDS };
static const uint32_t fetch_msrs[FETCH_WORDS] = {MSR_IBS_FETCH_CTL, MSR_IBS_FETCH_LIN_AD,
						 MSR_IBS_FETCH_PHYS_AD};

/* Its count goes on from where it was unless the engine was off. */
static const char *prepare_fetches(const struct pmu *pmu, const struct pmu_sampling *what,
				   struct msr_switch *by)
{
	const char *why = ibs_refuses(&ibs(pmu)->sampler, what);

	if (why)
		return why;
	wrmsr(MSR_IBS_FETCH_CTL, 0);
	by->msr = MSR_IBS_FETCH_CTL;
	by->off = 0;
	by->on = field_put(IBS_FETCH_MAX_CNT, what->period >> 4) |
		 (what->random ? IBS_RAND_EN : 0) | IBS_FETCH_EN;
	return NULL;
}

static uint64_t disarm_fetches(const struct pmu *pmu)
{
	return ibs_finish(pmu, fetch_msrs, FETCH_WORDS);
}

/* One that was given up may be of a path that proved wrong. */
static struct pmu_sample take_fetch(const struct pmu *pmu, unsigned record)
{
	const uint64_t *word = ibs(pmu)->word;
	bool complete = word[FETCH_CTL] & IBS_FETCH_COMP;

	(void)record;
	return (struct pmu_sample){
		.size = ibs(pmu)->sampler.size,
		.has = complete ? SAMPLE_LINEAR | ibs_if(word[FETCH_CTL], IBS_PHY_ADDR_VALID,
							 SAMPLE_PHYSICAL)
				: 0,
		.linear = word[FETCH_LINEAR],
		.physical = word[FETCH_PHYSICAL],
	};
}

static void describe_fetch(const struct pmu *pmu)
{
	const uint64_t *word = ibs(pmu)->word;

	report_diag("sample: IbsFetchCtl %016llx, FetchLinAd %llx, FetchPhysAd %llx",
		    (unsigned long long)word[FETCH_CTL], (unsigned long long)word[FETCH_LINEAR],
		    (unsigned long long)word[FETCH_PHYSICAL]);
}

static const struct ibs_engine engine = {CPUID_8000001B_EAX_FETCH_SAM, MSR_IBS_FETCH_CTL,
					 MSR_IBS_FETCH_CTL2, IBS_FETCH_EN};

static bool probe_fetches(struct pmu *pmu, const struct cpu_identity *id)
{
	if (!ibs_find(pmu, id, &engine))
		return false;
	ibs(pmu)->sampler = (struct pmu_sampler){
		.has = SAMPLE_LINEAR | SAMPLE_PHYSICAL,
		.size = FETCH_WORDS * sizeof(uint64_t),
		.periods = PERIOD_FETCHES,
		.shortest = 16,
		.longest = IBS_FETCH_MAX_CNT << 4,
		.step = 16,
		.randomizes = true,
		.prepare = prepare_fetches,
		.kept = IBS_FETCH_MAX_CNT | IBS_FETCH_EN | IBS_RAND_EN,
		.full = IBS_FETCH_VAL,
		.disarm = disarm_fetches,
		.take = take_fetch,
		.describe = describe_fetch,
	};
	ibs_complete(pmu);
	return true;
}

static const struct pmu_ops ibs_fetches = {
	.name = "ibs_fetch",
	.title = "AMD instruction-based sampling of fetches",
	.errata = amd_fetch_errata,
	IBS_OPS,
	.probe = probe_fetches,
};
PMU_DRIVER(ibs_fetches);
