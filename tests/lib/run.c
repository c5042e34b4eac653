/* SPDX-License-Identifier: BSD-2-Clause */
/* The battery: which tests run on which PMU and counter, and what becomes of each. */
#include "attempt.h"

#pragma GCC visibility push(hidden)
extern const struct test tests_start[], tests_end[];
#pragma GCC visibility pop

/* What later groups lean on is proven first. */
static const char *const group_order[] = {
	"selftest", "truth",  "access",   "privilege", "count",     "threshold", "invert",
	"edge",     "filter", "overflow", "ovf",       "force_ovf", "cascade",   "xcascade",
	"branch",   "power",  "tag",      "thread",    "select",    "fixed",     "global",
	"status",   "lvt",    "freeze",   "lbr",       "pebs",
};

static struct pmu_set found;

/* One line of the report. */
struct job {
	const struct test *test;
	const struct pmu *pmu; /* NULL: the test needs none */
	int counter; /* -1: not per counter */
	char id[80];
};

/* A test that names no driver is of the counters in a core. */
static bool applies(const struct test *test, const struct pmu *pmu)
{
	if (test->kinds && !(test->kinds & pmu->kinds))
		return false;
	return test->driver ? test->driver == pmu->ops : pmu->counting && !pmu->box;
}

typedef void job_visitor(const struct job *job, const struct battery *battery);

static bool needs_pmu(const struct test *test)
{
	return test->driver || test->needs || test->min_counters || test->per_counter;
}

static bool selected(const struct job *job, const char *filter)
{
	const struct test *test = job->test;

	if (!filter || !*filter)
		return !test->hidden;
	return glob_selects(filter, job->id, test->group, test->id, test->hidden || !found.count);
}

static void name_job(struct job *job)
{
	char counter[12] = "-";

	if (job->counter >= 0)
		fmt_print(counter, sizeof(counter), "%d", job->counter);
	fmt_print(job->id, sizeof(job->id), "%s.%s.%s.%s", job->pmu ? job->pmu->name : "-", counter,
		  job->test->group, job->test->id);
}

static void visit_job(const struct test *test, const struct pmu *pmu, int counter,
		      const struct battery *battery, job_visitor *visit)
{
	struct job job = {.test = test, .pmu = pmu, .counter = counter};

	name_job(&job);
	if (selected(&job, battery->filter))
		visit(&job, battery);
}

static void visit_test(const struct test *test, const struct battery *battery, job_visitor *visit)
{
	if (!needs_pmu(test)) {
		visit_job(test, NULL, -1, battery, visit);
		return;
	}
	for (unsigned i = 0; i < found.count; i++) {
		if (!applies(test, &found.pmu[i]))
			continue;
		if (!test->per_counter)
			visit_job(test, &found.pmu[i], -1, battery, visit);
		for (unsigned c = 0; test->per_counter && c < found.pmu[i].counters; c++)
			visit_job(test, &found.pmu[i], (int)c, battery, visit);
	}
}

/* Group by group; a group without a place in the order comes last. */
static size_t group_rank(const struct test *test)
{
	size_t rank = 0;

	while (rank < ARRAY_SIZE(group_order) &&
	       !glob_match(group_order[rank], strlen(group_order[rank]), test->group))
		rank++;
	return rank;
}

static void visit_all(const struct battery *battery, job_visitor *visit)
{
	for (size_t rank = 0; rank <= ARRAY_SIZE(group_order); rank++)
		for (const struct test *test = tests_start; test < tests_end; test++)
			if (group_rank(test) == rank)
				visit_test(test, battery, visit);
}

/* ---- one test ---- */

static const char *unmet(const struct job *job)
{
	unsigned features;

	if (!job->pmu)
		return NULL;
	if (job->pmu->silent)
		return job->pmu->silent;
	features = job->counter < 0 ? pmu_abilities(job->pmu)
				    : pmu_features(job->pmu, (unsigned)job->counter);
	if (job->pmu->counters < job->test->min_counters)
		return "fewer counters than the test needs";
	if (job->test->counts &&
	    !pmu_can_count(job->pmu, job->counter < 0 ? 0 : (unsigned)job->counter,
			   job->test->counts))
		return job->pmu->idle
			       ? job->pmu->idle
			       : "this counter cannot count the event that the test is about";
	return pmu_why_missing(job->test->needs & ~features);
}

/* The LVT entry, and every register that a test of pmu (NULL: of any) may have written to, to the
 * known state: tests of uncore boxes leave the core alone. */
static void settle(const struct pmu *pmu)
{
	bool core = !pmu || !pmu->box;

	for (unsigned i = 0; i < found.count; i++)
		if (!found.pmu[i].silent && (core || found.pmu[i].box))
			pmu_reset(&found.pmu[i]);
	if (apic_present())
		apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
}

/* The plan stands already: what does not run is still reported, under its name. */
static const char *stopped(const struct battery *battery)
{
	bool stop =
		battery->stop_on_fail && report_count(OUTCOME_FAIL) + report_count(OUTCOME_ERROR);

	return stop ? "not run: on-fail=stop" : NULL;
}

static const char *not_run(const struct job *job, const struct battery *battery)
{
	const char *why = stopped(battery);

	if (!why && job->test->resets && !battery->checkpoint)
		why = "it resets the machine: only with resume=auto";
	return why ? why : unmet(job);
}

/* Firmware has had the machine, and leaves it as it likes. */
static void checkpoint(const struct battery *battery, unsigned number)
{
	if (!battery->checkpoint)
		return;
	battery->checkpoint(battery->checkpoint_arg, number);
	settle(NULL);
}

