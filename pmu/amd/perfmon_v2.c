/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD PerfMonV2 (Zen 4 and later): the counters of amd.c behind one global enable register. */
#include "amd.h"

#include <stddef.h>

#include "kernel/cpu.h"
#include "kernel/fault.h"
#include "regs.h"

static uint64_t all_counters(const struct pmu *pmu)
{
	return ~UINT64_C(0) >> (64 - pmu->counters);
}

/* A hypervisor may show this generation's CPUID and only the registers of the one before. */
static const char *missing(const struct amd_cpu *cpu)
{
	uint64_t running;

	if (!cpu->counters)
		return "CPUID 8000_0022h promises PerfMonV2 and no counter";
	if (rdmsr_safe(MSR_PERF_CNTR_GLOBAL_CTL, &running) != FAULT_NONE)
		return "RDMSR of PerfCntrGlobalCtl faults, which PerfMonV2 has";
	return NULL;
}

static bool probe(struct pmu *pmu)
{
	struct amd_cpu cpu;

	if (!amd_identify(&cpu) || !cpu.perfmon_v2)
		return false;
	pmu->silent = missing(&cpu);
	if (pmu->silent || !amd_fill(pmu, &cpu))
		return false;
	pmu->features |= PMU_ATOMIC_START;
	return true;
}

/* Saving, resetting and restoring live with a register that faults, as in amd.c. */
static void save(struct pmu *pmu)
{
	rdmsr_safe(MSR_PERF_CNTR_GLOBAL_CTL, &pmu->saved_global);
	amd_save(pmu);
	pmu->running_at_entry &= pmu->saved_global;
}

static void reset(const struct pmu *pmu)
{
	wrmsr_safe(MSR_PERF_CNTR_GLOBAL_CTL, 0);
	amd_reset(pmu);
	wrmsr_safe(MSR_PERF_CNTR_GLOBAL_STATUS_CLR, all_counters(pmu));
}

static void restore(const struct pmu *pmu)
{
	reset(pmu);
	amd_restore(pmu);
	wrmsr_safe(MSR_PERF_CNTR_GLOBAL_CTL, pmu->saved_global);
}

static void start(const struct pmu *pmu, uint64_t ctrs)
{
	uint64_t running = rdmsr(MSR_PERF_CNTR_GLOBAL_CTL);

	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, running & ~ctrs);
	amd_start(pmu, ctrs);
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, running | ctrs);
}

static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, rdmsr(MSR_PERF_CNTR_GLOBAL_CTL) & ~ctrs);
	amd_stop(pmu, ctrs);
}

static void acknowledge(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_STATUS_CLR, ctrs & all_counters(pmu));
}

const struct pmu_ops pmu_amd_v2 = {
	.name = "amd",
	.title = "AMD PerfMonV2 core counters",
	.manual = "AMD64 APM vol. 2 (24593), 13.2",
	.processors = "AMD PerfMonV2 (Zen 4 and later): as many counters as CPUID says",
	.probe = probe,
	.save = save,
	.restore = restore,
	.reset = reset,
	.program = amd_program,
	.start = start,
	.stop = stop,
	.read = amd_read,
	.write = amd_write,
	.overflowed = amd_overflowed,
	.acknowledge = acknowledge,
	.rdpmc_index = amd_rdpmc_index,
	.describe = amd_describe,
	.report_errata = amd_report_errata,
};
