/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws a page of a board: all of it, or only the rows that have changed. */
#include "page.h"

/* The state of the board when all was drawn last. */
static struct {
	unsigned head, columns, groups, failures, results, processor, measured;
} shown;

/* Pages are those of the matrix, of failures, of what was measured. */
static void draw_page(const struct board *board, struct view *view, unsigned top, unsigned bottom)
{
	unsigned rows = bottom - top, page = view->page;
	unsigned matrix = matrix_pages(board, view, top, bottom);
	unsigned failures = failures_pages(board, view->verbose, rows);

	view->pages = matrix + failures + (plots_rows(board) + rows - 1) / rows;
	if (page >= view->pages) {
		page = view->page = 0;
		matrix_pages(board, view, top, bottom);
	}
	view->on_matrix = page < matrix;
	if (view->on_matrix)
		matrix_draw(board, view, bottom);
	else if (page < matrix + failures)
		failures_draw(board, view->verbose,
			      failures_first(view->verbose, page - matrix, rows), top, bottom);
	else
		plots_draw(board, (page - matrix - failures) * rows, top, bottom);
}

static void note_shown(const struct board *board)
{
	shown.head = head_rows(board);
	shown.columns = board->columns;
	shown.groups = board->groups;
	shown.failures = board->failures;
	shown.results = board->results;
	shown.processor = board_running_processor(board);
	shown.measured = board->measured;
}

void show_all(const struct board *board, struct view *view)
{
	unsigned row = progress_draw(board, view, head_draw(board));

	if (view->fallen)
		return;
	draw_page(board, view, row, screen_rows() - FOOT_ROWS);
	foot_draw(view);
	note_shown(board);
}

/* Is there something new in other places than the rows of two groups? */
static bool is_old(const struct board *board)
{
	return shown.head != head_rows(board) || shown.columns != board->columns ||
	       shown.groups != board->groups || shown.failures != board->failures ||
	       board->results > shown.results + 1 || shown.measured != board->measured ||
	       shown.processor != board_running_processor(board);
}

void show_changes(const struct board *board, struct view *view)
{
	if (is_old(board) || !view->on_matrix || view->verbose) {
		show_all(board, view);
		return;
	}
	progress_draw(board, view, head_rows(board));
	matrix_draw_group(board, board->last_group);
	matrix_draw_group(board, board->running_group);
	shown.results = board->results;
}
