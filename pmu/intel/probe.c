/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core counters: is there a PMU behind CPUID, and what can it do? */
#include "intel.h"

static bool identify(struct intel_cpu *cpu)
{
	struct intel_leaves leaves = {
		.leaf_0 = cpuid(0, 0),
		.leaf_1 = cpuid_if_there(1, 0),
		.leaf_7 = cpuid_if_there(7, 0),
		.leaf_14 = cpuid_if_there(0x14, 0),
		.leaf_a = cpuid_if_there(0xa, 0),
		.leaf_1a = cpuid_if_there(0x1a, 0),
		.leaf_1c = cpuid_if_there(0x1c, 0),
	};

	if (leaves.leaf_7.eax >= 1)
		leaves.leaf_7_1 = cpuid_if_there(7, 1);
	for (unsigned i = 0; i < ARRAY_SIZE(leaves.leaf_23); i++)
		leaves.leaf_23[i] = cpuid_if_there(0x23, i);
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
	if (has_misc_enable(cpu) && !(intel_misc_enable() & MISC_ENABLE_PERFMON))
		return "IA32_MISC_ENABLE bit 7 says that there is no performance monitoring";
	/* The two privilege bits alone count nothing. */
	return pmu_try(pmu_msr(MSR_IA32_PERFEVTSEL(0)), PERFEVTSEL_USR | PERFEVTSEL_OS);
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

/* Returns count: V. Weaver, D. Terpstra, S. Moore (ISPASS 2013), of Core 2 to Haswell. */
static unsigned features(const struct intel_cpu *cpu, uint64_t capabilities)
{
	unsigned f = PMU_SELECT | PMU_THRESHOLD | PMU_EDGE | PMU_PRIVILEGE | PMU_USER_ALONE |
		     PMU_LVT_MASKS | PMU_INVERT_FILTERED | PMU_RETURN_COUNTS;

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
static void name_general(const struct intel_cpu *cpu, struct pmu_counter *c, unsigned i,
			 bool full_width)
{
	if (i >= INTEL_OLD_NAMES) {
		c->ctl = pmu_msr(MSR_IA32_PMC_GP_CFG_A(i));
		c->ctr = pmu_msr(MSR_IA32_PMC_GP_CTR(i));
		return;
	}
	c->ctl = pmu_msr(MSR_IA32_PERFEVTSEL(i));
	c->ctr = pmu_msr(full_width ? MSR_IA32_A_PMC(i) : MSR_IA32_PMC(i));
	if (full_width)
		c->ctr_alias = pmu_msr(MSR_IA32_PMC(i));
	if (cpu->new_names)
		c->ctl_alias = pmu_msr(MSR_IA32_PMC_GP_CFG_A(i));
}

static struct pmu_counter general_counter(const struct intel_cpu *cpu, unsigned i, bool full_width)
{
	struct pmu_counter c = {
		.enable = PERFEVTSEL_EN,
		.rdpmc = i,
		.width = (uint8_t)cpu->width,
		.write_bits = (uint8_t)(full_width ? cpu->width : LEGACY_WRITE_BITS),
		.global_bit = (uint8_t)i,
		.strict = full_width,
	};

	name_general(cpu, &c, i, full_width);
	return c;
}

/* Errata BJ054, BV036: a value written to a fixed counter that is about to overflow is corrupted,
 * unless it is 0. */
static struct pmu_counter fixed_counter(const struct intel_cpu *cpu, unsigned i)
{
	return (struct pmu_counter){
		.ctl = pmu_msr(MSR_IA32_FIXED_CTR_CTRL),
		.ctr = pmu_msr(MSR_IA32_FIXED_CTR(i)),
		.ctr_alias = cpu->new_names ? pmu_msr(MSR_IA32_PMC_FX_CTR(i)) : (struct pmu_reg){0},
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

	for (unsigned i = 0; i < INTEL_GENERAL_MAX; i++)
		if (cpu->numbers >> i & 1)
			intel->counter[c++] = general_counter(cpu, i, full_width);
	for (unsigned i = 0; i < INTEL_FIXED_MAX; i++)
		if (cpu->fixed >> i & 1)
			intel->counter[c++] = fixed_counter(cpu, i);
	pmu->counting = counting_of(cpu);
	pmu->counter = intel->counter;
	pmu->counters = c;
}

/* They stay armed when their counters stop. */
static void fill_reload(struct intel *intel, bool arch_pebs)
{
	const uint64_t reloaded = intel->cpu.reloaded;
	const uint64_t recorded = arch_pebs ? intel->cpu.recorded : 0;

	for (unsigned c = 0; c < INTEL_COUNTERS_MAX; c++) {
		const struct pmu_counter *counter = &intel->counter[c];

		if (!counter->width)
			continue;
		if (reloaded >> counter->global_bit & 1)
			intel->shared[intel->bank.shared_count++] = intel_cfg_b(counter);
		if ((reloaded | recorded) >> counter->global_bit & 1)
			intel->shared[intel->bank.shared_count++] = intel_cfg_c(counter);
	}
}

/* Registers that belong to no counter, where they are documented. */
static void fill_shared(struct pmu *pmu)
{
	struct intel *intel = pmu->state;
	const bool arch_lbr = pmu->branches && !intel->lbr.entries;
	const bool arch_pebs = pmu->sampler && intel_pebs_is_architectural(intel);
	const bool store = pmu->sampler && !arch_pebs;
	const struct {
		uint32_t msr;
		bool there;
		uint32_t rests;
	} shared[] = {
		{MSR_PERF_METRICS, pmu->metrics, 0},
		{MSR_IA32_PEBS_INDEX, arch_pebs, 0},
		{MSR_IA32_PEBS_BASE, arch_pebs, 0},
		{MSR_IA32_DS_AREA, store, 0},
		{MSR_PEBS_DATA_CFG, store && intel_pebs_is_adaptive(intel), 0},
		{MSR_PEBS_ENABLE, store, 0},
		{MSR_LBR_SELECT, pmu->branches && intel->lbr.select, 0},
		{MSR_IA32_LBR_DEPTH, arch_lbr, intel_arch_lbr_entries(&intel->cpu)},
		{MSR_IA32_LBR_CTL, arch_lbr, 0},
		{MSR_IA32_DEBUGCTL, true, 0},
		{MSR_TSX_FORCE_ABORT, intel->cpu.force_abort, 0},
		{MSR_OFFCORE_RSP(0), intel_offcore(&intel->cpu, 0) != 0, 0},
		{MSR_OFFCORE_RSP(1), intel_offcore(&intel->cpu, 1) != 0, 0},
		{MSR_PEBS_FRONTEND, intel_frontend(&intel->cpu).select != 0, 0},
		{MSR_PEBS_LD_LAT_THRESHOLD, pmu->sampler && intel_load_latency(&intel->cpu).select,
		 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
		struct pmu_reg reg = pmu_msr(shared[i].msr);

		reg.rests = shared[i].rests;
		if (shared[i].there)
			intel->shared[intel->bank.shared_count++] = reg;
	}
	fill_reload(intel, arch_pebs);
	intel->bank.shared = intel->shared;
	intel->bank.saved = intel->saved;
	pmu->bank = &intel->bank;
	if (pmu->features & PMU_GLOBAL)
		intel->bank.gate = pmu_msr(MSR_GLOBAL_CTRL);
}

static void describe_promise(struct intel *intel)
{
	const struct intel_cpu *cpu = &intel->cpu;
	size_t length =
		fmt_print(intel->promised, sizeof(intel->promised),
			  "performance monitoring of version %u: %u general counters, fixed %x",
			  cpu->version, cpu->general_promised, cpu->fixed_promised);

	if (cpu->leaf_23)
		fmt_print(intel->promised + length, sizeof(intel->promised) - length,
			  "; of this core: %x, fixed %x", cpu->numbers, cpu->fixed);
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
	if (intel_has_arch_samples(intel))
		pmu->sampler = intel_arch_sampler(intel);
	else if (intel_has_samples(intel))
		pmu->sampler = intel_sampler(intel);
	if (intel_has_branches(&intel->lbr))
		pmu->branches = intel_branches(intel);
	else if (intel_has_arch_branches(cpu))
		pmu->branches = intel_arch_branches(intel);
	if (cpu->version >= 2)
		pmu->metrics = intel_metrics(pmu);
	fill_shared(pmu);
	fill_masks(pmu, cpu, capabilities);
	describe_promise(intel);
	pmu->notes[0] = intel->promised;
	pmu->notes[1] = cpu->note;
	pmu->shortest_period = cpu->shortest_period;
	pmu->revision = cpu->part;
	pmu->told_by = told_by(cpu);
}

const char *intel_try_gate(const struct pmu *pmu)
{
	if (!pmu->bank->gate.space || pmu_has_gate(pmu, pmu->bank->gate))
		return NULL;
	return "IA32_PERF_GLOBAL_CTRL faults or keeps no bit, which this version has";
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
	if (pmu->silent)
		return false;
	fill(pmu);
	pmu->silent = intel_try_gate(pmu);
	return !pmu->silent;
}

const struct pmu_ops pmu_intel = {
	.name = "intel",
	.title = "Intel core counters",
	.manual = "SDM vol. 3B, 20.1 to 20.6",
	.processors =
		"Intel from the Pentium Pro on, by CPUID 0AH version 1 to 6, except family 0Fh",
	.errata = intel_errata,
	.may_have = intel_may_have,
	.overcounts = intel_overcounts,
	.state_size = sizeof(struct intel),
	.probe = probe,
	.reset = intel_reset,
};
PMU_DRIVER(pmu_intel);
