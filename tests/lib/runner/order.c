/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests in the order in which they lean on each other. */
#include "plan.h"

#pragma GCC visibility push(hidden)
extern const struct test tests_start[], tests_end[];
#pragma GCC visibility pop

struct ranked {
	const struct test *test;
	unsigned depth; /* how many groups stand below its own, each leaning on the next */
};
static struct ranked ranking[TESTS_MAX]; /* in order */
static size_t tests;

static unsigned depth_of(const char *group)
{
	const struct test *test = tests_start;

	while (test < tests_end && strcmp(test->group, group))
		test++;
	if (test == tests_end)
		panic("another group leans on the group %s, which no test is of", group);
	return test_leans_on(test) ? 1 + depth_of(test_leans_on(test)) : 0;
}

static bool comes_before(const struct ranked *a, const struct ranked *b)
{
	int group = strcmp(a->test->group, b->test->group);

	if (a->depth != b->depth)
		return a->depth < b->depth;
	return group ? group < 0 : strcmp(a->test->id, b->test->id) < 0;
}

static void sort(void)
{
	if (tests)
		return;
	if (tests_end - tests_start > (ptrdiff_t)TESTS_MAX)
		panic("more than %u tests", TESTS_MAX);
	for (const struct test *test = tests_start; test < tests_end; test++) {
		struct ranked entry = {test, depth_of(test->group)};
		size_t i = tests++;

		for (; i && comes_before(&entry, &ranking[i - 1]); i--)
			ranking[i] = ranking[i - 1];
		ranking[i] = entry;
	}
}

const struct test *plan_test(size_t i)
{
	sort();
	return i < tests ? ranking[i].test : NULL;
}

size_t plan_tests(void)
{
	sort();
	return tests;
}
