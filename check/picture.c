/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures in PPM files. */
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>

static _Noreturn void die(const char *program, const char *path, const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program, path, what);
	exit(2);
}

struct picture picture_read(const char *program, const char *path)
{
	struct picture p = {0};
	FILE *file = fopen(path, "rb");
	unsigned most;
	size_t size;

	if (!file)
		die(program, path, "cannot be opened");
	if (fscanf(file, "P6 %u %u %u", &p.width, &p.height, &most) != 3 || most != 255 ||
	    p.width > 16384 || p.height > 16384 || fgetc(file) == EOF)
		die(program, path, "not a whole PPM file");
	size = (size_t)3 * p.width * p.height;
	p.bytes = malloc(size + 1);
	if (!p.bytes || fread(p.bytes, 1, size, file) != size)
		die(program, path, "not a whole PPM file");
	fclose(file);
	return p;
}

uint32_t picture_at(const struct picture *picture, unsigned x, unsigned y)
{
	const uint8_t *at = picture->bytes + (size_t)3 * ((size_t)y * picture->width + x);

	return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}
