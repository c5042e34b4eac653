/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records by the kind of the branch: each filter, the call stack, interrupts. */
#include "branches.h"

#define GROUP      "lbr", "access"
#define LBR_SELECT "SDM vol. 3B, 17.7.2, 17.8, 17.9; AMD64 APM vol. 2, 13.1.1: LBR_SELECT"

#define BRANCHES   8u

#pragma GCC visibility push(hidden)
extern asm_code branch_kinds;
extern const struct {
	int32_t from, to;
	uint32_t kind;
} branch_kinds_branches[BRANCHES];

extern asm_code branch_nested;
extern const char branch_nested_outer[], branch_nested_first[], branch_nested_inner[],
	branch_nested_third[];
#pragma GCC visibility pop

/* ---- kinds ---- */

/* Record number age is of that branch, and says its kind where records do. */
static void check_row(struct run *t, unsigned age, unsigned i)
{
	const char *base = (const char *)(uintptr_t)branch_kinds;
	struct pmu_branch branch = t->pmu->branches->read(t->pmu, age);

	check_branch(t, age, base + branch_kinds_branches[i].from,
		     base + branch_kinds_branches[i].to);
	if (t->pmu->branches->has & BRANCH_HAS_KIND)
		CHECK_EQ(t, branch.kind, branch_kinds_branches[i].kind);
}

/* All branches but those of these kinds are there, and in order, where the filters can do that. */
static void check_without(struct run *t, uint32_t kinds)
{
	const struct pmu_branching what = branches_but(kinds);
	unsigned age = 0;

	if (!branches_call(t, &what, branch_kinds, NULL))
		return;
	for (unsigned i = BRANCHES; i-- > 0;)
		if (!(kinds >> branch_kinds_branches[i].kind & 1))
			check_row(t, age++, i);
	CHECK_EQ(t, branches_recorded(t->pmu), age);
	if (t->failed)
		report_diag("without kinds %x", kinds);
}

TEST(each_kind,
     "the filter keeps branches of a kind out, and no others, and records tell the right kind",
     .clause = LBR_SELECT, .needs = PMU_BRANCHES, .absent = no_branch_filter)
{
	const uint32_t filters = t->pmu->branches->filters;

	check_without(t, 0);
	for (uint32_t left = filters; left; left &= left - 1) {
		check_without(t, left & -left);
		check_without(t, filters & ~(left & -left));
	}
}

/* ---- the call stack ---- */

ABSENT_UNLESS(no_call_stack, pmu->branches->call_stack,
	      "records as a call stack: not on this part, or not documented of it")

TEST(call_stack, "as a call stack the ring holds the calls that have not returned",
     .clause = "SDM vol. 3B, 17.9: EN_CALLSTACK", .needs = PMU_BRANCHES, .absent = no_call_stack)
{
	const struct pmu_branching what = {.kinds = FIELD(BRANCH_RETURN, BRANCH_RELATIVE_CALL),
					   .kernel = true,
					   .call_stack = true};

	REQUIRE(t, branches_call(t, &what, branch_nested, NULL));
	check_branch(t, 0, branch_nested_inner, branch_nested_third);
	check_branch(t, 1, branch_nested_outer, branch_nested_first);
	check_branch(t, 2, NULL, NULL);
}

/* ---- interrupts ---- */

static const char *no_interrupts(const struct pmu *pmu, unsigned ctr)
{
	const char *why = no_branch_filter(pmu, ctr);

	return why || pmu->branches->interrupts
		       ? why
		       : "whether interrupts are among the far branches is not documented";
}

static void overflow_in_ring_3(struct run *t)
{
	const struct pmu_branching far = {.kinds = BIT(BRANCH_FAR), .user = true, .kernel = true};
	struct window w = {.n = 1,
			   .c = {{.cfg = gated(EV_INSTRUCTIONS), .from = preset_for(t, 40)}},
			   .work = in_ring3(&payload_straight, 100),
			   .lvt = VECTOR_PMI};

	w.c[0].cfg.interrupt = true;
	branches_start(t, &far);
	window_run(t, &w);
	t->pmu->branches->stop(t->pmu);
	REQUIRE_EQ(t, t->log.count, 1);
}

/*
 * Far transfers alone: to ring 3, the interrupt, back from it, and the gate to ring 0.  Of AAJ018
 * and its like (to Broadwell) only the very end of the lower half of all addresses is at stake.
 * Where exactly an interrupt is from is documented nowhere.
 */
TEST(interrupt, "an interrupt is recorded from where it came to its handler, and back",
     .clause = "SDM vol. 3B, 17.4.1, 17.4.4: branches, exceptions and interrupts",
     .needs = PMU_BRANCHES | PMU_INTERRUPT, .counts = EV_INSTRUCTIONS, .absent = no_interrupts)
{
	struct pmu_branch to_handler, back;

	overflow_in_ring_3(t);
	CHECK_EQ(t, branches_recorded(t->pmu), 4);
	to_handler = t->pmu->branches->read(t->pmu, 2);
	back = t->pmu->branches->read(t->pmu, 1);
	CHECK(t, in_user_text(to_handler.from));
	CHECK(t, !in_user_text(to_handler.to));
	CHECK(t, !in_user_text(back.from));
	CHECK_EQ(t, back.to, t->log.rip);
	if (t->pmu->branches->has & BRANCH_HAS_KIND)
		CHECK(t, to_handler.kind == BRANCH_FAR && back.kind == BRANCH_FAR);
}
