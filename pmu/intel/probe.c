/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core counters: is there a PMU behind CPUID, and what can it do? */
#include <stddef.h>

#include "intel.h"
#include "kernel/apic.h"
#include "kernel/console/report.h"
#include "kernel/fault.h"
#include "regs.h"

static struct cpuid_regs leaf(uint32_t number, uint32_t subleaf)
{
	return cpuid(0, 0).eax >= number ? cpuid(number, subleaf) : (struct cpuid_regs){0};
}

bool intel_identify(struct intel_cpu *cpu)
{
	struct intel_leaves leaves = {
		.leaf_0 = cpuid(0, 0),
		.leaf_1 = leaf(1, 0),
		.leaf_7 = leaf(7, 0),
		.leaf_a = leaf(0xa, 0),
		.leaf_1a = leaf(0x1a, 0),
	};

	if (leaves.leaf_7.eax >= 1)
		leaves.leaf_7_1 = leaf(7, 1);
	return intel_decode(&leaves, cpu);
}

uint64_t intel_capabilities(const struct intel_cpu *cpu)
{
	uint64_t value = 0;

	if (cpu->pdcm)
		rdmsr_safe(MSR_IA32_PERF_CAPABILITIES, &value);
	return value;
}

/* The register came with the Pentium M: what is older faults, and has counters all the same. */
static uint64_t misc_enable(void)
{
	uint64_t value;

	return rdmsr_safe(MSR_IA32_MISC_ENABLE, &value) == FAULT_NONE ? value : MISC_ENABLE_PERFMON;
}

/* The two privilege bits alone count nothing and stick on every real part. */
static const char *try_registers(const struct intel_cpu *cpu)
{
	const uint64_t pattern = PERFEVTSEL_USR | PERFEVTSEL_OS;
	bool has_misc_enable = cpu->version || cpu->model == 0x09 || cpu->model == 0x0d;
	uint64_t old, back;

	if (has_misc_enable && !(misc_enable() & MISC_ENABLE_PERFMON))
		return "IA32_MISC_ENABLE bit 7 says that there is no performance monitoring";
	if (rdmsr_safe(MSR_IA32_PERFEVTSEL(0), &old) != FAULT_NONE)
		return "RDMSR of IA32_PERFEVTSEL0 faults: no PMU behind CPUID";
	if (wrmsr_safe(MSR_IA32_PERFEVTSEL(0), pattern) != FAULT_NONE)
		return "WRMSR of IA32_PERFEVTSEL0 faults: no PMU behind CPUID";
	back = rdmsr(MSR_IA32_PERFEVTSEL(0));
	wrmsr(MSR_IA32_PERFEVTSEL(0), old);
	if (back != pattern)
		return "IA32_PERFEVTSEL0 does not keep what is written: no PMU behind CPUID";
	if (cpu->version >= 2 && rdmsr_safe(MSR_GLOBAL_CTRL, &old) != FAULT_NONE)
		return "RDMSR of IA32_PERF_GLOBAL_CTRL faults, which this version has";
	return NULL;
}

/* A hypervisor may keep these from its guests, and what CPUID says of them is not enough. */
static bool branch_records(const struct intel_cpu *cpu)
{
	struct intel_lbr lbr = intel_lbr(cpu);
	uint64_t old, back = 0;

	if (!lbr.entries || rdmsr_safe(MSR_LASTBRANCH_TOS, &back) != FAULT_NONE ||
	    rdmsr_safe(lbr.from, &back) != FAULT_NONE ||
	    rdmsr_safe(MSR_IA32_DEBUGCTL, &old) != FAULT_NONE ||
	    wrmsr_safe(MSR_IA32_DEBUGCTL, old | DEBUGCTL_LBR) != FAULT_NONE)
		return false;
	back = rdmsr(MSR_IA32_DEBUGCTL);
	wrmsr(MSR_IA32_DEBUGCTL, old);
	return back & DEBUGCTL_LBR;
}

static bool precise_records(const struct intel_cpu *cpu)
{
	uint64_t value;

	return cpu->version >= 2 && cpu->ds && !(misc_enable() & MISC_ENABLE_PEBS_UNAVAILABLE) &&
	       rdmsr_safe(MSR_IA32_DS_AREA, &value) == FAULT_NONE &&
	       rdmsr_safe(MSR_PEBS_ENABLE, &value) == FAULT_NONE;
}

