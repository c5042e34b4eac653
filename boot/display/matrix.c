/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of tests as rows, counters and boxes as columns, and a strip of processors. */
#include "columns.h"
#include "page.h"

#define TEXT          COLOUR(GREY, BLACK)
#define BRIGHT        COLOUR(WHITE, BLACK)
#define NAME_WIDTH    11u
#define COUNTER_WIDTH 3u
#define HEAD_ROWS     2u /* above the matrix: PMUs, and counters of each */
#define STRIP_ROWS    4u /* at most */

/* Where the matrix stands, since it was last drawn. */
static struct {
	struct columns columns;
	unsigned rows, group[BOARD_GROUPS]; /* groups of the board, from above */
	unsigned first, last; /* of these: up to but not to, on the page that is shown */
	unsigned top; /* row of the first group on this page */
	unsigned bottom; /* and below all, where the news begin */
} grid;

static unsigned x_of(unsigned i)
{
	return NAME_WIDTH + grid.columns.x[i] - grid.columns.x[grid.columns.from];
}

/* ---- rows ---- */

static void add_groups(const struct board *board, bool failed)
{
	for (unsigned g = 0; g < board->groups; g++)
		if ((board_group_mark(board, g) >= MARK_FAIL) == failed)
			grid.group[grid.rows++] = g;
}

/* In the order of the tests if all of them fit; else what has failed comes first. */
static void order_groups(const struct board *board, const struct view *view, unsigned room)
{
	grid.rows = 0;
	if (view->failures_only) {
		add_groups(board, true);
	} else if (board->groups > room) {
		add_groups(board, true);
		add_groups(board, false);
	} else {
		for (unsigned g = 0; g < board->groups; g++)
			grid.group[grid.rows++] = g;
	}
}

/* ---- what is drawn ---- */

static void draw_heads(const struct board *board, unsigned row)
{
	unsigned at[2] = {0, 0};
	char label[COLUMN_NAME_MAX], counter[COLUMN_NAME_MAX];

	for (unsigned i = grid.columns.from; i < grid.columns.to; i++) {
		columns_name(&board->column[grid.columns.column[i]], label, counter);
		if (i == grid.columns.from ||
		    !columns_alike(board, grid.columns.column[i - 1], grid.columns.column[i])) {
			page_fill(at[0], x_of(i), row, TEXT);
			at[0] = page_text(x_of(i), row, BRIGHT, "%s", label);
		}
		page_fill(at[1], x_of(i), row + 1, TEXT);
		at[1] = page_text(x_of(i), row + 1, TEXT, "%s", counter);
	}
	page_blank(at[0], row, TEXT);
	page_blank(at[1], row + 1, TEXT);
}

static void draw_row(const struct board *board, unsigned i)
{
	unsigned row = grid.top + i - grid.first, group = grid.group[i];
	bool failed = board_group_mark(board, group) >= MARK_FAIL;
	unsigned x = page_text(0, row, failed ? COLOUR(SCARLET, BLACK) : TEXT, " %s",
			       board->group[group].name);

	for (unsigned c = grid.columns.from; c < grid.columns.to; c++) {
		page_fill(x, x_of(c), row, TEXT);
		screen_put(x_of(c), row,
			   mark_cell(board_mark(board, group, grid.columns.column[c])));
		x = x_of(c) + 1;
	}
	page_blank(x, row, TEXT);
}

void matrix_draw_group(const struct board *board, unsigned group)
{
	for (unsigned i = grid.first; i < grid.last; i++)
		if (grid.group[i] == group)
			draw_row(board, i);
}

static unsigned strip_width(void)
{
	return screen_columns() - NAME_WIDTH - 1;
}

static unsigned strip_rows(const struct board *board)
{
	unsigned rows = (board->processors + strip_width() - 1) / strip_width();

	return board->processors < 2 ? 0 : rows < STRIP_ROWS ? rows : STRIP_ROWS;
}

static uint16_t processor_cell(const struct board *board, unsigned n)
{
	bool there = n < board->processors && n < BOARD_PROCESSORS;

	return mark_cell(there ? board_processor(board, n) : MARK_NONE);
}

