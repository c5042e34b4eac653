/* SPDX-License-Identifier: BSD-2-Clause */
/* What each test can apply to. */
#include "plan.h"

/* ---- jobs ---- */

bool plan_needs_pmu(const struct test *test)
{
	return test->of_boxes || test->driver || test->needs || test->min_counters ||
	       test->per_counter;
}

static bool needs_counters(const struct test *test)
{
	return test->counts || test->min_counters || test->per_counter ||
	       !(test->needs & PMU_ANY_FACET);
}

/* A test that names no driver is of the counters in a core, or of a facet alone. */
static bool is_of(const struct test *test, const struct pmu *pmu)
{
	if (test->of_boxes)
		return pmu->kind && (!test->kinds || test->kinds & pmu->kinds);
	if (test->driver)
		return test->driver == pmu->ops || test->driver == pmu->ops->kin;
	if (pmu->box)
		return test->needs & PMU_METERS && pmu->meters;
	return pmu->counting || !needs_counters(test);
}

bool plan_selects(const struct test *test, const char *id, const char *filter, bool must_name)
{
	if (!filter || !*filter)
		return !test->hidden;
	return glob_selects(filter, id, test->group, test->id, test->hidden || must_name);
}

/* Without a PMU by the processor, if it is another one than the firmware's. */
static void name_job(struct job *job, const char *processor)
{
	char counter[12] = "-";
	const char *none = processor ? processor : "-";

	if (job->counter >= 0)
		fmt_print(counter, sizeof(counter), "%d", job->counter);
	fmt_print(job->id, sizeof(job->id), "%s.%s.%s.%s", job->pmu ? job->pmu->name : none,
		  counter, job->test->group, job->test->id);
}

static const char *why_not_counted(const struct test *test, const struct pmu *pmu, unsigned ctr)
{
	if (!test->counts || pmu->idle)
		return NULL;
	if (!pmu->events[test->counts].name)
		return "this PMU has no such event";
	if (!pmu_can_count(pmu, ctr, test->counts))
		return "the counter cannot count the event";
	if (test->exact && !pmu_is_exact(pmu, test->counts))
		return pmu->events[test->counts].why->text;
	return NULL;
}

/* A PMU that does not respond rules out no test, as nothing is known of it.  First come features
 * that the PMU as a whole lacks, then those that one counter lacks. */
static const char *why_absent(const struct test *test, const struct pmu *pmu, int counter)
{
	unsigned ctr = counter < 0 ? 0 : (unsigned)counter;
	unsigned missing = 0;
	const char *why;

	if (test->rare && !rare_events())
		return "the option rare=0 leaves it out";
	if (test->drawn && !programs_drawn())
		return "the option random=0 leaves it out";
	if (!pmu || pmu->silent)
		return NULL;
	if (pmu->counters < test->min_counters)
		return "fewer counters than the test needs";
	missing = test->needs & ~(pmu_abilities(pmu) | PMU_INTERRUPT);
	if (missing)
		return pmu_why_missing(missing);
	if (counter >= 0)
		missing = test->needs & ~(pmu_features(pmu, ctr) | PMU_INTERRUPT);
	if (missing)
		return pmu_why_missing(missing & PMU_BY_SELECT ? PMU_SELECT : missing);
	why = why_not_counted(test, pmu, ctr);
	return why || !test->absent ? why : test->absent(pmu, ctr);
}

const char *plan_hindrance(const struct job *job)
{
	const struct pmu *pmu = job->pmu;

	if (!pmu)
		return NULL;
	if (pmu->silent)
		return pmu->silent;
	if (job->test->counts && pmu->idle)
		return pmu->idle;
	return pmu_why_missing(job->test->needs & PMU_INTERRUPT & ~pmu_abilities(pmu));
}

bool plan_covers(const struct battery *battery, const struct pmu *pmu)
{
	return battery->part != BATTERY_BOXES || (pmu->box && !pmu->of_all_packages);
}

