/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records: from where to where, in which order, and which ones. */
#include "branches.h"

#define GROUP "lbr", "access"
#define LBR   "Intel SDM vol. 3B, 17.4, 17.12: last branch, interrupt and exception recording"

#define LINKS 40u

#pragma GCC visibility push(hidden)
extern asm_code intel_chain;
extern const char intel_chain_entry[], intel_chain_links[LINKS + 1][4];
#pragma GCC visibility pop

/* MSR_LBR_SELECT: 1 suppresses. */
#define LBR_SELECT_CPL_EQ_0     BIT(0)
#define LBR_SELECT_CPL_NEQ_0    BIT(1)
#define LBR_SELECT_NEAR_IND_JMP BIT(6)
#define LBR_SELECT_NEAR_REL_JMP BIT(7)

static unsigned newest(const struct pmu *pmu)
{
	return (unsigned)rdmsr(MSR_LASTBRANCH_TOS) & (pmu->branches->entries - 1);
}

static void run_chain(uint64_t debugctl, unsigned links)
{
	kernel_call(intel_chain, debugctl, (void *)(uintptr_t)intel_chain_links[LINKS - links]);
}

/* The jump into the chain is branch 0, and the branches of the links follow. */
static void check_chain(struct run *t, unsigned links)
{
	const struct pmu_branches *ring = t->pmu->branches;
	unsigned before = newest(t->pmu);
	unsigned first = links < ring->entries ? 0 : links + 1 - ring->entries;

	ring->clear(t->pmu);
	run_chain(DEBUGCTL_LBR, links);
	CHECK_EQ(t, newest(t->pmu), (before + links + 1) % ring->entries);
	CHECK_EQ(t, branches_recorded(t->pmu), links + 1 - first);
	for (unsigned i = first; i <= links; i++) {
		struct pmu_branch branch = ring->read(t->pmu, links - i);
		const char *to = intel_chain_links[LINKS - links + i];

		CHECK_EQ(t, branch.from, (uintptr_t)(i ? to - 4 : intel_chain_entry));
		CHECK_EQ(t, branch.to, (uintptr_t)to);
	}
}

INTEL_TEST(from_to,
	   "each branch taken is recorded from where to where, in order, the newest at TOS",
	   .clause = LBR, .needs = PMU_BRANCHES)
{
	unsigned entries = t->pmu->branches->entries;

	check_chain(t, 1);
	check_chain(t, entries - 1);
	/* Not enabled: nothing. */
	t->pmu->branches->clear(t->pmu);
	run_chain(0, entries);
	CHECK_EQ(t, branches_recorded(t->pmu), 0);
}

INTEL_TEST(depth,
	   "the ring holds its documented number of records, and a newer one takes the oldest",
	   .clause = LBR, .needs = PMU_BRANCHES)
{
	check_chain(t, t->pmu->branches->entries);
	check_chain(t, t->pmu->branches->entries + 3);
}

static void check_selected(struct run *t, uint64_t suppress, unsigned left)
{
	t->pmu->branches->clear(t->pmu);
	wrmsr(MSR_LBR_SELECT, suppress);
	run_chain(DEBUGCTL_LBR, 3);
	wrmsr(MSR_LBR_SELECT, 0);
	CHECK_EQ(t, branches_recorded(t->pmu), left);
}

static void check_kinds(struct run *t, enum intel_part part)
{
	check_selected(t, LBR_SELECT_NEAR_IND_JMP | LBR_SELECT_NEAR_REL_JMP, 0);
	/* On these the two filters work together only. */
	if (part == INTEL_NEHALEM || part == INTEL_SILVERMONT)
		return;
	check_selected(t, LBR_SELECT_NEAR_IND_JMP, 3);
	check_selected(t, LBR_SELECT_NEAR_REL_JMP, 1);
}

/* Branches that end in this ring are recorded, or branches that end elsewhere. */
static void check_ring(struct run *t, unsigned ring, uint64_t suppress, bool in_ring,
		       bool elsewhere)
{
	const struct pmu *pmu = t->pmu;
	unsigned n = 0;

	pmu->branches->clear(pmu);
	wrmsr(MSR_LBR_SELECT, suppress);
	wrmsr(MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	ring_call(ring, payload_branches.entry, 1, user_buffer(), 0);
	wrmsr(MSR_IA32_DEBUGCTL, 0);
	wrmsr(MSR_LBR_SELECT, 0);
	for (unsigned age = 0; age < pmu->branches->entries; age++) {
		uint64_t to = pmu->branches->read(pmu, age).to;

		n += to >= (uintptr_t)user_text_start && to < (uintptr_t)user_text_end;
	}
	CHECK_EQ(t, n > 0, in_ring);
	CHECK_EQ(t, branches_recorded(pmu) > n, elsewhere);
}

static const char *no_filter(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return intel(pmu)->lbr.select ? NULL : "this ring of records has no MSR_LBR_SELECT";
}

INTEL_TEST(filter, "a kind or ring of branches filtered out leaves no record, and others do",
	   .clause = LBR, .needs = PMU_BRANCHES, .absent = no_filter)
{
	check_kinds(t, intel(t->pmu)->cpu.part);
	for (unsigned ring = 1; ring <= 3; ring++) {
		check_ring(t, ring, LBR_SELECT_CPL_EQ_0, true, false);
		check_ring(t, ring, LBR_SELECT_CPL_NEQ_0, false, true);
		check_ring(t, ring, LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0, false, false);
	}
}
