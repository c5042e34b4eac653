/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loader put the image where an operating system may put its own data later.  The VMM must
 * outlive that, so it goes on in a copy: in memory of the firmware's runtime services, which may
 * hold code.
 */
#include <stdint.h>

#include "kernel/lib/relocate.h"
#include "kernel/lib/string.h"
#include "launch.h"

enum { PAGE = 4096 };

extern uint8_t image_start[], image_end[];
extern const struct dynamic _DYNAMIC[];

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
	/* The words in the copy still point into the image. */
	relocate((uint64_t)(uintptr_t)copy, (uint64_t)(copy - image_start), _DYNAMIC);
	return copy - image_start;
}