/* How many jobs the test is on this PMU. */
static unsigned jobs_of(const struct battery *battery, const struct test *test,
			const struct pmu *pmu)
{
	if (!is_of(test, pmu) || !plan_covers(battery, pmu))
		return 0;
	return test->per_counter ? pmu->counters : 1;
}

static struct job job_of(const struct test *test, const struct pmu *pmu, unsigned c)
{
	return (struct job){.test = test, .pmu = pmu, .counter = test->per_counter ? (int)c : -1};
}

static void visit_job(const struct pmu_set *found, const struct battery *battery,
		      job_visitor *visit, struct job job)
{
	if (why_absent(job.test, job.pmu, job.counter))
		return;
	name_job(&job, battery->gathered ? NULL : battery->processor);
	if (plan_selects(job.test, job.id, battery->filter, !found->count))
		visit(&job, battery);
}

static void visit_on(const struct pmu_set *found, const struct battery *battery, job_visitor *visit,
		     const struct test *test, const struct pmu *pmu)
{
	for (unsigned c = 0; c < jobs_of(battery, test, pmu); c++)
		visit_job(found, battery, visit, job_of(test, pmu, c));
}

static void visit_test(const struct pmu_set *found, const struct battery *battery,
		       job_visitor *visit, const struct test *test)
{
	if (!plan_needs_pmu(test)) {
		if (battery->part != BATTERY_BOXES)
			visit_job(found, battery, visit, job_of(test, NULL, 0));
		return;
	}
	for (unsigned i = 0; i < found->count; i++)
		if (!found->pmu[i].like)
			visit_on(found, battery, visit, test, &found->pmu[i]);
}

void plan_visit(const struct pmu_set *found, const struct battery *battery, job_visitor *visit)
{
	for (size_t i = 0; i < plan_tests(); i++)
		visit_test(found, battery, visit, plan_test(i));
}

void plan_visit_pmu(const struct pmu_set *found, const struct battery *battery,
		    const struct pmu *pmu, job_visitor *visit)
{
	for (size_t i = 0; i < plan_tests(); i++)
		if (plan_needs_pmu(plan_test(i)))
			visit_on(found, battery, visit, plan_test(i), pmu);
}

/* Do the jobs of a box and of the first that may be like it agree? */
static bool agree(const struct battery *battery, struct job box, struct job first)
{
	const char *why = why_absent(box.test, box.pmu, box.counter);
	const char *why_first = why_absent(first.test, first.pmu, first.counter);

	if (why || why_first)
		return why && why_first && !strcmp(why, why_first);
	name_job(&box, NULL);
	name_job(&first, NULL);
	return !plan_selects(box.test, box.id, battery->filter, false) ||
	       plan_selects(first.test, first.id, battery->filter, false);
}

bool plan_agrees(const struct battery *battery, const struct pmu *box, const struct pmu *first)
{
	for (size_t i = 0; i < plan_tests(); i++)
		for (unsigned c = 0; c < jobs_of(battery, plan_test(i), box); c++)
			if (!agree(battery, job_of(plan_test(i), box, c),
				   job_of(plan_test(i), first, c)))
				return false;
	return true;
}

/* ---- what is not in it ---- */

#define REASONS_MAX 40u
#define LINE_MAX    1000u

/* Tests that can never apply to one PMU. */
struct absence {
	const struct pmu *pmu;
	const struct battery *battery;
	const char *why[REASONS_MAX]; /* number 0, NULL: it is not absent */
	size_t reasons;
	uint8_t reason[TESTS_MAX][PMU_COUNTERS_MAX]; /* its number, for a test on a counter */
	uint64_t on[TESTS_MAX]; /* by one reason, for each test: bit n: on counter n */
};

#define ON_ALL ~UINT64_C(0)

/* Why job c of the test is absent; NULL: it is not, or nobody has asked for it. */
static const char *why_job(const struct absence *a, const struct test *test, unsigned c)
{
	struct job job = job_of(test, a->pmu, c);
	const char *why = why_absent(test, a->pmu, job.counter);

	if (why)
		name_job(&job, NULL);
	return why && plan_selects(test, job.id, a->battery->filter, false) ? why : NULL;
}

