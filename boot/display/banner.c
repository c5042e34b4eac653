/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a run, to be read from across the room. */
#include "page.h"

/* Capital letters have dots in these rows of the font: two of them are a row of the banner. */
#define LETTER_FROM 2u
#define LETTER_ROWS 5u

#define DOT         SCREEN_CELL('#', COLOUR(WHITE, GREY))

void banner_time(char text[16], uint64_t ms)
{
	unsigned s = (unsigned)(ms / 1000);

	if (s < 3600)
		fmt_print(text, 16, "%u:%02u", s / 60, s % 60);
	else
		fmt_print(text, 16, "%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
}

static unsigned colour_of(enum verdict verdict)
{
	static const uint8_t colours[] = {
		[VERDICT_PASS] = COLOUR(WHITE, GREEN),
		[VERDICT_FAIL] = COLOUR(WHITE, RED),
		[VERDICT_SKIP] = COLOUR(WHITE, BROWN),
		[VERDICT_ERROR] = COLOUR(WHITE, BROWN),
	};

	return colours[verdict];
}

static const char *letters_of(enum verdict verdict)
{
	static const char *const letters[] = {
		[VERDICT_PASS] = "PASS",
		[VERDICT_FAIL] = "FAIL",
		[VERDICT_SKIP] = "SKIP",
		[VERDICT_ERROR] = "ERROR",
	};

	return letters[verdict];
}

/* Each dot of the font is a cell: is there one, so many cells right of where the letters begin? */
static bool is_dot(const char *letters, unsigned column, unsigned y)
{
	const uint8_t *dots;

	if (column >= strlen(letters) * FONT_WIDTH)
		return false;
	dots = font[(unsigned char)letters[column / FONT_WIDTH] - FONT_FIRST] + LETTER_FROM + 2 * y;
	return (dots[0] | dots[1]) >> (FONT_WIDTH - 1 - column % FONT_WIDTH) & 1;
}

static void draw_letters(const char *letters, unsigned row, unsigned colour)
{
	unsigned from = (screen_columns() - (unsigned)strlen(letters) * FONT_WIDTH) / 2;

	for (unsigned y = 0; y < LETTER_ROWS; y++)
		for (unsigned x = 0; x < screen_columns(); x++)
			screen_put(x, row + y,
				   is_dot(letters, x - from, y) ? DOT : SCREEN_CELL(' ', colour));
}

unsigned banner_rows(const struct board *board)
{
	return LETTER_ROWS + 2 + (board->note[0] != '\0');
}

unsigned banner_draw(const struct board *board, const struct view *view, unsigned row)
{
	unsigned colour = colour_of(view->verdict);
	char elapsed[16];

	banner_time(elapsed, view->elapsed_ms);
	draw_letters(letters_of(view->verdict), row, colour);
	row += LETTER_ROWS;
	page_line(row++, colour,
		  " %s in %s: passed %u, failed %u, skipped %u, known %u, errors %u of %u results",
		  letters_of(view->verdict), elapsed, board->count[MARK_PASS],
		  board->count[MARK_FAIL], board->count[MARK_SKIP], board->count[MARK_KNOWN],
		  board->count[MARK_ERROR], board->plan);
	if (board->note[0])
		page_line(row++, colour, " %s", board->note);
	page_line(row++, colour, " %s", view->file);
	return row;
}
