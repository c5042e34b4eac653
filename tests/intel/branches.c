/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records: from where to where, in which order, and which ones. */
#include "intel.h"

#define GROUP "lbr"
#define LBR   "Intel SDM vol. 3B, 17.4, 17.12: last branch, interrupt and exception recording"

#define LINKS 40u

#pragma GCC visibility push(hidden)
extern void intel_chain(uint64_t debugctl, const char *link);
extern const char intel_chain_entry[], intel_chain_links[LINKS + 1][4];
#pragma GCC visibility pop

/* MSR_LBR_SELECT: 1 suppresses. */
#define LBR_SELECT_CPL_EQ_0     BIT(0)
#define LBR_SELECT_CPL_NEQ_0    BIT(1)
#define LBR_SELECT_NEAR_IND_JMP BIT(6)
#define LBR_SELECT_NEAR_REL_JMP BIT(7)

struct intel_lbr branches_clear(void)
{
	struct intel_cpu cpu = this_cpu();
	struct intel_lbr lbr = intel_lbr(&cpu);

	for (unsigned i = 0; i < lbr.entries; i++) {
		wrmsr(lbr.from + i, 0);
		wrmsr(lbr.to + i, 0);
	}
	return lbr;
}

unsigned branches_recorded(const struct intel_lbr *lbr)
{
	unsigned n = 0;

	for (unsigned i = 0; i < lbr->entries; i++)
		n += rdmsr(lbr->from + i) != 0;
	return n;
}

/* Flags and clocks stand above an address. */
static uint64_t address(uint32_t msr)
{
	return (uint64_t)((int64_t)(rdmsr(msr) << 16) >> 16);
}

static unsigned newest(const struct intel_lbr *lbr)
{
	return (unsigned)rdmsr(MSR_LASTBRANCH_TOS) & (lbr->entries - 1);
}

static void run_chain(uint64_t debugctl, unsigned links)
{
	intel_chain(debugctl, intel_chain_links[LINKS - links]);
}

/* The chain's entry is branch 0, and those of the links follow it. */
static void check_chain(struct run *t, unsigned links)
{
	struct intel_lbr lbr = branches_clear();
	unsigned before = newest(&lbr), first = links < lbr.entries ? 0 : links + 1 - lbr.entries;

	run_chain(DEBUGCTL_LBR, links);
	CHECK_EQ(t, newest(&lbr), (before + links + 1) % lbr.entries);
	CHECK_EQ(t, branches_recorded(&lbr), links + 1 - first);
	for (unsigned i = first; i <= links; i++) {
		unsigned slot = (before + 1 + i) % lbr.entries;
		const char *to = intel_chain_links[LINKS - links + i];

		CHECK_EQ(t, address(lbr.from + slot), (uintptr_t)(i ? to - 4 : intel_chain_entry));
		CHECK_EQ(t, address(lbr.to + slot), (uintptr_t)to);
	}
}

INTEL_TEST(from_to,
	   "each branch taken is recorded from where to where, in order, the newest at TOS",
	   .clause = LBR, .needs = PMU_BRANCH_RECORDS)
{
	struct intel_lbr lbr = branches_clear();

	check_chain(t, 1);
	check_chain(t, lbr.entries - 1);
	/* Not enabled: nothing. */
	branches_clear();
	run_chain(0, lbr.entries);
	CHECK_EQ(t, branches_recorded(&lbr), 0);
}

INTEL_TEST(depth,
	   "the ring holds its documented number of records, and a newer one takes the oldest",
	   .clause = LBR, .needs = PMU_BRANCH_RECORDS)
{
	struct intel_lbr lbr = branches_clear();

	check_chain(t, lbr.entries);
	check_chain(t, lbr.entries + 3);
}

static void check_selected(struct run *t, uint64_t suppress, unsigned left)
{
	struct intel_lbr lbr = branches_clear();

	wrmsr(MSR_LBR_SELECT, suppress);
	run_chain(DEBUGCTL_LBR, 3);
	wrmsr(MSR_LBR_SELECT, 0);
	CHECK_EQ(t, branches_recorded(&lbr), left);
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

/* Records of branches that end in ring 3; the others in *elsewhere. */
static unsigned ended_in_ring3(uint64_t suppress, unsigned *elsewhere)
{
	struct intel_lbr lbr = branches_clear();
	unsigned n = 0;

	wrmsr(MSR_LBR_SELECT, suppress);
	wrmsr(MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	user_call(payload_branches.entry, 1, user_buffer(), 0);
	wrmsr(MSR_IA32_DEBUGCTL, 0);
	wrmsr(MSR_LBR_SELECT, 0);
	for (unsigned i = 0; i < lbr.entries; i++) {
		uint64_t to = address(lbr.to + i);

		n += to >= (uintptr_t)user_text_start && to < (uintptr_t)user_text_end;
	}
	*elsewhere = branches_recorded(&lbr) - n;
	return n;
}

INTEL_TEST(filter, "a kind or ring of branches filtered out leaves no record, and others do",
	   .clause = LBR, .needs = PMU_BRANCH_RECORDS)
{
	struct intel_cpu cpu = this_cpu();
	unsigned elsewhere;

	SKIP_IF(t, !intel_lbr(&cpu).select, "this ring has no MSR_LBR_SELECT");
	check_kinds(t, cpu.part);
	CHECK(t, ended_in_ring3(LBR_SELECT_CPL_EQ_0, &elsewhere) > 0);
	CHECK_EQ(t, elsewhere, 0);
	CHECK_EQ(t, ended_in_ring3(LBR_SELECT_CPL_NEQ_0, &elsewhere), 0);
	CHECK(t, elsewhere > 0);
}
