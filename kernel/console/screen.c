/* SPDX-License-Identifier: BSD-2-Clause */
/* A text console on a linear framebuffer, or in VGA text mode. */
#include "console.h"

#define CELL_WIDTH  (FONT_WIDTH + 2) /* dots, with the gap to the next cell */
#define CELL_HEIGHT (2 * FONT_HEIGHT) /* each dot of the font is drawn twice as high */
#define INK         UINT32_C(0x00c8c8c8) /* grey is the same in BGRX and RGBX */
#define PAPER       UINT32_C(0)

struct screen {
	struct framebuffer fb;
	unsigned scale; /* pixels per dot */
	unsigned columns, rows, column, row;
	char *cells;
};

static struct screen screen;

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static uint8_t glyph_row(char c, unsigned y)
{
	unsigned index = (unsigned char)c - FONT_FIRST;

	if (index >= FONT_GLYPHS)
		index = '?' - FONT_FIRST;
	return font[index][y / 2];
}

/* VGA text mode: the character, and grey on black above it. */
#define CHARACTER(c) ((uint16_t)(0x0700 | (uint8_t)(c)))

static volatile uint16_t *text_cells(void)
{
	return (volatile uint16_t *)(void *)screen.fb.base;
}

static void draw_cell(unsigned column, unsigned row)
{
	unsigned width = CELL_WIDTH * screen.scale, height = CELL_HEIGHT * screen.scale;
	char c = screen.cells[row * screen.columns + column];
	uint32_t *line = screen.fb.base + (size_t)row * height * screen.fb.stride + column * width;
	unsigned x, y, dot;
	uint8_t bits;

	for (y = 0; y < height; y++, line += screen.fb.stride) {
		bits = glyph_row(c, y / screen.scale);
		for (x = 0; x < width; x++) {
			dot = x / screen.scale;
			line[x] = dot < FONT_WIDTH && bits >> (FONT_WIDTH - 1 - dot) & 1 ? INK
											 : PAPER;
		}
	}
}

static void set_cell(unsigned column, unsigned row, char c)
{
	char *cell = &screen.cells[row * screen.columns + column];

	if (*cell == c)
		return;
	*cell = c;
	if (screen.fb.text)
		text_cells()[row * screen.fb.stride + column] = CHARACTER(c);
	else
		draw_cell(column, row);
}

static void blank(void)
{
	size_t x, y;

	for (y = 0; y < screen.fb.height; y++)
		for (x = 0; x < screen.fb.width; x++)
			if (screen.fb.text)
				text_cells()[y * screen.fb.stride + x] = CHARACTER(' ');
			else
				screen.fb.base[y * screen.fb.stride + x] = PAPER;
}

void screen_open(const struct framebuffer *framebuffer, char *cells)
{
	unsigned width = CELL_WIDTH, height = CELL_HEIGHT;

	screen = (struct screen){.fb = *framebuffer, .cells = cells};
	if (!framebuffer->base)
		return;
	/* About 128 columns on any screen. */
	screen.scale = 1 + framebuffer->width / (CELL_WIDTH * 256);
	if (framebuffer->text)
		width = height = screen.scale = 1;
	screen.columns = smaller(framebuffer->width / (width * screen.scale), SCREEN_COLUMNS_MAX);
	screen.rows = smaller(framebuffer->height / (height * screen.scale), SCREEN_ROWS_MAX);
	if (!screen.columns || screen.rows < 2) {
		screen.fb.base = NULL;
		return;
	}
	memset(cells, ' ', SCREEN_CELLS_MAX);
	blank();
}

/* Scrolls by a quarter of the screen: writes to a framebuffer are slow. */
static void scroll(void)
{
	unsigned by = 1 + screen.rows / 4, row, column;

	for (row = 0; row < screen.rows; row++)
		for (column = 0; column < screen.columns; column++)
			set_cell(column, row,
				 row + by < screen.rows
					 ? screen.cells[(row + by) * screen.columns + column]
					 : ' ');
	screen.row -= by;
}

static void new_line(void)
{
	screen.column = 0;
	if (++screen.row == screen.rows)
		scroll();
}

void screen_write(const char *text, size_t length)
{
	if (!screen.fb.base)
		return;
	for (; length; length--, text++) {
		if (*text == '\n') {
			new_line();
			continue;
		}
		if (screen.column == screen.columns)
			new_line();
		set_cell(screen.column++, screen.row, *text);
	}
}

void screen_close(void)
{
	if (screen.fb.base)
		blank();
	screen.fb.base = NULL;
}
