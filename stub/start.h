/* SPDX-License-Identifier: BSD-2-Clause */
/* Start of a packed program by the firmware's own loader. */
#ifndef START_H
#define START_H

#include <efi.h>

#include <stddef.h>
#include <stdint.h>

/*
 * Unpacks the program, a gzip member (gzip.h), starts it in place of image, and returns its exit
 * status once it has ended: it gets image's device, load options and shell parameters.  Does not
 * return if the program leaves the boot services, or ends with exit data.  If the program cannot be
 * started, says so on the firmware's console, and returns EFI_LOAD_ERROR for a damaged member, else
 * the firmware's status.
 */
EFI_STATUS start_packed(EFI_HANDLE image, EFI_SYSTEM_TABLE *table, const uint8_t *packed,
			size_t size);

#endif
