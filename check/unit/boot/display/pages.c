/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of a board, drawn on a screen of VGA's 80 by 25 characters. */
#include "boot/display/page.h"
#include "check/unit/tap.h"

#define COLUMNS 80u
#define ROWS    25u

static struct board board;
static struct view view;
static uint16_t vga[COLUMNS * ROWS], cells[SCREEN_CELLS_MAX];

static void say(const char *text)
{
	board_write(&board, text, strlen(text));
}

static void begin(void)
{
	static const struct framebuffer text = {.base = (uint32_t *)(void *)vga,
						.width = COLUMNS,
						.height = ROWS,
						.stride = COLUMNS,
						.text = true};

	screen_open(&text, cells);
	board_begin(&board);
	view = (struct view){0};
	say("KTAP version 1\n# pmutest86 0.1.0 (abc)\n# cpu: X family 06h\n# cpu name: Athlon\n"
	    "# pmu amd: AMD core counters, 4 counters of 48 bits; APM\n1..8\n");
}

/* Without the blanks at its end. */
static const char *row(unsigned y)
{
	static char text[COLUMNS + 1];
	unsigned length = 0;

	for (unsigned x = 0; x < COLUMNS; x++) {
		text[x] = (char)vga[y * COLUMNS + x];
		if (text[x] != ' ')
			length = x + 1;
	}
	text[length] = '\0';
	return text;
}

static unsigned paper(unsigned x, unsigned y)
{
	return vga[y * COLUMNS + x] >> 12;
}

static unsigned draw_matrix(void)
{
	unsigned pages = matrix_pages(&board, &view, 0, ROWS - FOOT_ROWS);

	matrix_draw(&board, &view, ROWS - FOOT_ROWS);
	return pages;
}

static void test_head(void)
{
	begin();
	OK(head_draw(&board) == 4);
	OK(strstr(row(0), " pmutest86 0.1.0 (abc)") && strstr(row(0), "1 processor"));
	SAME(row(1), " Athlon; X family 06h");
	SAME(row(3), " PMU amd: AMD core counters, 4 counters of 48 bits");
	say("# processors: 4, the firmware's is cpu2\n");
	head_draw(&board);
	OK(strstr(row(0), "4 processors"));
	board_run(&board, NULL, "amd.0.count.one", "it counts");
	head_draw(&board);
	OK(strstr(row(0), "cpu2 of 4"));
}

static void test_progress(void)
{
	begin();
	say("ok 1 amd.0.count.one\nok 2 amd.1.count.one\n");
	board_run(&board, NULL, "amd.2.count.one", "it counts");
	view.elapsed_ms = 65000;
	OK(progress_draw(&board, &view, 0) == 4);
	SAME(row(0), " [==========..............................] 25 %  1:05, about ? left");
	SAME(row(1), " 2 of 8 results: error 0, fail 0, known 0, pass 2, skip 0");
	SAME(row(2), " > amd.2.count.one");
	SAME(row(3), "   it counts");
	view.paused = true;
	progress_draw(&board, &view, 0);
	OK(strstr(row(2), "PAUSED"));
}

static void test_banner(void)
{
	static const struct {
		enum verdict verdict;
		unsigned paper;
		const char *text;
	} banners[] = {{VERDICT_PASS, GREEN, " PASS in 1:05: passed 1, failed 1,"},
		       {VERDICT_FAIL, RED, " FAIL in 1:05: "},
		       {VERDICT_SKIP, BROWN, " SKIP in 1:05: "},
		       {VERDICT_ERROR, BROWN, " ERROR in 1:05: "}};

	begin();
	say("ok 1 amd.0.count.one\nnot ok 2 amd.1.count.one\n");
	view.ended = true;
	view.elapsed_ms = 65000;
	snprintf(view.file, sizeof(view.file), "report in \\x");
	for (size_t i = 0; i < ARRAY_SIZE(banners); i++) {
		view.verdict = banners[i].verdict;
		OK(progress_draw(&board, &view, 0) == banner_rows(&board));
		for (unsigned y = 0; y < banner_rows(&board); y++)
			OK(paper(0, y) == banners[i].paper && paper(79, y) == banners[i].paper);
		OK(strstr(row(5), banners[i].text) == row(5));
		SAME(row(6), " report in \\x");
	}
	say("Bail out! a bug\n");
	OK(progress_draw(&board, &view, 0) == 8 && banner_rows(&board) == 8);
	SAME(row(6), " a bug");
	SAME(row(7), " report in \\x");
	/* The P of PASS, at the left. */
	view.verdict = VERDICT_PASS;
	progress_draw(&board, &view, 0);
	OK(strstr(row(0), "   ######"));
	OK(strstr(row(3), "   ##"));
}

