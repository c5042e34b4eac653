/* SPDX-License-Identifier: BSD-2-Clause */
/* The columns of the matrix: their names, order and places. */
#include "columns.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A box "imc0-s1" has the number 0, and the label "imc-s1"; other columns keep their names. */
void columns_name(const struct column *column, char label[COLUMN_NAME_MAX],
		  char counter[COLUMN_NAME_MAX])
{
	const char *text = column->pmu;
	size_t end = 0, n;

	fmt_print(label, COLUMN_NAME_MAX, "%s", text);
	fmt_print(counter, COLUMN_NAME_MAX, "%s", column->counter);
	if (column->counter[0])
		return;
	while (text[end] && text[end] != '-')
		end++;
	for (n = end; n && is_digit(text[n - 1]); n--)
		;
	fmt_print(counter, COLUMN_NAME_MAX, "%s", text + n);
	counter[end - n] = '\0';
	fmt_print(label + n, COLUMN_NAME_MAX - n, "%s", text + end);
}

bool columns_alike(const struct board *board, unsigned a, unsigned b)
{
	char label[2][COLUMN_NAME_MAX], counter[COLUMN_NAME_MAX];

	columns_name(&board->column[a], label[0], counter);
	columns_name(&board->column[b], label[1], counter);
	return !strcmp(label[0], label[1]);
}

/* "-" comes first. */
static unsigned number(const struct board *board, unsigned column)
{
	char label[COLUMN_NAME_MAX], counter[COLUMN_NAME_MAX];
	unsigned n = 0;

	columns_name(&board->column[column], label, counter);
	for (const char *c = counter; is_digit(*c); c++)
		n = n * 10 + (unsigned)(*c - '0') + 1;
	return n;
}

/* Behind the last one that is like it and has no higher number; without one, at the end. */
static void insert(struct columns *columns, const struct board *board, unsigned column)
{
	unsigned at = columns->count;

	for (unsigned i = 0; i < columns->count; i++)
		if (columns_alike(board, columns->column[i], column)) {
			if (number(board, columns->column[i]) > number(board, column)) {
				at = i;
				break;
			}
			at = i + 1;
		}
	for (unsigned i = columns->count++; i > at; i--)
		columns->column[i] = columns->column[i - 1];
	columns->column[at] = column;
}

/* Two cells wide, or one more than the digits of a number; the last one of a label as wide as that
 * needs. */
static void place(struct columns *columns, const struct board *board)
{
	unsigned x = 0, from = 0;
	char label[COLUMN_NAME_MAX], counter[COLUMN_NAME_MAX];

	for (unsigned i = 0; i < columns->count; i++) {
		columns_name(&board->column[columns->column[i]], label, counter);
		if (!i || !columns_alike(board, columns->column[i - 1], columns->column[i])) {
			if (i && x < from + 1)
				x = from + 1;
			from = x + (unsigned)strlen(label);
		}
		columns->x[i] = x;
		x += counter[0] ? 1 + (unsigned)strlen(counter) : 2;
	}
}

void columns_order(struct columns *columns, const struct board *board)
{
	if (columns->count == board->columns)
		return;
	columns->count = 0;
	for (unsigned c = 0; c < board->columns; c++)
		insert(columns, board, c);
	place(columns, board);
}

unsigned columns_pages(struct columns *columns, unsigned page, unsigned room)
{
	unsigned pages = 0, from = 0, i = 0;

	columns->from = columns->to = 0;
	do {
		from = i;
		while (i < columns->count && columns->x[i] - columns->x[from] <= room)
			i++;
		if (pages++ == page) {
			columns->from = from;
			columns->to = i;
		}
	} while (i < columns->count);
	return pages;
}
