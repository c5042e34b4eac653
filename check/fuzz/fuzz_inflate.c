/* SPDX-License-Identifier: BSD-2-Clause */
/* Unpacking of the packed program.  The input is a gzip member, its header and trailer included; as
 * damage seldom leaves them right, what lies between is unpacked by itself, too. */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "gzip.h"
#include "inflate.h"

enum { HEAD = 10, TAIL = 8, ROOM = 4096 };

/* The size is what the stream must have: with more or less room it is refused. */
static void check_stream(const uint8_t *packed, size_t size, size_t unpacked)
{
	uint8_t *out = fuzz_block(unpacked), *again = fuzz_block(unpacked);

	if (!inflate(packed, size, out, unpacked))
		return;
	MUST(inflate(packed, size, again, unpacked) && !memcmp(out, again, unpacked));
	MUST(!inflate(packed, size, fuzz_block(unpacked + 1), unpacked + 1));
	if (unpacked)
		MUST(!inflate(packed, size, fuzz_block(unpacked - 1), unpacked - 1));
	MUST(!inflate(fuzz_copy(packed, size - 1), size - 1, again, unpacked));
}

static void check_member(const uint8_t *packed, size_t size)
{
	size_t unpacked = gzip_unpacked_size(packed, size);
	uint8_t *damaged = fuzz_copy(packed, size), *out;

	if (!unpacked)
		return;
	MUST(unpacked <= size * 1032);
	out = fuzz_block(unpacked);
	if (!gzip_unpack(packed, size, out))
		return;
	/* The sum is over all of it. */
	damaged[size - TAIL] ^= 1;
	MUST(!gzip_unpack(damaged, size, out));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *packed = fuzz_copy(data, size);

	check_member(packed, size);
	if (size > HEAD + TAIL) {
		size_t unpacked = data[size - 4] | (size_t)data[size - 3] << 8;

		check_stream(fuzz_copy(data + HEAD, size - HEAD - TAIL), size - HEAD - TAIL,
			     unpacked % ROOM);
	}
	fuzz_free_all();
	return 0;
}
