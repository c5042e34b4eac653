/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core PMUs: PERF_METRICS.  SDM vol. 3B, 20.3.9.3: performance metrics. */
#include "intel.h"

#define SLOTS_COUNTER 3u /* i of IA32_FIXED_CTRi */

/* Bytes, of which four are of level 1, and slots in a clock: Intel's event lists, TOPDOWN.SLOTS. */
static const struct {
	enum intel_part part;
	uint8_t bytes, per_clock;
} parts[] = {
	{INTEL_ICELAKE, 4, 5},
	{INTEL_GOLDEN_COVE, 8, 6},
	{INTEL_LION_COVE, 8, 8},
	{INTEL_COUGAR_COVE, 8, 8},
};

static void write(const struct pmu *pmu, uint64_t value)
{
	(void)pmu;
	wrmsr(MSR_PERF_METRICS, value);
}

static uint64_t read(const struct pmu *pmu)
{
	(void)pmu;
	return rdmsr(MSR_PERF_METRICS);
}

/* In this order: a write of the counter may change the shares, too. */
static void reset(const struct pmu *pmu)
{
	pmu_write(pmu, pmu->metrics->counter, 0);
	write(pmu, 0);
}

static void start(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_GLOBAL_CTRL,
	      rdmsr(MSR_GLOBAL_CTRL) | pmu_global_bits(pmu, ctrs) | GLOBAL_PERF_METRICS);
}

static void stop(const struct pmu *pmu, uint64_t ctrs)
{
	wrmsr(MSR_GLOBAL_CTRL,
	      rdmsr(MSR_GLOBAL_CTRL) & ~(pmu_global_bits(pmu, ctrs) | GLOBAL_PERF_METRICS));
}

static void clear_by_rdpmc(const struct pmu *pmu)
{
	(void)pmu;
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, rdmsr(MSR_IA32_FIXED_CTR_CTRL) | FIXED_CTRL_METRICS_CLEAR);
}

/* pmu->counters: it is not there. */
static unsigned slots_counter(const struct pmu *pmu)
{
	unsigned ctr = intel_general(pmu);

	while (ctr < pmu->counters && intel_fixed_index(pmu, ctr) != SLOTS_COUNTER)
		ctr++;
	return ctr;
}

/* Its register, and its enable bit, which a hypervisor may refuse; what is enabled stays so. */
static bool answers(void)
{
	uint64_t value, control;

	return rdmsr_safe(MSR_PERF_METRICS, &value) == FAULT_NONE &&
	       rdmsr_safe(MSR_GLOBAL_CTRL, &control) == FAULT_NONE &&
	       (control || !pmu_try(pmu_msr(MSR_GLOBAL_CTRL), GLOBAL_PERF_METRICS));
}

/* Where CPUID shows the counter and the bit is hidden, all E-cores may be off. */
static bool is_there(const struct intel *intel)
{
	return intel->capabilities & PERF_CAPABILITIES_PERF_METRICS ||
	       (intel->cpu.hybrid && intel_is(&intel->cpu, INTEL_GOLDEN_COVE, INTEL_GOLDEN_COVE));
}

const struct pmu_metrics *intel_metrics(const struct pmu *pmu)
{
	struct intel *intel = pmu->state;
	const unsigned counter = slots_counter(pmu);

	if (counter == pmu->counters || !is_there(intel) || !answers())
		return NULL;
	intel->metrics = (struct pmu_metrics){
		.counter = counter,
		.bytes = 4,
		.parts = 4,
		.reset = reset,
		.start = start,
		.stop = stop,
		.read = read,
		.write = write,
		.rdpmc = RDPMC_METRICS,
	};
	if (intel->capabilities & PERF_CAPABILITIES_METRICS_CLEAR)
		intel->metrics.clear_by_rdpmc = clear_by_rdpmc;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].part == intel->cpu.part) {
			intel->metrics.bytes = parts[i].bytes;
			intel->metrics.per_clock = parts[i].per_clock;
		}
	return &intel->metrics;
}
