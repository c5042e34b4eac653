/* SPDX-License-Identifier: BSD-2-Clause */
/* The battery: which tests run on which PMU and counter, and what becomes of each. */
#include "alike.h"
#include "attempt.h"
#include "common.h"
#include "facts.h"
#include "fold.h"
#include "header.h"
#include "plan.h"

static struct pmu_set found;
static bool taken; /* they hold what they held before no more */

/* ---- one test ---- */

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

	if (!why && job->test->resets && !battery->survives_reset)
		why = "it resets the machine: only with resume=auto";
	return why ? why : plan_hindrance(job);
}

static bool is_ended(const struct job *job, const struct battery *battery)
{
	return battery->watch &&
	       battery->watch->begins(battery->processor, job->id, test_claim(job->test));
}

/* Firmware has had the machine, and leaves it as it likes. */
static void checkpoint(const struct battery *battery, unsigned number)
{
	if (!battery->checkpoint)
		return;
	battery->checkpoint(battery->checkpoint_arg, number);
	for (unsigned i = 0; i < found.count; i++)
		if (!found.pmu[i].silent)
			pmu_touch_all(&found.pmu[i]);
	settle(NULL);
}

static void run_body(const struct job *job, const struct battery *battery)
{
	const struct run t = {
		.test = job->test,
		.pmu = job->pmu,
		.beside = &found,
		.counter = job->counter < 0 ? 0 : (unsigned)job->counter,
	};

	attempt(&t, job->id, battery, settle);
}

/* False: it is skipped. */
static bool may_run(const struct job *job, const struct battery *battery)
{
	const char *why = not_run(job, battery);

	if (!why && is_ended(job, battery))
		why = "not run: ended by the key q";
	if (why)
		report_result(job->id, OUTCOME_SKIP, why);
	return !why;
}

/* ---- results ---- */

static unsigned jobs; /* one result each */
static unsigned job_number; /* of the last one begun, from 1 */
static unsigned jobs_done; /* number of the last one that has been reported */

static void run_job(const struct job *job, const struct battery *battery)
{
	jobs_done = job_number++;
	if (job_number < battery->resume_at)
		return;
	if (job_number == battery->resume_at) {
		attempt_report_claim(job->test);
		report_result(job->id, OUTCOME_FAIL, "the machine was reset during this test");
		return;
	}
	if (!may_run(job, battery))
		return;
	checkpoint(battery, job_number);
	run_body(job, battery);
}

/* ---- boxes that are like another one: all tests of each, and one result ---- */

#define BOX_ID_MAX 64u

static const struct pmu *box_begun; /* its results are being gathered */

static void name_box(char id[BOX_ID_MAX], const struct pmu *box)
{
	fmt_print(id, BOX_ID_MAX, "%s.-.box.same_battery", box->name);
}

static void run_job_of_box(const struct job *job, const struct battery *battery)
{
	if (may_run(job, battery))
		run_body(job, battery);
}

static void run_box(const struct pmu *box, const struct battery *battery)
{
	char id[BOX_ID_MAX];

	name_box(id, box);
	jobs_done = job_number++;
	if (job_number < battery->resume_at)
		return;
	if (job_number == battery->resume_at) {
		report_result(id, OUTCOME_FAIL, "the machine was reset while it was tested");
		return;
	}
	if (!stopped(battery))
		checkpoint(battery, job_number);
	report_gather();
	box_begun = box;
	plan_visit_pmu(&found, battery, box, run_job_of_box);
	box_begun = NULL;
	report_gathered(id, NULL);
}

static void announce_box(const struct pmu *box, const struct battery *battery)
{
	char id[BOX_ID_MAX];

	name_box(id, box);
	battery->watch->planned(id, true, battery->repeat);
}

/* ---- the whole ---- */

static void visit_all(const struct battery *battery, job_visitor *visit_job,
		      void (*visit_box)(const struct pmu *box, const struct battery *battery))
{
	plan_visit(&found, battery, visit_job);
	for (unsigned i = 0; i < found.count; i++)
		if (found.pmu[i].like)
			visit_box(&found.pmu[i], battery);
}

static void announce_job(const struct job *job, const struct battery *battery)
{
	battery->watch->planned(job->id, job->pmu && job->pmu->box, battery->repeat);
}

static void count_job(const struct job *job, const struct battery *battery)
{
	(void)job;
	(void)battery;
	jobs++;
}

/* Without a PMU only what was asked for by name runs: a plan of nothing else would look like a
 * tested PMU. */
static void count_jobs(const struct battery *battery)
{
	bool named = battery->filter && *battery->filter;

	jobs = fold_count(&found, NULL);
	if (found.count || named)
		plan_visit(&found, battery, count_job);
}

static unsigned planned(const struct battery *battery)
{
	return jobs * battery->repeat + (found.crowded != NULL);
}

/* PMUs without room would go untested without a word. */
static void report_crowded(const struct battery *battery)
{
	char id[64];

	if (!found.crowded || battery->resume_at)
		return;
	fmt_print(id, sizeof(id), "%s%s%s", battery->processor ? battery->processor : "",
		  battery->processor ? "-" : "", found.crowded->name);
	report_result(id, OUTCOME_ERROR,
		      "there are more PMUs of this driver than this program has room for; none of "
		      "the rest is tested");
}

