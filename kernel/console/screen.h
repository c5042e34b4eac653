/* SPDX-License-Identifier: BSD-2-Clause */
/* A text console on a linear framebuffer. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stddef.h>
#include <stdint.h>

struct framebuffer {
	uint32_t *base; /* NULL: no graphics */
	uint32_t width, height, stride; /* pixels */
};

#define SCREEN_COLUMNS_MAX 160u
#define SCREEN_ROWS_MAX    80u
#define SCREEN_CELLS_MAX   (SCREEN_COLUMNS_MAX * SCREEN_ROWS_MAX)

/* Clears the screen.  cells: SCREEN_CELLS_MAX bytes that remember the text on the screen, because
 * reading a framebuffer back is slow.  Nothing is drawn when there is no framebuffer. */
void screen_open(const struct framebuffer *framebuffer, char *cells);

/* A console sink. */
void screen_write(const char *text, size_t length);

/* Blanks the screen for its next owner. */
void screen_close(void);

/* Printable ASCII (20h..7Eh) in cells of 5 x 8 dots: 8 rows of 5 bits, bit 4 leftmost. */
#define FONT_FIRST  0x20u
#define FONT_GLYPHS 95u
#define FONT_WIDTH  5u
#define FONT_HEIGHT 8u
extern const uint8_t font[FONT_GLYPHS][FONT_HEIGHT];

#endif
