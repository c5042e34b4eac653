/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows that every page has: what is tested, how far the run is, what the keys do. */
#include "page.h"

#define TEXT    COLOUR(GREY, BLACK)
#define BRIGHT  COLOUR(WHITE, BLACK)
#define TITLE   COLOUR(WHITE, BLUE)
#define WARNING COLOUR(YELLOW, BLACK)
#define BAR_MAX 40u

static void draw_title(const struct board *board)
{
	char processor[40] = "1 processor";
	unsigned column = page_text(0, 0, TITLE, " pmutest86 %s", board->title), right;

	if (board->processors > 1 && board->running[0])
		fmt_print(processor, sizeof(processor), "cpu%u of %u",
			  board_running_processor(board), board->processors);
	else if (board->processors > 1)
		fmt_print(processor, sizeof(processor), "%u processors", board->processors);
	right = screen_columns() - (unsigned)strlen(processor) - 1;
	page_fill(column, right, 0, TITLE);
	page_blank(page_text(right, 0, TITLE, "%s", processor), 0, TITLE);
}

unsigned head_rows(const struct board *board)
{
	return 3 + (board->pmus ? board->pmus : 1);
}

unsigned head_draw(const struct board *board)
{
	unsigned row = 1;

	draw_title(board);
	page_line(row++, BRIGHT, " %s%s%s", board->name, board->name[0] ? "; " : "", board->cpu);
	page_line(row++, TEXT, " microcode %s; %s; %s", board->microcode, board->hypervisor,
		  board->tsc);
	for (unsigned i = 0; row < head_rows(board); i++)
		page_line(row++, TEXT, " PMU %s", board->pmus ? board->pmu[i] : "none found");
	return row;
}

/* ---- how far the run is ---- */

static unsigned percent(const struct board *board)
{
	if (!board->plan)
		return 0;
	return board->results < board->plan
		       ? (unsigned)(UINT64_C(100) * board->results / board->plan)
		       : 100;
}

static void draw_bar(const struct board *board, const struct view *view, unsigned row)
{
	unsigned done = percent(board) * BAR_MAX / 100, column;
	char elapsed[16], left[16] = "?";

	banner_time(elapsed, view->elapsed_ms);
	if (view->left_ms)
		banner_time(left, view->left_ms);
	column = page_text(0, row, BRIGHT, " [");
	for (unsigned i = 0; i < BAR_MAX; i++)
		column = page_text(column, row, i < done ? COLOUR(WHITE, GREEN) : TEXT,
				   i < done ? "=" : ".");
	column = page_text(column, row, BRIGHT, "] %u %%  %s, about %s left", percent(board),
			   elapsed, left);
	page_blank(column, row, TEXT);
}

static void draw_counts(const struct board *board, unsigned row)
{
	unsigned column =
		page_text(0, row, TEXT, " %u of %u results: ", board->results, board->plan);

	for (enum mark mark = MARK_ERROR; mark >= MARK_SKIP; mark--) {
		bool bad = mark >= MARK_FAIL && board->count[mark];

		column = page_text(column, row, bad ? COLOUR(WHITE, RED) : TEXT, "%s %u",
				   mark_name(mark), board->count[mark]);
		column = page_text(column, row, TEXT, mark == MARK_SKIP ? "" : ", ");
	}
	page_blank(column, row, TEXT);
}

/* A claim may be as long as a row. */
static void draw_running(const struct board *board, const struct view *view, unsigned row)
{
	const char *on = board->running_on;

	if (view->asks)
		page_line(row, WARNING,
			  " END THE RUN? The key q again ends it, any other key does not");
	else if (view->paused)
		page_line(row, WARNING, " PAUSED: the key p goes on");
	else if (board->running[0])
		page_line(row, BRIGHT, " > %s%s%s", on, on[0] ? ": " : "", board->running);
	else
		page_line(row, WARNING, " %s", board->note);
	page_line(row + 1, BRIGHT, "   %s", board->running[0] ? board->claim : "");
}

unsigned progress_draw(const struct board *board, const struct view *view, unsigned row)
{
	if (view->ended)
		return banner_draw(board, view, row);
	draw_bar(board, view, row);
	draw_counts(board, row + 1);
	draw_running(board, view, row + 2);
	return row + 4;
}

/* ---- the last rows ---- */

void foot_draw(const struct view *view)
{
	unsigned row = screen_rows() - FOOT_ROWS, column = 1;

	page_blank(0, row, TEXT);
	for (enum mark mark = MARK_ERROR; mark > MARK_NONE; mark--) {
		screen_put(column, row, mark_cell(mark));
		column = page_text(column + 1, row, TEXT, " %s  ", mark_name(mark));
	}
	page_blank(column, row, TEXT);
	page_line(row + 1, TITLE, " n next page (%u of %u)  f %s  v %s  %s", view->page + 1,
		  view->pages, view->failures_only ? "all groups" : "failures only",
		  view->verbose ? "brief" : "verbose",
		  view->ended          ? ""
		  : view->asked_to_end ? "q: ends after this test"
				       : "p pause  q end the run");
}
