/* SPDX-License-Identifier: BSD-2-Clause */
/* The pair of branch records, and branch sampling, while drawn programs run. */
#include "amd.h"
#include "tests/random/random.h"

#define GROUP "random", "rare"

static void report(const struct program *program, unsigned number)
{
	report_diag("program %u of seed %llu, %u turns:", number,
		    (unsigned long long)programs_seed(), program->turns);
	program_report(program);
}

/* ---- the pair ---- */

struct last {
	unsigned ring;
	uint32_t where; /* the exception is */
};

/* In ring 0, from the RET that ends it: where to is the caller's.  No exception comes. */
static struct wrong judge_return(const struct msr_switch *by)
{
	const uint64_t from = rdmsr(MSR_LAST_EXCEPTION_FROM_IP),
		       to = rdmsr(MSR_LAST_EXCEPTION_TO_IP);
	struct wrong wrong = {0};

	image_prepare_buffer();
	msr_switch_call(by, (asm_code *)(uintptr_t)user_code, image_now.turns, user_buffer());
	wrong_unless(&wrong, "LastBranchFromIP", rdmsr(MSR_LAST_BRANCH_FROM_IP),
		     (uintptr_t)user_code + image_now.end);
	wrong_unless(&wrong, "LastExceptionFromIP", rdmsr(MSR_LAST_EXCEPTION_FROM_IP), from);
	wrong_unless(&wrong, "LastExceptionToIP", rdmsr(MSR_LAST_EXCEPTION_TO_IP), to);
	return wrong;
}

/* By an erratum targets may be wrong.  What leads into the program is not known. */
static struct wrong judge_exception(const struct run *t, unsigned place)
{
	const bool targets = !pmu_effect(t->pmu, LAST_TARGET_MISTOLD);
	const struct pmu_branch *last = &route_now.at[(route_now.taken - 1) % ROUTE_MAX];
	struct wrong wrong = {0};

	wrong_unless(&wrong, "LastBranchFromIP", rdmsr(MSR_LAST_BRANCH_FROM_IP),
		     (uintptr_t)user_code + place);
	if (targets)
		wrong_unless(&wrong, "LastBranchToIP", rdmsr(MSR_LAST_BRANCH_TO_IP),
			     (uintptr_t)msr_switch_trap);
	if (!route_now.taken)
		return wrong;
	wrong_unless(&wrong, "LastExceptionFromIP", rdmsr(MSR_LAST_EXCEPTION_FROM_IP), last->from);
	if (targets)
		wrong_unless(&wrong, "LastExceptionToIP", rdmsr(MSR_LAST_EXCEPTION_TO_IP),
			     last->to);
	return wrong;
}

static struct wrong try(struct run *t, const struct program *program, const struct last *last)
{
	const uint64_t off = rdmsr(MSR_DEBUGCTL) & ~DEBUGCTL_LBR;
	const struct msr_switch by = {.on = off | DEBUGCTL_LBR, .off = off, .msr = MSR_DEBUGCTL};
	struct wrong wrong;
	unsigned place;

	image_load(program);
	if (!reach_find(last->ring ? RING_3 : RING_0, last->where, &place))
		return (struct wrong){.what = "single steps", .least = 1, .most = 1};
	reach_run(place, last->ring, &by);
	wrong = judge_exception(t, place);
	return wrong.what || last->ring ? wrong : judge_return(&by);
}

static bool fails(struct run *t, const struct program *program, const void *trial)
{
	return try(t, program, trial).what;
}

/* An interrupt of others may come in between, but not twice. */
TEST(last,
     "the last branch that a drawn program takes, or the one before an exception, is recorded",
     .clause = "AMD64 APM vol. 2, 13.1.1: LastBranchFromIP, LastExceptionFromIP",
     .driver = &pmu_amd, .drawn = true, .absent = no_pair)
{
	for (unsigned n = 0; n < programs_drawn() && !t->failed; n++) {
		struct draw draw = draw_of(programs_seed(), n);
		const struct last last = {draw_below(&draw, 4), draw_below(&draw, 1 << 16)};
		struct program program = program_draw(&draw, 0);
		struct wrong wrong;

		if (!fails(t, &program, &last) || !fails(t, &program, &last))
			continue;
		program = program_shrink(t, program, fails, &last);
		wrong = try(t, &program, &last);
		report_diag("%s; in ring %u, up to %x", wrong.what, last.ring, last.where);
		report(&program, n);
		CHECK_EQ(t, wrong.got, wrong.least);
	}
}

