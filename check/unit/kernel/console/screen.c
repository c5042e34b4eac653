/* SPDX-License-Identifier: BSD-2-Clause */
/* The grid of cells: what is drawn, how large, and that nothing else is. */
#include "kernel/console/console.h"

#include <stdlib.h>

#include "check/unit/tap.h"

#define UNTOUCHED 0x12345678u

static uint16_t cells[SCREEN_CELLS_MAX];
static uint32_t *pixels;
static struct framebuffer fb;

/* Opens a screen with memory of exactly its size, for the address sanitizer. */
static bool open_screen(uint32_t width, uint32_t height)
{
	free(pixels);
	pixels = malloc(sizeof(*pixels) * width * height);
	fb = (struct framebuffer){
		.base = pixels, .width = width, .height = height, .stride = width};
	return screen_open(&fb, cells);
}

static void fill(uint32_t value)
{
	for (size_t i = 0; i < (size_t)fb.height * fb.stride; i++)
		pixels[i] = value;
}

static size_t count(uint32_t value)
{
	size_t n = 0;

	for (size_t i = 0; i < (size_t)fb.height * fb.stride; i++)
		n += pixels[i] == value;
	return n;
}

/* Is the glyph there, each dot scale pixels wide and high, in white on black? */
static bool is_drawn(unsigned column, unsigned row, char c, unsigned scale)
{
	for (unsigned y = 0; y < FONT_HEIGHT * scale; y++)
		for (unsigned x = 0; x < FONT_WIDTH * scale; x++) {
			unsigned dots = font[(unsigned char)c - FONT_FIRST][y / scale];
			bool ink = dots >> (FONT_WIDTH - 1 - x / scale) & 1;
			size_t at = (size_t)(row * FONT_HEIGHT * scale + y) * fb.stride +
				    column * FONT_WIDTH * scale + x;

			if (pixels[at] != (ink ? 0xffffffu : 0u))
				return false;
		}
	return true;
}

static void test_sizes(void)
{
	static const struct {
		uint32_t width, height;
		unsigned columns, rows, scale;
	} sizes[] = {
		{640, 480, 80, 30, 1},    {800, 600, 100, 37, 1},   {1280, 800, 160, 50, 1},
		{1366, 768, 85, 24, 2},   {1920, 1080, 120, 33, 2}, {1080, 1920, 135, 80, 1},
		{3840, 2160, 160, 45, 3}, {7680, 4320, 160, 45, 6}, {8, 32, 1, 2, 1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		OK(open_screen(sizes[i].width, sizes[i].height));
		OK(screen_columns() == sizes[i].columns && screen_rows() == sizes[i].rows);
		screen_put(sizes[i].columns - 1, sizes[i].rows - 1,
			   SCREEN_CELL('R', COLOUR(WHITE, BLACK)));
		OK(is_drawn(sizes[i].columns - 1, sizes[i].rows - 1, 'R', sizes[i].scale));
	}
	OK(!open_screen(7, 480) && screen_rows() == 0);
	screen_put(0, 0, SCREEN_CELL('R', COLOUR(WHITE, BLACK)));
	OK(!screen_open(&(struct framebuffer){0}, cells) && screen_rows() == 0);
}

static void test_only_changes(void)
{
	uint16_t cell = SCREEN_CELL('x', COLOUR(WHITE, RED));

	OK(open_screen(640, 480));
	OK(count(0) == 640 * 480);
	screen_put(3, 2, cell);
	fill(UNTOUCHED);
	screen_put(3, 2, cell);
	screen_put(80, 0, cell);
	screen_put(0, 30, cell);
	OK(count(UNTOUCHED) == 640 * 480);
	screen_put(3, 2, SCREEN_CELL('x', COLOUR(WHITE, GREEN)));
	OK(count(UNTOUCHED) == 640 * 480 - FONT_WIDTH * FONT_HEIGHT);
	screen_redraw();
	OK(count(UNTOUCHED) == 0);
	screen_close();
	OK(count(0) == 640 * 480 && screen_rows() == 0);
}

static void test_colours(void)
{
	uint32_t red;

	OK(open_screen(640, 480));
	screen_put(0, 0, SCREEN_CELL(' ', COLOUR(WHITE, RED)));
	red = pixels[0];
	fb.red_first = true;
	OK(screen_open(&fb, cells));
	screen_put(0, 0, SCREEN_CELL(' ', COLOUR(WHITE, RED)));
	OK(red >> 16 == (pixels[0] & 0xff) && red >> 16 != (red & 0xff));
	/* A character that is no printable ASCII has no glyph either. */
	screen_put(1, 0, SCREEN_CELL('\x80', COLOUR(WHITE, BLACK)));
	OK(is_drawn(1, 0, '?', 1));
}

static void test_text(void)
{
	static uint16_t vga[80 * 25];
	static const struct framebuffer text = {.base = (uint32_t *)(void *)vga,
						.width = 80,
						.height = 25,
						.stride = 80,
						.text = true};

	OK(screen_open(&text, cells));
	OK(screen_columns() == 80 && screen_rows() == 25 && vga[79] == 0x0720);
	screen_put(79, 24, SCREEN_CELL('k', COLOUR(WHITE, BLUE)));
	OK(vga[80 * 25 - 1] == 0x1f6b);
}

/* In rows 1 and 2 of the screen. */
static void test_scroll(void)
{
	uint16_t grey = COLOUR(GREY, BLACK) << 8;

	OK(open_screen(640, 480));
	screen_put(0, 3, SCREEN_CELL('u', grey >> 8));
	scroll_open(1, 2);
	scroll_write("a\nb\nc", 5);
	OK(screen_get(0, 1) == ('b' | grey) && screen_get(0, 2) == ('c' | grey));
	OK(screen_get(0, 0) == (' ' | grey) && screen_get(0, 3) == ('u' | grey));
	for (unsigned i = 0; i < 80; i++)
		scroll_write("d", 1);
	OK(screen_get(79, 1) == ('d' | grey) && screen_get(0, 2) == ('d' | grey));
	OK(screen_get(1, 2) == (' ' | grey));
	screen_close();
	scroll_write("e", 1);
	OK(pixels[0] == 0);
}

int main(void)
{
	test_sizes();
	test_only_changes();
	test_colours();
	test_text();
	test_scroll();
	return tap_end();
}
