/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records by the kind of the branch: each bit of MSR_LBR_SELECT, the call stack,
 * interrupts. */
#include "branches.h"

#define GROUP      "lbr", "access"
#define LBR_SELECT "Intel SDM vol. 3B, 17.7.2, 17.8, 17.9: MSR_LBR_SELECT"

/* MSR_LBR_SELECT: 1 suppresses, but for the last one. */
#define LBR_SELECT_CPL_NEQ_0 BIT(1)
#define LBR_SELECT_JCC       BIT(2)
#define LBR_SELECT_JUMPS     FIELD(7, 6) /* near indirect, near relative */
#define LBR_SELECT_NEAR      FIELD(7, 3) /* calls, returns, jumps */
#define LBR_SELECT_FAR       BIT(8)
#define LBR_SELECT_KINDS     FIELD(8, 2)
#define LBR_SELECT_CALLSTACK BIT(9)

#define BRANCHES             8u

#pragma GCC visibility push(hidden)
extern asm_code intel_kinds;
extern const struct {
	int32_t from, to;
	uint32_t kind;
} intel_kinds_branches[BRANCHES];

extern asm_code intel_nested;
extern const char intel_nested_outer[], intel_nested_first[], intel_nested_inner[],
	intel_nested_third[];
#pragma GCC visibility pop

static void run_under(const struct pmu *pmu, uint64_t select, asm_code *code)
{
	pmu->branches->clear(pmu);
	wrmsr(MSR_LBR_SELECT, select);
	kernel_call(code, DEBUGCTL_LBR, NULL);
	wrmsr(MSR_LBR_SELECT, 0);
}

static void check_branch(struct run *t, unsigned age, const char *from, const char *to)
{
	struct pmu_branch branch = t->pmu->branches->read(t->pmu, age);

	CHECK_EQ(t, branch.from, (uintptr_t)from);
	CHECK_EQ(t, branch.to, (uintptr_t)to);
}

/* ---- kinds ---- */

static const char *no_filter(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return intel(pmu)->lbr.select ? NULL : "this ring of records has no MSR_LBR_SELECT";
}

/* On some parts the filters of jumps also drop calls and returns. */
static bool may_judge(const struct pmu *pmu, uint64_t suppress)
{
	enum intel_part part = intel(pmu)->cpu.part;

	return (part != INTEL_NEHALEM && part != INTEL_SILVERMONT) ||
	       !(suppress & LBR_SELECT_JUMPS) || !(~suppress & LBR_SELECT_NEAR);
}

/* All branches but those of these kinds are there, and in order. */
static void check_without(struct run *t, uint64_t suppress)
{
	const char *base = (const char *)(uintptr_t)intel_kinds;
	unsigned age = 0;

	if (!may_judge(t->pmu, suppress))
		return;
	run_under(t->pmu, suppress, intel_kinds);
	for (unsigned i = BRANCHES; i-- > 0;)
		if (!(suppress >> intel_kinds_branches[i].kind & 1))
			check_branch(t, age++, base + intel_kinds_branches[i].from,
				     base + intel_kinds_branches[i].to);
	CHECK_EQ(t, branches_recorded(t->pmu), age);
	if (t->failed)
		report_diag("MSR_LBR_SELECT = %llx", (unsigned long long)suppress);
}

INTEL_TEST(each_kind, "a bit of the filter keeps branches of its kind out, and no others",
	   .clause = LBR_SELECT, .needs = PMU_BRANCHES, .absent = no_filter)
{
	check_without(t, 0);
	for (uint64_t left = LBR_SELECT_KINDS; left; left &= left - 1) {
		check_without(t, left & -left);
		check_without(t, LBR_SELECT_KINDS & ~(left & -left));
	}
}

/* ---- the call stack ---- */

static const char *no_call_stack(const struct pmu *pmu, unsigned ctr)
{
	enum intel_part part = intel(pmu)->cpu.part;

	(void)ctr;
	return part >= INTEL_HASWELL && part <= INTEL_ICELAKE
		       ? NULL
		       : "records as a call stack: not on this part, or not documented of it";
}

INTEL_TEST(call_stack, "as a call stack the ring holds the calls that have not returned",
	   .clause = "Intel SDM vol. 3B, 17.9: EN_CALLSTACK", .needs = PMU_BRANCHES,
	   .absent = no_call_stack)
{
	unsigned entries = t->pmu->branches->entries;
	uint64_t before = rdmsr(MSR_LASTBRANCH_TOS);

	run_under(t->pmu,
		  LBR_SELECT_CALLSTACK | LBR_SELECT_CPL_NEQ_0 | LBR_SELECT_JCC | LBR_SELECT_JUMPS |
			  LBR_SELECT_FAR,
		  intel_nested);
	CHECK_EQ(t, (rdmsr(MSR_LASTBRANCH_TOS) - before) % entries, 2);
	check_branch(t, 0, intel_nested_inner, intel_nested_third);
	check_branch(t, 1, intel_nested_outer, intel_nested_first);
}

/* ---- interrupts ---- */

static bool in_user_text(uint64_t ip)
{
	return ip >= (uintptr_t)user_text_start && ip < (uintptr_t)user_text_end;
}

static void overflow_in_ring_3(struct run *t)
{
	struct window w = {.n = 1,
			   .c = {{.cfg = gated(EV_INSTRUCTIONS), .from = preset_for(t, 40)}},
			   .work = in_ring3(&payload_straight, 100),
			   .lvt = VECTOR_PMI};

	w.c[0].cfg.interrupt = true;
	t->pmu->branches->clear(t->pmu);
	wrmsr(MSR_LBR_SELECT, LBR_SELECT_KINDS & ~LBR_SELECT_FAR);
	wrmsr(MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
	window_run(t, &w);
	wrmsr(MSR_IA32_DEBUGCTL, 0);
	wrmsr(MSR_LBR_SELECT, 0);
	REQUIRE_EQ(t, t->log.count, 1);
}

/*
 * Far transfers alone: to ring 3, the interrupt, back from it, and the gate to ring 0.  Of AAJ018
 * and its like (to Broadwell) only the very end of the lower half of all addresses is at stake.
 * Where exactly an interrupt is from is documented nowhere.
 */
INTEL_TEST(interrupt, "an interrupt is recorded from where it came to its handler, and back",
	   .clause = "Intel SDM vol. 3B, 17.4.1, 17.4.4: branches, exceptions and interrupts",
	   .needs = PMU_BRANCHES | PMU_INTERRUPT, .counts = EV_INSTRUCTIONS, .absent = no_filter)
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
}
