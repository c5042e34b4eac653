/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that scrolls, in some rows of the screen. */
#include "console.h"

#define COLOUR_OF_TEXT COLOUR(GREY, BLACK)

static struct {
	unsigned first, rows; /* of the screen; no rows: nothing is shown */
	unsigned column, row; /* of the next character */
} scroll;

static void put(unsigned column, unsigned row, uint16_t cell)
{
	screen_put(column, scroll.first + row, cell);
}

static void clear(unsigned from)
{
	for (unsigned row = from; row < scroll.rows; row++)
		for (unsigned column = 0; column < screen_columns(); column++)
			put(column, row, SCREEN_CELL(' ', COLOUR_OF_TEXT));
}

void scroll_open(unsigned first, unsigned rows)
{
	scroll.first = first;
	scroll.rows = rows;
	scroll.column = scroll.row = 0;
	clear(0);
}

/* By a quarter: writes to a framebuffer are slow. */
static void move_up(void)
{
	unsigned by = 1 + scroll.rows / 4;

	for (unsigned row = by; row < scroll.rows; row++)
		for (unsigned column = 0; column < screen_columns(); column++)
			put(column, row - by, screen_get(column, scroll.first + row));
	clear(scroll.rows - by);
	scroll.row -= by;
}

static void new_line(void)
{
	scroll.column = 0;
	if (++scroll.row == scroll.rows)
		move_up();
}

void scroll_write(const char *text, size_t length)
{
	if (!scroll.rows)
		return;
	for (; length; length--, text++) {
		if (*text == '\n') {
			new_line();
			continue;
		}
		if (scroll.column == screen_columns())
			new_line();
		put(scroll.column++, scroll.row, SCREEN_CELL(*text, COLOUR_OF_TEXT));
	}
}
