/* SPDX-License-Identifier: BSD-2-Clause */
/* Unpacking of streams that nobody should make, bit by bit. */
#include "inflate.h"

#include <stdint.h>
#include <stdlib.h>

#include "bits.h"
#include "tap.h"

enum { STORED, FIXED, DYNAMIC };

static uint8_t stream[70000];
static size_t stream_bits;

static void begin(void)
{
	memset(stream, 0, sizeof(stream));
	stream_bits = 0;
}

/* Lowest bit first, as RFC 1951, 3.1.1 wants numbers. */
static void number(unsigned value, unsigned bits)
{
	for (unsigned i = 0; i < bits; i++, stream_bits++)
		stream[stream_bits / 8] |= (uint8_t)((value >> i & 1) << stream_bits % 8);
}

/* Highest bit first, as codes. */
static void code(unsigned value, unsigned bits)
{
	while (bits--)
		number(value >> bits, 1);
}

/* Does the stream unpack to exactly size bytes?  Both in memory of exactly their size, so that the
 * sanitizer sees a step beyond. */
static bool accepted(size_t size)
{
	size_t in_size = (stream_bits + 7) / 8;
	uint8_t *in = malloc(in_size), *out = malloc(size);
	bool good;

	memcpy(in, stream, in_size);
	good = inflate(in, in_size, out, size);
	free(in);
	free(out);
	return good;
}

/* Does it unpack to any size up to 1000 bytes? */
static bool accepted_at_all(void)
{
	bool good = false;

	for (size_t size = 0; size <= 1000; size++)
		good |= accepted(size);
	return good;
}

static void begin_block(unsigned type)
{
	begin();
	number(1, 1);
	number(type, 2);
}

static void stored(unsigned length, unsigned inverted)
{
	begin_block(STORED);
	stream_bits = 8;
	number(length, 16);
	number(inverted, 16);
	number('x', 8);
}

static void test_blocks(void)
{
	begin();
	OK(!accepted(0));
	begin_block(3);
	number(0, 13);
	OK(!accepted(0));
	stored(1, 0xfffe);
	OK(accepted(1));
	OK(!accepted(0));
	OK(!accepted(2));
	stored(1, 0xfffd);
	OK(!accepted(1));
	stored(2, 0xfffd);
	OK(!accepted(2));
	stored(1, 0xfffe);
	number(0, 8);
	OK(!accepted(1)); /* something follows */
}

/* A literal, then a copy of 3 bytes by the codes of length and distance; the end. */
static void fixed(unsigned length_code, unsigned length_bits, unsigned distance_code)
{
	begin_block(FIXED);
	code(0x30 + 'x', 8);
	code(length_code, length_bits);
	code(distance_code, 5);
	code(0, 7);
}

static void test_fixed(void)
{
	fixed(1, 7, 0);
	OK(accepted(4));
	OK(!accepted(3));
	OK(!accepted(5));
	fixed(1, 7, 1);
	OK(!accepted(4)); /* 2 back, of 1 */
	fixed(1, 7, 30);
	OK(!accepted_at_all());
	fixed(0xc5, 8, 0);
	OK(accepted(259));
	OK(!accepted(258));
	fixed(0xc6, 8, 0); /* 286 */
	number(0, 6); /* should it take more bits, as the ones before it do */
	OK(!accepted_at_all());
	fixed(0xc7, 8, 0); /* 287 */
	number(0, 6); /* should it take more bits, as the ones before it do */
	OK(!accepted_at_all());
}

/* The head of a dynamic block; its code lengths come in four bits each. */
static void begin_dynamic(unsigned literals, unsigned distances)
{
	begin_block(DYNAMIC);
	number(literals - 257, 5);
	number(distances - 1, 5);
	number(19 - 4, 4);
	number(0, 3 * 3); /* no 16, 17, 18 */
	for (unsigned i = 0; i < 16; i++)
		number(4, 3);
}

static void lengths(unsigned length, unsigned count)
{
	while (count--)
		code(length, 4);
}

/* The literal 'x', then code lengths as given for the end of block, and distances. */
static void dynamic(unsigned x, unsigned end, unsigned length_3, unsigned distance)
{
	begin_dynamic(258, 1);
	lengths(0, 'x');
	lengths(x, 1);
	lengths(0, 255 - 'x');
	lengths(end, 1);
	lengths(length_3, 1);
	lengths(distance, 1);
}

