/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of a PMU as facts: what they held, and which of their bits keep or fault. */
#include "facts.h"

/* Tries each bit alone: does it keep a 1, and does writing it raise #GP?  All counters are stopped
 * and count no event, so that none of them acts. */
static void try_bits(uint32_t msr, uint64_t *kept, uint64_t *faulting)
{
	uint64_t back;

	*kept = *faulting = 0;
	for (unsigned i = 0; i < 64; i++) {
		if (wrmsr_safe(msr, BIT(i)) != FAULT_NONE)
			*faulting |= BIT(i);
		else if (rdmsr_safe(msr, &back) == FAULT_NONE)
			*kept |= back & BIT(i);
	}
	wrmsr_safe(msr, 0);
}

/* Registers that belong to no counter turn on more than counters: their bits are not tried. */
static void report_register(const struct pmu *pmu, struct pmu_reg reg, uint64_t saved, bool shared)
{
	uint64_t kept, faulting;
	char key[16];

	if (reg.space != REG_MSR)
		return;
	fmt_print(key, sizeof(key), "msr.%x", pmu_number(reg));
	if (shared) {
		report_fact(pmu->name, key, "%llx", (unsigned long long)saved);
		return;
	}
	try_bits(pmu_number(reg), &kept, &faulting);
	report_fact(pmu->name, key, "%llx:%llx:%llx", (unsigned long long)saved,
		    (unsigned long long)kept, (unsigned long long)faulting);
}

static void report_told_by(const struct pmu *pmu)
{
	uint64_t value;
	char key[16];

	for (const uint32_t *msr = pmu->told_by; msr && *msr; msr++) {
		fmt_print(key, sizeof(key), "msr.%x", *msr);
		if (rdmsr_safe(*msr, &value) == FAULT_NONE)
			report_fact(pmu->name, key, "%llx", (unsigned long long)value);
	}
}

void report_register_facts(const struct pmu *pmu)
{
	if (pmu->silent || pmu->ops->uncore)
		return;
	report_told_by(pmu);
	pmu_reset(pmu);
	pmu_each_register(pmu, report_register);
	pmu_restore(pmu);
}
