/* SPDX-License-Identifier: BSD-2-Clause */
/* Measurements of tests as pictures: a head, and below it a row for each counter. */
#include "page.h"

#define TEXT   COLOUR(GREY, BLACK)
#define BRIGHT COLOUR(WHITE, BLACK)
#define BROKEN COLOUR(WHITE, RED)

/* Pictures by number: how late interrupts came, then the laws of the board. */
#define LATE     0u
#define LAW(law) ((law) + 1)

static unsigned draw_name(const struct board *board, unsigned c, unsigned row)
{
	const struct column *column = &board->column[c];

	return page_text(0, row, TEXT, column->counter[0] ? " %s.%s" : " %s", column->pmu,
			 column->counter);
}

static unsigned fill_to(unsigned column, unsigned to, unsigned row)
{
	page_fill(column, to, row, TEXT);
	return column < to ? to : column;
}

/* ---- how many instructions after the overflow the interrupt came ---- */

#define LATE_FROM 14u

static unsigned samples(const struct board *board, unsigned column)
{
	unsigned n = 0;

	for (unsigned i = 0; i < BOARD_LATE; i++)
		n += board->late[column][i];
	return n;
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
	unsigned most = 0, x = fill_to(draw_name(board, c, row), LATE_FROM, row);

	for (unsigned i = 0; i < BOARD_LATE; i++)
		if (board->late[c][i] > most)
			most = board->late[c][i];
	for (unsigned i = 0; i < BOARD_LATE; i++)
		screen_put(x++, row, late_cell(board->late[c][i], most));
	page_blank(page_text(x, row, TEXT, "  %u interrupts", samples(board, c)), row, TEXT);
}

/* ---- counts that must add up ---- */

#define BAR_FROM 19u
#define BAR      36u

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How far a count reaches, in cells. */
static unsigned reach(const struct measured *m, uint64_t count)
{
	uint64_t all = larger(measured_sum(m), m->most == UINT64_MAX ? m->least : m->most);

	return (unsigned)(all ? count * BAR / all : 0);
}

/* One behind another; MEASURED_PARTS: behind all. */
static unsigned part_at(const struct measured *m, unsigned cell)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < m->parts; i++) {
		sum += m->part[i];
		if (cell < reach(m, sum))
			return i;
	}
	return MEASURED_PARTS;
}

/* The part of a broken bar that lacks, or is too much: one cell at least. */
static bool is_wrong(const struct measured *m, unsigned cell)
{
	bool lacks = measured_sum(m) < m->least;
	unsigned from = reach(m, lacks ? measured_sum(m) : m->most);

	if (from == BAR)
		from--;
	return cell == from || (cell > from && (!lacks || cell < reach(m, m->least)));
}

static uint16_t bar_cell(const struct measured *m, unsigned cell)
{
	static const uint8_t papers[] = {GREEN, BLUE, CYAN};
	unsigned part = part_at(m, cell);
	bool empty = part == MEASURED_PARTS;

	if (!measured_holds(m) && is_wrong(m, cell))
		return SCREEN_CELL(empty ? '.' : '!', BROKEN);
	if (empty)
		return SCREEN_CELL('.', TEXT);
	return SCREEN_CELL("#=%+*o@&"[part], COLOUR(WHITE, papers[part % ARRAY_SIZE(papers)]));
}

static void write_whole(char text[48], const struct measured *m)
{
	unsigned long long least = m->least, most = m->most;

	if (least == most)
		fmt_print(text, 48, "%llu", least);
	else if (most == UINT64_MAX)
		fmt_print(text, 48, "%llu or more", least);
	else if (!least)
		fmt_print(text, 48, "up to %llu", most);
	else
		fmt_print(text, 48, "%llu..%llu", least, most);
}

