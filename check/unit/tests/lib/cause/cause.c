/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines in which causes are reported. */
#include "tests/lib/cause/cause.h"

#include "check/unit/tap.h"
#include "kernel/console/console.h"
#include "kernel/lib/bits.h"

static char buffer[REPORT_BUFFER_SIZE];

static void begin(void)
{
	report_set_buffer(buffer, sizeof(buffer));
	report_begin(true);
	cause_begin();
}

/* A failed test, behind so many of the same group that passed. */
static void note(const char *pmu, const char *group, struct cause_result failure, unsigned passed)
{
	for (unsigned i = 0; i < passed; i++)
		cause_note(&(struct cause_result){.pmu = pmu,
						  .group = group,
						  .test = "passes",
						  .counter = -1,
						  .used = {.counters = 1}});
	failure.pmu = pmu;
	failure.group = group;
	failure.test = "fails";
	failure.failed = true;
	cause_note(&failure);
}

/* The causes alone, without "# cause: ". */
static const char *causes(bool is_guest)
{
	static char lines[4000], text[REPORT_BUFFER_SIZE];
	size_t length;
	const char *all;

	cause_report(is_guest);
	all = report_text(&length);
	memcpy(text, all, length);
	text[length] = '\0';
	*lines = '\0';
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (!strncmp(line, "# cause: ", 9))
			strcat(strcat(lines, line + 9), "\n");
	return lines;
}

/* What should fault and does not is the host's doing, where there is one. */
static void test_fault(void)
{
	const struct cause_result failure = {.counter = -1,
					     .used = {.modes = BIT(TRAIT_FAULT)},
					     .shown = {.modes = BIT(TRAIT_FAULT)}};

	for (unsigned guest = 0; guest < 2; guest++) {
		begin();
		note("intel", "global", failure, 20);
		note("intel", "access", failure, 20);
		SAME(causes(guest),
		     guest ? "intel: #GP: in 2 of 2 failures, and in 0 of 40 that passed; most "
			     "likely the "
			     "host ignores what it should refuse\n"
			   : "intel: #GP: in 2 of 2 failures, and in 0 of 40 that passed\n");
	}
}

/* Each counter that is dead, in one line. */
static void test_dead(void)
{
	begin();
	for (int c = 0; c < 6; c++)
		note("amd", "alive",
		     (struct cause_result){.counter = c,
					   .used = {.counters = UINT32_C(1) << c, .modes = BIT(3)},
					   .shown = {.modes = BIT(3)}},
		     0);
	SAME(causes(false), "amd: all counters: in 6 of 6 failures, and in 0 of 0 that passed\n");
	begin();
	for (int c = 0; c < 6; c++)
		cause_note(&(struct cause_result){.pmu = "amd",
						  .group = "alive",
						  .test = "counts",
						  .counter = c,
						  .failed = c == 2 || c == 5,
						  .used = {.counters = UINT32_C(1) << c}});
	SAME(causes(false),
	     "amd: counter 2, counter 5: in 2 of 2 failures, and in 4 of 4 that passed\n");
}

int main(void)
{
	test_fault();
	test_dead();
	return tap_end();
}
