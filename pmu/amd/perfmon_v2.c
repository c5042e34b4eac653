/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD PerfMonV2 (Zen 4 and later): the counters of driver.c behind one global enable register. */
#include "amd.h"

static uint64_t all_counters(const struct pmu *pmu)
{
	return ~UINT64_C(0) >> (64 - pmu->counters);
}

/* The status bits that there are. */
static uint64_t status_bits(const struct pmu *pmu)
{
	const uint64_t frozen = PERF_CNTR_GLOBAL_LBRS_FROZEN | PERF_CNTR_GLOBAL_PMC_FROZEN;

	return all_counters(pmu) | (pmu->features & PMU_FREEZE ? frozen : 0);
}

static void reset(const struct pmu *pmu)
{
	pmu_reset_registers(pmu);
	wrmsr_safe(MSR_PERF_CNTR_GLOBAL_STATUS_CLR, status_bits(pmu));
}

static void start(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t running = rdmsr(MSR_PERF_CNTR_GLOBAL_CTL);

	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, running & ~ctrs);
	pmu_set_enables(pmu, ctrs);
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, running | ctrs);
}

static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, rdmsr(MSR_PERF_CNTR_GLOBAL_CTL) & ~ctrs);
	pmu_clear_enables(pmu, ctrs);
}

static uint64_t flagged(const struct pmu *pmu, uint64_t ctrs)
{
	(void)pmu;
	return rdmsr(MSR_PERF_CNTR_GLOBAL_STATUS) & ctrs;
}

static void acknowledge(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_STATUS_CLR, ctrs & all_counters(pmu));
}

static const struct pmu_counting counting = {
	.program = amd_program,
	.select_all = amd_select_all,
	.start = start,
	.stop = stop,
	.flagged = flagged,
	.acknowledge = acknowledge,
};

static bool probe(struct pmu *pmu, const struct cpu_identity *id)
{
	struct amd_cpu cpu;

	if (!amd_identify(id, &cpu) || !cpu.perfmon_v2)
		return false;
	if (!cpu.counters)
		pmu->silent = "CPUID 8000_0022h promises PerfMonV2 and no counter";
	if (pmu->silent || !amd_fill(pmu, &cpu))
		return false;
	pmu->counting = &counting;
	pmu->bank->gate = pmu_msr(MSR_PERF_CNTR_GLOBAL_CTL);
	pmu->features |= PMU_ATOMIC_START;
	/* A hypervisor may show this generation's CPUID with the registers of the one before it. */
	if (!pmu_has_gate(pmu, pmu->bank->gate))
		pmu->silent = "PerfCntrGlobalCtl faults or keeps no bit, which PerfMonV2 has";
	return !pmu->silent;
}

const struct pmu_ops pmu_amd_v2 = {
	.name = "amd",
	.title = "AMD PerfMonV2 core counters",
	.manual = "AMD64 APM vol. 2 (24593), 13.2",
	.processors = "AMD PerfMonV2 (Zen 4 and later): as many counters as CPUID says",
	.errata = amd_errata,
	.overcounts = amd_overcounts,
	.state_size = sizeof(struct amd),
	.kin = &pmu_amd,
	.probe = probe,
	.reset = reset,
};
PMU_DRIVER(pmu_amd_v2);
