/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks: what a failed one says, and how a test ends otherwise. */
#include "test.h"

/* A check in a loop that fails each time says enough in its first lines. */
#define FAILURES_SHOWN 6u

static void note_overcount(struct run *t)
{
	const struct pmu_overcount *published = t->pmu ? pmu_overcount(t->pmu, t->events) : NULL;

	if (published)
		t->overcount = published;
	else
		t->plain = true;
}

/* False when this failure is not to be shown. */
static bool begin_failure(struct run *t, uint64_t off)
{
	if (!t->failed)
		t->shown = t->last;
	t->failed = true;
	t->off = off > t->off ? off : t->off;
	note_overcount(t);
	t->failures++;
	if (t->failures == FAILURES_SHOWN + 1)
		report_diag("more failed checks follow, not shown");
	return t->failures <= FAILURES_SHOWN;
}

/* Only once: each counter takes two lines, and while counters run, they count that. */
static void describe_programmed(const struct run *t)
{
	if (!t->pmu || t->failures > 1)
		return;
	for (unsigned i = 0; i < t->pmu->counters; i++)
		if (t->programmed & BIT(i))
			pmu_describe(t->pmu, i);
}

/* Numbers of so many bits: one has gone below zero, and the other is no further from it. */
static bool show_wrapped(char off[32], uint64_t got, uint64_t want, uint64_t mask)
{
	uint64_t above = (got - want) & mask, below = (want - got) & mask;

	if ((got | want) & ~mask || (got <= mask / 2 && want <= mask / 2))
		return false;
	if (above <= UINT32_MAX)
		fmt_print(off, 32, ": %llu more", (unsigned long long)above);
	else if (below <= UINT32_MAX)
		fmt_print(off, 32, ": %llu less", (unsigned long long)below);
	return *off;
}

/* The bits of the counter under test, or of the first one. */
static uint64_t counter_mask(const struct run *t)
{
	return t->pmu && t->counter < t->pmu->counters ? pmu_mask(t->pmu, t->counter) : UINT64_MAX;
}

static void show_text(const struct run *t, const char *text)
{
	if (t->of)
		report_diag("%s, of counter %u", text, t->of - 1);
	else
		report_diag("%s", text);
}

/* than: "at most", or whatever stands ahead of what was expected.  The difference tells more than
 * either number where one has gone below zero, as a counter goes round or as a sum does. */
static void show_numbers(const struct run *t, const char *text, uint64_t got, const char *than,
			 uint64_t want)
{
	char off[32] = "";

	if (!show_wrapped(off, got, want, counter_mask(t)))
		show_wrapped(off, got, want, UINT64_MAX);
	show_text(t, text);
	report_diag("got %llu (%llx), expected %s%llu (%llx)%s", (unsigned long long)got,
		    (unsigned long long)got, than, (unsigned long long)want,
		    (unsigned long long)want, off);
}

/* "<" or "<=", and so on. */
static bool holds(uint64_t got, const char *relation, uint64_t than)
{
	if (relation[0] == '!')
		return got != than;
	if (got == than)
		return relation[1] == '=';
	return (relation[0] == '<') == (got < than);
}

static const char *words_of(const char *relation)
{
	if (relation[0] == '!')
		return "other than ";
	if (relation[0] == '<')
		return relation[1] ? "at most " : "less than ";
	return relation[1] ? "at least " : "more than ";
}

bool test_check_is(struct run *t, const char *text, uint64_t got, const char *relation,
		   uint64_t than)
{
	if (holds(got, relation, than))
		return true;
	if (begin_failure(t, UINT64_MAX)) {
		show_numbers(t, text, got, words_of(relation), than);
		describe_programmed(t);
	}
	return false;
}

bool test_check_near(struct run *t, const char *text, uint64_t got, uint64_t want, uint64_t slack)
{
	if ((got > want ? got - want : want - got) <= slack)
		return true;
	t->flips.up |= got & ~want;
	t->flips.down |= want & ~got;
	if (begin_failure(t, UINT64_MAX)) {
		show_numbers(t, text, got, "", want);
		if (slack)
			report_diag("give or take %llu", (unsigned long long)slack);
		describe_programmed(t);
	}
	return false;
}

/* As the counter goes round. */
static uint64_t distance(const struct run *t, uint64_t got, uint64_t want)
{
	uint64_t mask = pmu_mask(t->pmu, t->counter);
	uint64_t above = (got - want) & mask, below = (want - got) & mask;

	return above < below ? above : below;
}

/* As above, if it is too low.  A counter that has counted nothing lacks everything: nothing from
 * outside takes counts away. */
