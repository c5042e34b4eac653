/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own: what a record says of the instruction that it is of. */
#include "own.h"

#define GROUP "samples", "access"

/* Only what a record says is judged.  So each kind of instruction is to be said of now and then:
 * of so many records one at least. */
enum { SOME = 4 };
struct said {
	unsigned records, said;
};

static void note(struct said *said, bool says)
{
	said->records++;
	said->said += says;
}

static bool is_missing(const struct said *said)
{
	return said->records >= SOME && !said->said;
}

static void check_said(struct run *t, const struct said *said)
{
	CHECK(t, !is_missing(said));
}

/* Of an instruction that is several ops another one may be the sampled one, each time with the same
 * chance: what is missing has some more rounds to be said in. */
enum { CHANCES = 5 };

static void judge_until_said(struct run *t, own_judge *judge, const struct said *const *said)
{
	for (unsigned i = 0; i < CHANCES; i++) {
		bool missing = false;

		own_judge_each(t, judge);
		for (const struct said *const *one = said; *one; one++)
			missing = missing || is_missing(*one);
		if (!missing)
			break;
	}
}

ABSENT_UNLESS(not_of_instructions, pmu->sampler->has &SAMPLE_EVENT_IP,
	      "this sampler's records tell of no instruction")

#define INSTRUCTION_TEST(name, claim)                                                              \
	TEST(name, claim, .clause = IBS, .needs = PMU_SAMPLER, .absent = not_of_its_instructions)

static const char *not_of_its_instructions(const struct pmu *pmu, unsigned ctr)
{
	const char *why = not_of_its_own(pmu, ctr);

	return why ? why : not_of_instructions(pmu, ctr);
}

/* ---- where ---- */

enum { LATE = 16 }; /* bytes, at most, by an erratum */
static bool late;

static void judge_place(struct run *t, const struct pmu_sample *sample, const struct known *known)
{
	uint64_t into = sample->event_ip - (uintptr_t)known_first;

	if (!known && pmu_effect(t->pmu, SAMPLES_MISTOLD)) {
		late = true;
		REQUIRE_IS(t, into, <, (uint64_t)(known_end - known_first) + LATE);
	} else {
		CHECK(t, known);
	}
}

INSTRUCTION_TEST(place, "a record is of the begin of an instruction that was executed")
{
	late = false;
	own_judge_each(t, judge_place);
	if (late)
		test_known(t, pmu_effect(t->pmu, SAMPLES_MISTOLD)->id);
}

/* ---- branches ---- */

static struct said jumps, targets;
static bool misled;

static bool is_branch(const struct known *known)
{
	return known->is >= KNOWN_JUMP;
}

static uint64_t place_of(const struct known *known)
{
	return (uintptr_t)known_first + known->at;
}

/* The target of a branch that was not taken is what follows it. */
static void check_target(struct run *t, const struct pmu_sample *sample, const struct known *branch)
{
	bool taken = sample->is & SAMPLE_IS_TAKEN;
	uint64_t to = taken ? (uintptr_t)known_first + branch->where : place_of(branch + 1);

	if (!(sample->has & SAMPLE_TARGET))
		return;
	if (pmu_effect(t->pmu, TARGET_MISTOLD))
		misled |= sample->target != to;
	else
		CHECK_EQ(t, sample->target, to);
}

static void check_branch_taken(struct run *t, const struct pmu_sample *sample,
			       const struct known *branch)
{
	bool taken = sample->is & SAMPLE_IS_TAKEN;

	if (branch->is != KNOWN_LAST)
		CHECK_EQ(t, taken, branch->is != KNOWN_NEVER);
	CHECK_EQ(t, (sample->is & SAMPLE_IS_RETURN) != 0, branch->is == KNOWN_RETURN);
	check_target(t, sample, branch);
}

/* One that is fused with the branch behind it says what that does.  Around the loop there are
 * branches, too. */
static void judge_branch(struct run *t, const struct pmu_sample *sample, const struct known *known)
{
	bool says = sample->has & SAMPLE_BRANCH;

	if (!known || known->is == KNOWN_OTHER)
		return;
	if (known->is == KNOWN_JUMP || known->is == KNOWN_NEVER) {
		note(&jumps, says);
		note(&targets, sample->has & SAMPLE_TARGET);
	}
	if (says && sample->is & SAMPLE_IS_FUSED && !is_branch(known))
		known++;
	if (says && CHECK(t, is_branch(known)))
		check_branch_taken(t, sample, known);
}

