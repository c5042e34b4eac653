/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of tests as rows, counters and boxes as columns, and a strip of processors. */
#include "page.h"

#define TEXT       COLOUR(GREY, BLACK)
#define BRIGHT     COLOUR(WHITE, BLACK)
#define NAME_WIDTH 11u
#define HEAD_ROWS  2u /* above the matrix: PMUs, and counters of each */
#define STRIP_ROWS 4u /* at most */
#define LABEL_MAX  16u

/* Where the matrix stands, since it was last drawn. */
static struct {
	unsigned columns, column[BOARD_COLUMNS]; /* of the board, from left to right */
	unsigned x[BOARD_COLUMNS]; /* of each */
	unsigned from, to; /* of these columns, on this page */
	unsigned rows, group[BOARD_GROUPS], first, last; /* the same of groups */
	unsigned top; /* row of the first group on this page */
} grid;

/* ---- columns: those of one PMU, and of boxes of one kind, stand together ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Of a box "imc0-s1" the number is 0, and the label "imc-s1"; of others they are what they are. */
static void name_column(const struct column *column, char label[LABEL_MAX], char counter[LABEL_MAX])
{
	const char *text = column->pmu;
	size_t end = 0, n;

	fmt_print(label, LABEL_MAX, "%s", text);
	fmt_print(counter, LABEL_MAX, "%s", column->counter);
	if (column->counter[0])
		return;
	while (text[end] && text[end] != '-')
		end++;
	for (n = end; n && is_digit(text[n - 1]); n--)
		;
	fmt_print(counter, LABEL_MAX, "%s", text + n);
	counter[end - n] = '\0';
	fmt_print(label + n, LABEL_MAX - n, "%s", text + end);
}

static bool alike(const struct board *board, unsigned a, unsigned b)
{
	char label[2][LABEL_MAX], counter[LABEL_MAX];

	name_column(&board->column[a], label[0], counter);
	name_column(&board->column[b], label[1], counter);
	return !strcmp(label[0], label[1]);
}

/* "-" comes first. */
static unsigned number(const struct board *board, unsigned column)
{
	char label[LABEL_MAX], counter[LABEL_MAX];
	unsigned n = 0;

	name_column(&board->column[column], label, counter);
	for (const char *c = counter; is_digit(*c); c++)
		n = n * 10 + (unsigned)(*c - '0') + 1;
	return n;
}

/* Behind the last one that is like it and has no higher number; without one, at the end. */
static void insert(const struct board *board, unsigned column)
{
	unsigned at = grid.columns;

	for (unsigned i = 0; i < grid.columns; i++)
		if (alike(board, grid.column[i], column)) {
			if (number(board, grid.column[i]) > number(board, column)) {
				at = i;
				break;
			}
			at = i + 1;
		}
	for (unsigned i = grid.columns++; i > at; i--)
		grid.column[i] = grid.column[i - 1];
	grid.column[at] = column;
}

/* Two cells wide, or three where a number has two digits; the last one of a label as wide as that
 * needs. */
static void place(const struct board *board)
{
	unsigned x = 0, from = 0;
	char label[LABEL_MAX], counter[LABEL_MAX];

	for (unsigned i = 0; i < grid.columns; i++) {
		name_column(&board->column[grid.column[i]], label, counter);
		if (!i || !alike(board, grid.column[i - 1], grid.column[i])) {
			if (i && x < from + 1)
				x = from + 1;
			from = x + (unsigned)strlen(label);
		}
		grid.x[i] = x;
		x += counter[0] && counter[1] ? 3 : 2;
	}
}

static void order_columns(const struct board *board)
{
	if (grid.columns == board->columns)
		return;
	grid.columns = 0;
	for (unsigned c = 0; c < board->columns; c++)
		insert(board, c);
	place(board);
}

/* Pages of columns: returns how many; those of this page to grid.from and grid.to. */
static unsigned turn_columns(unsigned page)
{
	unsigned room = screen_columns() - NAME_WIDTH - 3, pages = 0, from = 0, i = 0;

	grid.from = grid.to = 0;
	do {
		from = i;
		while (i < grid.columns && grid.x[i] - grid.x[from] <= room)
			i++;
		if (pages++ == page) {
			grid.from = from;
			grid.to = i;
		}
	} while (i < grid.columns);
	return pages;
}

static unsigned x_of(unsigned i)
{
	return NAME_WIDTH + grid.x[i] - grid.x[grid.from];
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
	char label[LABEL_MAX], counter[LABEL_MAX];

	for (unsigned i = grid.from; i < grid.to; i++) {
		name_column(&board->column[grid.column[i]], label, counter);
		if (i == grid.from || !alike(board, grid.column[i - 1], grid.column[i])) {
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

	for (unsigned c = grid.from; c < grid.to; c++) {
		page_fill(x, x_of(c), row, TEXT);
		screen_put(x_of(c), row, mark_cell(board_mark(board, group, grid.column[c])));
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
		for (unsigned c = 0; c < grid.columns; c++)
			n += (i < grid.first || i >= grid.last || c < grid.from || c >= grid.to) &&
			     board_mark(board, grid.group[i], grid.column[c]) >= MARK_FAIL;
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
	unsigned need = failures_rows(board, view->details), least = rows / 3;

	if (wanted < rows && rows - wanted > least)
		least = rows - wanted;
	return need < least ? need : least;
}

unsigned matrix_pages(const struct board *board, const struct view *view, unsigned top,
		      unsigned bottom)
{
	unsigned below, room, across, down;

	order_columns(board);
	grid.top = top + strip_rows(board) + HEAD_ROWS;
	/* One row is for the hint. */
	below = share(board, view, bottom - grid.top - 1, view->failures_only ? 1 : board->groups);
	room = bottom - grid.top - 1 - below;
	order_groups(board, view, room);
	down = grid.rows > room ? (grid.rows + room - 1) / room : 1;
	across = turn_columns(view->page / down);
	grid.first = view->page % down * room;
	grid.last = grid.rows - grid.first < room ? grid.rows : grid.first + room;
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
	failures_draw(board, view->details, 0, row + 1, bottom);
}