static unsigned features(const struct intel_cpu *cpu, uint64_t capabilities)
{
	unsigned f = PMU_SELECT | PMU_THRESHOLD | PMU_EDGE | PMU_PRIVILEGE | PMU_LVT_MASKS |
		     PMU_INVERT_FILTERED;

	if (apic_present())
		f |= PMU_INTERRUPT;
	if (cpu->version <= 5)
		f |= PMU_PIN_CONTROL;
	if (cpu->version >= 2)
		f |= PMU_GLOBAL | PMU_ATOMIC_START;
	if (cpu->version >= 2 && cpu->pdcm)
		f |= PMU_FREEZE;
	if (cpu->version >= 4)
		f |= PMU_STATUS_SET;
	if (cpu->single_enable)
		f |= PMU_SINGLE_ENABLE | PMU_ATOMIC_START;
	if (cpu->any_thread)
		f |= PMU_ANY_THREAD;
	if (capabilities & PERF_CAPABILITIES_SMM_FREEZE)
		f |= PMU_FREEZE_SMM;
	if (branch_records(cpu))
		f |= PMU_BRANCH_RECORDS;
	if (precise_records(cpu))
		f |= PMU_PEBS;
	return f;
}

/* P6 has no EN in PERFEVTSEL1, and what writing it does is not documented. */
static void fill_masks(struct pmu *pmu, const struct intel_cpu *cpu, uint64_t capabilities)
{
	uint64_t optional = PERFEVTSEL_EN;

	pmu->ctl_writable = PERFEVTSEL_COMMON;
	if (cpu->version > 5) {
		pmu->ctl_writable &= ~PERFEVTSEL_PC;
		optional |= PERFEVTSEL_PC;
	}
	if (cpu->version) {
		pmu->ctl_writable |= PERFEVTSEL_EN;
		pmu->ctl_enable = PERFEVTSEL_EN;
	}
	if (cpu->any_thread)
		pmu->ctl_writable |= PERFEVTSEL_ANY;
	else if (cpu->version >= 3)
		optional |= PERFEVTSEL_ANY;
	if (cpu->tsx)
		optional |= PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP;
	if (capabilities & PERF_CAPABILITIES_PEBS_BASELINE)
		optional |= PERFEVTSEL_ADAPTIVE;
	if (cpu->perfmon_ext || cpu->arch_lbr)
		optional |= PERFEVTSEL_LATER;
	pmu->ctl_reserved = ~pmu->ctl_writable & ~optional;
}

/* The full-width names where they exist: they reach every value. */
static void fill_counters(struct pmu *pmu, const struct intel_cpu *cpu, bool full_width)
{
	unsigned c = cpu->general;

	for (unsigned i = 0; i < cpu->general; i++) {
		pmu->ctl_msr[i] = MSR_IA32_PERFEVTSEL(i);
		pmu->ctr_msr[i] = full_width ? MSR_IA32_A_PMC(i) : MSR_IA32_PMC(i);
		pmu->ctr_alias[i] = full_width ? MSR_IA32_PMC(i) : 0;
		pmu->strict |= (uint32_t)full_width << i;
	}
	for (unsigned i = 0; i < INTEL_FIXED_MAX; i++) {
		if (!(cpu->fixed >> i & 1))
			continue;
		pmu->ctl_msr[c] = MSR_IA32_FIXED_CTR_CTRL;
		pmu->ctr_msr[c] = MSR_IA32_FIXED_CTR(i);
		pmu->fixed |= UINT32_C(1) << c;
		pmu->strict |= UINT32_C(1) << c;
		c++;
	}
	pmu->counters = c;
}

static void fill(struct pmu *pmu, const struct intel_cpu *cpu)
{
	uint64_t capabilities = intel_capabilities(cpu);
	bool full_width = cpu->version && capabilities & PERF_CAPABILITIES_FW_WRITE;

	intel_events(cpu, pmu->own_events);
	pmu->events = pmu->own_events;
	pmu->width = cpu->width;
	pmu->write_bits = full_width ? cpu->width : LEGACY_WRITE_BITS;
	pmu->features = features(cpu, capabilities);
	/* With one enable bit for both counters the upper two bits are taken (pmu/intel/driver.c).
	 */
	pmu->max_threshold =
		cpu->single_enable ? PARKED_THRESHOLD_MAX : (unsigned)field_max(PERFEVTSEL_CMASK);
	fill_counters(pmu, cpu, full_width);
	fill_masks(pmu, cpu, capabilities);
}

bool intel_probe(struct pmu *pmu)
{
	struct intel_cpu cpu;

	if (!intel_identify(&cpu)) {
		pmu->silent = cpu.silent;
		return false;
	}
	pmu->silent = try_registers(&cpu);
	if (pmu->silent)
		return false;
	fill(pmu, &cpu);
	report_header("performance monitoring of version %u: %u general counters, fixed %x",
		      cpu.version, cpu.general_promised, cpu.fixed_promised);
	if (cpu.note)
		report_header("note: %s", cpu.note);
	return true;
}
