/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a picture of the program's screen back into text, by the font that it was drawn with.
 *
 *     screen_text FILE.ppm      as QEMU's screendump writes it
 *     screen_text --vga FILE    memory of VGA's text mode, 80 by 25 characters
 *
 * Two lines for each row: "|" and its characters, "#" and a letter for the colour behind each. Exit
 * code 1: a cell is no glyph of the font in two colours of the palette; 2: the file is not whole.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/picture.h"
#include "kernel/console/console.h"

/* Letters for the colours that can be paper. */
static const char letters[] = "kbgcrmyw";

static _Noreturn void die(int code, const char *what)
{
	fprintf(stderr, "screen_text: %s\n", what);
	exit(code);
}

/* Dots of the screen for each of a glyph, across and down. */
static unsigned scale_of(const struct picture *p)
{
	return 1 + (p->width - 1) / (FONT_WIDTH * SCREEN_COLUMNS_MAX);
}

static unsigned colour_at(const struct picture *p, unsigned x, unsigned y)
{
	for (unsigned i = 0; i < 16; i++)
		if (screen_palette[i] == picture_at(p, x, y))
			return i;
	die(1, "a pixel has a colour that is not in the palette");
}

/* Is the cell there this one? */
static bool is_cell(const struct picture *p, unsigned column, unsigned row, uint16_t cell)
{
	const uint8_t *glyph = font[(cell & 0xff) - FONT_FIRST];

	for (unsigned y = 0; y < FONT_HEIGHT * scale_of(p); y++)
		for (unsigned x = 0; x < FONT_WIDTH * scale_of(p); x++) {
			bool ink = glyph[y / scale_of(p)] >> (FONT_WIDTH - 1 - x / scale_of(p)) & 1;

			if (colour_at(p, column * FONT_WIDTH * scale_of(p) + x,
				      row * FONT_HEIGHT * scale_of(p) + y) !=
			    (ink ? cell >> 8 & 15u : cell >> 12 & 7u))
				return false;
		}
	return true;
}

/* The first dot of a row of the font is never ink in all glyphs: paper is what the corners have. */
static uint16_t cell_at(const struct picture *p, unsigned column, unsigned row)
{
	unsigned left = column * FONT_WIDTH * scale_of(p), top = row * FONT_HEIGHT * scale_of(p);
	unsigned paper = colour_at(p, left, top), ink = paper;

	for (unsigned y = 0; y < FONT_HEIGHT && ink == paper; y++)
		for (unsigned x = 0; x < FONT_WIDTH && ink == paper; x++)
			ink = colour_at(p, left + x * scale_of(p), top + y * scale_of(p));
	for (unsigned c = FONT_FIRST; c < FONT_FIRST + FONT_GLYPHS; c++)
		if (is_cell(p, column, row, SCREEN_CELL(c, COLOUR(ink, paper))))
			return SCREEN_CELL(c, COLOUR(ink, paper));
	die(1, "a cell is no glyph");
}

static void print_row(const uint16_t *cells, unsigned columns)
{
	putchar('|');
	for (unsigned i = 0; i < columns; i++)
		putchar(cells[i] & 0xff);
	printf("\n#");
	for (unsigned i = 0; i < columns; i++)
		putchar(letters[cells[i] >> 12 & 7]);
	putchar('\n');
}

static void print_picture(const struct picture *p)
{
	unsigned columns = p->width / (FONT_WIDTH * scale_of(p));
	unsigned rows = p->height / (FONT_HEIGHT * scale_of(p));
	uint16_t cells[SCREEN_COLUMNS_MAX];

	for (unsigned row = 0; row < rows; row++) {
		for (unsigned column = 0; column < columns; column++)
			cells[column] = cell_at(p, column, row);
		print_row(cells, columns);
	}
}

static void print_vga(const char *path)
{
	uint16_t cells[25 * 80];
	FILE *file = fopen(path, "rb");

	if (!file || fread(cells, sizeof(cells), 1, file) != 1)
		die(2, "not the whole memory of the screen");
	fclose(file);
	for (unsigned row = 0; row < 25; row++)
		print_row(cells + row * 80, 80);
}

int main(int argc, char **argv)
{
	bool vga = argc == 3 && !strcmp(argv[1], "--vga");
	struct picture p;

	if (argc != 2 && !vga)
		die(2, "usage: screen_text FILE.ppm, or screen_text --vga FILE");
	if (vga) {
		print_vga(argv[2]);
		return 0;
	}
	p = picture_read("screen_text", argv[1]);
	print_picture(&p);
	free(p.bytes);
	return 0;
}
