/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD core counters from the Athlon on: identification, encoding and the per-counter registers. */
#include "amd.h"

#define FAMILY_K7  0x06u
#define FAMILY_K8  0x0fu
#define FAMILY_ZEN 0x17u

static bool is_amd(const struct cpu_identity *id)
{
	return !memcmp(id->vendor, "AuthenticAMD", 12) || !memcmp(id->vendor, "HygonGenuine", 12);
}

/* Revision B of family 10h has both engines, and no leaf that tells: Linux, IBS_CAPS_DEFAULT. */
static uint32_t identify_sampling(unsigned family)
{
	uint32_t features = cpuid_if_there(0x8000001b, 0).eax;

	if (family == 0x10 && !(features & CPUID_8000001B_EAX_VALID))
		features = CPUID_8000001B_EAX_VALID | CPUID_8000001B_EAX_FETCH_SAM |
			   CPUID_8000001B_EAX_OP_SAM;
	return features;
}

static void identify_counters(struct amd_cpu *cpu)
{
	struct cpuid_regs v2 = cpuid_if_there(0x80000022, 0);

	cpu->svm = cpuid_if_there(0x80000001, 0).ecx & CPUID_80000001_ECX_SVM;
	cpu->extended = cpuid_if_there(0x80000001, 0).ecx & CPUID_80000001_ECX_PERF_CTR_EXT_CORE;
	cpu->perfmon_v2 = cpu->extended && v2.eax & CPUID_80000022_EAX_PERF_MON_V2;
	cpu->counters = cpu->extended ? AMD_EXTENDED_COUNTERS : AMD_LEGACY_COUNTERS;
	if (cpu->perfmon_v2)
		cpu->counters = (unsigned)field_get(CPUID_80000022_EBX_NUM_PERF_CTR_CORE, v2.ebx);
	if (v2.eax & CPUID_80000022_EAX_LBR_STACK)
		cpu->branches = (unsigned)field_get(CPUID_80000022_EBX_LBR_STACK_SIZE, v2.ebx);
	cpu->brs = cpuid_if_there(0x80000008, 0).ebx & CPUID_80000008_EBX_BRS && !cpu->perfmon_v2 &&
		   !cpu->branches;
	if (cpuid_if_there(0x80000001, 0).ecx & CPUID_80000001_ECX_IBS)
		cpu->ibs = identify_sampling(cpu->family);
	cpu->freezes = cpu->perfmon_v2 && v2.eax & CPUID_80000022_EAX_LBR_PMC_FREEZE;
}

/* K5 and K6 have no PMU of this kind; the Geode LX, of family 5, has a different one. */
bool amd_identify(const struct cpu_identity *id, struct amd_cpu *cpu)
{
	if (!is_amd(id) || id->family < FAMILY_K7)
		return false;
	*cpu = (struct amd_cpu){
		.family = id->family, .model = id->model, .signature = id->signature};
	identify_counters(cpu);
	return true;
}

static void fill_counters(struct pmu *pmu, const struct amd_cpu *cpu)
{
	struct amd *amd = pmu->state;

	for (unsigned i = 0; i < cpu->counters; i++) {
		bool has_alias = cpu->extended && i < AMD_LEGACY_COUNTERS;

		amd->counter[i] = (struct pmu_counter){
			.ctl = pmu_msr(cpu->extended ? MSR_PERF_CTL(i) : MSR_PERF_LEGACY_CTL(i)),
			.ctr = pmu_msr(cpu->extended ? MSR_PERF_CTR(i) : MSR_PERF_LEGACY_CTR(i)),
			.enable = PERF_CTL_EN,
			.rdpmc = i,
			.width = AMD_COUNTER_WIDTH,
			.write_bits = AMD_COUNTER_WIDTH,
			.global_bit = (uint8_t)i,
		};
		if (has_alias) {
			amd->counter[i].ctl_alias = pmu_msr(MSR_PERF_LEGACY_CTL(i));
			amd->counter[i].ctr_alias = pmu_msr(MSR_PERF_LEGACY_CTR(i));
		}
	}
	pmu->counter = amd->counter;
	pmu->counters = cpu->counters;
	pmu->bank = &amd->bank;
	amd->bank.saved = amd->saved;
}

