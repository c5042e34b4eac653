/* SPDX-License-Identifier: BSD-2-Clause */
/* Measurements of tests, to be drawn: how late interrupts came, and counts that must add up. */
#include "board.h"

/* The name of the running test, without its counter: BOARD_LAWS if there is no room for it. */
static unsigned find_law(struct board *board)
{
	const char *test = board->running;
	unsigned i = 0;

	for (unsigned dots = 0; *test && dots < 2; test++)
		dots += *test == '.';
	while (i < board->laws && strcmp(board->law[i].test, test))
		i++;
	if (i < board->laws || i == BOARD_LAWS)
		return i;
	board_copy(board->law[i].test, sizeof(board->law[i].test), test);
	board_copy(board->law[i].claim, sizeof(board->law[i].claim), board->claim);
	return board->laws++;
}

static unsigned find_bar(const struct board *board, unsigned law)
{
	unsigned i = 0;

	while (i < board->bars &&
	       (board->bar[i].law != law || board->bar[i].column != board->running_column))
		i++;
	return i;
}

static bool holds(const struct board *board, unsigned bar)
{
	return bar == BOARD_BARS || measured_holds(&board->bar[bar].measured);
}

/* One that is broken stays until another one is. */
static void note_latest(struct board *board, unsigned bar)
{
	if (board->measured && !holds(board, board->latest_bar) && holds(board, bar))
		return;
	board->latest_bar = bar;
	board->latest_column = board->running_column;
}

static void keep_bar(struct board *board, const struct measured *measured)
{
	unsigned law = find_law(board), i = find_bar(board, law);

	if (law == BOARD_LAWS || i == BOARD_BARS)
		return;
	if (i == board->bars || (holds(board, i) && !measured_holds(measured)))
		board->bar[i] = (struct bar){law, board->running_column, *measured};
	if (i == board->bars)
		board->bars++;
	note_latest(board, i);
}

static void keep_late(struct board *board, uint64_t late)
{
	board->late[board->running_column][late < BOARD_LATE ? late : BOARD_LATE - 1]++;
	note_latest(board, BOARD_BARS);
}

/* How late interrupts came is so, whatever else spoilt the test. */
static void forget_bars(struct board *board)
{
	board->bars = board->bars_before;
	if (board->latest_bar >= board->bars)
		board->latest_bar = BOARD_BARS;
}

void board_measured(struct board *board, const struct measured *measured)
{
	if (board->running_group == BOARD_GROUPS)
		return;
	if (!measured) {
		forget_bars(board);
		return;
	}
	if (measured->parts)
		keep_bar(board, measured);
	else
		keep_late(board, measured->late);
	board->measured++;
}
