/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records: from where to where, in which order, and which ones. */
#include "branches.h"

#define GROUP "lbr", "access"
#define LBR   "SDM vol. 3B, 17.4, 17.12; AMD64 APM vol. 2, 13.1.1: last branch recording"

/* More than CPUID can promise. */
#define LINKS 72u

#pragma GCC visibility push(hidden)
extern asm_code branch_chain;
extern const char branch_chain_entry[], branch_chain_links[LINKS + 1][4];
#pragma GCC visibility pop

static const char *last_links(unsigned n)
{
	return branch_chain_links[LINKS - n];
}

/* The jump into the chain is branch 0, and the branches of the links follow. */
static void check_chain(struct run *t, unsigned entries, unsigned links)
{
	struct pmu_branching what = all_branches;
	unsigned kept;

	what.entries = entries;
	REQUIRE(t, branches_call(t, &what, branch_chain, last_links(links)));
	kept = branches_kept(t->pmu, entries, links + 1);
	CHECK_EQ(t, branches_recorded(t->pmu), kept);
	for (unsigned i = links + 1 - kept; i <= links; i++) {
		const char *to = last_links(links - i);

		check_branch(t, links - i, i ? to - 4 : branch_chain_entry, to);
	}
}

TEST(from_to, "each branch taken is recorded from where to where, in order", .clause = LBR,
     .needs = PMU_BRANCHES)
{
	unsigned entries = t->pmu->branches->entries;

	check_chain(t, entries, 1);
	check_chain(t, entries, entries - 1);
	/* Stopped: nothing. */
	t->pmu->branches->clear(t->pmu);
	kernel_call(payload_branches.entry, entries, user_buffer());
	CHECK_EQ(t, branches_recorded(t->pmu), 0);
}

TEST(untaken, "branches that are not taken leave no record", .clause = LBR, .needs = PMU_BRANCHES)
{
	REQUIRE(t, branches_call(t, &all_branches, branch_untaken, NULL));
	CHECK_EQ(t, branches_recorded(t->pmu), 0);
}

/* The last ones of many. */
static void check_stretch(struct run *t, unsigned entries, unsigned branches)
{
	struct pmu_branching what = all_branches;
	unsigned kept;

	what.entries = entries;
	REQUIRE(t, branches_call(t, &what, branch_stretch, (void *)(uintptr_t)(branches - 1)));
	kept = branches_kept(t->pmu, entries, branches);
	check_branch(t, 0, branch_stretch_out, branch_stretch_off);
	for (unsigned age = 1; age < kept; age++)
		check_branch(t, age, branch_stretch_end, branch_stretch_back);
}

static void check_depth(struct run *t, unsigned entries)
{
	check_chain(t, entries, entries - 2);
	check_chain(t, entries, entries);
	check_chain(t, entries, entries + 3);
	if (t->failed)
		report_diag("%u entries", entries);
}

TEST(depth, "there are as many records as documented, and a newer one takes the oldest",
     .clause = LBR, .needs = PMU_BRANCHES)
{
	const unsigned entries = t->pmu->branches->entries;

	check_depth(t, entries);
	for (unsigned n = 2 * entries; n <= BRANCHES_IN_A_ROW && !t->failed; n += entries)
		check_stretch(t, entries, n);
	for (uint64_t sizes = t->pmu->branches->sizes; sizes; sizes &= sizes - 1)
		check_depth(t, 8 * (lowest_bit(sizes) + 1));
}

/* ---- filters ---- */

/* Checks the records of three jumps behind an indirect one, as far as these kinds can be left out
 * alone. */
static void check_jumps(struct run *t, uint32_t kinds, unsigned left)
{
	const struct pmu_branching what = branches_but(kinds);

	if (branches_call(t, &what, branch_chain, last_links(3)))
		CHECK_EQ(t, branches_recorded(t->pmu), left);
}

/* A record of rings of which one is left out does not tell where in that one a branch was. */
static void check_sources(struct run *t, bool user)
{
	const struct pmu_branches *branches = t->pmu->branches;

	for (unsigned age = 0; age < branches->entries; age++) {
		uint64_t from = branches->read(t->pmu, age).from;

		if (from && from != ~UINT64_C(0))
			CHECK_EQ(t, in_user_text(from), user);
	}
}

/* Branches that end in this ring are recorded, or branches that end elsewhere. */
static void check_ring(struct run *t, unsigned ring, bool user, bool kernel)
{
	const struct pmu_branches *branches = t->pmu->branches;
	struct pmu_branching what = all_branches;
	unsigned n = 0;

	what.user = user;
	what.kernel = kernel;
	branches_start(t, &what);
	ring_call(ring, payload_branches.entry, 1, user_buffer(), 0);
	branches->stop(t->pmu);
	for (unsigned age = 0; age < branches->entries; age++)
		n += in_user_text(branches->read(t->pmu, age).to);
	CHECK_EQ(t, n > 0, user);
	CHECK_EQ(t, branches_recorded(t->pmu) > n, kernel);
	if (branches->hides && user != kernel)
		check_sources(t, user);
}

TEST(filter, "a kind or ring of branches filtered out leaves no record, and others do",
     .clause = LBR, .needs = PMU_BRANCHES, .absent = no_branch_filter)
{
	check_jumps(t, FIELD(BRANCH_FAR, BRANCH_CONDITIONAL), 0);
	check_jumps(t, FIELD(BRANCH_FAR, BRANCH_RELATIVE_CALL), 0);
	check_jumps(t, BIT(BRANCH_INDIRECT_JMP) | BIT(BRANCH_RELATIVE_JMP), 0);
	check_jumps(t, BIT(BRANCH_INDIRECT_JMP), 3);
	check_jumps(t, BIT(BRANCH_RELATIVE_JMP), 1);
	for (unsigned ring = 1; ring <= 3 && t->pmu->branches->rings; ring++) {
		check_ring(t, ring, true, false);
		check_ring(t, ring, false, true);
		check_ring(t, ring, false, false);
	}
}
