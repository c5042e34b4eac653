/* SPDX-License-Identifier: BSD-2-Clause */
/* A grid of cells on a linear framebuffer, or in VGA text mode. */
#include "console.h"

#define BLANK SCREEN_CELL(' ', COLOUR(GREY, BLACK))

struct screen {
	struct framebuffer fb;
	unsigned scale; /* pixels per dot of the font */
	unsigned columns, rows;
	uint16_t *cells; /* as they are drawn */
};

static struct screen screen;

const uint32_t screen_palette[] = {
	[BLACK] = 0x000000,   [BLUE] = 0x1c3f94,    [GREEN] = 0x107c2a,  [CYAN] = 0x0f7c86,
	[RED] = 0xb01818,     [MAGENTA] = 0x8a2a8a, [BROWN] = 0xa58500,  [GREY] = 0xc0c0c0,
	[DARK] = 0x707070,    [SKY] = 0x6fa8ff,     [LIME] = 0x5fe06f,   [AQUA] = 0x6fe0e8,
	[SCARLET] = 0xff6060, [PINK] = 0xff80ff,    [YELLOW] = 0xffe060, [WHITE] = 0xffffff,
};

static uint32_t pixel(unsigned colour)
{
	uint32_t rgb = screen_palette[colour];

	if (!screen.fb.red_first)
		return rgb;
	return (rgb & 0xff) << 16 | (rgb & 0xff00) | rgb >> 16;
}

static const uint8_t *glyph(uint16_t cell)
{
	unsigned index = (cell & 0xff) - FONT_FIRST;

	return font[index < FONT_GLYPHS ? index : '?' - FONT_FIRST];
}

static volatile uint16_t *text_cells(void)
{
	return (volatile uint16_t *)(void *)screen.fb.base;
}

static void draw_line(uint32_t *line, uint8_t dots, uint32_t ink, uint32_t paper)
{
	for (unsigned dot = 0; dot < FONT_WIDTH; dot++)
		for (unsigned i = 0; i < screen.scale; i++)
			*line++ = dots >> (FONT_WIDTH - 1 - dot) & 1 ? ink : paper;
}

static void draw_glyph(unsigned column, unsigned row, uint16_t cell)
{
	size_t height = FONT_HEIGHT * screen.scale, width = FONT_WIDTH * screen.scale;
	uint32_t *line = screen.fb.base + row * height * screen.fb.stride + column * width;
	uint32_t ink = pixel(cell >> 8 & 15), paper = pixel(cell >> 12 & 7);

	for (unsigned y = 0; y < height; y++, line += screen.fb.stride)
		draw_line(line, glyph(cell)[y / screen.scale], ink, paper);
}

static void draw(unsigned column, unsigned row)
{
	uint16_t cell = screen.cells[row * screen.columns + column];

	if (screen.fb.text)
		text_cells()[row * screen.fb.stride + column] = cell;
	else
		draw_glyph(column, row, cell);
}

static void blank(void)
{
	for (size_t y = 0; y < screen.fb.height; y++)
		for (size_t x = 0; x < screen.fb.width; x++)
			if (screen.fb.text)
				text_cells()[y * screen.fb.stride + x] = BLANK;
			else
				screen.fb.base[y * screen.fb.stride + x] = 0;
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

bool screen_open(const struct framebuffer *framebuffer, uint16_t *cells)
{
	unsigned width = FONT_WIDTH, height = FONT_HEIGHT;

	screen = (struct screen){.fb = *framebuffer, .cells = cells, .scale = 1};
	if (!framebuffer->base)
		return false;
	/* As small as still has no more than the most columns. */
	if (framebuffer->text)
		width = height = 1;
	else
		screen.scale += (framebuffer->width - 1) / (FONT_WIDTH * SCREEN_COLUMNS_MAX);
	screen.columns = smaller(framebuffer->width / (width * screen.scale), SCREEN_COLUMNS_MAX);
	screen.rows = smaller(framebuffer->height / (height * screen.scale), SCREEN_ROWS_MAX);
	if (!screen.columns || screen.rows < 2) {
		screen = (struct screen){0};
		return false;
	}
	for (unsigned i = 0; i < screen.rows * screen.columns; i++)
		cells[i] = BLANK;
	blank();
	return true;
}

unsigned screen_columns(void)
{
	return screen.columns;
}

unsigned screen_rows(void)
{
	return screen.rows;
}

void screen_put(unsigned column, unsigned row, uint16_t cell)
{
	uint16_t *drawn = &screen.cells[row * screen.columns + column];

	if (column >= screen.columns || row >= screen.rows || *drawn == cell)
		return;
	*drawn = cell;
	draw(column, row);
}

uint16_t screen_get(unsigned column, unsigned row)
{
	return screen.cells[row * screen.columns + column];
}

void screen_redraw(void)
{
	for (unsigned row = 0; row < screen.rows; row++)
		for (unsigned column = 0; column < screen.columns; column++)
			draw(column, row);
}

void screen_close(void)
{
	if (screen.fb.base)
		blank();
	screen = (struct screen){0};
}
