/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The plan: which tests there are, on which PMU and counter, in which order; and which cannot be.
 *
 * Room: what plans the tests, runs them and reports each.
 * Uses: kernel/svm, pmu, tests/lib
 */
#pragma once

#include "tests/lib/test.h"

/* One line of the report. */
struct job {
	const struct test *test;
	const struct pmu *pmu; /* NULL: the test needs none */
	int counter; /* -1: not per counter */
	char id[80];
};

/* Is this PMU for this battery to test? */
bool plan_covers(const struct battery *battery, const struct pmu *pmu);

/* All that can ever apply to the PMUs found, of the tests that filter selects. */
typedef void job_visitor(const struct job *job, const struct battery *battery);
void plan_visit(const struct pmu_set *found, const struct battery *battery, job_visitor *visit);

/* The jobs of one PMU; those of one that is like another are not among the above. */
void plan_visit_pmu(const struct pmu_set *found, const struct battery *battery,
		    const struct pmu *pmu, job_visitor *visit);

/* Is each test of the box that is asked for one of first, too, and does no other apply to one of
 * them alone, or to neither for different reasons? */
bool plan_agrees(const struct battery *battery, const struct pmu *box, const struct pmu *first);

/* Why a job cannot run now, though it could on a machine with this PMU; NULL: it can. */
const char *plan_hindrance(const struct job *job);

/* Report header lines: one for each reason why selected tests can never apply to a PMU found.
 * False: there is none. */
bool plan_report_absent(const struct pmu_set *found, const struct battery *battery);

bool plan_needs_pmu(const struct test *test);
/* must_name: as glob_selects() has it. */
bool plan_selects(const struct test *test, const char *id, const char *filter, bool must_name);

/* ---- order.c ---- */

/* Tests in the order in which they run, NULL behind the last; and how many there are. */
#define TESTS_MAX 500u
const struct test *plan_test(size_t i);
size_t plan_tests(void);

/* ---- list.c ---- */

/* The id of every test that the filter selects on some PMU and counter, with its claim and clause,
 * through console_print().  False: there is none. */
bool plan_list(const char *filter);