/* One cell for each processor. */
static void draw_strip(const struct board *board, unsigned row)
{
	for (unsigned y = 0, n = 0; y < strip_rows(board); y++) {
		unsigned x = page_text(0, row + y, TEXT, "%s", y ? "" : " CPUs");

		page_fill(x, NAME_WIDTH, row + y, TEXT);
		for (x = 0; x < strip_width(); x++)
			screen_put(NAME_WIDTH + x, row + y, processor_cell(board, n++));
		page_blank(NAME_WIDTH + x, row + y, TEXT);
	}
}

/* Failures that no cell of this page shows. */
static unsigned hidden(const struct board *board)
{
	unsigned n = 0;

	for (unsigned i = 0; i < grid.rows; i++)
		for (unsigned c = 0; c < grid.columns.count; c++)
			n += (i < grid.first || i >= grid.last || c < grid.columns.from ||
			      c >= grid.columns.to) &&
			     board_mark(board, grid.group[i], grid.columns.column[c]) >= MARK_FAIL;
	return n;
}

static void draw_hint(const struct board *board, unsigned row)
{
	unsigned n = hidden(board);

	if (n)
		page_line(row, COLOUR(WHITE, RED), " Failing cells on other pages: %u; key n", n);
	else
		page_line(row, TEXT, "%s", board->failures ? " The first failures:" : "");
}

/* Rows of failures below the matrix: what it leaves, and in any case a third of all. */
static unsigned share(const struct board *board, const struct view *view, unsigned rows,
		      unsigned wanted)
{
	unsigned need = failures_rows(board, view->verbose), least = rows / 3;

	if (wanted < rows && rows - wanted > least)
		least = rows - wanted;
	return need < least ? need : least;
}

/* ---- news at the bottom: the last picture, or the last result with all lines below it ---- */

#define TOLD_LEAST    3u
#define PICTURE_LEAST 2u

static unsigned news_rows(const struct board *board, const struct view *view)
{
	if (!view->verbose)
		return plots_latest_rows(board);
	return board->last ? told_rows(board->last) : 0;
}

/* In any case so many rows of them. */
static unsigned news_least(const struct board *board, const struct view *view)
{
	unsigned most = view->verbose ? TOLD_LEAST : PICTURE_LEAST, rows = news_rows(board, view);

	return rows < most ? rows : most;
}

static void draw_news(const struct board *board, const struct view *view, unsigned bottom)
{
	if (grid.bottom == bottom)
		return;
	if (view->verbose)
		told_draw(board->last, grid.bottom, bottom);
	else
		plots_draw_latest(board, grid.bottom, bottom);
}

/* ---- all of it ---- */

unsigned matrix_pages(const struct board *board, const struct view *view, unsigned top,
		      unsigned bottom)
{
	unsigned wanted = view->failures_only ? 1 : board->groups;
	unsigned news = news_rows(board, view), least = news_least(board, view);
	unsigned below, room, rows, across, down;

	columns_order(&grid.columns, board);
	grid.top = top + strip_rows(board) + HEAD_ROWS;
	/* One row is for the hint. */
	rows = bottom - grid.top - 1 - least;
	below = share(board, view, rows, wanted);
	room = rows - below;
	order_groups(board, view, room);
	down = grid.rows > room ? (grid.rows + room - 1) / room : 1;
	across = columns_pages(&grid.columns, view->page / down,
			       screen_columns() - NAME_WIDTH - COUNTER_WIDTH);
	grid.first = view->page % down * room;
	grid.last = grid.rows - grid.first < room ? grid.rows : grid.first + room;
	rows = least + room - (grid.last - grid.first);
	grid.bottom = bottom - (news < rows ? news : rows);
	return across * down;
}

void matrix_draw(const struct board *board, const struct view *view, unsigned bottom)
{
	unsigned row = grid.top + grid.last - grid.first;

	draw_strip(board, grid.top - HEAD_ROWS - strip_rows(board));
	draw_heads(board, grid.top - HEAD_ROWS);
	for (unsigned i = grid.first; i < grid.last; i++)
		draw_row(board, i);
	draw_hint(board, row);
	failures_draw(board, view->verbose, 0, row + 1, grid.bottom);
	draw_news(board, view, bottom);
}
