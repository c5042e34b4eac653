/* SPDX-License-Identifier: BSD-2-Clause */
/* The first failures: which claim is broken, on which counter, and what was got and expected. */
#include "page.h"

#define SHORT_ROWS 3u
#define TEXT       COLOUR(GREY, BLACK)
#define BRIGHT     COLOUR(WHITE, BLACK)

static unsigned rows_of(const struct failure *f, bool details)
{
	unsigned rows = 1;

	if (!details)
		return SHORT_ROWS;
	for (const char *c = f->details; *c; c++)
		rows += *c == '\n';
	return rows;
}

static unsigned kept(const struct board *board)
{
	return board->failures < BOARD_FAILURES ? board->failures : BOARD_FAILURES;
}

unsigned failures_rows(const struct board *board, bool details)
{
	unsigned rows = 0;

	for (unsigned i = 0; i < kept(board); i++)
		rows += rows_of(&board->failure[i], details);
	return rows;
}

/* With all details each has a page of its own. */
static unsigned on_page(bool details, unsigned rows)
{
	return details ? 1 : rows / SHORT_ROWS;
}

unsigned failures_pages(const struct board *board, bool details, unsigned rows)
{
	return (kept(board) + on_page(details, rows) - 1) / on_page(details, rows);
}

unsigned failures_first(bool details, unsigned page, unsigned rows)
{
	return page * on_page(details, rows);
}

static void draw_short(const struct failure *f, unsigned row)
{
	page_line(row, TEXT, "   %s", f->claim);
	page_line(row + 1, BRIGHT, "   %s%s%s", f->check, f->got[0] ? ": " : "", f->got);
}

static void draw_details(const struct failure *f, unsigned row, unsigned bottom)
{
	const char *text = f->details, *end;

	for (; *text && row < bottom; text = end + 1, row++) {
		unsigned column = page_text(0, row, TEXT, "   ");

		for (end = text; *end != '\n'; end++)
			screen_put(column++, row, SCREEN_CELL(*end, TEXT));
		page_blank(column, row, TEXT);
	}
}

static void draw_name(const struct failure *f, unsigned row)
{
	page_fill(0, 1, row, TEXT);
	screen_put(1, row, mark_cell(f->error ? MARK_ERROR : MARK_FAIL));
	page_blank(page_text(2, row, COLOUR(SCARLET, BLACK), " %s", f->id), row, TEXT);
}

void failures_draw(const struct board *board, bool details, unsigned first, unsigned top,
		   unsigned bottom)
{
	for (unsigned i = first; i < kept(board) && top < bottom; i++) {
		const struct failure *f = &board->failure[i];

		/* Half of one would be a riddle. */
		if (!details && top + SHORT_ROWS > bottom)
			break;
		draw_name(f, top);
		if (details)
			draw_details(f, top + 1, bottom);
		else
			draw_short(f, top + 1);
		top += rows_of(f, details);
	}
	page_clear(top, bottom);
}
