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

/* matrix.c: lays out page view->page, and returns how many pages there are; draws it, if it is one
 * of them; and the row of one group alone. */
unsigned matrix_pages(const struct board *board, const struct view *view, unsigned top,
		      unsigned bottom);
void matrix_draw(const struct board *board, const struct view *view, unsigned bottom);
void matrix_draw_group(const struct board *board, unsigned group);

/* failures.c: a result with all that is told of it, as far as there is room. */
unsigned told_rows(const struct told *told);
void told_draw(const struct told *told, unsigned top, unsigned bottom);
/* The rows that all failures take; the pages that these are, with so many rows each; the number of
 * the first failure on a page. */
unsigned failures_rows(const struct board *board, bool verbose);
unsigned failures_pages(const struct board *board, bool verbose, unsigned rows);
unsigned failures_first(bool verbose, unsigned page, unsigned rows);
void failures_draw(const struct board *board, bool verbose, unsigned first, unsigned top,
		   unsigned bottom);

/* plots.c: how many rows all pictures take; from that one of them on, as many as there is room for;
 * and those of the last picture, head and all down to what was measured last, or head and only the
 * last ones of these. */
unsigned plots_rows(const struct board *board);
void plots_draw(const struct board *board, unsigned first, unsigned top, unsigned bottom);
unsigned plots_latest_rows(const struct board *board);
void plots_draw_latest(const struct board *board, unsigned top, unsigned bottom);

/* ---- show.c: all of it, for which the view tells the page and gets the number of pages; or what
 * may have changed since, a test ahead ---- */

void show_all(const struct board *board, struct view *view);
void show_changes(const struct board *board, struct view *view);
