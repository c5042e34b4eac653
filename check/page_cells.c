/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the cells of a page of reports back from a picture of it, by the colours of
 * check/report/page.css.
 *
 *     page_cells FILE.ppm
 *
 * One line for each row of cells: a letter each, as the page has them.  Exit code 1: the letter in
 * a cell would hardly be seen without colours; 2: the file is not whole.
 */
#include "check/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE_LEAST 10u /* of what is a cell, in pixels: borders are thinner */
#define CELLS_MAX  4096u
#define SAME_ROW   3u

/* WCAG 2.1, 1.4.3: text is read easily from this ratio of brightness on. */
#define CONTRAST_LEAST 4.5

static const struct {
	char letter;
	uint32_t paper;
} kinds[] = {
	{'+', 0xd7efd7}, {'-', 0xececec}, {'k', 0xffe08a}, {'X', 0xa30d1d}, {'E', 0x6a1b7a},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

struct cell {
	unsigned left, right, top, bottom; /* all of them inside */
	uint32_t paper;
	char letter;
};

static struct cell cells[CELLS_MAX];
static unsigned count;
static bool *seen; /* of each pixel */
static uint32_t *todo; /* pixels whose neighbours have not been looked at */

/* WCAG 2.1: relative luminance, what is left of a colour without colours. */
static double channel(unsigned value)
{
	double v = value / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double brightness(uint32_t rgb)
{
	return 0.2126 * channel(rgb >> 16) + 0.7152 * channel(rgb >> 8 & 0xff) +
	       0.0722 * channel(rgb & 0xff);
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = brightness(a) + 0.05, y = brightness(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* The best that any pixel of a cell does. */
static double contrast_in(const struct picture *p, const struct cell *cell)
{
	double best = 1;

	for (unsigned y = cell->top; y <= cell->bottom; y++)
		for (unsigned x = cell->left; x <= cell->right; x++)
			best = fmax(best, contrast(picture_at(p, x, y), cell->paper));
	return best;
}

static void visit(const struct picture *p, struct cell *cell, unsigned x, unsigned y, unsigned *n)
{
	uint32_t at = y * p->width + x;

	if (x >= p->width || y >= p->height || seen[at] || picture_at(p, x, y) != cell->paper)
		return;
	seen[at] = true;
	todo[(*n)++] = at;
	cell->left = x < cell->left ? x : cell->left;
	cell->right = x > cell->right ? x : cell->right;
	cell->bottom = y > cell->bottom ? y : cell->bottom;
}

/* All of the same colour that hangs together; what is found first is in its top row. */
static void take_cell(const struct picture *p, unsigned x, unsigned y, unsigned kind)
{
	struct cell cell = {x, x, y, y, kinds[kind].paper, kinds[kind].letter};
	unsigned n = 0;

	visit(p, &cell, x, y, &n);
	while (n) {
		uint32_t at = todo[--n], atx = at % p->width, aty = at / p->width;

		visit(p, &cell, atx + 1, aty, &n);
		visit(p, &cell, atx - 1, aty, &n);
		visit(p, &cell, atx, aty + 1, &n);
		visit(p, &cell, atx, aty - 1, &n);
	}
	if (cell.right - cell.left + 1 >= SIDE_LEAST && cell.bottom - cell.top + 1 >= SIDE_LEAST &&
	    count < CELLS_MAX)
		cells[count++] = cell;
}

static void take_cells(const struct picture *p)
{
	for (unsigned y = 0; y < p->height; y++)
		for (unsigned x = 0; x < p->width; x++)
			for (unsigned k = 0; k < KINDS; k++)
				if (!seen[y * p->width + x] &&
				    picture_at(p, x, y) == kinds[k].paper)
					take_cell(p, x, y, k);
}

static int by_place(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->top + SAME_ROW < y->top || y->top + SAME_ROW < x->top)
		return x->top < y->top ? -1 : 1;
	return x->left < y->left ? -1 : 1;
}

/* Returns whether each of them can be read. */
static bool print_cells(const struct picture *p)
{
	bool readable = true;

	for (unsigned i = 0; i < count; i++) {
		if (i && cells[i].top > cells[i - 1].top + SAME_ROW)
			putchar('\n');
		putchar(cells[i].letter);
		if (contrast_in(p, &cells[i]) >= CONTRAST_LEAST)
			continue;
		readable = false;
		fprintf(stderr, "page_cells: '%c' at %u, %u has a contrast of %.1f\n",
			cells[i].letter, cells[i].left, cells[i].top, contrast_in(p, &cells[i]));
	}
	putchar('\n');
	return readable;
}

int main(int argc, char **argv)
{
	struct picture p;
	bool readable;

	if (argc != 2) {
		fprintf(stderr, "usage: page_cells FILE.ppm\n");
		return 2;
	}
	p = picture_read("page_cells", argv[1]);
	seen = calloc(p.width, p.height * sizeof(*seen));
	todo = calloc(p.width, p.height * sizeof(*todo));
	if (!seen || !todo)
		return 2;
	take_cells(&p);
	qsort(cells, count, sizeof(cells[0]), by_place);
	readable = print_cells(&p);
	free(seen);
	free(todo);
	free(p.bytes);
	return readable ? 0 : 1;
}