/* Records go on last. */
static void fill_shared(struct amd *amd, bool branches)
{
	const struct {
		uint32_t msr;
		bool there;
		uint32_t rests;
	} shared[AMD_SHARED_MAX] = {
		{MSR_DEBUGCTL, amd->cpu.freezes || amd->cpu.pair, 0},
		{MSR_LAST_BRANCH_STACK_SELECT, branches, 0},
		{MSR_DEBUG_EXTN_CTL, branches, 0},
		{MSR_DEBUG_EXTN_CFG, amd->cpu.brs, DEBUG_EXTN_CFG_MUST_BE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
		struct pmu_reg *reg = &amd->shared[amd->bank.shared_count];

		if (!shared[i].there)
			continue;
		*reg = pmu_msr(shared[i].msr);
		reg->rests = shared[i].rests;
		amd->bank.shared_count++;
	}
	amd->bank.shared = amd->shared;
}

/* The 11h guide allows masks up to 3, the retire width; its ancestors share that pipeline.  From
 * Zen on 7Fh.  In between the retire width of the core. */
static unsigned max_threshold(unsigned family)
{
	switch (family) {
	case 0x14:
	case 0x16:
		return 2;
	case 0x15:
		return 4;
	default:
		return family >= FAMILY_ZEN ? 0x7f : 3;
	}
}

static unsigned features(const struct amd_cpu *cpu)
{
	/* V. Weaver, D. Terpstra, S. Moore (ISPASS 2013), of families 10h to 17h: each return from
	 * an interrupt or a fault; the guide of K7 counts exceptions. */
	unsigned f = PMU_SELECT | PMU_THRESHOLD | PMU_EDGE | PMU_PRIVILEGE | PMU_USER_ALONE |
		     PMU_RETURN_COUNTS;

	/* In their totals of family 17h each SYSRET counts in ring 3, and no SYSCALL does. */
	if (cpu->family >= FAMILY_ZEN)
		f |= PMU_TARGET_RING;
	if (apic_present())
		f |= PMU_INTERRUPT;
	if (cpu->family <= FAMILY_K8)
		f |= PMU_PIN_CONTROL;
	if (cpu->svm && cpu->family >= 0x10 && cpu->family != 0x11)
		f |= PMU_HOST_GUEST;
	if (amd_part(cpu->family, cpu->model) != AMD_BOBCAT)
		f |= PMU_UNIT_MASK;
	if (cpu->freezes)
		f |= PMU_FREEZE;
	return f;
}

/* LsSmiRx of the PPRs from Zen 2 on, and of AMD's later list for Zen. */
static const struct pmu_event smis = {.name = "SMIs received", .code = 0x02b};

/* KVM refuses these bits of its guests. */
static bool can_freeze(void)
{
	return !pmu_try(pmu_msr(MSR_DEBUGCTL),
			DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PMC_ON_PMI);
}

bool amd_fill(struct pmu *pmu, const struct amd_cpu *cpu)
{
	struct amd *amd = pmu->state;

	fill_counters(pmu, cpu);
	/* CPUID does not tell whether a hypervisor really provides the registers.  The two
	 * privilege bits alone count nothing, and every real part keeps them. */
	pmu->silent = pmu_try(pmu->counter[0].ctl, PERF_CTL_USR | PERF_CTL_OS);
	if (pmu->silent)
		return false;
	amd->cpu = *cpu;
	amd->cpu.freezes = cpu->freezes && can_freeze();
	amd->cpu.pair = cpu->family >= FAMILY_K8 && amd_has_pair();
	amd->cpu.brs = cpu->brs && amd_has_brs();
	pmu->branches = amd_branches(amd);
	fill_shared(amd, pmu->branches);
	pmu->revision = cpu->signature;
	pmu->smis = cpu->family >= FAMILY_ZEN ? &smis : NULL;
	amd_events(amd_part(cpu->family, cpu->model), cpu->counters, amd->events);
	pmu->events = amd->events;
	pmu->features = features(&amd->cpu);
	pmu->max_threshold = max_threshold(cpu->family);
	pmu->ctl_writable = PERF_CTL_COMMON;
	pmu->ctl_writable |= cpu->family <= FAMILY_K8 ? PERF_CTL_PC : PERF_CTL_EVENT_HIGH;
	pmu->ctl_enable = PERF_CTL_EN;
	pmu->ctl_reserved = ~pmu->ctl_writable & ~(PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY);
	return true;
}

static uint64_t flag(bool set, uint64_t field)
{
	return set ? field : 0;
}

static uint64_t select_event(const struct pmu_event *event)
{
	return field_put(PERF_CTL_EVENT_LOW, event->code & 0xff) |
	       field_put(PERF_CTL_EVENT_HIGH, (uint64_t)event->code >> 8) |
	       field_put(PERF_CTL_UNIT_MASK, event->unit_mask);
}

uint64_t amd_select_all(const struct pmu_event *event)
{
	return select_event(event) | PERF_CTL_USR | PERF_CTL_OS;
}

const char *amd_program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg)
{
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;
	uint64_t ctl = select_event(&pmu->events[cfg->event]);

	if (threshold > field_max(PERF_CTL_CNT_MASK))
		return "threshold too large for CNT_MASK";
	ctl |= field_put(PERF_CTL_CNT_MASK, threshold);
	ctl |= flag(cfg->user, PERF_CTL_USR) | flag(cfg->kernel, PERF_CTL_OS);
	ctl |= flag(cfg->edge, PERF_CTL_E) | flag(cfg->below, PERF_CTL_INV);
	ctl |= flag(cfg->interrupt, PERF_CTL_INT) | flag(cfg->pin_control, PERF_CTL_PC);
	wrmsr(pmu_number(pmu->counter[ctr].ctl), ctl);
	return NULL;
}

static const struct pmu_counting counting = {
	.program = amd_program,
	.select_all = amd_select_all,
	.start = pmu_set_enables,
	.stop = pmu_clear_enables,
};

static bool probe(struct pmu *pmu, const struct cpu_identity *id)
{
	struct amd_cpu cpu;

	pmu->counting = &counting;
	return amd_identify(id, &cpu) && !cpu.perfmon_v2 && amd_fill(pmu, &cpu);
}

const struct pmu_ops pmu_amd = {
	.name = "amd",
	.title = "AMD core counters",
	.manual = "AMD64 APM vol. 2 (24593), 13.2; Athlon guide (22007), app. D",
	.processors = "AMD families 6 (Athlon) to 1Ah, and Hygon: 4 counters, or 6",
	.errata = amd_errata,
	.overcounts = amd_overcounts,
	.state_size = sizeof(struct amd),
	.probe = probe,
};
PMU_DRIVER(pmu_amd);
