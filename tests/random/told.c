/* SPDX-License-Identifier: BSD-2-Clause */
/* What a record says of an instruction of a program, and what that is and has done. */
#include "random.h"

enum { LINE = 64 };

/* Each kind of instruction is to be told of now and then; where one is of several ops, as a locked
 * one, by one of them at least. */
enum { SOME = 24 };
enum kind { BRANCHES, TARGETS, LOADS, STORES, LOCKS, LINEARS, PHYSICALS, WIDTHS, KINDS };
static struct {
	unsigned records, told;
} kinds[KINDS];

static const struct pmu_erratum *mistold;

void told_begin(void)
{
	memset(kinds, 0, sizeof(kinds));
	mistold = NULL;
}

static void note(enum kind kind, bool told)
{
	kinds[kind].records++;
	kinds[kind].told += told;
}

void told_end(struct run *t)
{
	for (unsigned i = 0; i < KINDS; i++) {
		const unsigned some = i == LOCKS ? 2 * SOME : SOME;

		if (!CHECK(t, kinds[i].records < some || kinds[i].told))
			report_diag("kind %u of %u records", i, kinds[i].records);
	}
	if (!t->failed && mistold)
		test_known(t, mistold->id);
	own_end(t);
}

/* Wrong, but for parts of which that is published. */
static void check(struct run *t, enum pmu_effect effect, bool right)
{
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, effect);

	if (right)
		return;
	if (erratum)
		mistold = erratum;
	else
		CHECK(t, right);
}

/* ---- where ---- */

static bool is_between(uint64_t at, const char *from, const char *to)
{
	return at >= (uintptr_t)from && at < (uintptr_t)to;
}

/* All that is executed meanwhile is the program, the kernel, and the way back from ring 3; ahead of
 * a branch that is not there yet, the lines behind it are fetched, too. */
static bool is_ours(uint64_t at)
{
	return is_between(at, user_code, user_code + USER_CODE_SIZE) ||
	       is_between(at, text_start, text_end) ||
	       is_between(at + LINE, user_return, user_return + 3 * LINE);
}

bool told_foreign(const struct pmu_sample *sample)
{
	if (sample->has & SAMPLE_EVENT_IP)
		return !is_ours(sample->event_ip);
	return sample->has & SAMPLE_LINEAR && !is_ours(sample->linear);
}

/* ---- branches ---- */

static bool may_be_one_with_next(const struct note *n)
{
	const unsigned all = SAMPLE_IS_LOAD | SAMPLE_IS_STORE | SAMPLE_IS_LOCKED;

	return !n->width && n->touches == all;
}

/* The target of a branch that was not taken is what follows it; one over nothing goes there, too.
 */
static void judge_target(struct run *t, const struct pmu_sample *s, uint64_t ip, uint64_t behind)
{
	const int32_t *distance = (const int32_t *)(uintptr_t)behind - 1;
	bool taken = s->is & SAMPLE_IS_TAKEN;

	if (!(s->has & SAMPLE_TARGET))
		return;
	check(t, TARGET_MISTOLD,
	      trace_goes(ip, s->target) &&
		      (taken == (s->target != behind) || (taken && !*distance)));
}

static void judge_branch(struct run *t, const struct pmu_sample *s, const struct note *n)
{
	const bool says = s->has & SAMPLE_BRANCH;
	uint64_t ip = s->event_ip;

	if (n->is & (IS_JUMP | IS_CONDITIONAL)) {
		note(BRANCHES, says);
		note(TARGETS, s->has & SAMPLE_TARGET || !(t->pmu->sampler->has & SAMPLE_TARGET));
	}
	if (!says || may_be_one_with_next(n))
		return;
	if (s->is & SAMPLE_IS_FUSED && !(n->is & IS_BRANCH)) {
		ip += n->length;
		n = note_at((uintptr_t)ip);
	}
	check(t, SAMPLES_MISTOLD,
	      n->is & IS_BRANCH && (n->is & IS_CONDITIONAL || s->is & SAMPLE_IS_TAKEN) &&
		      !(s->is & SAMPLE_IS_RETURN) == !(n->is & IS_RETURN));
	if (n->is & IS_BRANCH)
		judge_target(t, s, ip, ip + n->length);
}

/* ---- accesses ---- */

/* Our page tables map each page to itself.  What lies across eight bytes may be two accesses. */
static void judge_operand(struct run *t, const struct pmu_sample *s, const struct note *n)
{
	const uint64_t at = (uintptr_t)user_buffer() + n->where;
	const unsigned both = SAMPLE_IS_LOAD | SAMPLE_IS_STORE;

	if (!n->width || n->where % 8 + n->width > 8)
		return;
	if ((n->touches & both) != both) {
		note(LINEARS, s->has & SAMPLE_LINEAR);
		note(PHYSICALS, s->has & SAMPLE_PHYSICAL);
		note(WIDTHS, s->has & SAMPLE_WIDTH || !(t->pmu->sampler->has & SAMPLE_WIDTH));
	}
	check(t, SAMPLES_MISTOLD,
	      (!(s->has & SAMPLE_LINEAR) || s->linear == at) &&
		      (!(s->has & SAMPLE_PHYSICAL) || s->physical == at) &&
		      (!(s->has & SAMPLE_WIDTH) || s->width == n->width));
}

/* Calls and returns access the stack, by one of their ops. */
static void judge_access(struct run *t, const struct pmu_sample *s, const struct note *n)
{
	const unsigned is = s->is & (SAMPLE_IS_LOAD | SAMPLE_IS_STORE | SAMPLE_IS_LOCKED);

	if (n->is & IS_BRANCH)
		return;
	check(t, SAMPLES_MISTOLD, !(is & ~(unsigned)n->touches));
	if (n->touches == SAMPLE_IS_LOAD)
		note(LOADS, is);
	if (n->touches == SAMPLE_IS_STORE)
		note(STORES, is);
	if (n->width && n->touches & SAMPLE_IS_LOCKED)
		note(LOCKS, is & SAMPLE_IS_LOCKED);
	judge_operand(t, s, n);
}

/* ---- all ---- */

static void judge_op(struct run *t, const struct pmu_sample *s)
{
	const uint64_t place = s->event_ip - (uintptr_t)user_code;
	const struct note *n = note_at((uintptr_t)s->event_ip);
	bool executed = trace_next(0, s->event_ip) < trace_now.n;

	CHECK(t, s->from_tag >= s->from_completion || pmu_effect(t->pmu, RETIREMENT_MISTOLD));
	if (place >= AT_ENTRY)
		return;
	check(t, SAMPLES_MISTOLD, n->is && executed);
	if (!n->is)
		return;
	judge_branch(t, s, n);
	judge_access(t, s, n);
}

void told_judge(struct run *t, const struct pmu_sample *sample)
{
	if (!(t->pmu->sampler->has & SAMPLE_EVENT_IP)) {
		note(PHYSICALS, sample->has & SAMPLE_PHYSICAL);
		check(t, FETCH_MISPLACED,
		      !told_foreign(sample) && (!(sample->has & SAMPLE_PHYSICAL) ||
						sample->physical == sample->linear));
	} else if (sample->has & SAMPLE_EVENT_IP) {
		check(t, SAMPLES_MISTOLD, !told_foreign(sample));
		judge_op(t, sample);
	}
}
