/* SPDX-License-Identifier: BSD-2-Clause */
/* The columns of the matrix, from left to right. */
#pragma once

#include "board.h"

#define COLUMN_NAME_MAX 16u

struct columns {
	unsigned count, column[BOARD_COLUMNS]; /* of the board */
	unsigned x[BOARD_COLUMNS]; /* where each stands, in cells */
	unsigned from, to; /* of these: up to but not to, on the page that is shown */
};

/* Sorts the columns: those of one PMU, and of boxes of one kind, stand together, by number.  Only
 * new columns take time. */
void columns_order(struct columns *columns, const struct board *board);

/* Lays out that page, so many cells wide; returns how many pages there are. */
unsigned columns_pages(struct columns *columns, unsigned page, unsigned room);

/* The heading of a column: a label for all that are alike, and its counter or number. */
void columns_name(const struct column *column, char label[COLUMN_NAME_MAX],
		  char counter[COLUMN_NAME_MAX]);
bool columns_alike(const struct board *board, unsigned a, unsigned b);