static void test_matrix(void)
{
	begin();
	for (unsigned i = 0; i < 4; i++)
		board_plan(&board,
			   (const char *[]){"-.-.truth.a", "amd.1.edge.a", "amd.0.edge.a",
					    "amd.-.edge.a"}[i],
			   false, 1);
	board_plan(&board, "imc0.0.edge.a", true, 1);
	board_plan(&board, "imc1.0.edge.a", true, 1);
	board_run(&board, NULL, "amd.0.edge.a", "it counts");
	say("ok 1 -.-.truth.a\nok 2 amd.-.edge.a # SKIP why\nnot ok 3 amd.1.edge.a # TODO known: "
	    "e\n");
	board_run(&board, NULL, "amd.0.edge.a", "it counts");
	OK(draw_matrix() == 1);
	SAME(row(0), "           - amd   imc");
	SAME(row(1), "           - - 0 1 0 1");
	SAME(row(2), " truth     +");
	SAME(row(3), " edge        - > k . .");
	say("not ok 4 imc0.0.edge.a\n#   edge.c:1: x == 1\n#   got 2 (2), expected 1 (1)\n"
	    "#   claim: it counts\n");
	draw_matrix();
	SAME(row(3), " edge        - . k X .");
	SAME(row(4), " The first failures:");
	SAME(row(5), " X imc0.0.edge.a");
	SAME(row(6), "   it counts");
	SAME(row(7), "   x == 1: got 2 (2), expected 1 (1)");
	view.failures_only = true;
	draw_matrix();
	SAME(row(2), " edge        - . k X .");
	SAME(row(3), " The first failures:");
	view.verbose = true;
	draw_matrix();
	SAME(row(5), "   edge.c:1: x == 1");
	say("ok 5 amd.0.edge.a # SKIP why\n#   a remark\n");
	draw_matrix();
	SAME(row(ROWS - FOOT_ROWS - 3), " - amd.0.edge.a");
	SAME(row(ROWS - FOOT_ROWS - 2), "   SKIP why");
	SAME(row(ROWS - FOOT_ROWS - 1), "   a remark");
}

/* Boxes with numbers of up to three digits. */
static void test_many_boxes(void)
{
	char id[32];

	begin();
	for (unsigned i = 98; i < 102; i++) {
		snprintf(id, sizeof(id), "imc%u.-.box.same_battery", i);
		board_plan(&board, id, true, 1);
	}
	say("ok 1 imc99.-.box.same_battery\nnot ok 2 imc100.-.box.same_battery\n");
	draw_matrix();
	SAME(row(0), "           imc");
	SAME(row(1), "           98 99 100 101");
	SAME(row(2), " box       .  +  X   .");
}

/* The lines of a check that say what was got and expected stay to be read. */
static void test_long_check(void)
{
	begin();
	say("not ok 1 amd.0.edge.a\n#   edge.c:1: a_very_long_expression_that_goes_on(and_on, "
	    "and_on) == "
	    "w.c[0].out\n#   got 20 (14), expected 11 (b)\n"
	    "#   claim: what is claimed here takes up more room than the width of the screen can "
	    "give "
	    "to it\n");
	draw_matrix();
	OK(strlen(row(5)) == COLUMNS && strstr(row(5), " can gi.."));
	SAME(row(6),
	     "   a_very_long_expression_that_goes_on(and_on, a..: got 20 (14), expected 11 (b)");
}

/* A failing cell is on the first page, or a hint that there is one. */
static void test_pages(void)
{
	char id[40];

	begin();
	for (unsigned g = 0; g < 30; g++) {
		snprintf(id, sizeof(id), "amd.0.g%u.test", g);
		board_plan(&board, id, false, 1);
	}
	say("not ok 1 amd.0.g29.test\n#   edge.c:1: x\n");
	OK(draw_matrix() == 2);
	SAME(row(2), " g29       X");
	SAME(row(3), " g0        .");
	for (unsigned c = 1; c < 40; c++) {
		snprintf(id, sizeof(id), "amd.%u.g29.test", c);
		board_plan(&board, id, false, 1);
	}
	say("not ok 2 amd.39.g29.other\n#   edge.c:1: x\n");
	OK(draw_matrix() == 6);
	OK(strstr(row(16), " Failing cells on other pages: 1; key n"));
	view.page = 3;
	draw_matrix();
	OK(strstr(row(2), " g29") == row(2) && strchr(row(2), 'X'));
}

static void test_strip(void)
{
	begin();
	say("# processors: 100, the firmware's is cpu0\nok 1 cpu1.-.cpu.same_battery\n"
	    "not ok 2 cpu99.-.cpu.same_battery\n");
	draw_matrix();
	OK(strstr(row(0), " CPUs      .+...") == row(0));
	OK(strchr(row(1), 'X') && strlen(row(1)) == 11 + 32);
	SAME(row(2), "           cpus");
	SAME(row(4), " cpu       X");
}

