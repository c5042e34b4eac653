/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts that all fuzz targets share. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void **blocks;
static size_t blocks_count, blocks_room;

void fuzz_failed(const char *cond, const char *file, int line)
{
	fprintf(stderr, "%s:%d: %s does not hold\n", file, line, cond);
	abort();
}

uint64_t input_number(struct input *in, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes && in->left; i++, in->left--)
		value |= (uint64_t)*in->at++ << 8 * i;
	return value;
}

void *fuzz_block(size_t size)
{
	void *block = malloc(size);

	if (blocks_count == blocks_room) {
		blocks_room = 2 * blocks_room + 64;
		blocks = realloc(blocks, blocks_room * sizeof(*blocks));
	}
	MUST(block && blocks);
	blocks[blocks_count++] = block;
	return block;
}

void *fuzz_copy(const void *from, size_t size)
{
	void *block = fuzz_block(size);

	if (size)
		memcpy(block, from, size);
	return block;
}

void fuzz_free_all(void)
{
	while (blocks_count)
		free(blocks[--blocks_count]);
}

char *fuzz_text(struct input *in)
{
	char *text = fuzz_block(in->left + 1);

	memcpy(text, in->at, in->left);
	text[in->left] = '\0';
	in->at += in->left;
	in->left = 0;
	return text;
}

void must_be_sentence(const char *text)
{
	MUST(text && *text);
	for (; *text; text++)
		MUST(*text >= ' ' && *text <= '~');
}
