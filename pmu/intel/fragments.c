/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of architectural PEBS that come in fragments.  Pure. */
#include "intel.h"

#define HEADER_SIZE    FIELD(15, 0)
#define HEADER_GOES_ON BIT(31)
enum { HEADER_BYTES = 16 };

static uint64_t header(const uint8_t *fragment)
{
	uint64_t value;

	memcpy(&value, fragment, sizeof(value));
	return value;
}

/* A fragment, as the next part of the record. */
static size_t append(uint8_t *record, size_t size, const uint8_t *fragment, size_t more)
{
	uint64_t joined = (header(record) | header(fragment)) & ~(HEADER_SIZE | HEADER_GOES_ON);

	memmove(record + size, fragment + HEADER_BYTES, more - HEADER_BYTES);
	size += more - HEADER_BYTES;
	joined |= size;
	memcpy(record, &joined, sizeof(joined));
	return size;
}

size_t intel_arch_pebs_join(uint8_t *records, size_t written)
{
	size_t to = 0, size = 0;
	bool goes_on = false;

	for (size_t from = 0, more; from < written; from += more) {
		const uint64_t is = header(records + from);

		more = (size_t)(is & HEADER_SIZE);
		if (more < HEADER_BYTES || more > written - from)
			return written;
		if (goes_on) {
			size = append(records + to, size, records + from, more);
		} else {
			to += size;
			size = more;
			memmove(records + to, records + from, more);
		}
		goes_on = is & HEADER_GOES_ON || !(is & ~HEADER_SIZE);
	}
	return to + size;
}
