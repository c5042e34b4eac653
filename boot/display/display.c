/* SPDX-License-Identifier: BSD-2-Clause */
/* The display: it draws as the run goes on, and does what keys ask for. */
#include "display.h"

#include "kernel/kernel.h"
#include "page.h"

/* An unattended machine on whose line something sounds like a p must not stand still for ever. */
#define PAUSE_MINUTES 10u
/* Nor may one that sends without end stop the run. */
#define KEYS_MOST 256u
/* Nor one sound like a q end it: within this time there must be two, and nothing between them. */
#define QUESTION_SECONDS 60u

static struct {
	struct board *board; /* NULL: nothing is displayed */
	struct view view;
	bool whole_rounds;
	uint64_t tsc_per_ms, start, spent; /* TSC */
	uint64_t asked_at; /* whether the run shall end */
	uint64_t first_at; /* when the first test of this boot began, */
	unsigned first; /* and how many results there were */
} display;

/* ---- drawing ---- */

static uint64_t ms_since(uint64_t tsc)
{
	return (rdtsc() - tsc) / display.tsc_per_ms;
}

static void look_at_the_clock(void)
{
	const struct board *board = display.board;
	unsigned done = board->results - display.first;
	struct view *view = &display.view;

	if (view->ended)
		return;
	view->elapsed_ms = ms_since(display.start);
	view->left_ms = 0;
	if (display.first_at && board->results > display.first && board->plan > board->results)
		view->left_ms =
			ms_since(display.first_at) * (board->plan - board->results) / done + 1;
}

static void draw(void (*what)(const struct board *board, struct view *view))
{
	uint64_t start = rdtsc();

	if (!display.board)
		return;
	look_at_the_clock();
	display.view.verbose = report_is_verbose();
	what(display.board, &display.view);
	display.spent += rdtsc() - start;
}

/* The reason must be there to be read even if nothing follows it any more. */
static void fall(const struct board *board, struct view *view)
{
	unsigned below = head_rows(board) + banner_rows(board);

	view->fallen = view->ended = true;
	view->verdict = VERDICT_ERROR;
	show_all(board, view);
	scroll_open(below, screen_rows() - below);
}

/* ---- what is told ---- */

static void take_measured(const struct measured *measured)
{
	board_measured(display.board, measured);
}

/* Drops the keys typed so far, which were meant for somebody else. */
static void drop_keys(void)
{
	for (unsigned i = 0; i < KEYS_MOST && input_key() >= 0; i++)
		;
}

bool display_open(struct board *board, uint64_t tsc_per_ms, bool whole_rounds)
{
	memset(&display, 0, sizeof(display));
	display.whole_rounds = whole_rounds;
	display.tsc_per_ms = tsc_per_ms;
	display.start = rdtsc();
	drop_keys();
	if (!board || screen_columns() < DISPLAY_COLUMNS || screen_rows() < DISPLAY_ROWS)
		return false;
	board_begin(board);
	display.board = board;
	report_measured_to(take_measured);
	draw(show_all);
	return true;
}

bool display_is_open(void)
{
	return display.board;
}

void display_write(const char *text, size_t length)
{
	struct board *board = display.board;

	if (!board)
		return;
	board_write(board, text, length);
	if (!display.view.fallen && (board->panicked || board->bailed_out))
		draw(fall);
	if (display.view.fallen)
		scroll_write(text, length);
}

void display_planned(const char *id, bool box, unsigned times)
{
	/* The first round has told what later ones plan. */
	if (display.board && !(display.whole_rounds && display.first_at))
		board_plan(display.board, id, box, times);
}

/* ---- keys ---- */

static void turn_page(const struct board *board, struct view *view)
{
	view->page++;
	show_all(board, view);
}

/* The second of two ends it. */
static void ask_to_end(bool again)
{
	struct view *view = &display.view;

	if (again) {
		view->asked_to_end = true;
		view->paused = false;
		return;
	}
	view->asks = true;
	display.asked_at = rdtsc();
}

bool display_key(int key)
{
	struct view *view = &display.view;
	bool asked = view->asks;

	if (key < 0)
		return false;
	/* These keys mean nothing once the run has ended; held down until then they must not be
	 * taken for another key. */
	if (view->ended && (key == 'p' || key == 'q'))
		return false;
	view->asks = false;
	switch (key) {
	case 'n':
		draw(turn_page);
		return false;
	case 'f':
		view->failures_only = !view->failures_only;
		break;
	case 'v':
		report_set_verbose(!report_is_verbose());
		break;
	case 'p':
		view->paused = !view->paused;
		break;
	case 'q':
		ask_to_end(asked);
		break;
	default:
		if (asked)
			draw(show_all);
		return true;
	}
	draw(show_all);
	return false;
}

static void read_keys(int (*next)(const void *arg), const void *arg)
{
	int key = 0;

	if (ms_since(display.asked_at) > QUESTION_SECONDS * 1000)
		display.view.asks = false;
	for (unsigned i = 0; i < KEYS_MOST && key >= 0; i++) {
		key = next(arg);
		display_key(key);
	}
}

static int next_key(const void *arg)
{
	(void)arg;
	return input_key();
}

bool display_quit(void)
{
	read_keys(next_key, NULL);
	return display.view.asked_to_end;
}

void display_pause(int (*next)(const void *arg), const void *arg)
{
	uint64_t start = rdtsc();

	while (display.view.paused && ms_since(start) < PAUSE_MINUTES * 60000) {
		read_keys(next, arg);
		cpu_pause();
	}
	display.view.paused = false;
}

static bool is_over(void)
{
	return display.view.asked_to_end && !display.whole_rounds;
}

static void show_running(const char *processor, const char *id, const char *claim)
{
	board_run(display.board, processor, id, claim);
	if (!display.first_at) {
		display.first_at = rdtsc();
		display.first = display.board->results;
	}
	draw(show_changes);
}

bool display_begins(const char *processor, const char *id, const char *claim)
{
	if (is_over())
		return true;
	if (display.board)
		show_running(processor, id, claim);
	display_quit();
	/* Other processors have only so much time, by the firmware's clock. */
	if (machine_is_beside_firmware())
		display.view.paused = false;
	display_pause(next_key, NULL);
	return is_over();
}

/* ---- the end ---- */

void display_end(enum verdict verdict)
{
	report_measured_to(NULL);
	if (!display.board)
		return;
	look_at_the_clock();
	display.view.ended = true;
	display.view.verdict = verdict;
	draw(show_all);
}

void display_file(const char *where)
{
	if (!display.board)
		return;
	fmt_print(display.view.file, sizeof(display.view.file), "%s", where);
	screen_redraw();
	show_all(display.board, &display.view);
}

bool display_cost(unsigned *drawing, unsigned *all)
{
	if (!display.board)
		return false;
	*drawing = (unsigned)(display.spent / display.tsc_per_ms);
	*all = (unsigned)ms_since(display.start);
	return true;
}