static void draw_bar(const struct board *board, const struct bar *bar, unsigned row)
{
	const struct measured *m = &bar->measured;
	unsigned x = draw_name(board, bar->column, row);
	char whole[48];

	if (m->threshold)
		x = page_text(x, row, TEXT, " at %u", m->threshold);
	x = fill_to(x, BAR_FROM, row);
	for (unsigned i = 0; i < BAR; i++)
		screen_put(x++, row, bar_cell(m, i));
	write_whole(whole, m);
	page_fill(x, x + 1, row, TEXT);
	x = page_text(x + 1, row, measured_holds(m) ? TEXT : BROKEN,
		      measured_holds(m) ? "%llu of %s" : "%llu, not %s",
		      (unsigned long long)measured_sum(m), whole);
	page_blank(x, row, TEXT);
}

/* ---- pictures ---- */

/* A row of a picture stands for a column of the board, or for a bar.  next() finds the first one
 * from i on; rows_end(): there is none. */
static unsigned rows_end(const struct board *board, unsigned picture)
{
	return picture == LATE ? board->columns : board->bars;
}

static unsigned next(const struct board *board, unsigned picture, unsigned i)
{
	while (i < rows_end(board, picture) &&
	       (picture == LATE ? !samples(board, i) : LAW(board->bar[i].law) != picture))
		i++;
	return i;
}

/* How many rows, up to the one of i. */
static unsigned rows_to(const struct board *board, unsigned picture, unsigned i)
{
	unsigned n = 0;

	for (unsigned r = next(board, picture, 0); r < i; r = next(board, picture, r + 1))
		n++;
	return n;
}

static void draw_head(const struct board *board, unsigned picture, unsigned row)
{
	if (picture == LATE)
		page_line(
			row, BRIGHT,
			" interrupts   0         10        20        30 or more instructions late");
	else
		page_line(row, BRIGHT, " %s: %s", board->law[picture - 1].test,
			  board->law[picture - 1].claim);
}

static void draw_row(const struct board *board, unsigned picture, unsigned i, unsigned row)
{
	if (picture == LATE)
		draw_late(board, i, row);
	else
		draw_bar(board, &board->bar[i], row);
}

/* From that row of it on, not counting its head; returns the row of the screen below it. */
static unsigned draw_rows(const struct board *board, unsigned picture, unsigned first, unsigned top,
			  unsigned bottom)
{
	unsigned n = 0;

	for (unsigned i = next(board, picture, 0); i < rows_end(board, picture) && top < bottom;
	     i = next(board, picture, i + 1))
		if (n++ >= first)
			draw_row(board, picture, i, top++);
	return top;
}

/* ---- a page of all, and the last one ---- */

static unsigned rows_of(const struct board *board, unsigned picture)
{
	unsigned rows = rows_to(board, picture, rows_end(board, picture));

	return rows ? 1 + rows : 0;
}

unsigned plots_rows(const struct board *board)
{
	unsigned rows = 0;

	for (unsigned picture = LATE; picture <= board->laws; picture++)
		rows += rows_of(board, picture);
	return rows;
}

void plots_draw(const struct board *board, unsigned first, unsigned top, unsigned bottom)
{
	for (unsigned picture = LATE; picture <= board->laws && top < bottom; picture++) {
		unsigned rows = rows_of(board, picture);

		if (!rows || first >= rows) {
			first -= rows;
			continue;
		}
		if (!first)
			draw_head(board, picture, top++);
		top = draw_rows(board, picture, first ? first - 1 : 0, top, bottom);
		first = 0;
	}
	page_clear(top, bottom);
}

static unsigned latest(const struct board *board)
{
	return board->latest_bar == BOARD_BARS ? LATE : LAW(board->bar[board->latest_bar].law);
}

static unsigned latest_row(const struct board *board)
{
	return rows_to(board, latest(board),
		       latest(board) == LATE ? board->latest_column : board->latest_bar);
}

unsigned plots_latest_rows(const struct board *board)
{
	return board->measured ? latest_row(board) + 2 : 0;
}

void plots_draw_latest(const struct board *board, unsigned top, unsigned bottom)
{
	unsigned rows = bottom - top - 1, row = latest_row(board) + 1;

	draw_head(board, latest(board), top++);
	top = draw_rows(board, latest(board), row > rows ? row - rows : 0, top, bottom);
	page_clear(top, bottom);
}
