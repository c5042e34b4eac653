/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts that all fuzz targets share: reading their input, memory of exact size, and MUST(). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* One input of a target, called by libFuzzer; always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* MUST: cond holds whatever the input is, or the fuzzer keeps the input and ends. */
#define MUST(cond) ((cond) ? (void)0 : fuzz_failed(#cond, __FILE__, __LINE__))
_Noreturn void fuzz_failed(const char *cond, const char *file, int line);

/* The rest of an input.  Numbers are little-endian; past the end they are 0. */
struct input {
	const uint8_t *at;
	size_t left;
};
uint64_t input_number(struct input *in, size_t bytes);

/* A heap block of exactly this size, so that an access behind it is seen.  fuzz_free_all() frees
 * all of them. */
void *fuzz_block(size_t size);
void *fuzz_copy(const void *from, size_t size);
void fuzz_free_all(void);

/* All of the input as a string in a block of its own. */
char *fuzz_text(struct input *in);

/* Printable ASCII, and at least one character of it. */
void must_be_sentence(const char *text);
