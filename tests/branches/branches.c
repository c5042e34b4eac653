/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers that tests of branch records share. */
#include "branches.h"

const struct pmu_branching all_branches = {
	.kinds = BIT(BRANCH_KINDS) - 1, .user = true, .kernel = true};

struct pmu_branching branches_but(uint32_t kinds)
{
	struct pmu_branching what = all_branches;

	what.kinds &= ~kinds;
	return what;
}

void branches_start(struct run *t, const struct pmu_branching *what)
{
	struct msr_switch by;
	const char *why = t->pmu->branches->prepare(t->pmu, what, &by);

	if (why)
		test_refused(t, why);
	t->pmu->branches->clear(t->pmu);
	wrmsr(by.msr, by.on);
}

bool branches_call(struct run *t, const struct pmu_branching *what, asm_code *code,
		   const void *argument)
{
	struct msr_switch by;

	if (t->pmu->branches->prepare(t->pmu, what, &by))
		return false;
	t->pmu->branches->clear(t->pmu);
	kernel_call(code, (uintptr_t)&by, (void *)(uintptr_t)argument);
	t->pmu->branches->stop(t->pmu);
	return true;
}

unsigned branches_kept(const struct pmu *pmu, unsigned entries, unsigned n)
{
	const struct pmu_branches *branches = pmu->branches;
	unsigned room = entries - (branches->failed ? branches->failed(pmu) : 0);

	return n < room ? n : room;
}

unsigned branches_recorded(const struct pmu *pmu)
{
	unsigned n = 0;

	for (unsigned age = 0; age < pmu->branches->entries; age++)
		n += pmu->branches->read(pmu, age).from != 0;
	return n;
}

void check_branch(struct run *t, unsigned age, const char *from, const char *to)
{
	struct pmu_branch branch = t->pmu->branches->read(t->pmu, age);

	CHECK_EQ(t, branch.from, (uintptr_t)from);
	CHECK_EQ(t, branch.to, (uintptr_t)to);
}

const char *no_branch_filter(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return pmu->branches->filters ? NULL : "these branch records have no filter";
}
