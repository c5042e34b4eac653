/* SPDX-License-Identifier: BSD-2-Clause */
/* Unpacking of files: what gzip and zopfli make, and what is damaged. */
#include "gzip.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "inflate.h"
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
	char path[] = "/tmp/test_gzip.XXXXXX", command[128];
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

int main(void)
{
	test_packers();
	test_empty();
	test_truncated();
	test_flipped();
	test_absurd_size();
	return tap_end();
}
