/* SPDX-License-Identifier: BSD-2-Clause */
/* Unpacking: what gzip and zopfli make, and streams that nobody should make. */
#include "inflate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bits.h"
#include "gzip.h"
#include "tap.h"

/* In memory of exactly their size, so that the sanitizer sees a step beyond. */
struct bytes {
	uint8_t *data;
	size_t size;
};

static struct bytes bytes_copy(const uint8_t *data, size_t size)
{
	struct bytes copy = {malloc(size), size};

	if (size)
		memcpy(copy.data, data, size);
	return copy;
}

/* ---- what others pack ---- */

/* The packer reads standard input if it can, else the file.  Ends the test if it cannot be run. */
static struct bytes pack(const char *packer, struct bytes plain)
{
	static uint8_t room[1 << 18];
	char path[] = "/tmp/test_inflate.XXXXXX", command[128];
	int file = mkstemp(path);
	struct bytes packed;
	FILE *pipe;

	if (file < 0 || write(file, plain.data, plain.size) != (ssize_t)plain.size)
		abort();
	close(file);
	snprintf(command, sizeof(command), "%s -c %s", packer, path);
	pipe = popen(command, "r");
	if (!pipe)
		abort();
	packed = bytes_copy(room, fread(room, 1, sizeof(room), pipe));
	if (pclose(pipe))
		abort();
	unlink(path);
	return packed;
}

/* Does packed unpack to plain, to its size if nothing else?  -1: it is refused. */
static int unpack(struct bytes packed, struct bytes plain)
{
	size_t size = gzip_unpacked_size(packed.data, packed.size);
	uint8_t *out = malloc(size);
	int same = -1;

	if (gzip_unpack(packed.data, packed.size, out))
		same = size == plain.size && !memcmp(out, plain.data, size);
	free(out);
	return same;
}

static unsigned block_type(struct bytes packed)
{
	return packed.data[10] >> 1 & 3;
}

enum { STORED, FIXED, DYNAMIC, ANY };

static bool unpacks(const char *packer, struct bytes plain, unsigned type)
{
	struct bytes packed = pack(packer, plain);
	bool same = unpack(packed, plain) == 1 && (type == ANY || block_type(packed) == type);

	free(packed.data);
	return same;
}

/* xorshift32: the same on every run. */
static uint8_t noise(void)
{
	static uint32_t state = 1;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return (uint8_t)(state >> 24);
}

static void fill_noise(struct bytes to)
{
	for (size_t i = 0; i < to.size; i++)
		to.data[i] = noise();
}

static void fill_text(struct bytes to)
{
	for (size_t i = 0; i < to.size; i++)
		to.data[i] = (uint8_t)(noise() % 8 ? 'a' + noise() % 5 : ' ');
}

static void fill_runs(struct bytes to)
{
	for (size_t i = 0; i < to.size; i++)
		to.data[i] = (uint8_t)(i / 1000);
}

static void test_packers(void)
{
	static uint8_t room[200000];
	struct bytes large = {room, sizeof(room)}, small = {room, 5};

	memcpy(room, "abcde", 5);
	OK(unpacks("gzip -n", small, FIXED));
	fill_text(large);
	OK(unpacks("gzip -1n", large, DYNAMIC));
	OK(unpacks("gzip -9n", large, DYNAMIC));
	OK(unpacks("zopfli", large, DYNAMIC));
	fill_runs(large);
	OK(unpacks("gzip -9n", large, DYNAMIC));
	OK(unpacks("zopfli", large, DYNAMIC));
	fill_noise(large);
	OK(unpacks("gzip -9n", large, STORED));
	OK(unpacks("zopfli", large, STORED));
	/* Noise that comes again, from nearly as far back as can be said. */
	memcpy(room + 32700, room, 32700);
	OK(unpacks("zopfli", (struct bytes){room, 65400}, ANY));
}

/* The file is never empty: a member that says so is refused. */
static void test_empty(void)
{
	struct bytes packed = pack("gzip -n", (struct bytes){NULL, 0});

	OK(gzip_unpacked_size(packed.data, packed.size) == 0);
	OK(unpack(packed, (struct bytes){NULL, 0}) == -1);
	OK(inflate(packed.data + 10, packed.size - 18, NULL, 0));
	free(packed.data);
}

/* ---- what is damaged ---- */

static struct bytes packed_text(struct bytes *plain)
{
	static uint8_t room[3000];

	*plain = (struct bytes){room, sizeof(room)};
	fill_text(*plain);
	return pack("gzip -9n", *plain);
}

static void test_truncated(void)
{
	struct bytes plain, packed = packed_text(&plain);
	unsigned accepted = 0;

	for (size_t size = 0; size < packed.size; size++) {
		struct bytes cut = bytes_copy(packed.data, size);

		accepted += unpack(cut, plain) != -1;
		free(cut.data);
	}
	OK(accepted == 0);
	free(packed.data);
}

/* Which bits may change and be overlooked: MTIME, XFL and OS of the header; up to 7 behind the end
 * of the stream, in its last byte.  Others may only name another place with the same text. */
static void test_flipped(void)
{
	struct bytes plain, packed = packed_text(&plain);
	size_t tail = packed.size - 8;
	unsigned header = 0, end = 0, wrong = 0;

	for (size_t bit = 0; bit < 8 * packed.size; bit++) {
		int result;

		packed.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		result = unpack(packed, plain);
		packed.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		wrong += result == 0;
		header += bit / 8 < 10 && result == 1;
		end += bit / 8 == tail - 1 && result == 1;
	}
	OK(wrong == 0);
	OK(header == 8 * 6);
	OK(end <= 7);
	OK(unpack(packed, plain) == 1);
	free(packed.data);
}

/* No more than 1032 bytes come out of one, whatever the size at the end says. */
static void test_absurd_size(void)
{
	struct bytes plain, packed = packed_text(&plain);

	memset(packed.data + packed.size - 4, 0xff, 4);
	OK(gzip_unpacked_size(packed.data, packed.size) == 0);
	free(packed.data);
}

/* ---- what nobody makes ---- */

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

/* Does the stream unpack to exactly size bytes? */
static bool accepted(size_t size)
{
	struct bytes in = bytes_copy(stream, (stream_bits + 7) / 8);
	uint8_t *out = malloc(size);
	bool good = inflate(in.data, in.size, out, size);

	free(in.data);
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
	test_packers();
	test_empty();
	test_truncated();
	test_flipped();
	test_absurd_size();
	test_blocks();
	test_fixed();
	test_far();
	test_dynamic();
	test_too_many_symbols();
	test_runs();
	return tap_end();
}