/* 258 bytes from as far back as can be said, and from a byte before the first. */
static void far(unsigned size, unsigned distance_code, unsigned extra_bits)
{
	begin();
	number(STORED << 1, 8);
	number(size, 16);
	number(size ^ 0xffff, 16);
	stream_bits += 8 * size;
	number(1 | FIXED << 1, 3);
	code(0xc5, 8);
	code(distance_code, 5);
	number((1u << extra_bits) - 1, extra_bits);
	code(0, 7);
}

static void test_far(void)
{
	far(32768, 29, 13);
	OK(accepted(32768 + 258));
	far(32767, 29, 13);
	OK(!accepted(32767 + 258));
	far(65535, 30, 14);
	OK(!accepted(65535 + 258));
}

static void test_dynamic(void)
{
	dynamic(1, 2, 2, 1);
	code(0, 1); /* x */
	code(3, 2); /* three more */
	code(0, 1);
	code(2, 2);
	OK(accepted(4));
	dynamic(1, 2, 2, 1);
	code(0, 1);
	code(3, 2);
	code(1, 1); /* no distance has this code */
	code(2, 2);
	OK(!accepted(4));
	dynamic(1, 2, 2, 0);
	code(0, 1);
	code(2, 2);
	OK(accepted(1)); /* without distances: literals alone */
	dynamic(1, 2, 2, 2);
	code(0, 1);
	code(2, 2);
	OK(!accepted(1)); /* a single code, of two bits */
	dynamic(1, 1, 2, 1);
	code(1, 1);
	OK(!accepted(0)); /* too many codes */
	dynamic(2, 2, 2, 1);
	code(1, 2);
	OK(!accepted(0)); /* too few */
	dynamic(0, 1, 0, 1);
	code(0, 1);
	OK(accepted(0)); /* the end alone */
	dynamic(0, 0, 0, 1);
	OK(!accepted(0)); /* not even that */
}

static void test_too_many_symbols(void)
{
	static const unsigned counts[] = {286, 287, 288};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		begin_dynamic(counts[i], 32);
		lengths(0, 256);
		lengths(1, 1);
		lengths(0, counts[i] - 257);
		lengths(0, 32);
		code(0, 1);
		OK(accepted(0) == (counts[i] == 286));
	}
}

/* Code lengths by runs: 0, 1, 16 (previous again) and 18 (zeros) have two bits each. */
static void begin_runs(void)
{
	begin_block(DYNAMIC);
	number(0, 5);
	number(0, 5);
	number(19 - 4, 4);
	for (unsigned i = 0; i < 19; i++)
		number(i == 0 || i == 2 || i == 3 || i == 17 ? 2 : 0, 3);
}

enum { RUN_0, RUN_1, RUN_PREVIOUS, RUN_ZEROS };

static void zeros(unsigned count)
{
	code(RUN_ZEROS, 2);
	number(count - 11, 7);
}

static void test_runs(void)
{
	begin_runs();
	zeros(138);
	zeros(118);
	code(RUN_1, 2);
	code(RUN_0, 2);
	code(0, 1);
	OK(accepted(0));
	begin_runs();
	zeros(138);
	zeros(118);
	code(RUN_1, 2);
	code(RUN_PREVIOUS, 2); /* three times; one is left */
	number(0, 2);
	code(0, 1);
	OK(!accepted(0));
	begin_runs();
	code(RUN_PREVIOUS, 2); /* of nothing */
	number(0, 2);
	zeros(138);
	zeros(115);
	code(RUN_1, 2);
	code(RUN_0, 2);
	code(0, 1);
	OK(!accepted(0));
	begin_runs();
	code(RUN_0, 2);
	code(RUN_PREVIOUS, 2);
	number(0, 2);
	zeros(138);
	zeros(114);
	code(RUN_1, 2);
	code(RUN_0, 2);
	code(0, 1);
	OK(accepted(0));
}

int main(void)
{
	test_blocks();
	test_fixed();
	test_far();
	test_dynamic();
	test_too_many_symbols();
	test_runs();
	return tap_end();
}
