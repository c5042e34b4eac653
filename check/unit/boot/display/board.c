/* SPDX-License-Identifier: BSD-2-Clause */
/* The board, and how it takes in a report's lines. */
#include "boot/display/board.h"

#include <stdlib.h>

#include "check/unit/tap.h"

static struct board board;

static void say(const char *text)
{
	board_write(&board, text, strlen(text));
}

static unsigned column_of(const char *pmu, const char *counter)
{
	unsigned c = 0;

	while (c < board.columns &&
	       (strcmp(board.column[c].pmu, pmu) || strcmp(board.column[c].counter, counter)))
		c++;
	return c;
}

static enum mark mark_of(const char *group, const char *pmu, const char *counter)
{
	unsigned g = 0, c = column_of(pmu, counter);

	while (g < board.groups && strcmp(board.group[g].name, group))
		g++;
	return g < board.groups && c < board.columns ? board_mark(&board, g, c) : MARKS;
}

static void begin(void)
{
	board_begin(&board);
	say("KTAP version 1\n# pmutest86 0.1.0 (abc)\n# TSC: 2400123 ticks per millisecond\n"
	    "# cpu: AuthenticAMD family 06h model 04h stepping 2h (CPUID 1 EAX 00000642)\n"
	    "# cpu name: Athlon\n# microcode: not readable\n# hypervisor: none\n"
	    "# pmu amd: AMD core counters, 4 counters of 48 bits; AMD64 APM\n"
	    "# pmu amd: a note\n1..9\n");
}

static void test_header(void)
{
	begin();
	SAME(board.title, "0.1.0 (abc)");
	SAME(board.tsc, "TSC 2.400 GHz");
	SAME(board.cpu, "AuthenticAMD family 06h model 04h stepping 2h");
	SAME(board.hypervisor, "silicon, no hypervisor");
	SAME(board.pmu[0], "amd: AMD core counters, 4 counters of 48 bits");
	OK(board.pmus == 1 && board.plan == 9);
	board_begin(&board);
	say("# hypervisor: \"KVMKVMKVM\": what is tested is its PMU, not the silicon's\n"
	    "1..0 # SKIP there is no PMU\n# processors: 64, the firmware's is cpu3\n");
	SAME(board.hypervisor, "hypervisor \"KVMKVMKVM\"");
	SAME(board.note, "there is no PMU");
	OK(board.processors == 64 && board.own == 3);
}

static void test_cells(void)
{
	begin();
	board_plan(&board, "amd.0.count.one", false, 1);
	board_plan(&board, "amd.0.count.two", false, 1);
	board_plan(&board, "amd.1.count.one", false, 1);
	OK(mark_of("count", "amd", "0") == MARK_WAITING);
	board_run(&board, NULL, "amd.0.count.one", "it counts");
	OK(mark_of("count", "amd", "0") == MARK_RUNNING);
	say("ok 1 amd.0.count.one\n");
	OK(mark_of("count", "amd", "0") == MARK_WAITING);
	say("ok 2 amd.0.count.two # SKIP no such event\n");
	OK(mark_of("count", "amd", "0") == MARK_PASS);
	say("not ok 3 amd.1.count.one # TODO known: 1291\n");
	OK(mark_of("count", "amd", "1") == MARK_KNOWN);
	say("not ok 4 amd.1.count.two\n");
	OK(mark_of("count", "amd", "1") == MARK_FAIL);
	board_run(&board, NULL, "amd.1.count.two", "it counts");
	OK(mark_of("count", "amd", "1") == MARK_FAIL);
	say("ok 5 -.-.truth.steps # SKIP why\n");
	OK(mark_of("truth", "-", "-") == MARK_SKIP);
	OK(board.count[MARK_SKIP] == 2 && board.count[MARK_PASS] == 1 && board.results == 5);
	say("KTAP version 1\n");
	OK(mark_of("count", "amd", "1") == MARK_WAITING && !board.results && !board.failures);
}

