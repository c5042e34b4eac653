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

#include "kernel/console/console.h"

/* Letters for the colours that can be paper. */
static const char letters[] = "kbgcrmyw";

struct picture {
	unsigned width, height;
	uint8_t *bytes; /* of each pixel, red first */
	unsigned scale;
};

static _Noreturn void die(int code, const char *what)
{
	fprintf(stderr, "screen_text: %s\n", what);
	exit(code);
}

static struct picture read_ppm(FILE *file)
{
	struct picture p = {0};
	unsigned most;
	size_t size;

	if (fscanf(file, "P6 %u %u %u", &p.width, &p.height, &most) != 3 || most != 255 ||
	    p.width > 16384 || p.height > 16384 || fgetc(file) == EOF)
		die(2, "not a whole PPM file");
	size = (size_t)3 * p.width * p.height;
	p.bytes = malloc(size + 1);
	if (!p.bytes || fread(p.bytes, 1, size, file) != size)
		die(2, "not a whole PPM file");
	p.scale = 1 + (p.width - 1) / (FONT_WIDTH * SCREEN_COLUMNS_MAX);
	return p;
}

static unsigned colour_at(const struct picture *p, unsigned x, unsigned y)
{
	const uint8_t *at = p->bytes + (size_t)3 * (y * p->width + x);
	uint32_t rgb = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];

	for (unsigned i = 0; i < 16; i++)
		if (screen_palette[i] == rgb)
			return i;
	die(1, "a pixel has a colour that is not in the palette");
}

/* Is the cell there this one? */
static bool is_cell(const struct picture *p, unsigned column, unsigned row, uint16_t cell)
{
	const uint8_t *glyph = font[(cell & 0xff) - FONT_FIRST];

	for (unsigned y = 0; y < FONT_HEIGHT * p->scale; y++)
		for (unsigned x = 0; x < FONT_WIDTH * p->scale; x++) {
			bool ink = glyph[y / p->scale] >> (FONT_WIDTH - 1 - x / p->scale) & 1;

			if (colour_at(p, column * FONT_WIDTH * p->scale + x,
				      row * FONT_HEIGHT * p->scale + y) !=
			    (ink ? cell >> 8 & 15u : cell >> 12 & 7u))
				return false;
		}
	return true;
}

/* The first dot of a row of the font is never ink in all glyphs: paper is what the corners have. */
static uint16_t cell_at(const struct picture *p, unsigned column, unsigned row)
{
	unsigned left = column * FONT_WIDTH * p->scale, top = row * FONT_HEIGHT * p->scale;
	unsigned paper = colour_at(p, left, top), ink = paper;

	for (unsigned y = 0; y < FONT_HEIGHT && ink == paper; y++)
		for (unsigned x = 0; x < FONT_WIDTH && ink == paper; x++)
			ink = colour_at(p, left + x * p->scale, top + y * p->scale);
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
	unsigned columns = p->width / (FONT_WIDTH * p->scale);
	unsigned rows = p->height / (FONT_HEIGHT * p->scale);
	uint16_t cells[SCREEN_COLUMNS_MAX];

	for (unsigned row = 0; row < rows; row++) {
		for (unsigned column = 0; column < columns; column++)
			cells[column] = cell_at(p, column, row);
		print_row(cells, columns);
	}
}

static void print_vga(FILE *file)
{
	uint16_t cells[25 * 80];

	if (fread(cells, sizeof(cells), 1, file) != 1)
		die(2, "not the whole memory of the screen");
	for (unsigned row = 0; row < 25; row++)
		print_row(cells + row * 80, 80);
}

int main(int argc, char **argv)
{
	bool vga = argc == 3 && !strcmp(argv[1], "--vga");
	FILE *file;
	struct picture p;

	if (argc != 2 && !vga)
		die(2, "usage: screen_text FILE.ppm, or screen_text --vga FILE");
	file = fopen(argv[argc - 1], "rb");
	if (!file)
		die(2, "the file cannot be opened");
	if (vga) {
		print_vga(file);
	} else {
		p = read_ppm(file);
		print_picture(&p);
		free(p.bytes);
	}
	fclose(file);
	return 0;
}
