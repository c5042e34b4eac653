/* SPDX-License-Identifier: BSD-2-Clause */
/* Features: each has a reason for skipping, and its line in docs/features.md.  With an argument, it
 * prints what that file should hold. */
#include "check/unit/tap.h"
#include "pmu/pmu.h"

#define TABLE                          "docs/features.md"
#define LINE_MAX                       300

#define ROW(name, why, what)           "| `PMU_" #name "` | " what " | " why " |\n",
#define FACET(name, member, why, what) ROW(name, why, what)

static const char *const text[] = {
	"# Features of PMUs\n",
	"\n",
	"What a test can ask for in `.needs`, and the reason that the report gives where it is "
	"missing.\n",
	"The list is `pmu/features.h`; after a change, `build/host/unit/pmu/features print >" TABLE
	"`.\n",
	"\n",
	"| feature | what it is | without it, tests have no line, and the header says |\n",
	"|---|---|---|\n",
	PMU_FEATURES(ROW) PMU_FACETS(FACET)};

enum { LINES = sizeof(text) / sizeof(text[0]) };

static void test_reasons(void)
{
	OK(!pmu_why_missing(0));
	for (unsigned i = 0; i < PMU_FEATURE_COUNT; i++) {
		const char *why = pmu_why_missing(1u << i);

		OK(why && strlen(why) > 10);
		if (i)
			SAME(pmu_why_missing(1u << i | 1), pmu_why_missing(1));
	}
	OK(PMU_FEATURE_COUNT < 32);
}

static void test_table(void)
{
	FILE *file = fopen(TABLE, "r");
	char line[LINE_MAX];

	if (!OK(file))
		return;
	for (unsigned i = 0; i < LINES; i++)
		SAME(fgets(line, sizeof(line), file) ? line : "", text[i]);
	OK(!fgets(line, sizeof(line), file));
	fclose(file);
}

int main(int argc, char **argv)
{
	(void)argv;
	for (unsigned i = 0; argc > 1 && i < LINES; i++)
		fputs(text[i], stdout);
	if (argc > 1)
		return 0;
	test_reasons();
	test_table();
	return tap_end();
}
