/* SPDX-License-Identifier: BSD-2-Clause */
/* The first failures: which claim is broken, on which counter, and what was got and expected. */
#include "page.h"

#define SHORT_ROWS 3u
#define TEXT       COLOUR(GREY, BLACK)
#define BRIGHT     COLOUR(WHITE, BLACK)

unsigned told_rows(const struct told *told)
{
	unsigned rows = 1;

	for (const char *c = told->details; *c; c++)
		rows += *c == '\n';
	return rows;
}

static unsigned rows_of(const struct told *f, bool verbose)
{
	return verbose ? told_rows(f) : SHORT_ROWS;
}

unsigned failures_rows(const struct board *board, bool verbose)
{
	unsigned rows = 0;

	for (unsigned i = 0; i < board->kept; i++)
		rows += rows_of(&board->failure[i], verbose);
	return rows;
}

/* With all details each has a page of its own. */
static unsigned on_page(bool verbose, unsigned rows)
{
	return verbose ? 1 : rows / SHORT_ROWS;
}

unsigned failures_pages(const struct board *board, bool verbose, unsigned rows)
{
	return (board->kept + on_page(verbose, rows) - 1) / on_page(verbose, rows);
}

unsigned failures_first(bool verbose, unsigned page, unsigned rows)
{
	return page * on_page(verbose, rows);
}

static void draw_name(const struct told *told, unsigned row)
{
	unsigned colour = told->mark >= MARK_FAIL ? COLOUR(SCARLET, BLACK) : BRIGHT;

	page_fill(0, 1, row, TEXT);
	screen_put(1, row, mark_cell(told->mark));
	page_blank(page_text(2, row, colour, " %s%s%s", told->id, told->also[0] ? ", also on" : "",
			     told->also),
		   row, TEXT);
}

void told_draw(const struct told *told, unsigned top, unsigned bottom)
{
	const char *text = told->details, *end;

	draw_name(told, top++);
	for (; *text && top < bottom; text = end + 1, top++) {
		unsigned column = page_text(0, top, TEXT, "   ");

		for (end = text; *end != '\n'; end++)
			screen_put(column++, top, SCREEN_CELL(*end, TEXT));
		page_blank(column, top, TEXT);
	}
}

/* The values got and expected tell more than the check, which is cut where both have no room. */
static void draw_check(const struct told *f, unsigned row)
{
	char check[sizeof(f->check)];
	size_t room = screen_columns() - 5, length = strlen(f->check), got = strlen(f->got);

	board_copy(check, sizeof(check), f->check);
	if (got && got + 2 < room && length + got > room)
		fmt_print(check + room - got - 2, 3, "..");
	page_line(row, BRIGHT, "   %s%s%s", check, got ? ": " : "", f->got);
}

static void draw_short(const struct told *f, unsigned row)
{
	draw_name(f, row);
	page_line(row + 1, TEXT, "   %s", f->claim);
	draw_check(f, row + 2);
}

void failures_draw(const struct board *board, bool verbose, unsigned first, unsigned top,
		   unsigned bottom)
{
	for (unsigned i = first; i < board->kept && top < bottom; i++) {
		const struct told *f = &board->failure[i];

		/* Half of one would be a riddle. */
		if (!verbose && top + SHORT_ROWS > bottom)
			break;
		if (verbose)
			told_draw(f, top, bottom);
		else
			draw_short(f, top);
		top += rows_of(f, verbose);
	}
	page_clear(top, bottom);
}
