/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawing of a board: the parts of a page, and where they stand. */
#pragma once

#include "board.h"

/* ---- page.c: text in cells ---- */

/* Cut at the end of the screen, with two dots there; returns the column behind it. */
unsigned page_text(unsigned column, unsigned row, unsigned colour, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Blank from that column up to but not to another one; to the end of the row. */
void page_fill(unsigned column, unsigned to, unsigned row, unsigned colour);
void page_blank(unsigned column, unsigned row, unsigned colour);
/* Text and blanks in a whole row.  No cell is drawn twice, or it would flicker: nothing is blanked
 * to be written on. */
void page_line(unsigned row, unsigned colour, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Rows from, up to but not to. */
void page_clear(unsigned from, unsigned to);

/* How a mark looks: a cell, and a word for it. */
uint16_t mark_cell(enum mark mark);
const char *mark_name(enum mark mark);

/* The user's choices by keys, and how far the run is. */
struct view {
	unsigned page, pages;
	bool failures_only, verbose, paused;
	bool asks, asked_to_end; /* whether to end the run; and the answer was yes */
	bool on_matrix; /* that is what is shown */
	bool fallen; /* text scrolls below the banner instead: the run ended in a bug */
	bool ended;
	enum verdict verdict; /* when ended */
	char file[120]; /* where the report is; empty: not known */
	uint64_t elapsed_ms, left_ms; /* left_ms 0: not known */
};

/* ---- head.c: facts, in the first rows ---- */

/* How many rows. */
unsigned head_rows(const struct board *board);
unsigned head_draw(const struct board *board);
/* How far the run is and what runs, or how it ended, from that row on; returns the row below it. */
unsigned progress_draw(const struct board *board, const struct view *view, unsigned row);
/* The last rows of the screen: what marks and keys mean. */
#define FOOT_ROWS 2u
void foot_draw(const struct view *view);

/* ---- banner.c ---- */

unsigned banner_rows(const struct board *board);
unsigned banner_draw(const struct board *board, const struct view *view, unsigned row);
void banner_time(char text[16], uint64_t ms);

/* ---- what is below: rows top up to but not bottom ---- */

/* matrix.c */

/* matrix_pages(): lays out page view->page of the matrix, and returns how many pages there are. */
unsigned matrix_pages(const struct board *board, const struct view *view, unsigned top,
		      unsigned bottom);
/* matrix_draw(): draws what matrix_pages() has laid out; only if view->page is a page of the
 * matrix. */
void matrix_draw(const struct board *board, const struct view *view, unsigned bottom);
/* matrix_draw_group(): draws the rows of one group again; nothing where it is not on the page. */
void matrix_draw_group(const struct board *board, unsigned group);

/* failures.c */

/* told_rows(): how many rows a result has with all that is told of it. */
unsigned told_rows(const struct told *told);
/* told_draw(): draws them, as far as there is room. */
void told_draw(const struct told *told, unsigned top, unsigned bottom);
/* failures_rows(): how many rows all failures have, with all that is told of each if verbose. */
unsigned failures_rows(const struct board *board, bool verbose);
/* failures_pages(): how many pages that are, with so many rows each. */
unsigned failures_pages(const struct board *board, bool verbose, unsigned rows);
/* failures_first(): the number of the first failure on a page. */
unsigned failures_first(bool verbose, unsigned page, unsigned rows);
/* failures_draw(): draws failures from number first on, as far as there is room. */
void failures_draw(const struct board *board, bool verbose, unsigned first, unsigned top,
		   unsigned bottom);

/* plots.c: pictures of what was measured, each of a head and a row for each thing measured */

/* plots_rows(): how many rows all pictures have; 0: nothing was measured. */
unsigned plots_rows(const struct board *board);
/* plots_draw(): draws the rows of all pictures from number first on, as far as there is room. */
void plots_draw(const struct board *board, unsigned first, unsigned top, unsigned bottom);
/* plots_latest_rows(): how many rows the picture measured last has, from its head down to what was
 * measured last; 0: nothing was measured. */
unsigned plots_latest_rows(const struct board *board);
/* plots_draw_latest(): draws these rows; where they have no room, the head and the last ones.  Only
 * where something was measured. */
void plots_draw_latest(const struct board *board, unsigned top, unsigned bottom);

/* ---- show.c: all of it, for which the view tells the page and gets the number of pages; or what
 * may have changed since, a test ahead ---- */

void show_all(const struct board *board, struct view *view);
void show_changes(const struct board *board, struct view *view);
