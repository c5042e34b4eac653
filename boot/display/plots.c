/* SPDX-License-Identifier: BSD-2-Clause */
/* What tests have measured, as pictures: how late interrupts came, and parts that make a whole. */
#include "page.h"

#define TEXT   COLOUR(GREY, BLACK)
#define BRIGHT COLOUR(WHITE, BLACK)

/* ---- how many instructions after the overflow the interrupt came ---- */

static unsigned samples(const struct board *board, unsigned column)
{
	unsigned n = 0;

	for (unsigned i = 0; i < BOARD_LATE; i++)
		n += board->late[column][i];
	return n;
}

bool late_there(const struct board *board)
{
	for (unsigned c = 0; c < board->columns; c++)
		if (samples(board, c))
			return true;
	return false;
}

/* A digit tells how often: of ten steps up to the most frequent one. */
static uint16_t late_cell(unsigned n, unsigned most)
{
	unsigned step = most ? (9 * n + most - 1) / most : 0;

	if (!n)
		return SCREEN_CELL('.', TEXT);
	return SCREEN_CELL('0' + step, step > 6   ? COLOUR(WHITE, GREEN)
				       : step > 3 ? COLOUR(WHITE, CYAN)
						  : COLOUR(WHITE, BLUE));
}

static void draw_late(const struct board *board, unsigned c, unsigned row)
{
	const struct column *column = &board->column[c];
	unsigned most = 0, x;

	for (unsigned i = 0; i < BOARD_LATE; i++)
		if (board->late[c][i] > most)
			most = board->late[c][i];
	x = page_text(0, row, TEXT, " %s.%s", column->pmu, column->counter);
	page_fill(x, 14, row, TEXT);
	x = x < 14 ? 14 : x;
	for (unsigned i = 0; i < BOARD_LATE; i++)
		screen_put(x++, row, late_cell(board->late[c][i], most));
	page_blank(page_text(x, row, TEXT, "  %u interrupts", samples(board, c)), row, TEXT);
}

void late_draw(const struct board *board, unsigned top, unsigned bottom)
{
	page_line(top++, BRIGHT,
		  " Interrupts, by how many instructions after the overflow they came:");
	page_line(top++, TEXT, "%-13s 0         10        20        30 or more   1 few .. 9 most",
		  " counter");
	for (unsigned c = 0; c < board->columns && top < bottom; c++)
		if (samples(board, c))
			draw_late(board, c, top++);
	page_clear(top, bottom);
}

/* ---- clocks at or above a threshold, and clocks below it ---- */

#define BAR 40u

static void draw_parts(const struct board *board, const struct parts *p, unsigned row)
{
	const struct column *column = &board->column[p->column];
	uint64_t sum = p->part + p->rest, most = sum > p->whole ? sum : p->whole;
	unsigned part = (unsigned)(p->part * BAR / most);
	unsigned both = (unsigned)(sum * BAR / most), x;

	x = page_text(0, row, TEXT, " %s.%s at %u", column->pmu, column->counter, p->threshold);
	page_fill(x, 19, row, TEXT);
	x = x < 19 ? 19 : x;
	for (unsigned i = 0; i < BAR; i++)
		screen_put(x++, row,
			   i < part   ? SCREEN_CELL('#', COLOUR(WHITE, GREEN))
			   : i < both ? SCREEN_CELL('=', COLOUR(WHITE, BLUE))
				      : SCREEN_CELL('.', COLOUR(WHITE, RED)));
	x = page_text(x, row, sum == p->whole ? TEXT : COLOUR(WHITE, RED), " %llu+%llu %s %llu",
		      (unsigned long long)p->part, (unsigned long long)p->rest,
		      sum == p->whole ? "=" : "not", (unsigned long long)p->whole);
	page_blank(x, row, TEXT);
}

void parts_draw(const struct board *board, unsigned top, unsigned bottom)
{
	page_line(top++, BRIGHT,
		  " Clocks with so many events or more (#) and with fewer (=) are all clocks:");
	for (unsigned i = 0; i < board->parts && top < bottom; i++)
		draw_parts(board, &board->part[i], top++);
	page_clear(top, bottom);
}
