/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The driver of MPERF, APERF and PPERF: ticks of a fixed clock, clocks, and those of them in which
 * work was not kept waiting, of a processor that does not halt.
 */
#include "meters.h"

/* The fixed clock is that of the TSC but for its source, which a part may trim apart; and a part of
 * 15 watts may run at several times its base clock, which is the TSC's. */
enum { FIXED_MOST = 2, CLOCKS_MOST = 16 };

static bool reads(uint32_t msr)
{
	uint64_t value;

	return rdmsr_safe(msr, &value) == FAULT_NONE;
}

static void add(struct pmu *pmu, const char *name, uint32_t msr, uint32_t second, unsigned most)
{
	struct pmu_meter meter = {
		.name = name,
		.reg = pmu_msr(msr),
		.width = 64,
		.moves = true,
		.most = most,
		.by_tsc = true,
	};

	if (second)
		meter.second = pmu_msr(second);
	if (reads(msr) && (!second || reads(second)))
		meters_add(pmu, &meter);
}

static bool has_second_names(void)
{
	return cpuid_if_there(CPUID_AMD_POWER, 0).edx & CPUID_80000007_EDX_RO;
}

static bool probe(struct pmu *pmu, const struct cpu_identity *cpu)
{
	bool intel = !memcmp(cpu->vendor, "GenuineIntel", 12),
	     seconds = !intel && has_second_names();
	struct cpuid_regs power = cpuid_if_there(CPUID_POWER, 0);

	if (!(power.ecx & CPUID_6_ECX_EFFECTIVE))
		return false;
	add(pmu, "mperf", MSR_MPERF, seconds ? MSR_MPERF_READ_ONLY : 0, FIXED_MOST);
	add(pmu, "aperf", MSR_APERF, seconds ? MSR_APERF_READ_ONLY : 0, CLOCKS_MOST);
	if (intel && power.eax & CPUID_6_EAX_HWP)
		add(pmu, "pperf", MSR_PPERF, 0, CLOCKS_MOST);
	return pmu->meters;
}

static const struct pmu_ops clocks_ops = {
	.name = "clocks",
	.title = "meters of clocks (MPERF, APERF)",
	.manual = "SDM vol. 3B, 15.2 and 15.4.4; AMD PPR for family 17h model 31h, "
		  "MSR0000_00E7",
	.processors = "Intel and AMD, where CPUID 6 ECX[0] has them",
	.state_size = sizeof(struct meters),
	.probe = probe,
};
PMU_DRIVER(clocks_ops);
