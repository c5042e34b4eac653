/* SPDX-License-Identifier: BSD-2-Clause */
/* Unpacking of one gzip member (RFC 1952). */
#include "gzip.h"

#include "inflate.h"
#include "string.h"

/* RFC 1952, 2.3: ID1, ID2, CM and FLG; then MTIME, XFL and OS, which say nothing to us. */
static const uint8_t head[] = {0x1f, 0x8b, 8, 0};

enum {
	HEAD_SIZE = 10,
	TAIL_SIZE = 8, /* CRC32, ISIZE */
	RATIO_MAX = 1032, /* a copy of 258 bytes takes two bits or more */
};

/* RFC 1952, 8: the polynomial, its lowest power first. */
#define CRC32_POLYNOMIAL 0xedb88320u

static uint32_t crc32(const uint8_t *data, size_t size)
{
	uint32_t crc = ~0u;

	while (size--) {
		crc ^= *data++;
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? CRC32_POLYNOMIAL : 0);
	}
	return ~crc;
}

static uint32_t read32(const uint8_t *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return value;
}

size_t gzip_unpacked_size(const uint8_t *packed, size_t size)
{
	size_t unpacked;

	if (size < HEAD_SIZE + TAIL_SIZE || memcmp(packed, head, sizeof(head)))
		return 0;
	unpacked = read32(packed + size - 4);
	return unpacked <= size * RATIO_MAX ? unpacked : 0;
}

bool gzip_unpack(const uint8_t *packed, size_t size, uint8_t *out)
{
	size_t out_size = gzip_unpacked_size(packed, size);

	return out_size &&
	       inflate(packed + HEAD_SIZE, size - HEAD_SIZE - TAIL_SIZE, out, out_size) &&
	       crc32(out, out_size) == read32(packed + size - TAIL_SIZE);
}