static void measure_sum(unsigned threshold, uint64_t part, uint64_t rest, uint64_t least,
			uint64_t most)
{
	board_measured(&board, &(struct measured){.parts = 2,
						  .part = {part, rest},
						  .least = least,
						  .most = most,
						  .threshold = threshold});
}

static void test_plots(void)
{
	begin();
	OK(!plots_rows(&board) && !plots_latest_rows(&board));
	board_run(&board, NULL, "amd.0.overflow.skid", "it comes");
	for (unsigned i = 0; i < 9; i++)
		board_measured(&board, &(struct measured){.late = 2});
	board_measured(&board, &(struct measured){.late = 4});
	board_run(&board, NULL, "amd.0.invert.partition", "they add up");
	measure_sum(2, 9, 27, 36, 36);
	board_run(&board, NULL, "amd.1.invert.partition", "they add up");
	measure_sum(3, 9, 18, 36, 36);
	board_run(&board, NULL, "amd.2.invert.partition", "they add up");
	measure_sum(0, 9, 27, 35, 35);
	OK(plots_rows(&board) == 6);
	plots_draw(&board, 0, 0, ROWS);
	SAME(row(0), " interrupts   0         10        20        30 or more instructions late");
	SAME(row(1), " amd.0        ..9.1...........................  10 interrupts");
	SAME(row(2), " invert.partition: they add up");
	SAME(row(3), " amd.0 at 2        #########=========================== 36 of 36");
	SAME(row(4), " amd.1 at 3        #########==================......... 27, not 36");
	SAME(row(5), " amd.2             #########==========================! 36, not 35");
	OK(paper(54, 3) == BLUE && paper(54, 4) == RED && paper(54, 5) == RED);
	plots_draw(&board, 3, 0, ROWS);
	OK(strstr(row(0), " amd.0 at 2 ") && !*row(3));
}

/* The part of a bound that may be is grey, and the part that lacks is red. */
static void test_bounds(void)
{
	begin();
	board_run(&board, NULL, "amd.0.threshold.sum_law", "they add up");
	measure_sum(0, 9, 9, 0, 36);
	board_run(&board, NULL, "amd.1.threshold.sum_law", "they add up");
	measure_sum(0, 9, 9, 27, 36);
	board_run(&board, NULL, "amd.2.threshold.sum_law", "they add up");
	measure_sum(0, 9, 27, 9, UINT64_MAX);
	plots_draw(&board, 0, 0, ROWS);
	SAME(row(1), " amd.0             #########=========.................. 18 of up to 36");
	SAME(row(2), " amd.1             #########=========.................. 18, not 27..36");
	SAME(row(3), " amd.2             #########=========================== 36 of 9 or more");
	OK(paper(38, 1) == BLACK && paper(38, 2) == RED && paper(47, 2) == BLACK);
	OK(paper(54, 2) == BLACK);
	/* Less than a cell lacks. */
	board_run(&board, NULL, "amd.3.threshold.sum_law", "they add up");
	measure_sum(0, 90000, 9999, 100000, 100000);
	plots_draw(&board, 0, 0, ROWS);
	OK(paper(53, 4) == BLUE && paper(54, 4) == RED);
}

/* Below the matrix and the failures: all of it, or the last of it. */
static void test_latest(void)
{
	char id[40];

	begin();
	for (unsigned c = 0; c < 3; c++) {
		snprintf(id, sizeof(id), "amd.%u.invert.partition", c);
		board_plan(&board, id, false, 1);
		board_run(&board, NULL, id, "they add up");
		measure_sum(0, 9, 27, 36, 36);
	}
	OK(draw_matrix() == 1);
	SAME(row(19), " invert.partition: they add up");
	for (unsigned c = 0; c < 3; c++)
		OK(strstr(row(20 + c), "36 of 36") && row(20 + c)[5] == (char)('0' + c));
	for (unsigned g = 0; g < 17; g++) {
		snprintf(id, sizeof(id), "amd.0.g%u.test", g);
		board_plan(&board, id, false, 1);
	}
	OK(draw_matrix() == 1);
	SAME(row(21), " invert.partition: they add up");
	OK(strstr(row(22), " amd.2 ") == row(22));
	board_plan(&board, "amd.0.g18.test", false, 1);
	board_plan(&board, "amd.0.g19.test", false, 1);
	OK(draw_matrix() == 2);
	OK(strstr(row(22), " amd.2 ") == row(22));
}

int main(void)
{
	test_head();
	test_progress();
	test_banner();
	test_matrix();
	test_many_boxes();
	test_long_check();
	test_pages();
	test_strip();
	test_plots();
	test_bounds();
	test_latest();
	return tap_end();
}
