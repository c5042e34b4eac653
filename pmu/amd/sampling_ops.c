/* SPDX-License-Identifier: BSD-2-Clause */
/* Instruction-based sampling of ops: its registers, and what a sample vouches for. */
#include "sampling.h"

enum op_word {
	OP_CTL,
	OP_RIP,
	OP_DATA,
	OP_DATA2,
	OP_DATA3,
	OP_LINEAR,
	OP_PHYSICAL,
	OP_TARGET,
	OP_WORDS
};
static const uint32_t op_msrs[OP_WORDS] = {
	MSR_IBS_OP_CTL,   MSR_IBS_OP_RIP,    MSR_IBS_OP_DATA,    MSR_IBS_OP_DATA2,
	MSR_IBS_OP_DATA3, MSR_IBS_DC_LIN_AD, MSR_IBS_DC_PHYS_AD, MSR_IBS_BR_TARGET,
};
_Static_assert((int)OP_WORDS <= (int)IBS_WORDS_MAX, "they fit");

static unsigned op_words(const struct pmu *pmu)
{
	return ibs(pmu)->features & CPUID_8000001B_EAX_BRN_TRGT ? OP_WORDS : OP_TARGET;
}

/* Erratum 1606: some parts heed the latency only where misses alone are recorded, too. */
static uint64_t filters_for(const struct pmu_sampling *what)
{
	if (!what->latency)
		return what->misses_only ? IBS_OP_L3_MISS_ONLY : 0;
	return IBS_OP_L3_MISS_ONLY | IBS_OP_LDLAT_EN |
	       field_put(IBS_OP_LDLAT_THRSH, what->latency / IBS_OP_LDLAT_UNIT - 1);
}

static const char *prepare_ops(const struct pmu *pmu, const struct pmu_sampling *what,
			       struct msr_switch *by)
{
	const char *why = ibs_refuses(&ibs(pmu)->sampler, what);

	if (why)
		return why;
	wrmsr(MSR_IBS_OP_CTL, 0);
	if (ibs(pmu)->clears)
		wrmsr(ibs(pmu)->clears, 0);
	by->msr = MSR_IBS_OP_CTL;
	by->off = ibs(pmu)->calms;
	by->on = field_put(IBS_OP_MAX_CNT, what->period >> 4 & field_max(IBS_OP_MAX_CNT)) |
		 (what->period & IBS_OP_MAX_CNT_HIGH) | field_put(IBS_OP_CUR_CNT, what->passed) |
		 (what->of == PERIOD_OPS ? IBS_OP_CNT_CTL : 0) | filters_for(what) | IBS_OP_EN;
	return NULL;
}

static uint64_t disarm_ops(const struct pmu *pmu)
{
	return ibs_finish(pmu, op_msrs, op_words(pmu));
}

/* For what a value vouches that stands somewhere else. */
static uint32_t vouches(const struct pmu *pmu, uint64_t data, uint64_t data3)
{
	bool targets = ibs(pmu)->features & CPUID_8000001B_EAX_BRN_TRGT;

	return SAMPLE_ACCESS | SAMPLE_MISS | SAMPLE_RETIREMENT |
	       (data & IBS_RIP_INVALID ? 0 : SAMPLE_EVENT_IP) |
	       ibs_if(data, IBS_OP_BRN_RET, SAMPLE_BRANCH | (targets ? SAMPLE_TARGET : 0)) |
	       ibs_if(data3, IBS_DC_LIN_ADDR_VALID, SAMPLE_LINEAR) |
	       ibs_if(data3, IBS_DC_PHY_ADDR_VALID, SAMPLE_PHYSICAL) |
	       ibs_if(data3, IBS_OP_MEM_WIDTH, SAMPLE_WIDTH);
}

static struct pmu_sample take_op(const struct pmu *pmu, unsigned record)
{
	const uint64_t *word = ibs(pmu)->word;
	uint64_t data = word[OP_DATA], data3 = word[OP_DATA3];
	struct pmu_sample sample = {
		.size = ibs(pmu)->sampler.size,
		.has = vouches(pmu, data, data3) & ibs(pmu)->sampler.has,
		.event_ip = word[OP_RIP],
		.is = ibs_if(data, IBS_OP_BRN_TAKEN, SAMPLE_IS_TAKEN) |
		      ibs_if(data, IBS_OP_RETURN, SAMPLE_IS_RETURN) |
		      ibs_if(data, IBS_OP_BRN_FUSE, SAMPLE_IS_FUSED) |
		      ibs_if(data3, IBS_LD_OP, SAMPLE_IS_LOAD) |
		      ibs_if(data3, IBS_ST_OP, SAMPLE_IS_STORE) |
		      ibs_if(data3, IBS_DC_LOCKED_OP, SAMPLE_IS_LOCKED) |
		      ibs_if(data3, IBS_DC_MISS, SAMPLE_IS_MISS),
		.target = word[OP_TARGET],
		.linear = word[OP_LINEAR],
		.physical = word[OP_PHYSICAL],
		.width = 1u << field_get(IBS_OP_MEM_WIDTH, data3) >> 1,
		.from_tag = (unsigned)field_get(IBS_TAG_TO_RET_CTR, data),
		.from_completion = (unsigned)field_get(IBS_COMP_TO_RET_CTR, data),
		.latency = (unsigned)field_get(IBS_DC_MISS_LAT, data3),
	};