/* All counters of a box are one column. */
static void test_boxes(void)
{
	begin();
	board_plan(&board, "imc0.0.count.lines", true, 1);
	board_plan(&board, "imc0.3.count.lines", true, 1);
	say("ok 1 imc0.0.count.lines\n");
	OK(board.columns == 1 && mark_of("count", "imc0", "") == MARK_WAITING);
	say("ok 2 imc0.3.count.lines\n");
	OK(board.columns == 1 && mark_of("count", "imc0", "") == MARK_PASS);
}

static void test_failures(void)
{
	const struct told *f = board.failure;

	begin();
	say("not ok 1 amd.0.edge.bursts\n#   edge.c:109: seen(t) >= 1\n#   amd counter 0: CTL\n"
	    "#   edge.c:138: count(t) == 1\n#   got 0 (0), expected 1 (1)\n"
	    "#   edge.c:139: count(t) == 2\n#   got 7 (7), expected 2 (2)\n"
	    "#   claim: an edge is one\n#   clause: AMD\nok 2 amd.1.edge.bursts\n#   a remark\n");
	OK(board.failures == 1 && f->mark == MARK_FAIL);
	SAME(f->id, "amd.0.edge.bursts");
	SAME(f->claim, "an edge is one");
	SAME(f->check, "count(t) == 1");
	SAME(f->got, "got 0 (0), expected 1 (1)");
	OK(!strstr(f->details, "remark") && strstr(f->details, "clause: AMD\n"));
	say("not ok 3 amd.2.edge.alternation\n#   error: refused\n");
	OK(board.failures == 2 && f[1].mark == MARK_ERROR && board.count[MARK_ERROR] == 1);
	OK(board.count[MARK_FAIL] == 1 && mark_of("edge", "amd", "2") == MARK_ERROR);
	SAME(f[1].check, "error: refused");
	SAME(board.last->id, "amd.2.edge.alternation");
	for (unsigned i = 0; i < 2 * BOARD_FAILURES; i++) {
		char line[80];

		snprintf(line, sizeof(line), "not ok 9 amd.3.edge.test%u\n#   edge.c:1: x\n", i);
		say(line);
	}
	OK(board.failures == 2 + 2 * BOARD_FAILURES && board.kept == BOARD_FAILURES);
}

/* The first failure of each test stands there, with the names of the others. */
static void test_repeated(void)
{
	begin();
	say("not ok 1 amd.0.edge.bursts\n#   edge.c:1: x == 1\nnot ok 2 amd.1.edge.bursts\n"
	    "#   edge.c:2: y == 1\nnot ok 3 amd.12.edge.bursts\nnot ok 4 amd.1.edge.bursts2\n"
	    "not ok 5 imc0.-.edge.a\nnot ok 6 imc1.-.edge.a\nnot ok 7 imc3-s1.-.edge.a\n");
	OK(board.failures == 7 && board.kept == 4);
	SAME(board.failure[0].also, " 1 12");
	SAME(board.failure[0].check, "x == 1");
	SAME(board.failure[1].id, "amd.1.edge.bursts2");
	SAME(board.failure[2].also, " imc1");
	SAME(board.failure[3].id, "imc3-s1.-.edge.a");
	for (unsigned i = 0; i < 100; i++)
		say("not ok 8 amd.13.edge.bursts\n");
	OK(strlen(board.failure[0].also) < sizeof(board.failure[0].also) && board.kept == 4);
}

/* The last result that is no failure is kept. */
static void test_last(void)
{
	begin();
	OK(!board.last);
	say("ok 1 amd.0.count.one\n#   a remark\n# fact amd.0.skid=2\n#   error: not of ours\n");
	SAME(board.last->id, "amd.0.count.one");
	SAME(board.last->details, "a remark\nerror: not of ours\n");
	OK(board.last->mark == MARK_PASS && !board.failures && !board.count[MARK_ERROR]);
	say("ok 2 amd.1.count.one # SKIP no such event\n#   claim: it counts\n");
	SAME(board.last->details, "SKIP no such event\nclaim: it counts\n");
	OK(board.last->mark == MARK_SKIP);
	say("# panic, called from:\n#   image+0x1234\n");
	OK(!board.last);
	SAME(board.other.details, "SKIP no such event\nclaim: it counts\n");
}

