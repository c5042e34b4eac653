/* SPDX-License-Identifier: BSD-2-Clause */
/* The pair of branch records: the last branch, and the last one before an exception. */
#include "amd.h"
#include "tests/branches/branches.h"

#define GROUP "pair", "access"
#define PAIR                                                                                       \
	"AMD64 APM vol. 2, 13.1.1: DebugCtl, LastBranchFromIP, LastBranchToIP, "                   \
	"LastExceptionFromIP, LastExceptionToIP"

#define BRANCHES 7u

#pragma GCC visibility push(hidden)
extern const char pair_first[];
extern const struct {
	int32_t code, from, to;
} pair_branches[BRANCHES];
extern asm_code pair_exception;
extern const char pair_exception_from[], pair_exception_to[], pair_exception_at[],
	pair_exception_end[];
#pragma GCC visibility pop

const char *no_pair(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return ((const struct amd *)pmu->state)->cpu.pair
		       ? NULL
		       : "no pair of branch records, or none that is documented of this processor";
}

#define PAIR_TEST(name, claim)                                                                     \
	TEST(name, claim, .clause = PAIR, .driver = &pmu_amd, .absent = no_pair)

struct pair {
	uint64_t from, to, exception_from, exception_to;
};

static struct pair read_pair(void)
{
	return (struct pair){rdmsr(MSR_LAST_BRANCH_FROM_IP), rdmsr(MSR_LAST_BRANCH_TO_IP),
			     rdmsr(MSR_LAST_EXCEPTION_FROM_IP), rdmsr(MSR_LAST_EXCEPTION_TO_IP)};
}

static struct msr_switch recording(void)
{
	const uint64_t off = rdmsr(MSR_DEBUGCTL) & ~DEBUGCTL_LBR;

	return (struct msr_switch){.on = off | DEBUGCTL_LBR, .off = off, .msr = MSR_DEBUGCTL};
}

static void run_with(asm_code *code, uintptr_t argument)
{
	const struct msr_switch by = recording();

	kernel_call(code, (uintptr_t)&by, (void *)argument);
}

static void run(asm_code *code)
{
	run_with(code, 0);
}

/* By an erratum a target may be wrong, and with it the one that an exception has saved. */
static void check_target(struct run *t, uint64_t got, uint64_t want)
{
	const struct pmu_erratum *mistold = pmu_effect(t->pmu, LAST_TARGET_MISTOLD);

	if (got != want && mistold && !t->failed)
		test_known(t, mistold->id);
	CHECK_EQ(t, got, want);
}

/* The last branch is this one, and what an exception has saved is as it was. */
static void check_last(struct run *t, unsigned branch, const struct pair *before)
{
	const struct pair now = read_pair();

	CHECK_EQ(t, now.exception_from, before->exception_from);
	CHECK_EQ(t, now.exception_to, before->exception_to);
	CHECK_EQ(t, now.from, (uintptr_t)pair_first + (uintptr_t)pair_branches[branch].from);
	check_target(t, now.to, (uintptr_t)pair_first + (uintptr_t)pair_branches[branch].to);
}

/* ---- branches ---- */

static void run_branch(unsigned branch)
{
	run((asm_code *)(uintptr_t)(pair_first + pair_branches[branch].code));
}

PAIR_TEST(branch, "the last branch is recorded, whatever its kind, from where to where")
{
	const struct pair before = read_pair();

	for (unsigned i = 0; i < BRANCHES; i++) {
		run_branch(i);
		check_last(t, i, &before);
	}
	for (unsigned n = 1; n < BRANCHES_IN_A_ROW && !t->failed; n++) {
		run_with(branch_stretch, n);
		CHECK_EQ(t, rdmsr(MSR_LAST_BRANCH_FROM_IP), (uintptr_t)branch_stretch_out);
		check_target(t, rdmsr(MSR_LAST_BRANCH_TO_IP), (uintptr_t)branch_stretch_off);
	}
}

PAIR_TEST(untaken, "branches that are not taken leave the records as they are")
{
	const struct pair before = read_pair();

	run_branch(0);
	run(branch_untaken);
	check_last(t, 0, &before);
}

PAIR_TEST(stopped, "while DebugCtl bit 0 is clear no branch changes the records")
{
	const struct pair before = read_pair();

	run_branch(0);
	kernel_call(payload_branches.entry, 10, user_buffer());
	check_last(t, 0, &before);
}

/* ---- an exception ---- */

static bool go_on(struct trap_frame *frame, void *arg)
{
	(void)arg;
	frame->ip = (uintptr_t)pair_exception_end;
	return true;
}

/* The handler stops recording by its first write, ahead of any branch. */
PAIR_TEST(exception,
	  "an exception is recorded from its instruction to its handler, and the branch before it")
{
	struct msr_switch at_once = recording();
	struct pair pair;

	at_once.on = at_once.off;
	trap_set_handler(FAULT_UD, go_on, NULL);
	msr_switch_by_trap(FAULT_UD, &at_once);
	run(pair_exception);
	msr_switch_by_trap(FAULT_UD, NULL);
	trap_set_handler(FAULT_UD, NULL, NULL);
	pair = read_pair();
	CHECK_EQ(t, pair.from, (uintptr_t)pair_exception_at);
	CHECK_EQ(t, pair.exception_from, (uintptr_t)pair_exception_from);
	check_target(t, pair.to, (uintptr_t)msr_switch_trap);
	check_target(t, pair.exception_to, (uintptr_t)pair_exception_to);
}

/* ---- registers ---- */

PAIR_TEST(read_only, "the records cannot be written: WRMSR raises #GP, and changes nothing")
{
	const struct pair before = read_pair();

	run_branch(0);
	for (uint32_t msr = MSR_LAST_BRANCH_FROM_IP; msr <= MSR_LAST_EXCEPTION_TO_IP; msr++)
		CHECK_WRMSR(t, msr, 0, FAULT_GP);
	check_last(t, 0, &before);
}
