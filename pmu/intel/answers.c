/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core counters: which facets answer as CPUID promises. */
#include "intel.h"

/* The register came with the Pentium M.  Older processors have counters without it: RDMSR faults.
 */
uint64_t intel_misc_enable(void)
{
	uint64_t value;

	return rdmsr_safe(MSR_IA32_MISC_ENABLE, &value) == FAULT_NONE ? value : MISC_ENABLE_PERFMON;
}

/* One that refuses to be written is there all the same; one that takes it and forgets it is not.
 * Its old value may be refused when it is written back, as no write had put it there: Linux,
 * lbr_from_signext_quirk_wr().  Records go on anyway. */
static bool holds_a_record(uint32_t msr)
{
	const uint64_t address = FIELD(30, 6);
	uint64_t old, back = 0;

	if (rdmsr_safe(msr, &old) != FAULT_NONE)
		return false;
	if (wrmsr_safe(msr, address) != FAULT_NONE)
		return true;
	rdmsr_safe(msr, &back);
	wrmsr_safe(msr, old);
	return back & address;
}

/* A hypervisor may hide these registers from its guests although CPUID promises them, or answer for
 * them without having them. */
bool intel_has_branches(const struct intel_lbr *lbr)
{
	uint64_t value;

	return lbr->entries && rdmsr_safe(MSR_LASTBRANCH_TOS, &value) == FAULT_NONE &&
	       holds_a_record(lbr->from) && !pmu_try(pmu_msr(MSR_IA32_DEBUGCTL), DEBUGCTL_LBR);
}

/* The same of architectural ones; where they are in use, the records themselves are not tried. */
bool intel_has_arch_branches(const struct intel_cpu *cpu)
{
	const uint64_t filters = intel_arch_lbr_control(cpu) & ~(LBR_CTL_EN | LBR_CTL_CALL_STACK);
	uint64_t control, depth;

	return intel_arch_lbr_entries(cpu) &&
	       rdmsr_safe(MSR_IA32_LBR_DEPTH, &depth) == FAULT_NONE &&
	       rdmsr_safe(MSR_IA32_LBR_CTL, &control) == FAULT_NONE &&
	       (control & LBR_CTL_EN || holds_a_record(MSR_IA32_LBR_FROM_IP(0))) &&
	       !pmu_try(pmu_msr(MSR_IA32_LBR_CTL), filters ? filters : LBR_CTL_EN);
}

bool intel_has_samples(const struct intel *intel)
{
	const struct intel_cpu *cpu = &intel->cpu;

	return cpu->version >= 2 && cpu->ds && intel_pebs_is_known(intel) &&
	       !(intel_misc_enable() & MISC_ENABLE_PEBS_UNAVAILABLE) &&
	       pmu_has_store(pmu_msr(MSR_IA32_DS_AREA), pmu_msr(MSR_PEBS_ENABLE));
}

/* Left alone while somebody uses it; nothing is recorded at the address that is tried. */
bool intel_has_arch_samples(const struct intel *intel)
{
	uint64_t index;

	return intel->cpu.recorded && intel_pebs_is_architectural(intel) &&
	       rdmsr_safe(MSR_IA32_PEBS_INDEX, &index) == FAULT_NONE && !(index & PEBS_INDEX_EN) &&
	       !pmu_try(pmu_msr(MSR_IA32_PEBS_BASE), FIELD(30, 12));
}
