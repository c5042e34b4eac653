/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of the last branches, APM vol. 2, 13.1.1: the stack from Zen 4 on (LbrExtV2); and whether
 * there are the pair of all families from K8 on, and branch sampling (BRS). */
#include "amd.h"

/* ---- the pair ---- */

bool amd_has_pair(void)
{
	uint64_t value;

	for (uint32_t msr = MSR_LAST_BRANCH_FROM_IP; msr <= MSR_LAST_EXCEPTION_TO_IP; msr++)
		if (rdmsr_safe(msr, &value) != FAULT_NONE)
			return false;
	return !pmu_try(pmu_msr(MSR_DEBUGCTL), DEBUGCTL_LBR);
}

/* ---- branch sampling ---- */

/* It is given back as it was, even where that is not what it must be. */
static bool keeps_brs(void)
{
	const uint64_t must_be = DEBUG_EXTN_CFG_MUST_BE;
	uint64_t before, now;

	if (rdmsr_safe(MSR_DEBUG_EXTN_CFG, &before) != FAULT_NONE ||
	    wrmsr_safe(MSR_DEBUG_EXTN_CFG, before | must_be) != FAULT_NONE)
		return false;
	now = rdmsr(MSR_DEBUG_EXTN_CFG);
	wrmsr_safe(MSR_DEBUG_EXTN_CFG, before);
	return (now & must_be) == must_be;
}

bool amd_has_brs(void)
{
	return keeps_brs() &&
	       !pmu_try(pmu_msr(MSR_SAMP_BR_TO(AMD_SAMPLED_BRANCHES - 1)), FIELD(30, 6));
}

/* ---- the stack ---- */

/* Flags stand above an address of as many bits as the widest has, which is a copy of its top bit
 * there: of bit 47 or 56. */
#define ADDRESS_BITS 57

static const struct amd *amd(const struct pmu *pmu)
{
	return pmu->state;
}

static uint64_t select_of(const struct pmu_branching *what)
{
	uint64_t left_out = ~what->kinds & field_max(LAST_BRANCH_KINDS);

	return field_put(LAST_BRANCH_KINDS, left_out) | (what->kernel ? 0 : LAST_BRANCH_CPL_EQ_0) |
	       (what->user ? 0 : LAST_BRANCH_CPL_NEQ_0);
}

static const char *prepare(const struct pmu *pmu, const struct pmu_branching *what,
			   struct msr_switch *by)
{
	const bool freezes = amd(pmu)->cpu.freezes;

	if (what->call_stack)
		return "this stack of records is no call stack";
	if (what->stops_at_interrupt && !freezes)
		return "by CPUID no interrupt stops these records";
	wrmsr(MSR_LAST_BRANCH_STACK_SELECT, select_of(what));
	if (freezes)
		amd_freeze_on_interrupt(what->stops_at_interrupt ? DEBUGCTL_FREEZE_LBRS_ON_PMI : 0,
					DEBUGCTL_FREEZE_LBRS_ON_PMI);
	*by = (struct msr_switch){.msr = MSR_DEBUG_EXTN_CTL, .on = DEBUG_EXTN_CTL_LBRS};
	return NULL;
}

static void stop(const struct pmu *pmu)
{
	wrmsr(MSR_DEBUG_EXTN_CTL, 0);
	wrmsr(MSR_LAST_BRANCH_STACK_SELECT, 0);
	if (amd(pmu)->cpu.freezes)
		amd_freeze_on_interrupt(0, DEBUGCTL_FREEZE_LBRS_ON_PMI);
}

static void clear(const struct pmu *pmu)
{
	for (unsigned i = 0; i < amd(pmu)->cpu.branches; i++) {
		wrmsr(MSR_LAST_BRANCH_STACK_FROM(i), 0);
		wrmsr(MSR_LAST_BRANCH_STACK_TO(i), 0);
	}
}

static bool is_record(unsigned entry)
{
	return rdmsr(MSR_LAST_BRANCH_STACK_TO(entry)) & LAST_BRANCH_TO_VALID;
}

static unsigned failed(const struct pmu *pmu)
{
	unsigned n = 0;

	for (unsigned i = 0; i < amd(pmu)->cpu.branches; i++)
		n += (rdmsr(MSR_LAST_BRANCH_STACK_TO(i)) &
		      (LAST_BRANCH_TO_VALID | LAST_BRANCH_TO_SPEC)) == LAST_BRANCH_TO_SPEC;
	return n;
}

static uint64_t address(uint32_t msr)
{
	const unsigned flags = 64 - ADDRESS_BITS;

	return (uint64_t)((int64_t)(rdmsr(msr) << flags) >> flags);
}

/* Those of a path that proved wrong are between the others. */
static struct pmu_branch read(const struct pmu *pmu, unsigned age)
{
	for (unsigned i = 0; i < amd(pmu)->cpu.branches; i++)
		if (is_record(i) && !age--)
			return (struct pmu_branch){.from = address(MSR_LAST_BRANCH_STACK_FROM(i)),
						   .to = address(MSR_LAST_BRANCH_STACK_TO(i))};
	return (struct pmu_branch){.from = 0};
}

/* A hypervisor may show a host's CPUID without these registers: they are tried, the records by the
 * last one, and where nothing is recorded. */
static bool answers(unsigned entries)
{
	uint64_t config;

	return rdmsr_safe(MSR_DEBUG_EXTN_CTL, &config) == FAULT_NONE &&
	       !(config & ~DEBUG_EXTN_CTL_LBRS) &&
	       !pmu_try(pmu_msr(MSR_LAST_BRANCH_STACK_SELECT), LAST_BRANCH_KINDS) &&
	       (config || !pmu_try(pmu_msr(MSR_LAST_BRANCH_STACK_FROM(entries - 1)), FIELD(30, 6)));
}

const struct pmu_branches *amd_branches(struct amd *amd)
{
	if (!amd->cpu.branches || !answers(amd->cpu.branches))
		return NULL;
	amd->branches = (struct pmu_branches){
		.entries = amd->cpu.branches,
		.filters = (uint32_t)field_max(LAST_BRANCH_KINDS),
		.rings = true,
		.fuses = true,
		.prepare = prepare,
		.stop = stop,
		.clear = clear,
		.read = read,
		.failed = failed,
	};
	return &amd->branches;
}

/* ---- freezing: APM vol. 2, 13.2 ---- */

void amd_freeze_on_interrupt(uint64_t what, uint64_t of)
{
	wrmsr(MSR_DEBUGCTL, (rdmsr(MSR_DEBUGCTL) & ~of) | what);
}
