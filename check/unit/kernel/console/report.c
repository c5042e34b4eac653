/* SPDX-License-Identifier: BSD-2-Clause */
/* The report: its lines, its verdicts, and what is left of it when its buffer is full. */
#include "kernel/console/console.h"

#include <stdlib.h>

#include "check/unit/host.h"
#include "check/unit/tap.h"

static char *buffer;
static char console_text[1 << 20];
static size_t console_length;

static void capture(const char *text, size_t length)
{
	if (length > sizeof(console_text) - 1 - console_length)
		abort();
	memcpy(console_text + console_length, text, length);
	console_length += length;
	console_text[console_length] = '\0';
}

/* A buffer of exactly this size, for the address sanitizer. */
static void begin(size_t size)
{
	free(buffer);
	buffer = malloc(size);
	console_length = 0;
	report_set_buffer(buffer, size);
	report_begin(false);
}

static const char *text(void)
{
	static char copy[sizeof(console_text)];
	size_t length;
	const char *all = report_text(&length);

	memcpy(copy, all, length);
	copy[length] = '\0';
	return copy;
}

/* A value that could be taken for two words or for the end of the quotes; one too long for a line.
 */
static void test_facts(void)
{
	char long_value[600];

	memset(long_value, '\\', sizeof(long_value) - 1);
	long_value[sizeof(long_value) - 1] = '\0';
	begin(REPORT_BUFFER_SIZE);
	report_fact("cpu", "family", "%u", 6u);
	report_fact("cpu", "name", "%s", "a \"b\" \\");
	report_fact("cpu", "list", "%s", "0x1f,a-b_c.d:e/f+");
	report_fact("cpu", "hypervisor", "%s", "");
	report_fact("cpu", "forged", "%s", "x\nok 1");
	report_plan(1, NULL);
	report_finding("a.0", "skid", "%u+", 7u);
	report_drop_diag();
	report_finding("a.0", "skid", "%u+", 8u);
	report_result("a.0.g.skid", OUTCOME_PASS, NULL);
	SAME(text(), "KTAP version 1\n# fact cpu.family=6\n# fact cpu.name=\"a \\\"b\\\" \\\\\"\n"
		     "# fact cpu.list=0x1f,a-b_c.d:e/f+\n# fact cpu.hypervisor=\"\"\n"
		     "# fact cpu.forged=\"x ok 1\"\n1..1\nok 1 a.0.g.skid\n# fact a.0.skid=8+\n");
	begin(REPORT_BUFFER_SIZE);
	report_fact("an_owner_with_a_name_of_32_signs", "key", "%s", long_value);
	OK(strstr(text(), "\\\\...\"\n"));
}

/* How often interrupts came how late; and of sums the first one that does not hold, as it is. */
static void test_measured(void)
{
	const struct measured sum[] = {
		{.parts = 2, .part = {4, 5}, .least = 9, .most = 9},
		{.parts = 2, .part = {4, 5}, .least = 7, .most = 8, .threshold = 3},
		{.parts = 2, .part = {1, 2}, .least = 9, .most = UINT64_MAX, .slack = 1},
	};

	begin(REPORT_BUFFER_SIZE);
	report_plan(3, NULL);
	for (unsigned i = 0; i < ARRAY_SIZE(sum); i++)
		report_measured(&sum[i]);
	for (unsigned i = 3; i < 5; i++)
		report_measured(&(struct measured){.late = 10 * i / 3});
	report_measured(&(struct measured){.late = 10});
	report_measured(&(struct measured){.late = UINT64_MAX});
	report_result("a.0.g.t", OUTCOME_PASS, NULL);
	report_result("a.1.g.t", OUTCOME_PASS, NULL);
	report_measured(&sum[2]);
	report_measured(NULL);
	report_measured(&sum[0]);
	report_result("a.2.g.t", OUTCOME_PASS, NULL);
	SAME(text(), "KTAP version 1\n1..3\nok 1 a.0.g.t\n# fact a.0.g.t.sum=4+5/7..8:3\n"
		     "# fact a.0.g.t.late=10:2,13:1,31:1\nok 2 a.1.g.t\nok 3 a.2.g.t\n"
		     "# fact a.2.g.t.sum=4+5/9\n");
	begin(REPORT_BUFFER_SIZE);
	report_measured(&sum[2]);
	report_result("a.0.g.t", OUTCOME_PASS, NULL);
	OK(strstr(text(), "# fact a.0.g.t.sum=1+2/8..\n"));
}