/* The report of a first boot comes ahead of the plan, in one piece. */
static void test_resumed(void)
{
	board_begin(&board);
	say("KTAP version 1\n1..3\nok 1 amd.0.count.one\nnot ok 2 amd.1.count.one\n#   failed: "
	    "x\n");
	board_plan(&board, "amd.0.count.one", false, 1);
	board_plan(&board, "amd.1.count.one", false, 1);
	board_plan(&board, "amd.2.count.one", false, 1);
	OK(mark_of("count", "amd", "0") == MARK_PASS && mark_of("count", "amd", "1") == MARK_FAIL);
	OK(mark_of("count", "amd", "2") == MARK_WAITING && board.results == 2);
}

static void test_processors(void)
{
	begin();
	say("# processors: 4, the firmware's is cpu0\nok 1 amd.0.count.one\n"
	    "ok 2 cpu1.-.cpu.same_battery\n");
	board_run(&board, "cpu2", "amd.0.count.one", "it counts");
	OK(board.running_group == BOARD_GROUPS);
	OK(board_processor(&board, 0) == MARK_PASS && board_processor(&board, 1) == MARK_PASS);
	OK(board_processor(&board, 2) == MARK_RUNNING &&
	   board_processor(&board, 3) == MARK_WAITING);
	board_run(&board, "cpu3", "cpu3-intel.0.count.one", "it counts");
	OK(board.running_group != BOARD_GROUPS && board_running_processor(&board) == 3);
	say("not ok 3 cpu3-intel.0.count.one\n#   error: lost\n");
	OK(board_processor(&board, 3) == MARK_ERROR);
	say("ok 4 cpu99999999.-.cpu.same_battery\n");
	OK(board.results == 4);
}

static void measure_sum(uint64_t part, uint64_t rest, uint64_t least, uint64_t most)
{
	board_measured(&board, &(struct measured){.parts = 2,
						  .part = {part, rest},
						  .least = least,
						  .most = most,
						  .slack = 1});
}

static void test_late(void)
{
	begin();
	board_measured(&board, &(struct measured){.late = 3});
	OK(!board.measured);
	board_run(&board, NULL, "amd.0.overflow.skid", "it comes");
	board_measured(&board, &(struct measured){.late = 3});
	board_measured(&board, &(struct measured){.late = 1000000});
	OK(board.late[0][3] == 1 && board.late[0][BOARD_LATE - 1] == 1);
	OK(board.measured == 2 && board.latest_bar == BOARD_BARS && !board.latest_column);
}

/* A bar is the first one, or the first one that is broken; and the last one that is broken is the
 * latest. */
static void test_bars(void)
{
	const struct bar *bar = board.bar;

	begin();
	board_run(&board, NULL, "amd.0.invert.partition", "they add up");
	measure_sum(4, 6, 10, 10);
	measure_sum(5, 5, 10, 10);
	OK(board.laws == 1 && board.bars == 1 && bar[0].measured.part[0] == 4);
	SAME(board.law[0].test, "invert.partition");
	SAME(board.law[0].claim, "they add up");
	measure_sum(4, 4, 10, 10);
	measure_sum(3, 4, 10, 10);
	OK(board.bars == 1 && bar[0].measured.part[0] == 4 && bar[0].measured.part[1] == 4);
	board_run(&board, NULL, "amd.1.invert.partition", "they add up");
	measure_sum(4, 6, 10, 10);
	OK(board.laws == 1 && board.bars == 2 && board.latest_bar == 0);
	measure_sum(4, 8, 10, 10);
	OK(board.latest_bar == 1);
	board_run(&board, NULL, "amd.1.threshold.sum_law", "so do these");
	measure_sum(4, 6, 10, 10);
	OK(board.laws == 2 && board.bars == 3 && board.latest_bar == 1);
	board_measured(&board, NULL);
	OK(board.bars == 2);
	for (unsigned i = 0; i < 2 * BOARD_LAWS; i++) {
		char id[40];

		snprintf(id, sizeof(id), "amd.%u.g.test%u", i % 3, i);
		board_run(&board, NULL, id, "they add up");
		measure_sum(4, 6, 10, 10);
	}
	OK(board.laws == BOARD_LAWS && board.bars == 2 + BOARD_LAWS - 2);
}

