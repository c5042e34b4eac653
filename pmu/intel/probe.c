/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core counters: is there a PMU behind CPUID, and what can it do? */
#include "intel.h"

static struct cpuid_regs leaf(uint32_t number, uint32_t subleaf)
{
	return cpuid(0, 0).eax >= number ? cpuid(number, subleaf) : (struct cpuid_regs){0};
}

static bool identify(struct intel_cpu *cpu)
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
	if (leaf(0x23, 0).eax & CPUID_23_EAX_COUNTERS)
		leaves.leaf_23_1 = leaf(0x23, 1);
	return intel_decode(&leaves, cpu);
}

static uint64_t read_capabilities(const struct intel_cpu *cpu)
{
	uint64_t value = 0;

	if (cpu->pdcm)
		rdmsr_safe(MSR_IA32_PERF_CAPABILITIES, &value);
	return value;
}

/* Tolapai, the EP80579 system on a chip, among them. */
static bool is_pentium_m(const struct intel_cpu *cpu)
{
	return cpu->model == 0x09 || cpu->model == 0x0d || cpu->model == 0x15;
}

/* The register came with the Pentium M.  Older processors have counters without it: RDMSR faults.
 */
static uint64_t misc_enable(void)
{
	uint64_t value;

	return rdmsr_safe(MSR_IA32_MISC_ENABLE, &value) == FAULT_NONE ? value : MISC_ENABLE_PERFMON;
}

static bool has_misc_enable(const struct intel_cpu *cpu)
{
	return cpu->version || is_pentium_m(cpu);
}

/* MSRs that tell what there is, of a part that has them. */
static const uint32_t *told_by(const struct intel_cpu *cpu)
{
	static const uint32_t both[] = {MSR_IA32_MISC_ENABLE, MSR_IA32_PERF_CAPABILITIES, 0};
	static const uint32_t enable[] = {MSR_IA32_MISC_ENABLE, 0};

	return !has_misc_enable(cpu) ? NULL : cpu->pdcm ? both : enable;
}