	(void)record;
	/* A target of 0 is none. */
	if (!sample.target)
		sample.has &= ~(uint32_t)SAMPLE_TARGET;
	return sample;
}

static void describe_op(const struct pmu *pmu)
{
	const uint64_t *word = ibs(pmu)->word;

	report_diag("sample: IbsOpCtl %016llx, Rip %llx, Data %016llx, Data2 %llx, Data3 %016llx",
		    (unsigned long long)word[OP_CTL], (unsigned long long)word[OP_RIP],
		    (unsigned long long)word[OP_DATA], (unsigned long long)word[OP_DATA2],
		    (unsigned long long)word[OP_DATA3]);
	report_diag("sample: DcLinAd %llx, DcPhysAd %llx, BrTarget %llx",
		    (unsigned long long)word[OP_LINEAR], (unsigned long long)word[OP_PHYSICAL],
		    (unsigned long long)word[OP_TARGET]);
}

/* Linux, pmu-events/arch/x86/amdzen6; the PPRs of older parts have the first three. */
#define FATE(mask, text)                                                                           \
	{                                                                                          \
		.name = "sampled ops: " text, .code = 0x1cf, .unit_mask = mask                     \
	}
static const struct pmu_event fates[FATES] = {
	[FATE_TAGGED] = FATE(0x01, "tagged"),       [FATE_RETIRED] = FATE(0x02, "retired"),
	[FATE_OVERTAKEN] = FATE(0x04, "overtaken"), [FATE_FILTERED] = FATE(0x08, "filtered"),
	[FATE_RECORDED] = FATE(0x10, "recorded"),
};

static const struct ibs_engine engine = {CPUID_8000001B_EAX_OP_SAM, MSR_IBS_OP_CTL, MSR_IBS_OP_CTL2,
					 IBS_OP_EN};

static bool has_erratum(const struct pmu *pmu, const char *id)
{
	for (const struct pmu_erratum *e = amd_op_errata; e->id; e++)
		if (!strcmp(e->id, id) && pmu_erratum_applies(pmu, e))
			return true;
	return false;
}

static void heed_errata(const struct pmu *pmu)
{
	if (has_erratum(pmu, "420"))
		ibs(pmu)->calms = IBS_OP_EN;
	if (has_erratum(pmu, "718"))
		ibs(pmu)->clears = MSR_IBS_OP_DATA3;
}

/* The low seven bits of the count are random behind a period: shorter ones are reserved. */
static bool probe_ops(struct pmu *pmu, const struct cpu_identity *id)
{
	struct ibs *state = pmu->state;
	bool extended, counts, filters, by_latency;

	if (!ibs_find(pmu, id, &engine))
		return false;
	extended = state->features & CPUID_8000001B_EAX_OP_CNT_EXT;
	counts = state->features & CPUID_8000001B_EAX_OP_CNT;
	filters = state->features & CPUID_8000001B_EAX_ZEN4;
	by_latency = filters && state->features & CPUID_8000001B_EAX_LD_LAT;
	state->sampler = (struct pmu_sampler){
		.has = SAMPLE_EVENT_IP | SAMPLE_BRANCH | SAMPLE_ACCESS | SAMPLE_LINEAR |
		       SAMPLE_PHYSICAL | SAMPLE_RETIREMENT | SAMPLE_MISS |
		       (state->of_kaveri ? SAMPLE_WIDTH : 0),
		.size = OP_WORDS * sizeof(uint64_t),
		.periods = PERIOD_CLOCKS | (counts ? PERIOD_OPS : 0),
		.shortest = 9 * 16,
		.longest = (extended ? IBS_OP_MAX_CNT_HIGH : 0) | IBS_OP_MAX_CNT << 4,
		.step = 16,
		/* A Phenom II says that it can, and keeps no count. */
		.presets = !state->of_10h && state->features & CPUID_8000001B_EAX_RDWR_OP_CNT,
		.misses = filters,
		.latency_step = by_latency ? IBS_OP_LDLAT_UNIT : 0,
		.latency_most = by_latency ? IBS_OP_LDLAT_MOST : 0,
		.prepare = prepare_ops,
		.kept = IBS_OP_MAX_CNT | (extended ? IBS_OP_MAX_CNT_HIGH : 0) | IBS_OP_EN |
			(counts ? IBS_OP_CNT_CTL : 0) | (filters ? IBS_OP_L3_MISS_ONLY : 0) |
			(by_latency ? IBS_OP_LDLAT_EN | IBS_OP_LDLAT_THRSH : 0),
		.full = IBS_OP_VAL,
		.fates = state->part >= AMD_BULLDOZER ? fates : NULL,
		.listed = state->part == AMD_ZEN6,
		.disarm = disarm_ops,
		.take = take_op,
		.describe = describe_op,
	};
	if (state->features & CPUID_8000001B_EAX_BRN_TRGT)
		state->sampler.has |= SAMPLE_TARGET;
	heed_errata(pmu);
	ibs_complete(pmu);
	return true;
}

static const struct pmu_ops ibs_ops = {
	.name = "ibs_op",
	.title = "AMD instruction-based sampling of ops",
	.errata = amd_op_errata,
	IBS_OPS,
	.probe = probe_ops,
};
PMU_DRIVER(ibs_ops);
