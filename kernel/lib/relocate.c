/* SPDX-License-Identifier: BSD-2-Clause */
/* Packed relative relocations: two bits instead of 24 bytes for most of them.  GNU-EFI's own code
 * does not know them.  System V gABI, "Relative Relocation Table". */
#include <stdint.h>

enum { DT_NULL = 0, DT_RELRSZ = 35, DT_RELR = 36 };

struct dynamic {
	uint64_t tag, value;
};

uint64_t _relocate(uint64_t base, const struct dynamic *dynamic);

/* An even entry is the place of a relocation.  An odd one has a bit for each of the next 63 places.
 */
static void apply(uint64_t base, const uint64_t *entry, const uint64_t *end)
{
	uint64_t *where = 0;

	for (; entry < end; entry++) {
		if (!(*entry & 1)) {
			where = (uint64_t *)(uintptr_t)(base + *entry);
			*where++ += base;
			continue;
		}
		for (unsigned i = 0; i < 63; i++)
			if (*entry >> (i + 1) & 1)
				where[i] += base;
		where += 63;
	}
}

/* GNU-EFI's crt0 calls it instead of its library's function, and ignores the result. */
uint64_t _relocate(uint64_t base, const struct dynamic *dynamic)
{
	uint64_t table = 0, size = 0;

	for (; dynamic->tag != DT_NULL; dynamic++) {
		if (dynamic->tag == DT_RELR)
			table = base + dynamic->value;
		if (dynamic->tag == DT_RELRSZ)
			size = dynamic->value;
	}
	apply(base, (const uint64_t *)(uintptr_t)table,
	      (const uint64_t *)(uintptr_t)(table + size));
	return 0;
}
