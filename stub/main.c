/* SPDX-License-Identifier: BSD-2-Clause */
/* pmutest86.efi as it boots: unpacks the program and starts it. */
#include "start.h"

/* packed.asm */
#pragma GCC visibility push(hidden)
extern const uint8_t packed[];
extern const uint64_t packed_size;
#pragma GCC visibility pop

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	return start_packed(image, table, packed, packed_size);
}
