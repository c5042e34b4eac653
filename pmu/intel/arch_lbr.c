/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel core PMUs: architectural last-branch records.  SDM vol. 3B, 19.1: IA32_LBR_CTL and on. */
#include "intel.h"

/* Bits of IA32_LBR_CTL, from the lowest of LBR_CTL_KINDS on. */
static const uint8_t kind_bits[BRANCH_KINDS] = {
	[BRANCH_CONDITIONAL] = 0,   [BRANCH_RELATIVE_JMP] = 1,  [BRANCH_INDIRECT_JMP] = 2,
	[BRANCH_RELATIVE_CALL] = 3, [BRANCH_INDIRECT_CALL] = 4, [BRANCH_RETURN] = 5,
	[BRANCH_FAR] = 6,
};

/* LBR_INFO_BR_TYPE; all others are far ones. */
static const uint8_t types[] = {
	BRANCH_CONDITIONAL,   BRANCH_INDIRECT_JMP,  BRANCH_RELATIVE_JMP,
	BRANCH_INDIRECT_CALL, BRANCH_RELATIVE_CALL, BRANCH_RETURN,
};

/* ---- what is recorded ---- */

static uint64_t control_of(const struct pmu_branching *what)
{
	uint64_t kinds = 0;

	for (unsigned kind = 0; kind < BRANCH_KINDS; kind++)
		if (what->kinds >> kind & 1)
			kinds |= BIT(kind_bits[kind]);
	return field_put(LBR_CTL_KINDS, kinds) | (what->kernel ? LBR_CTL_OS : 0) |
	       (what->user ? LBR_CTL_USR : 0) | (what->call_stack ? LBR_CTL_CALL_STACK : 0);
}

/* Without a filter all is recorded, and its bits are reserved. */
static const char *refusal(const struct intel_cpu *cpu, const struct pmu_branching *what)
{
	const uint64_t has = intel_arch_lbr_control(cpu);

	if (!(has & LBR_CTL_KINDS) && what->kinds != BIT(BRANCH_KINDS) - 1)
		return "these records have no filter of kinds";
	if (!(has & LBR_CTL_OS) && !(what->user && what->kernel))
		return "these records have no filter of rings";
	if (what->call_stack && !(has & LBR_CTL_CALL_STACK))
		return "these records are no call stack";
	/* Linux, intel_pmu_lbr_enable(): its calls and returns would get out of step. */
	return what->call_stack && what->stops_at_interrupt ? "a call stack cannot be frozen"
							    : NULL;
}

static void stop_at_interrupt(bool stops)
{
	uint64_t others = intel_debugctl() & ~DEBUGCTL_FREEZE_LBRS_ON_PMI;

	wrmsr(MSR_IA32_DEBUGCTL, others | (stops ? DEBUGCTL_FREEZE_LBRS_ON_PMI : 0));
}

static const char *prepare(const struct pmu *pmu, const struct pmu_branching *what,
			   struct msr_switch *by)
{
	const struct intel_cpu *cpu = &intel(pmu)->cpu;
	const char *why = refusal(cpu, what);

	if (why)
		return why;
	wrmsr(MSR_IA32_LBR_CTL, 0);
	wrmsr(MSR_IA32_LBR_DEPTH, what->entries ? what->entries : intel_arch_lbr_entries(cpu));
	stop_at_interrupt(what->stops_at_interrupt);
	by->msr = MSR_IA32_LBR_CTL;
	by->off = control_of(what) & intel_arch_lbr_control(cpu);
	by->on = by->off | LBR_CTL_EN;
	return NULL;
}

static void stop(const struct pmu *pmu)
{
	(void)pmu;
	wrmsr(MSR_IA32_LBR_CTL, 0);
	stop_at_interrupt(false);
}

/* ---- records ---- */

/* Any write of the depth, the same one too, clears all of them. */
static void clear(const struct pmu *pmu)
{
	(void)pmu;
	wrmsr(MSR_IA32_LBR_DEPTH, rdmsr(MSR_IA32_LBR_DEPTH));
}

static enum pmu_branch_kind kind_of(uint64_t info)
{
	uint64_t type = field_get(LBR_INFO_BR_TYPE, info);

	return type < ARRAY_SIZE(types) ? (enum pmu_branch_kind)types[type] : BRANCH_FAR;
}

static struct pmu_branch read(const struct pmu *pmu, unsigned age)
{
	struct pmu_branch none = {0};
	uint64_t info;

	(void)pmu;
	if (age >= rdmsr(MSR_IA32_LBR_DEPTH) || !rdmsr(MSR_IA32_LBR_FROM_IP(age)))
		return none;
	info = rdmsr(MSR_IA32_LBR_INFO(age));
	return (struct pmu_branch){
		.from = rdmsr(MSR_IA32_LBR_FROM_IP(age)),
		.to = rdmsr(MSR_IA32_LBR_TO_IP(age)),
		.kind = kind_of(info),
		.timed = info & LBR_INFO_CYC_CNT_VALID,
		.clocks = (unsigned)field_get(LBR_INFO_CYC_CNT, info),
		.mispredicted = info & LBR_INFO_MISPRED,
	};
}

/* ---- the facet ---- */

static uint32_t contents(uint32_t ecx)
{
	return (ecx & CPUID_1C_ECX_BR_TYPE ? (uint32_t)BRANCH_HAS_KIND : 0) |
	       (ecx & CPUID_1C_ECX_CYC_CNT ? (uint32_t)BRANCH_HAS_CLOCKS : 0) |
	       (ecx & CPUID_1C_ECX_MISPRED ? (uint32_t)BRANCH_HAS_MISPREDICTED : 0);
}

const struct pmu_branches *intel_arch_branches(struct intel *intel)
{
	const uint64_t control = intel_arch_lbr_control(&intel->cpu);

	intel->branches = (struct pmu_branches){
		.entries = intel_arch_lbr_entries(&intel->cpu),
		.sizes = field_get(CPUID_1C_EAX_DEPTHS, intel->cpu.leaf_1c.eax),
		.has = contents(intel->cpu.leaf_1c.ecx),
		.clocks_most = (unsigned)field_max(LBR_INFO_CYC_CNT),
		.hides = true,
		.filters = control & LBR_CTL_KINDS ? (uint32_t)BIT(BRANCH_KINDS) - 1 : 0,
		.rings = control & LBR_CTL_OS,
		.call_stack = control & LBR_CTL_CALL_STACK,
		.prepare = prepare,
		.stop = stop,
		.clear = clear,
		.read = read,
		.interrupts = true,
	};
	return &intel->branches;
}