/* ---- branch sampling ---- */

/* So many branches may be left out behind an overflow. */
enum { SLACK = 16 };

static void run_sampled(const struct brs_run *by)
{
	image_prepare_buffer();
	wrmsr(by->arm.msr, by->arm.on);
	msr_switch_call(&by->preset, (asm_code *)(uintptr_t)user_code, image_now.turns,
			user_buffer());
	wrmsr(by->arm.msr, rdmsr(by->arm.msr) & ~DEBUG_EXTN_CFG_BRSMEN);
}

/* But for the RET that ends it, which goes to where nobody knows. */
static bool is_of_program(unsigned record)
{
	const uint64_t place = rdmsr(MSR_SAMP_BR_FROM(record)) - (uintptr_t)user_code;

	return place < USER_CODE_SIZE && place != image_now.end;
}

/* From this branch on the program's records are of one after the other. */
static bool is_followed(unsigned first, unsigned records)
{
	for (unsigned i = 0; i < records; i++) {
		const struct pmu_branch *branch = &route_now.at[first + i];
		const uint64_t from = rdmsr(MSR_SAMP_BR_FROM(i));

		if (first + i >= route_now.taken || brs_target(i) != branch->to ||
		    (from != branch->from && !is_fused(from, branch)))
			return false;
	}
	return true;
}

/* The oldest first; the last ones may be of what is behind the program. */
static struct wrong judge_samples(uint64_t config, uint64_t overflows_at)
{
	const unsigned n = brs_recorded(config);
	unsigned own = 0, first = (unsigned)overflows_at - 2;
	struct wrong wrong = {0};

	while (own < n && is_of_program(own))
		own++;
	while (first < route_now.taken && !is_followed(first, own))
		first++;
	wrong_unless(&wrong, "the order of records", own && first == route_now.taken, 0);
	if (route_now.taken > overflows_at + AMD_SAMPLED_BRANCHES + SLACK)
		wrong_unless(&wrong, "records", own, AMD_SAMPLED_BRANCHES);
	return wrong;
}

static struct wrong sample(struct run *t, uint64_t overflows_at)
{
	return judge_samples(brs_sample(t, run_sampled, true, overflows_at, 0), overflows_at);
}

TEST(sampled_branches, "behind an overflow the branches that a drawn program takes are recorded",
     .clause = "AMD PPR, family 19h models 00h to 0Fh: Branch Sampling", .driver = &pmu_amd,
     .needs = PMU_INTERRUPT, .counts = EV_TAKEN_BRANCHES, .drawn = true, .absent = no_brs)
{
	for (unsigned n = 0; n < programs_drawn() && !t->failed; n++) {
		struct draw draw = draw_of(programs_seed(), n);
		const struct program program = program_draw(&draw, 0);
		uint64_t overflows_at;
		struct wrong wrong;
		unsigned place;

		image_load(&program);
		REQUIRE(t, reach_find(RING_0, 0, &place));
		if (route_now.taken > ROUTE_MAX)
			continue;
		overflows_at = 2 + draw_below(&draw, route_now.taken + 1);
		wrong = sample(t, overflows_at);
		if (wrong.what)
			wrong = sample(t, overflows_at);
		CHECK_EQ(t, t->log.count, 1);
		if (!wrong.what)
			continue;
		report_diag("%s; overflow with branch %u", wrong.what, (unsigned)overflows_at);
		report(&program, n);
		CHECK_EQ(t, wrong.got, wrong.least);
	}
	brs_forget();
}