static void test_lines(void)
{
	begin(REPORT_BUFFER_SIZE);
	report_header("cpu: %s", "x");
	report_plan(5, NULL);
	report_result("a.0.g.one", OUTCOME_PASS, NULL);
	report_diag("got %u", 1u);
	report_diag("want %u\n", 2u);
	report_result("a.1.g.one", OUTCOME_FAIL, NULL);
	report_result("a.-.g.two", OUTCOME_SKIP, "no threshold");
	report_result("a.-.g.three", OUTCOME_KNOWN, "erratum 1");
	report_result("a.-.g.four", OUTCOME_ERROR, "trap 6");
	OK(report_end() == VERDICT_ERROR);
	SAME(text(), "KTAP version 1\n# cpu: x\n1..5\nok 1 a.0.g.one\nnot ok 2 a.1.g.one\n"
		     "#   got 1\n#   want 2\nok 3 a.-.g.two # SKIP no threshold\n"
		     "not ok 4 a.-.g.three # TODO known: erratum 1\nnot ok 5 a.-.g.four\n"
		     "#   error: trap 6\n# passed 1, failed 1, skipped 1, known 1, errors 1\n"
		     "# verdict: error\n");
	SAME(console_text, text());
}

/* The worst of all, below it those that failed. */
static void test_gathered(void)
{
	begin(REPORT_BUFFER_SIZE);
	report_plan(4, NULL);
	report_gather();
	report_header("unseen");
	report_result("a.0.g.one", OUTCOME_PASS, NULL);
	report_diag("got %u", 1u);
	report_diag("want %u", 2u);
	report_result("a.1.g.one", OUTCOME_FAIL, NULL);
	OK(report_count(OUTCOME_FAIL) == 1 && report_count(OUTCOME_PASS) == 1);
	report_diag("no failure");
	report_result("a.2.g.one", OUTCOME_PASS, NULL);
	report_diag("rip 3");
	report_result("a.3.g.one", OUTCOME_FAIL, "trap 6");
	report_diag("dropped");
	report_drop_diag();
	report_gathered("cpu1", "nothing");
	OK(report_count(OUTCOME_FAIL) == 1 && report_count(OUTCOME_PASS) == 0);
	report_gather();
	report_gathered("cpu2", "nothing");
	report_gather();
	report_result("a.0.g.one", OUTCOME_SKIP, "no PMU");
	report_result("a.1.g.one", OUTCOME_SKIP, "other");
	report_gathered("cpu3", "nothing");
	report_gather();
	report_result("a.0.g.one", OUTCOME_SKIP, "no PMU");
	report_result("a.1.g.one", OUTCOME_KNOWN, "erratum 1");
	report_gathered("cpu4", "nothing");
	OK(report_end() == VERDICT_FAIL);
	OK(strstr(text(), "1..4\nnot ok 1 cpu1\n#   failed: a.1.g.one\n#   got 1\n#   want 2\n"
			  "#   failed: a.3.g.one: trap 6\n#   rip 3\nok 2 cpu2 # SKIP nothing\n"
			  "ok 3 cpu3 # SKIP no PMU\n#   skipped: a.1.g.one: other\n"
			  "ok 4 cpu4\n#   known: a.1.g.one: erratum 1\n"
			  "# passed 1, failed 1, skipped 2,"));
	SAME(console_text, text());
}

static unsigned lines_of(const char *prefix)
{
	const char *at = text();
	unsigned n = 0;

	for (; (at = strstr(at, prefix)); at++)
		n++;
	return n;
}

static void gather_three(const char *name, enum outcome outcome, const char *why)
{
	report_gather();
	report_result("a.0.g.one", OUTCOME_PASS, NULL);
	report_result("a.1.g.one", outcome, why);
	report_result("a.2.g.one", outcome, why);
	report_result("a.3.g.one", outcome, why);
	report_gathered(name, NULL);
}

/* Why some were skipped is told of each, unless a result in full has told it. */
static void test_reasons(void)
{
	begin(REPORT_BUFFER_SIZE);
	report_plan(5, NULL);
	report_result("a.0.g.one", OUTCOME_SKIP, "no clock");
	gather_three("box1", OUTCOME_SKIP, "no clock");
	gather_three("box2", OUTCOME_SKIP, "no lock");
	gather_three("box3", OUTCOME_SKIP, "no lock");
	report_gather();
	report_result("a.0.g.one", OUTCOME_PASS, NULL);
	for (unsigned i = 0; i < 20; i++)
		report_result("a.1.g.one", OUTCOME_KNOWN, i / 10 ? "r" : "s");
	report_gathered("box4", NULL);
	OK(report_end() == VERDICT_PASS);
	OK(strstr(text(), "1..5\nok 1 a.0.g.one # SKIP no clock\nok 2 box1\nok 3 box2\n"
			  "#   skipped: a.1.g.one and 2 more: no lock\nok 4 box3\n"
			  "#   skipped: a.1.g.one and 2 more: no lock\nok 5 box4\n"
			  "#   known: a.1.g.one and 9 more: s\n"
			  "#   known: a.1.g.one and 9 more: r\n# passed"));
}