static const char *try_registers(const struct intel_cpu *cpu)
{
	if (has_misc_enable(cpu) && !(misc_enable() & MISC_ENABLE_PERFMON))
		return "IA32_MISC_ENABLE bit 7 says that there is no performance monitoring";
	/* The two privilege bits alone count nothing. */
	return pmu_try(pmu_msr(MSR_IA32_PERFEVTSEL(0)), PERFEVTSEL_USR | PERFEVTSEL_OS);
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
static bool has_branches(const struct intel_lbr *lbr)
{
	uint64_t value;

	return lbr->entries && rdmsr_safe(MSR_LASTBRANCH_TOS, &value) == FAULT_NONE &&
	       holds_a_record(lbr->from) && !pmu_try(pmu_msr(MSR_IA32_DEBUGCTL), DEBUGCTL_LBR);
}

static bool has_samples(const struct intel_cpu *cpu)
{
	return cpu->version >= 2 && cpu->ds && !(misc_enable() & MISC_ENABLE_PEBS_UNAVAILABLE) &&
	       pmu_has_store(pmu_msr(MSR_IA32_DS_AREA), pmu_msr(MSR_PEBS_ENABLE));
}

/* KVM refuses FREEZE_PERFMON_ON_PMI, and FREEZE_LBRS_ON_PMI where its guest has no LBR: Linux,
 * vmx_get_supported_debugctl(). */
static bool can_freeze(void)
{
	return !pmu_try(pmu_msr(MSR_IA32_DEBUGCTL),
			DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI);
}

static bool keeps_pin_control(void)
{
	return !pmu_try(pmu_msr(MSR_IA32_PERFEVTSEL(0)), PERFEVTSEL_PC);
}

static unsigned features(const struct intel_cpu *cpu, uint64_t capabilities)
{
	unsigned f = PMU_SELECT | PMU_THRESHOLD | PMU_EDGE | PMU_PRIVILEGE | PMU_USER_ALONE |
		     PMU_LVT_MASKS | PMU_INVERT_FILTERED;

	if (apic_present())
		f |= PMU_INTERRUPT;
	if (cpu->version <= 5 && keeps_pin_control())
		f |= PMU_PIN_CONTROL;
	if (cpu->version >= 2)
		f |= PMU_GLOBAL | PMU_ATOMIC_START;
	if (cpu->version >= 2 && cpu->pdcm && can_freeze())
		f |= PMU_FREEZE;
	if (cpu->version >= 4)
		f |= PMU_STATUS_SET;
	if (cpu->single_enable)
		f |= PMU_SINGLE_ENABLE | PMU_ATOMIC_START;
	if (cpu->any_thread)
		f |= PMU_ANY_THREAD;
	if (capabilities & PERF_CAPABILITIES_SMM_FREEZE)
		f |= PMU_FREEZE_SMM;
	/* Errata HSD073, HSM074: with INV also clocks of the other ring count. */
	if (intel_may_be(cpu, INTEL_HASWELL, INTEL_HASWELL))
		f &= ~(unsigned)PMU_INVERT_FILTERED;
	return f;
}

static void fill_masks(struct pmu *pmu, const struct intel_cpu *cpu, uint64_t capabilities)
{
	struct intel_select select = intel_select(cpu, capabilities);

	pmu->ctl_writable = select.writable;
	pmu->ctl_reserved = select.reserved;
	if (cpu->version)
		pmu->ctl_enable = PERFEVTSEL_EN;
}

/* Under its full-width name, if it has one: that can load every value. */
static struct pmu_counter general_counter(const struct intel_cpu *cpu, unsigned i, bool full_width)
{
	return (struct pmu_counter){
		.ctl = pmu_msr(MSR_IA32_PERFEVTSEL(i)),
		.ctr = pmu_msr(full_width ? MSR_IA32_A_PMC(i) : MSR_IA32_PMC(i)),
		.ctr_alias = full_width ? pmu_msr(MSR_IA32_PMC(i)) : (struct pmu_reg){0},
		.enable = PERFEVTSEL_EN,
		.rdpmc = i,
		.width = (uint8_t)cpu->width,
		.write_bits = (uint8_t)(full_width ? cpu->width : LEGACY_WRITE_BITS),
		.global_bit = (uint8_t)i,
		.strict = full_width,
	};
}

/* Errata BJ054, BV036: a value written to a fixed counter that is about to overflow is corrupted,
 * unless it is 0. */
static struct pmu_counter fixed_counter(const struct intel_cpu *cpu, unsigned i)
{
	return (struct pmu_counter){
		.ctl = pmu_msr(MSR_IA32_FIXED_CTR_CTRL),
		.ctr = pmu_msr(MSR_IA32_FIXED_CTR(i)),
		.enable = FIXED_CTRL_EN_OS(i) | FIXED_CTRL_EN_USR(i),
		.rdpmc = RDPMC_FIXED | i,
		.width = (uint8_t)cpu->width,
		.write_bits = (uint8_t)cpu->width,
		.global_bit = (uint8_t)(GLOBAL_FIXED_FIRST + i),
		.strict = true,
		.fixed = true,
		.zero_first = true,
	};
}

static const struct pmu_counting *counting_of(const struct intel_cpu *cpu)
{
	if (cpu->version >= 2)
		return &intel_counting_global;
	return cpu->single_enable ? &intel_counting_single : &intel_counting;
}

static void fill_counters(struct pmu *pmu, bool full_width)
{
	struct intel *intel = pmu->state;
	const struct intel_cpu *cpu = &intel->cpu;
	unsigned c = 0;

	for (; c < cpu->general; c++)
		intel->counter[c] = general_counter(cpu, c, full_width);
	for (unsigned i = 0; i < INTEL_FIXED_MAX; i++)
		if (cpu->fixed >> i & 1)
			intel->counter[c++] = fixed_counter(cpu, i);
	pmu->counting = counting_of(cpu);
	pmu->counter = intel->counter;
	pmu->counters = c;
}

/* Registers that belong to no counter, where they are documented. */
static void fill_shared(struct pmu *pmu)
{
	struct intel *intel = pmu->state;
	const struct {
		uint32_t msr;
		bool there;
	} shared[INTEL_SHARED_MAX] = {
		{MSR_IA32_DS_AREA, pmu->sampler},
		{MSR_PEBS_DATA_CFG,
		 pmu->sampler && intel->capabilities & PERF_CAPABILITIES_PEBS_BASELINE},
		{MSR_PEBS_ENABLE, pmu->sampler},
		{MSR_LBR_SELECT, pmu->branches && intel->lbr.select},
		{MSR_IA32_DEBUGCTL, true},
		{MSR_TSX_FORCE_ABORT, intel->cpu.force_abort},
	};

	for (size_t i = 0; i < ARRAY_SIZE(shared); i++)
		if (shared[i].there)
			intel->shared[intel->bank.shared_count++] = pmu_msr(shared[i].msr);
	intel->bank.shared = intel->shared;
	intel->bank.saved = intel->saved;
	pmu->bank = &intel->bank;
	if (pmu->features & PMU_GLOBAL)
		intel->bank.gate = pmu_msr(MSR_GLOBAL_CTRL);
}

static void fill(struct pmu *pmu)
{
	struct intel *intel = pmu->state;
	const struct intel_cpu *cpu = &intel->cpu;
	uint64_t capabilities = read_capabilities(cpu);

	intel->capabilities = capabilities;
	intel->lbr = intel_lbr(cpu);
	intel_events(cpu, intel->events);
	pmu->events = intel->events;
	pmu->features = features(cpu, capabilities);
	/* With one enable bit for both counters the upper two bits are taken: driver.c. */
	pmu->max_threshold =
		cpu->single_enable ? PARKED_THRESHOLD_MAX : (unsigned)field_max(PERFEVTSEL_CMASK);
	fill_counters(pmu, cpu->version && capabilities & PERF_CAPABILITIES_FW_WRITE);
	if (has_samples(cpu))
		pmu->sampler = intel_sampler(intel);
	if (has_branches(&intel->lbr))
		pmu->branches = intel_branches(intel);
	fill_shared(pmu);
	fill_masks(pmu, cpu, capabilities);
	fmt_print(intel->promised, sizeof(intel->promised),
		  "performance monitoring of version %u: %u general counters, fixed %x",
		  cpu->version, cpu->general_promised, cpu->fixed_promised);
	pmu->notes[0] = intel->promised;
	pmu->notes[1] = cpu->note;
	pmu->shortest_period = cpu->shortest_period;
	pmu->revision = cpu->part;
	pmu->told_by = told_by(cpu);
}

static bool probe(struct pmu *pmu, const struct cpu_identity *id)
{
	struct intel *intel = pmu->state;

	(void)id;
	if (!identify(&intel->cpu)) {
		pmu->silent = intel->cpu.silent;
		return false;
	}
	pmu->silent = try_registers(&intel->cpu);
	if (!pmu->silent)
		fill(pmu);
	if (!pmu->silent && pmu->bank->gate.space && !pmu_has_gate(pmu, pmu->bank->gate))
		pmu->silent = "IA32_PERF_GLOBAL_CTRL faults or keeps no bit, which this version "
			      "has";
	return !pmu->silent;
}

const struct pmu_ops pmu_intel = {
	.name = "intel",
	.title = "Intel core counters",
	.manual = "Intel SDM vol. 3B, 20.1 to 20.6",
	.processors =
		"Intel from the Pentium Pro on, by CPUID 0AH version 1 to 5, except family 0Fh",
	.errata = intel_errata,
	.may_have = intel_may_have,
	.overcounts = intel_overcounts,
	.state_size = sizeof(struct intel),
	.probe = probe,
	.reset = intel_reset,
};
PMU_DRIVER(pmu_intel);