static void note_lack(struct run *t, uint64_t got, uint64_t want, bool nothing)
{
	uint64_t lack = (want - got) & pmu_mask(t->pmu, t->counter);

	if (lack != distance(t, got, want))
		return;
	if (nothing)
		lack = UINT64_MAX;
	t->lack = lack > t->lack ? lack : t->lack;
}

static bool fail_difference(struct run *t, const char *text, uint64_t got, const char *than,
			    uint64_t want, bool nothing)
{
	note_lack(t, got, want, nothing);
	if (begin_failure(t, distance(t, got, want))) {
		show_numbers(t, text, got, than, want);
		describe_programmed(t);
	}
	return false;
}

static bool fail_count(struct run *t, const char *text, uint64_t got, const char *than,
		       uint64_t want)
{
	return fail_difference(t, text, got, than, want, !got);
}

bool test_check_difference(struct run *t, const char *text, uint64_t got, uint64_t want)
{
	return got == want || fail_difference(t, text, got, "", want, false);
}

bool test_check_count(struct run *t, const char *text, uint64_t got, uint64_t want)
{
	return got == want || fail_count(t, text, got, "", want);
}

bool test_check_count_most(struct run *t, const char *text, uint64_t got, uint64_t most)
{
	return got <= most || fail_count(t, text, got, words_of("<="), most);
}

bool test_check_count_least(struct run *t, const char *text, uint64_t got, uint64_t least)
{
	return got >= least || fail_count(t, text, got, words_of(">="), least);
}

/* "no fault" or "#GP" */
static void name_fault(char name[TRAP_NAME_SIZE], long fault)
{
	if (fault == FAULT_NONE)
		fmt_print(name, TRAP_NAME_SIZE, "no fault");
	else
		trap_name(name, (uint64_t)fault);
}

bool test_check_fault(struct run *t, const char *text, uint32_t where, long got, long want)
{
	const uint32_t trait = trait_if(want != FAULT_NONE, TRAIT_FAULT);
	char is[TRAP_NAME_SIZE], should[TRAP_NAME_SIZE];

	t->used.modes |= trait;
	if (got == want)
		return true;
	if (begin_failure(t, UINT64_MAX)) {
		if (t->failures == 1)
			t->shown.modes |= trait;
		name_fault(is, got);
		name_fault(should, want);
		report_diag("%s %xh", text, where);
		report_diag("got %s, expected %s", is, should);
		describe_programmed(t);
	}
	return false;
}

bool test_check(struct run *t, const char *text, bool ok)
{
	if (ok)
		return true;
	if (begin_failure(t, UINT64_MAX)) {
		show_text(t, text);
		describe_programmed(t);
	}
	return false;
}

const char test_ended[] = "the test has ended itself";

void test_end(void)
{
	guard_abort(test_ended);
}

void test_cannot_judge(struct run *t, const char *why)
{
	t->skip = why;
}

void test_skip(struct run *t, const char *why)
{
	t->skip = why;
	test_end();
}

void test_known(struct run *t, const char *erratum)
{
	t->known = erratum;
	test_end();
}

bool test_in_kvm(void)
{
	struct cpu_identity identity;

	identify_cpu(&identity);
	return identify_is_kvm(&identity);
}

bool test_known_of_kvm(struct run *t, const char *source)
{
	if (test_in_kvm())
		t->known = source;
	return test_in_kvm();
}

bool test_iret_twice(struct run *t, unsigned event)
{
	const struct pmu_erratum *erratum = NULL;

	if (event == EV_INSTRUCTIONS || event == EV_BRANCHES)
		erratum = pmu_effect(t->pmu, FAR_COUNTS_TWICE);
	if (!erratum && event == EV_INSTRUCTIONS)
		erratum = pmu_effect(t->pmu, IRET_COUNTS_TWICE);
	if (erratum)
		t->known = erratum->id;
	return erratum;
}

bool test_misread(struct run *t, uint32_t msr)
{
	const struct pmu_erratum *erratum = NULL;

	for (unsigned c = 0; !erratum && c < t->pmu->counters; c++)
		if (pmu_number(t->pmu->counter[c].ctl) == msr)
			erratum = pmu_effect_on(t->pmu, SELECT_MISREADS, c);
	if (erratum)
		t->known = erratum->id;
	return erratum;
}

void test_refused(struct run *t, const char *why)
{
	t->refused = true;
	guard_abort(why);
}

void test_start_sibling(struct run *t)
{
	const char *why = sibling_missing();

	SKIP_IF(t, why, why);
	why = sibling_start();
	if (why)
		report_diag("%s", why);
	REQUIRE(t, !why);
}