/* However much stands below it, each of the tests of a box is named. */
static void test_all_named(void)
{
	char name[32], line[64];
	unsigned named = 0;

	begin(REPORT_BUFFER_SIZE);
	report_plan(2, NULL);
	report_gather();
	for (unsigned i = 0; i < 64; i++) {
		for (unsigned k = 0; k < 20; k++)
			report_diag("register %u = %llx", k, 0x123456789abcdefull);
		fmt_print(name, sizeof(name), "box12-s1.%u.threshold.sum", i);
		report_result(name, OUTCOME_FAIL, NULL);
	}
	report_gathered("box", NULL);
	for (unsigned i = 0; i < 64; i++) {
		fmt_print(line, sizeof(line), "\n#   failed: box12-s1.%u.threshold.sum\n", i);
		named += lines_of(line) == 1;
	}
	OK(named == 64);
	OK(!strstr(text(), "more, dropped"));
	report_gather();
	for (unsigned i = 0; i < 1000; i++)
		report_result("box12-s1.0.threshold.sum", OUTCOME_FAIL, "time is up in ring 0");
	report_gathered("box", NULL);
	OK(report_end() == VERDICT_FAIL);
	OK(strstr(text(), " more, dropped)\n# passed 0, failed 2,"));
}

static enum verdict verdict_of(unsigned plan, unsigned n, const enum outcome *outcomes)
{
	unsigned i;

	begin(REPORT_BUFFER_SIZE);
	report_plan(plan, "nothing there");
	for (i = 0; i < n; i++)
		report_result("t", outcomes[i], "why");
	return report_end();
}

#define VERDICT(plan, ...)                                                                         \
	verdict_of(plan, sizeof((enum outcome[]){__VA_ARGS__}) / sizeof(enum outcome),             \
		   (enum outcome[]){__VA_ARGS__})

static void test_verdicts(void)
{
	OK(VERDICT(2, OUTCOME_PASS, OUTCOME_SKIP) == VERDICT_PASS);
	OK(VERDICT(2, OUTCOME_PASS, OUTCOME_KNOWN) == VERDICT_PASS);
	OK(VERDICT(1, OUTCOME_KNOWN) == VERDICT_PASS);
	OK(VERDICT(3, OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_KNOWN) == VERDICT_FAIL);
	OK(VERDICT(2, OUTCOME_FAIL, OUTCOME_ERROR) == VERDICT_ERROR);
	OK(VERDICT(2, OUTCOME_SKIP, OUTCOME_SKIP) == VERDICT_SKIP);
	OK(VERDICT(2, OUTCOME_PASS) == VERDICT_ERROR);
	OK(strstr(text(), "# plan not met: 2 planned, 1 reported\n") != NULL);
	OK(VERDICT(1, OUTCOME_PASS, OUTCOME_PASS) == VERDICT_ERROR);
	OK(verdict_of(0, 0, NULL) == VERDICT_SKIP);
	SAME(text(), "KTAP version 1\n1..0 # SKIP nothing there\n"
		     "# passed 0, failed 0, skipped 0, known 0, errors 0\n# verdict: skip\n");
	begin(REPORT_BUFFER_SIZE);
	OK(report_end() == VERDICT_ERROR);
}

static void test_bail_out(void)
{
	begin(REPORT_BUFFER_SIZE);
	report_plan(1, NULL);
	report_result("t", OUTCOME_PASS, NULL);
	report_diag("rip 1");
	report_bail_out("panic");
	OK(report_end() == VERDICT_ERROR);
	OK(strstr(text(), "ok 1 t\nBail out! panic\n#   rip 1\n# passed 1,") != NULL);
}

/* No text from outside may break the line structure. */
static void test_hostile_text(void)
{
	static char big[2000];

	begin(REPORT_BUFFER_SIZE);
	report_header("brand %s", "a\nok 1 forged\tb\x1b\x80");
	report_header("%s", "");
	memset(big, 'a', sizeof(big) - 1);
	report_header("%s", big);
	OK(strstr(text(), "\n# brand a ok 1 forged b??\n# \n# aaa") != NULL);
	OK(strstr(text(), "a...\n") != NULL);
}

static void test_full_buffer(void)
{
	unsigned i;

	begin(REPORT_BUFFER_MIN);
	report_plan(1000, NULL);
	for (i = 0; i < 1000; i++)
		report_result("amd.0.count.instructions", i % 3 ? OUTCOME_PASS : OUTCOME_FAIL, "x");
	for (i = 0; i < 100; i++)
		report_bail_out("again and again, some longer reason for which there is no room");
	OK(report_end() == VERDICT_ERROR);
	OK(lines_of("# report truncated here: its buffer of 4096 bytes is full") == 1);
	OK(lines_of("# verdict: error\n") == 1);
	OK(lines_of("\nBail out! ") == 1);
	OK(strstr(console_text, "\nok 1000 ") || strstr(console_text, "\nnot ok 1000 "));
}

