/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells loaders apart by the number in EAX. */
#include "bios.h"

#define MAGIC_1 0x2badb002u
#define MAGIC_2 0x36d76289u

const char *multiboot_read(struct firmware *fw, uint32_t magic, uintptr_t address)
{
	switch (magic) {
	case MAGIC_1:
		return multiboot1_read(fw, address);
	case MAGIC_2:
		return multiboot2_read(fw, address);
	default:
		return "it was not started by a Multiboot loader";
	}
}