static bool plan(const struct battery *battery)
{
	const char *why = found.why;
	bool absent;

	count_jobs(battery);
	absent = plan_report_absent(&found, battery);
	if (found.count && !jobs && !absent && !battery->more && !battery->processor) {
		report_bail_out("no test matches the option tests=");
		return false;
	}
	if (!found.count && jobs)
		report_header("no PMU: %s", found.why);
	if (found.count && !jobs)
		why = "the tests that the option tests= names are not here, see above";
	if (battery->processor && !jobs)
		report_result(battery->processor, OUTCOME_SKIP, why);
	if (!battery->resume_at && !battery->processor)
		report_plan(planned(battery) + battery->more, why);
	report_crowded(battery);
	/* Results that are gathered have no names of their own. */
	if (jobs && battery->watch && !battery->gathered)
		visit_all(battery, announce_job, announce_box);
	return jobs > 0;
}

/* Names are those of a full set; those of boxes say of which socket they are. */
static void find_pmus(const struct battery *battery)
{
	bool names_it = battery->part == BATTERY_CORE && !battery->gathered;

	taken = false; /* another processor, which has not come back, may have left it */
	pmu_find_all(&found, battery->part != BATTERY_CORE);
	for (unsigned i = 0; names_it && i < found.count; i++)
		fmt_print(found.pmu[i].name, sizeof(found.pmu[i].name), "%s-%s", battery->processor,
			  found.pmu[i].ops->name);
	fold(&found, battery);
}

static void take_pmus(const struct battery *battery)
{
	find_pmus(battery);
	report_battery_facts(&found, battery);
	for (unsigned i = 0; i < found.count; i++) {
		if (!found.pmu[i].silent)
			pmu_save(&found.pmu[i]);
		if (plan_covers(battery, &found.pmu[i]))
			report_pmu(&found, &found.pmu[i]);
		if (plan_covers(battery, &found.pmu[i]) && battery->all_facts)
			report_register_facts(&found.pmu[i]);
	}
	for (unsigned i = 0; !battery->processor && pmu_driver(i); i++)
		if (pmu_driver(i)->uncore)
			report_driver_absent(&found, pmu_driver(i));
}

/* Counts of the first processor of a kind are remembered, for those that are like it. */
static void compare(const struct battery *battery)
{
	if (battery->part == BATTERY_BOXES || (battery->part == BATTERY_ALL && !battery->more))
		return;
	for (unsigned i = 0; i < found.count; i++)
		if (!found.pmu[i].silent && !found.pmu[i].box && found.pmu[i].counting)
			alike(&found.pmu[i], battery, settle);
}

static void give_back(void)
{
	taken = false;
	for (unsigned i = 0; i < found.count; i++)
		if (!found.pmu[i].silent)
			pmu_restore(&found.pmu[i]);
}

void battery_abandon(void)
{
	if (!taken)
		return;
	attempt_put_right();
	give_back();
}

static unsigned run_all(const struct battery *battery)
{
	uint32_t lvt = apic_present() ? apic_read_lvtpc() : 0;

	rare_set(battery->rare);
	programs_set(battery->random, battery->seed);
	payloads_choose();
	take_pmus(battery);
	taken = true;
	/* Counters that firmware left running would count the making of the plan. */
	settle(NULL);
	vitals_forget();
	job_number = 0;
	if (plan(battery))
		for (unsigned i = 0; i < battery->repeat; i++)
			visit_all(battery, run_job, run_box);
	jobs_done = job_number;
	for (unsigned i = 0; i < found.count; i++)
		vitals_report(&found.pmu[i], battery->cpu->virtual);
	compare(battery);
	checkpoint(battery, job_number + 1);
	give_back();
	if (apic_present())
		apic_write_lvtpc(lvt);
	return planned(battery);
}

unsigned battery_run(const struct battery *battery)
{
	if (battery->part != BATTERY_COMMON)
		return run_all(battery);
	common_compare(&found, battery);
	return 1;
}

unsigned battery_count(const struct battery *battery)
{
	rare_set(battery->rare);
	programs_set(battery->random, battery->seed);
	payloads_choose();
	find_pmus(battery);
	if (battery->part == BATTERY_COMMON)
		return common_count(&found, battery);
	count_jobs(battery);
	return planned(battery);
}

void battery_mark(void)
{
	pmu_find_all(&found, true);
	common_mark(&found);
}

void battery_unmark(void)
{
	common_unmark(&found);
}

/* ---- a processor that does not come back ---- */

static const char *given_up; /* why */

static void give_up_job(const struct job *job, const struct battery *battery)
{
	(void)battery;
	if (++job_number == jobs_done + 1)
		report_result(job->id, OUTCOME_ERROR, given_up);
	else if (job_number > jobs_done)
		report_result(job->id, OUTCOME_SKIP, "not run: its processor did not come back");
}

static void give_up_box(const struct pmu *box, const struct battery *battery)
{
	char id[BOX_ID_MAX];

	(void)battery;
	name_box(id, box);
	if (++job_number == jobs_done + 1 && box_begun == box) {
		report_result(box->name, OUTCOME_ERROR, given_up);
		report_gathered(id, NULL);
	} else if (job_number == jobs_done + 1) {
		report_result(id, OUTCOME_ERROR, given_up);
	} else if (job_number > jobs_done) {
		report_result(id, OUTCOME_SKIP, "not run: its processor did not come back");
	}
}

void battery_give_up(const struct battery *battery, const char *why)
{
	given_up = why;
	job_number = 0;
	for (unsigned i = 0; i < battery->repeat; i++)
		visit_all(battery, give_up_job, give_up_box);
	if (jobs_done == job_number)
		report_bail_out(why);
}

static void list_pmu(const struct pmu_ops *ops)
{
	console_print("pmu %s: %s: %s [%s]\n", ops->name, ops->title, ops->processors, ops->manual);
}

void battery_list(const char *filter)
{
	for (unsigned i = 0; pmu_driver(i); i++)
		list_pmu(pmu_driver(i));
	if (!plan_list(filter))
		console_print("no test of this list matches the option tests=\n");
}