static void test_full_diagnostics(void)
{
	unsigned i;

	begin(REPORT_BUFFER_SIZE);
	report_plan(2, NULL);
	for (i = 0; i < 2000; i++)
		report_diag("register %u = %llx", i, 0x123456789abcdefull);
	report_result("t", OUTCOME_FAIL, NULL);
	report_result("u", OUTCOME_FAIL, NULL);
	OK(report_end() == VERDICT_FAIL);
	OK(lines_of("#   (further diagnostics of this test dropped)\nnot ok 2 u\n") == 1);
}

/* Several hundred tests, a fair part of them failing with all their registers, must fit. */
static void test_capacity(void)
{
	unsigned i, j;

	begin(REPORT_BUFFER_SIZE);
	report_plan(800, NULL);
	for (i = 0; i < 800; i++) {
		for (j = 0; i % 2 && j < 20; j++)
			report_diag("PERF_CTL%u = 0x%016llx", j, 0x530076ull);
		report_result("amd.0.overflow.width_boundary", i % 2 ? OUTCOME_FAIL : OUTCOME_PASS,
			      NULL);
	}
	report_end();
	OK(lines_of("truncated") == 0);
}

/* Goes on where it was, with what the buffer holds. */
static void test_resume(void)
{
	struct report_progress progress;
	size_t length;

	begin(REPORT_BUFFER_SIZE);
	report_plan(3, NULL);
	report_result("t", OUTCOME_PASS, NULL);
	report_save(&progress);
	report_text(&length);
	report_result("lost", OUTCOME_PASS, NULL);
	console_length = 0;
	report_set_buffer(buffer, REPORT_BUFFER_SIZE);
	report_resume(length, &progress);
	report_result("u", OUTCOME_FAIL, NULL);
	report_result("v", OUTCOME_SKIP, "w");
	OK(report_end() == VERDICT_FAIL);
	SAME(text(), "KTAP version 1\n1..3\nok 1 t\nnot ok 2 u\nok 3 v # SKIP w\n"
		     "# passed 1, failed 1, skipped 1, known 0, errors 0\n# verdict: fail\n");
	SAME(console_text, text());
}

/* Nothing, until the first failure: then all of it. */
static void test_quiet(void)
{
	begin(REPORT_BUFFER_SIZE);
	console_length = 0;
	console_text[0] = '\0';
	report_begin(true);
	report_plan(2, NULL);
	report_result("t", OUTCOME_PASS, NULL);
	OK(report_count(OUTCOME_PASS) == 1 && report_count(OUTCOME_FAIL) == 0);
	SAME(console_text, "");
	report_result("u", OUTCOME_FAIL, NULL);
	SAME(console_text, "KTAP version 1\n1..2\nok 1 t\nnot ok 2 u\n");
	OK(report_end() == VERDICT_FAIL);
	SAME(console_text, text());

	console_length = 0;
	report_begin(true);
	report_plan(1, NULL);
	report_result("t", OUTCOME_PASS, NULL);
	OK(report_end() == VERDICT_PASS && console_length == 0);
	report_begin(true);
	report_plan(1, NULL);
	OK(report_end() == VERDICT_ERROR);
	SAME(console_text, text());
}

/* A report that is full says so, even if it has nothing else to say. */
static void test_quiet_and_full(void)
{
	begin(REPORT_BUFFER_MIN);
	console_length = 0;
	report_begin(true);
	report_plan(1000, NULL);
	for (unsigned i = 0; i < 1000; i++)
		report_result("amd.0.count.instructions", OUTCOME_PASS, NULL);
	OK(report_end() == VERDICT_PASS);
	OK(strstr(console_text, "KTAP") == console_text && strstr(console_text, "\nok 1000 "));
}

static void begin_without_room(void *unused)
{
	(void)unused;
	report_set_buffer(buffer, REPORT_BUFFER_MIN - 1);
}

int main(void)
{
	console_add(capture);
	test_facts();
	test_measured();
	test_lines();
	test_gathered();
	test_reasons();
	test_all_named();
	test_verdicts();
	test_bail_out();
	test_hostile_text();
	test_full_buffer();
	test_full_diagnostics();
	test_capacity();
	test_resume();
	test_quiet();
	test_quiet_and_full();
	OK(host_panics(begin_without_room, NULL));
	free(buffer);
	return tap_end();
}
