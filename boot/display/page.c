/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in cells of the screen, and what marks look like. */
#include "page.h"

#define TEXT_MAX (SCREEN_COLUMNS_MAX + 1)

static unsigned put(unsigned column, unsigned row, unsigned colour, const char *text)
{
	unsigned end = column + (unsigned)strlen(text), from = screen_columns();

	/* Text that is cut ends in two dots. */
	if (end > from)
		from -= 2;
	for (; *text && column < screen_columns(); text++, column++)
		screen_put(column, row, SCREEN_CELL(column < from ? *text : '.', colour));
	return column;
}

unsigned page_text(unsigned column, unsigned row, unsigned colour, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, format);
	fmt_vprint(text, sizeof(text), format, args);
	va_end(args);
	return put(column, row, colour, text);
}

void page_fill(unsigned column, unsigned to, unsigned row, unsigned colour)
{
	while (column < to)
		screen_put(column++, row, SCREEN_CELL(' ', colour));
}

void page_blank(unsigned column, unsigned row, unsigned colour)
{
	page_fill(column, screen_columns(), row, colour);
}

void page_line(unsigned row, unsigned colour, const char *format, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, format);
	fmt_vprint(text, sizeof(text), format, args);
	va_end(args);
	page_blank(put(0, row, colour, text), row, colour);
}

void page_clear(unsigned from, unsigned to)
{
	for (; from < to; from++)
		page_blank(0, from, COLOUR(GREY, BLACK));
}

/* Each has a character of its own, for those who see no colours. */
static const struct {
	uint16_t cell;
	const char *name;
} marks[MARKS] = {
	[MARK_NONE] = {SCREEN_CELL(' ', COLOUR(GREY, BLACK)), ""},
	[MARK_WAITING] = {SCREEN_CELL('.', COLOUR(GREY, BLACK)), "waiting"},
	[MARK_RUNNING] = {SCREEN_CELL('>', COLOUR(WHITE, BLUE)), "running"},
	[MARK_SKIP] = {SCREEN_CELL('-', COLOUR(YELLOW, BLACK)), "skip"},
	[MARK_PASS] = {SCREEN_CELL('+', COLOUR(WHITE, GREEN)), "pass"},
	[MARK_KNOWN] = {SCREEN_CELL('k', COLOUR(WHITE, BROWN)), "known"},
	[MARK_FAIL] = {SCREEN_CELL('X', COLOUR(WHITE, RED)), "fail"},
	[MARK_ERROR] = {SCREEN_CELL('E', COLOUR(WHITE, MAGENTA)), "error"},
};

uint16_t mark_cell(enum mark mark)
{
	return marks[mark].cell;
}

const char *mark_name(enum mark mark)
{
	return marks[mark].name;
}