INSTRUCTION_TEST(branches,
		 "a record of a branch says whether it was taken, where to, and if it is a return")
{
	jumps = targets = (struct said){0};
	misled = false;
	judge_until_said(t, judge_branch, (const struct said *const[]){&jumps, NULL});
	check_said(t, &jumps);
	if (t->pmu->sampler->has & SAMPLE_TARGET)
		check_said(t, &targets);
	if (misled && !t->failed)
		test_known(t, pmu_effect(t->pmu, TARGET_MISTOLD)->id);
	own_end(t);
}

/* ---- accesses to memory ---- */

static struct said loads, stores, locks, linears, physicals, widths;

static bool has_operand(const struct known *known)
{
	return known->is >= KNOWN_LOAD && known->is <= KNOWN_LOCKED;
}

/* What may be said of one that loads and stores, by one of its ops or by all of it. */
static uint32_t may_be(const struct known *known)
{
	switch (known->is) {
	case KNOWN_LOAD:
		return SAMPLE_IS_LOAD;
	case KNOWN_STORE:
		return SAMPLE_IS_STORE;
	case KNOWN_BOTH:
		return SAMPLE_IS_LOAD | SAMPLE_IS_STORE;
	case KNOWN_LOCKED:
		return SAMPLE_IS_LOAD | SAMPLE_IS_STORE | SAMPLE_IS_LOCKED;
	default:
		return 0;
	}
}

/* Calls and returns access the stack, by one of their ops. */
static void judge_access(struct run *t, const struct pmu_sample *sample, const struct known *known)
{
	uint32_t is = sample->is & (SAMPLE_IS_LOAD | SAMPLE_IS_STORE);

	if (!known || known->is == KNOWN_OTHER || known->is >= KNOWN_CALL)
		return;
	if (known->is == KNOWN_LOAD)
		note(&loads, is);
	if (known->is == KNOWN_STORE)
		note(&stores, is);
	if (known->is == KNOWN_LOCKED)
		note(&locks, sample->is & SAMPLE_IS_LOCKED);
	CHECK_EQ(t, is & ~may_be(known), 0);
	CHECK_EQ(t, sample->is & SAMPLE_IS_LOCKED & ~may_be(known), 0);
}

INSTRUCTION_TEST(accesses, "a record says whether its instruction loads, stores or locks")
{
	loads = stores = locks = (struct said){0};
	judge_until_said(t, judge_access,
			 (const struct said *const[]){&loads, &stores, &locks, NULL});
	check_said(t, &loads);
	check_said(t, &stores);
	check_said(t, &locks);
	own_end(t);
}

/* Our page tables map each page to itself. */
static void judge_address(struct run *t, const struct pmu_sample *sample, const struct known *known)
{
	uint64_t at;

	if (!known || !has_operand(known))
		return;
	at = (uintptr_t)user_buffer() + known->where;
	if (known->is == KNOWN_LOAD || known->is == KNOWN_STORE) {
		note(&linears, sample->has & SAMPLE_LINEAR);
		note(&physicals, sample->has & SAMPLE_PHYSICAL);
		note(&widths, sample->has & SAMPLE_WIDTH);
	}
	if (sample->has & SAMPLE_LINEAR)
		CHECK_EQ(t, sample->linear, at);
	if (sample->has & SAMPLE_PHYSICAL)
		CHECK_EQ(t, sample->physical, at);
	if (sample->has & SAMPLE_WIDTH)
		CHECK_EQ(t, sample->width, known->width);
}

INSTRUCTION_TEST(operands,
		 "a record has the address of the operand, linear and physical, and its width")
{
	linears = physicals = widths = (struct said){0};
	judge_until_said(t, judge_address,
			 (const struct said *const[]){&linears, &physicals, NULL});
	check_said(t, &linears);
	check_said(t, &physicals);
	if (t->pmu->sampler->has & SAMPLE_WIDTH)
		check_said(t, &widths);
	own_end(t);
}

/* ---- clocks ---- */

static bool mistold;

static void judge_clocks(struct run *t, const struct pmu_sample *sample, const struct known *known)
{
	(void)known;
	if (pmu_effect(t->pmu, RETIREMENT_MISTOLD))
		mistold |= sample->from_tag < sample->from_completion;
	else
		CHECK_IS(t, sample->from_tag, >=, sample->from_completion);
}

INSTRUCTION_TEST(retirement, "an op is tagged before it completes")
{
	mistold = false;
	own_judge_each(t, judge_clocks);
	if (mistold)
		test_known(t, pmu_effect(t->pmu, RETIREMENT_MISTOLD)->id);
	own_end(t);
}
