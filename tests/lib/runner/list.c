/* SPDX-License-Identifier: BSD-2-Clause */
/* The option list: all tests, whatever PMU there is. */
#include "plan.h"

#define LIST_ID_MAX 80u

static bool has_listed(const struct test *test, const char *filter, const char *pmu,
		       const char *counter)
{
	char id[LIST_ID_MAX];

	fmt_print(id, sizeof(id), "%s.%s.%s.%s", pmu, counter, test->group, test->id);
	return plan_selects(test, id, filter, false);
}

static bool has_counter_listed(const struct test *test, const char *filter, const char *pmu)
{
	char counter[12];

	for (unsigned c = 0; test->per_counter && c < PMU_COUNTERS_MAX; c++) {
		fmt_print(counter, sizeof(counter), "%u", c);
		if (has_listed(test, filter, pmu, counter))
			return true;
	}
	return has_listed(test, filter, pmu, test->per_counter ? "*" : "-");
}

/* By the star that the list has for every PMU and for each counter, or by what may stand there. */
static bool is_listed(const struct test *test, const char *filter, const char *pmu)
{
	bool listed = has_counter_listed(test, filter, pmu);

	for (unsigned i = 0; !listed && *pmu == '*' && pmu_driver(i); i++)
		listed = has_counter_listed(test, filter, pmu_driver(i)->name);
	return listed;
}

static bool list_test(const struct test *test, const char *filter)
{
	const char *pmu = test->of_boxes         ? "box"
			  : test->driver         ? test->driver->name
			  : plan_needs_pmu(test) ? "*"
						 : "-";

	if (!is_listed(test, filter, pmu))
		return false;
	console_print("%s.%s.%s.%s: %s [%s]\n", pmu, test->per_counter ? "*" : "-", test->group,
		      test->id, test_claim(test), test->clause ? test->clause : "-");
	return true;
}

bool plan_list(const char *filter)
{
	const struct test *test;
	bool any = false;

	for (size_t i = 0; (test = plan_test(i)); i++)
		any |= list_test(test, filter);
	return any;
}
