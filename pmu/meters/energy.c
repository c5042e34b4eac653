/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver of energy meters.  One is there if it answers: it has a unit, and has counted. */
#include "meters.h"

/* More than a socket can be supplied with: the largest of today have peaks of some 1,000 W. */
enum { MOST_WATTS = 2000 };

/* Each is updated every millisecond or two. */
enum { UPDATED_MS = 2 };

struct domain {
	const char *name;
	uint32_t msr;
	bool moves; /* the processor that executes takes of it */
};

/* What graphics, memory and the platform take may be 0, for a while or on this part; and on servers
 * that of the cores. */
static const struct domain intel_domains[] = {
	{"package", MSR_PKG_ENERGY_STATUS, true},   {"cores", MSR_PP0_ENERGY_STATUS, false},
	{"graphics", MSR_PP1_ENERGY_STATUS, false}, {"memory", MSR_DRAM_ENERGY_STATUS, false},
	{"platform", MSR_PLATFORM_ENERGY, false},
};

static const struct domain amd_domains[] = {
	{"package", MSR_PKG_ENERGY_STAT, true},
	{"core", MSR_CORE_ENERGY_STAT, true},
};

/* In a joule, at most: Silvermont counts in microjoules times 2 to the unit's power, others in
 * joules divided by that, memory of servers in 15.3 microjoules whatever the register says. */
static uint64_t ticks_per_joule(unsigned power)
{
	uint64_t ticks = BIT(power), of_silvermont = UINT64_C(1000000) >> power;
	const uint64_t of_memory = BIT(16);

	if (ticks < of_silvermont)
		ticks = of_silvermont;
	return ticks < of_memory ? of_memory : ticks;
}

/* One that has taken nothing since the reset is not there, or of what is not used. */
static bool counts(uint32_t msr)
{
	uint64_t value;

	return rdmsr_safe(msr, &value) == FAULT_NONE && value;
}

static void fill(struct pmu *pmu, const struct domain *domain, unsigned domains, unsigned power)
{
	for (; domains; domain++, domains--)
		if (counts(domain->msr))
			meters_add(pmu, &(struct pmu_meter){
						.name = domain->name,
						.reg = pmu_msr(domain->msr),
						.width = 32,
						.moves = domain->moves,
						.most = ticks_per_joule(power) * MOST_WATTS / 1000,
						.updated_ms = UPDATED_MS,
					});
}

static bool promises(const struct cpu_identity *cpu)
{
	return cpuid_if_there(CPUID_AMD_POWER, 0).edx & CPUID_80000007_EDX_RAPL &&
	       cpu->family >= 0x17;
}

/* On Intel's no leaf of CPUID tells: from Sandy Bridge on the register with the unit is there. */
static bool probe(struct pmu *pmu, const struct cpu_identity *cpu)
{
	bool intel = !memcmp(cpu->vendor, "GenuineIntel", 12) && cpu->family == 6;
	uint64_t unit, power;

	if (!intel && !promises(cpu))
		return false;
	if (rdmsr_safe(intel ? MSR_RAPL_POWER_UNIT : MSR_AMD_RAPL_POWER_UNIT, &unit) != FAULT_NONE)
		return false;
	power = field_get(RAPL_ENERGY_STATUS_UNITS, unit);
	if (!power)
		return false;
	if (intel)
		fill(pmu, intel_domains, ARRAY_SIZE(intel_domains), (unsigned)power);
	else
		fill(pmu, amd_domains, ARRAY_SIZE(amd_domains), (unsigned)power);
	return pmu->meters;
}

static const struct pmu_ops energy_ops = {
	.name = "energy",
	.title = "meters of energy (RAPL)",
	.manual = "SDM vol. 3B, 15.10; AMD PPR for family 17h model 31h, MSRC001_0299",
	.processors = "Intel from Sandy Bridge on; AMD family 17h and later, where CPUID has RAPL",
	.state_size = sizeof(struct meters),
	.probe = probe,
};
PMU_DRIVER(energy_ops);
