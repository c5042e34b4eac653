/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of our own image, as linker.ld lays them out, and its table of functions. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdint.h>

/* Hidden: the addresses must be computed relative to the code, an image moves. */
#pragma GCC visibility push(hidden)
extern const char image_start[], image_end[];
extern const char text_start[], text_end[];
extern const char user_text_start[], user_text_end[];
extern const char data_start[], data_end[];

struct extable_entry {
	int32_t insn, resume; /* from their own place */
};
extern const struct extable_entry extable_start[], extable_end[];

/* By address, one behind the other. */
extern const uint32_t symbol_first; /* offset of the first from image_start */
extern const uint32_t symbol_count;
extern const uint16_t symbol_sizes[];
extern const char symbol_names[]; /* each ended by NUL */
#pragma GCC visibility pop

#endif