static size_t number_of(struct absence *a, const char *why)
{
	size_t i = 0;

	while (i < a->reasons && a->why[i] != why)
		i++;
	if (i == a->reasons && i < REASONS_MAX)
		a->why[a->reasons++] = why;
	return i;
}

static void note_reasons(struct absence *a)
{
	for (size_t i = 0; i < plan_tests(); i++)
		for (unsigned c = 0; c < jobs_of(a->battery, plan_test(i), a->pmu); c++)
			a->reason[i][c] = (uint8_t)number_of(a, why_job(a, plan_test(i), c));
}

static uint64_t absent_on(const struct absence *a, size_t test, size_t reason)
{
	unsigned n = jobs_of(a->battery, plan_test(test), a->pmu);
	uint64_t on = 0;

	for (unsigned c = 0; c < n; c++)
		on |= (uint64_t)(a->reason[test][c] == reason) << c;
	return n && on == BIT(n) - 1 ? ON_ALL : on;
}

struct line {
	char text[LINE_MAX];
	size_t length;
};

static __attribute__((format(printf, 2, 3))) void add(struct line *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line->length +=
		fmt_vprint(line->text + line->length, LINE_MAX - line->length, format, args);
	va_end(args);
	if (line->length >= LINE_MAX)
		line->length = LINE_MAX - 1;
}

static void add_counters(struct line *line, uint64_t on)
{
	const char *before = on & (on - 1) ? " on counters " : " on counter ";

	for (unsigned c = 0; on != ON_ALL && c < 64; c++) {
		unsigned first = c;

		if (!(on >> c & 1))
			continue;
		while (on >> (c + 1) & 1)
			c++;
		add(line, first == c ? "%s%u" : "%s%u-%u", before, first, c);
		before = ",";
	}
}

/* The groups of the tests that are absent on just these counters; which one or how many, if not all
 * of a group. */
static void add_groups(struct line *line, const struct absence *a, uint64_t on)
{
	const char *before = line->length ? "; " : "";

	for (size_t i = 0, end; i < plan_tests(); i = end) {
		const char *group = plan_test(i)->group;
		const char *last = NULL;
		unsigned absent = 0, all = 0;

		for (end = i; end < plan_tests() && !strcmp(plan_test(end)->group, group); end++) {
			all += is_of(plan_test(end), a->pmu);
			if (a->on[end] != on)
				continue;
			last = plan_test(end)->id;
			absent++;
		}
		if (!absent)
			continue;
		add(line, "%s%s", before, group);
		if (absent == 1 && all > 1)
			add(line, ".%s", last);
		else if (absent < all)
			add(line, " (%u of %u)", absent, all);
		before = ", ";
	}
	add_counters(line, on);
}

static void report_reason(struct absence *a, size_t reason)
{
	struct line line = {.length = 0};

	for (size_t i = 0; i < plan_tests(); i++)
		a->on[i] = absent_on(a, i, reason);
	for (size_t i = 0; i < plan_tests(); i++) {
		size_t earlier = 0;

		while (a->on[earlier] != a->on[i])
			earlier++;
		if (earlier == i && a->on[i])
			add_groups(&line, a, a->on[i]);
	}
	report_header("not here: %s: %s: %s", a->pmu->name, line.text, a->why[reason]);
}

bool plan_report_absent(const struct pmu_set *found, const struct battery *battery)
{
	static struct absence a;
	bool any = false;

	for (unsigned i = 0; i < found->count; i++) {
		if (found->pmu[i].like)
			continue;
		a.pmu = &found->pmu[i];
		a.battery = battery;
		a.reasons = 1;
		note_reasons(&a);
		for (size_t n = 1; n < a.reasons; n++)
			report_reason(&a, n);
		any = any || a.reasons > 1;
	}
	return any;
}
