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

/* The difference tells more than either where a number of so many bits has gone below zero. */
static void show_numbers(const char *text, uint64_t got, uint64_t want, uint64_t mask)
{
	uint64_t above = (got - want) & mask, below = (want - got) & mask;
	bool wraps = got > mask / 2 || want > mask / 2;
	char off[32] = "";

	if (wraps && above <= UINT32_MAX)
		fmt_print(off, sizeof(off), ": %llu more", (unsigned long long)above);
	if (wraps && below <= UINT32_MAX)
		fmt_print(off, sizeof(off), ": %llu less", (unsigned long long)below);
	report_diag("%s", text);
	report_diag("got %llu (%llx), expected %llu (%llx)%s", (unsigned long long)got,
		    (unsigned long long)got, (unsigned long long)want, (unsigned long long)want,
		    off);
}

bool test_check_near(struct run *t, const char *text, uint64_t got, uint64_t want, uint64_t slack)
{
	if ((got > want ? got - want : want - got) <= slack)
		return true;
	if (begin_failure(t, UINT64_MAX)) {
		show_numbers(text, got, want, UINT64_MAX);
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
static void note_lack(struct run *t, uint64_t got, uint64_t want)
{
	uint64_t lack = (want - got) & pmu_mask(t->pmu, t->counter);

	if (lack != distance(t, got, want))
		return;
	if (!got)
		lack = UINT64_MAX;
	t->lack = lack > t->lack ? lack : t->lack;
}

bool test_check_count(struct run *t, const char *text, uint64_t got, uint64_t want)
{
	if (got == want)
		return true;
	note_lack(t, got, want);
	if (begin_failure(t, distance(t, got, want))) {
		show_numbers(text, got, want, pmu_mask(t->pmu, t->counter));
		describe_programmed(t);
	}
	return false;
}

bool test_check_count_most(struct run *t, const char *text, uint64_t got, uint64_t most)
{
	return test_check_count(t, text, got, got > most ? most : got);
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
	char is[TRAP_NAME_SIZE], should[TRAP_NAME_SIZE];

	if (got == want)
		return true;
	if (begin_failure(t, UINT64_MAX)) {
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
		report_diag("%s", text);
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

bool test_iret_twice(struct run *t)
{
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, IRET_COUNTS_TWICE);

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