static void test_sums(void)
{
	const struct measured sums[] = {
		{.parts = 2, .part = {4, 6}, .least = 10, .most = 10},
		{.parts = 2, .part = {4, 6}, .least = 11, .most = 11, .slack = 1},
		{.parts = 2, .part = {4, 6}, .least = 9, .most = UINT64_MAX, .slack = 1},
		{.parts = 3, .part = {4, 6, 1}, .most = 12},
		{.parts = 2, .part = {4, 6}, .least = 11, .most = UINT64_MAX},
		{.parts = 2, .part = {4, 6}, .least = 9, .most = 9},
	};

	for (size_t i = 0; i < ARRAY_SIZE(sums); i++)
		OK(measured_holds(&sums[i]) == (i < 4));
}

/* The tests of a box that is like another run in its column, and their one result stands there. */
static void test_box_like_another(void)
{
	begin();
	board_plan(&board, "imc0.0.edge.a", true, 1);
	board_plan(&board, "imc1.-.box.same_battery", true, 1);
	board_run(&board, NULL, "imc1.0.edge.a", "it counts");
	OK(mark_of("edge", "imc1", "") == MARK_RUNNING &&
	   mark_of("box", "imc1", "") == MARK_WAITING);
	say("not ok 1 imc1.-.box.same_battery\n#   failed: imc1.0.edge.a\n"
	    "#   edge.c:1: x == 1\n#   got 2 (2), expected 1 (1)\n#   claim: it counts\n");
	OK(mark_of("edge", "imc1", "") == MARK_NONE && mark_of("box", "imc1", "") == MARK_FAIL);
	OK(board.columns == 2 && board.kept == 1);
	SAME(board.failure[0].id, "imc1.-.box.same_battery");
	SAME(board.failure[0].got, "got 2 (2), expected 1 (1)");
	OK(strstr(board.failure[0].details, "failed: imc1.0.edge.a\n") == board.failure[0].details);
}

/* More of all than there is room for, and words of any length: the sanitizers judge. */
static void test_too_much(void)
{
	char line[2000];

	begin();
	for (unsigned i = 0; i < 300; i++) {
		snprintf(line, sizeof(line), "not ok %u pmu%u.%u.group%u.test\n", i, i, i, i);
		say(line);
	}
	SAME(board.column[BOARD_COLUMNS - 1].pmu, "others");
	OK(board.columns == BOARD_COLUMNS && board.groups == BOARD_GROUPS && board.results == 300);
	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	say(line);
	say("\nok \nnot ok 5\nok 6 .\n#   \n1..x\n# pmu \n# processors: \n");
	OK(board.results == 303);
	srand(1);
	for (unsigned i = 0; i < 100000; i++)
		say((const char *[]){"not ok 1 ", "ok ", ".", "-", "\n", "#   ", "# ", "got ",
				     ".c:", "x", "error: ", "cpu12", "KTAP version"}[rand() % 13]);
	OK(board.results > 0);
}

static void test_bail_out(void)
{
	begin();
	say("# panic, called from:\n");
	OK(board.panicked && !board.bailed_out);
	say("Bail out! a bug\n");
	OK(board.bailed_out);
	SAME(board.note, "a bug");
}

int main(void)
{
	test_header();
	test_cells();
	test_boxes();
	test_failures();
	test_repeated();
	test_last();
	test_resumed();
	test_processors();
	test_late();
	test_bars();
	test_sums();
	test_box_like_another();
	test_too_much();
	test_bail_out();
	return tap_end();
}
