/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loader put the image where an operating system may put its own data later.  The VMM must
 * outlive that, so it goes on in a copy: in memory of the firmware's runtime services, which may
 * hold code.
 */
#include <stdint.h>

#include "launch.h"
#include "string.h"

enum { PAGE = 4096, DT_RELA = 7, DT_RELASZ = 8, R_X86_64_RELATIVE = 8 };

struct dynamic {
	int64_t tag;
	uint64_t value;
};

struct relocation {
	uint64_t offset, info;
	int64_t addend;
};

extern uint8_t image_start[], image_end[];
extern const struct dynamic _DYNAMIC[];

/* The words in the copy still point into the image. */
static void relocate(uint8_t *copy, uint64_t distance)
{
	const struct relocation *at = NULL;
	uint64_t size = 0;

	for (const struct dynamic *entry = _DYNAMIC; entry->tag; entry++) {
		if (entry->tag == DT_RELA)
			at = (const struct relocation *)(uintptr_t)(image_start + entry->value);
		else if (entry->tag == DT_RELASZ)
			size = entry->value;
	}
	for (; at && size >= sizeof(*at); size -= sizeof(*at), at++)
		if ((uint32_t)at->info == R_X86_64_RELATIVE)
			*(uint64_t *)(uintptr_t)(copy + at->offset) += distance;
}

ptrdiff_t image_copy(EFI_SYSTEM_TABLE *table)
{
	size_t size = (size_t)(image_end - image_start);
	EFI_PHYSICAL_ADDRESS address;
	uint8_t *copy;

	if (table->BootServices->AllocatePages(AllocateAnyPages, EfiRuntimeServicesCode,
					       (size + PAGE - 1) / PAGE, &address))
		return 0;
	copy = (uint8_t *)(uintptr_t)address;
	memcpy(copy, image_start, size);
	relocate(copy, (uint64_t)(copy - image_start));
	return copy - image_start;
}
