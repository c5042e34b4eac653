/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of screens, for the checks that look at them. */
#pragma once

#include <stdint.h>

struct picture {
	unsigned width, height;
	uint8_t *bytes; /* of each pixel, red first */
};

/* The picture in a PPM file, of 8 bits a colour; its bytes are the caller's to free.  Ends the
 * program with exit code 2, naming it, if the file is not whole. */
struct picture picture_read(const char *program, const char *path);

/* 00RRGGBB of a pixel in it. */
uint32_t picture_at(const struct picture *picture, unsigned x, unsigned y);