static void run_body(const struct job *job, const struct battery *battery)
{
	const struct run t = {
		.test = job->test,
		.pmu = job->pmu,
		.counter = job->counter < 0 ? 0 : (unsigned)job->counter,
	};

	attempt(&t, job->id, battery, settle);
}

/* ---- the whole ---- */

static unsigned jobs;
static unsigned job_number; /* of the last one begun, from 1 */

static void run_job(const struct job *job, const struct battery *battery)
{
	const char *why;

	if (++job_number < battery->resume_at)
		return;
	if (job_number == battery->resume_at) {
		attempt_report_claim(job->test);
		report_result(job->id, OUTCOME_FAIL, "the machine was reset during this test");
		return;
	}
	why = not_run(job, battery);
	if (why) {
		report_result(job->id, OUTCOME_SKIP, why);
		return;
	}
	checkpoint(battery, job_number);
	run_body(job, battery);
}

static void count_job(const struct job *job, const struct battery *battery)
{
	(void)job;
	(void)battery;
	jobs++;
}

static void report_running(const struct pmu *pmu)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		if (pmu->running_at_entry & BIT(c))
			report_header("counter %u was running at entry: CTL[%x] = %016llx", c,
				      pmu->counter[c].ctl.address,
				      (unsigned long long)pmu_saved_ctl(pmu, c));
}

static void report_errata(const struct pmu *pmu)
{
	for (const struct pmu_erratum *e = pmu->ops->errata; e && e->id; e++)
		if (pmu->revision >= e->first && pmu->revision <= e->last)
			report_header("erratum %s applies: %s (%s)", e->id, e->effect, e->tests);
}

static void report_pmu(const struct pmu *pmu)
{
	if (pmu->silent) {
		report_header("pmu %s: %s", pmu->name, pmu->silent);
		return;
	}
	report_header("pmu %s: %s, %u counters of %u bits; %s", pmu->name, pmu->ops->title,
		      pmu->counters, pmu->counter[0].width, pmu->ops->manual);
	for (unsigned i = 0; i < ARRAY_SIZE(pmu->notes); i++)
		if (pmu->notes[i])
			report_header("pmu %s: %s", pmu->name, pmu->notes[i]);
	report_running(pmu);
	if (pmu->idle)
		report_header("pmu %s: %s", pmu->name, pmu->idle);
	report_errata(pmu);
}

/* Without a PMU only what was asked for by name runs: a plan of nothing else would look like a
 * tested PMU. */
static bool plan(const struct battery *battery)
{
	bool named = battery->filter && *battery->filter;

	jobs = 0;
	if (found.count || named)
		visit_all(battery, count_job);
	if (found.count && !jobs) {
		report_bail_out("no test matches the option tests=");
		return false;
	}
	if (!found.count && jobs)
		report_header("no PMU: %s", found.why);
	if (!battery->resume_at)
		report_plan(jobs * battery->repeat, found.why);
	return jobs > 0;
}

/* What was not looked for, and so not touched, on this processor. */
static void report_absent(const struct pmu_ops *ops)
{
	for (unsigned i = 0; i < found.count; i++)
		if (found.pmu[i].ops == ops)
			return;
	report_header("no %s: only on %s", ops->title, ops->processors);
}

static void take_pmus(void)
{
	pmu_find_all(&found);
	for (unsigned i = 0; i < found.count; i++) {
		if (!found.pmu[i].silent)
			pmu_save(&found.pmu[i]);
		report_pmu(&found.pmu[i]);
	}
	for (unsigned i = 0; pmu_driver(i); i++)
		if (pmu_driver(i)->uncore)
			report_absent(pmu_driver(i));
}

void battery_run(const struct battery *battery)
{
	uint32_t lvt = apic_present() ? apic_read_lvtpc() : 0;

	take_pmus();
	/* Counters that firmware left running would count the making of the plan. */
	settle(NULL);
	job_number = 0;
	if (plan(battery))
		for (unsigned i = 0; i < battery->repeat; i++)
			visit_all(battery, run_job);
	checkpoint(battery, job_number + 1);
	for (unsigned i = 0; i < found.count; i++)
		if (!found.pmu[i].silent)
			pmu_restore(&found.pmu[i]);
	if (apic_present())
		apic_write_lvtpc(lvt);
}

static void list_test(const struct test *test, const char *filter)
{
	const char *pmu = test->driver ? test->driver->name : needs_pmu(test) ? "*" : "-";
	char id[80];

	fmt_print(id, sizeof(id), "%s.%s.%s.%s", pmu, test->per_counter ? "*" : "-", test->group,
		  test->id);
	if (filter && *filter && !glob_selects(filter, id, test->group, test->id, test->hidden))
		return;
	if ((!filter || !*filter) && test->hidden)
		return;
	console_print("%s: %s [%s]\n", id, test->claim, test->clause ? test->clause : "-");
}

static void list_pmu(const struct pmu_ops *ops)
{
	console_print("pmu %s: %s: %s [%s]\n", ops->name, ops->title, ops->processors, ops->manual);
}

void battery_list(const char *filter)
{
	for (unsigned i = 0; pmu_driver(i); i++)
		list_pmu(pmu_driver(i));
	for (size_t rank = 0; rank <= ARRAY_SIZE(group_order); rank++)
		for (const struct test *test = tests_start; test < tests_end; test++)
			if (group_rank(test) == rank)
				list_test(test, filter);
}
