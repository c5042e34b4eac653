/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: all that knows of UEFI: the image's entry, and boot/firmware.h in terms of EFI's services
 * Uses: boot
 * Serves: boot
 */
#pragma once

#include <efi.h>

#include "boot/boot.h"

#define PAGE 4096u

/* Nobody knows the size of a memory map beforehand; big servers need some 30 KiB. */
#define MEMORY_MAP_SIZE (128u * 1024u)

struct firmware {
	EFI_HANDLE image;
	EFI_SYSTEM_TABLE *table;
	EFI_LOADED_IMAGE *loaded;
	/* Memory of the run in one piece, given back at the end, and what lies in it. */
	EFI_PHYSICAL_ADDRESS memory; /* 0: none */
	UINTN memory_pages;
	void *map; /* MEMORY_MAP_SIZE, for firmware_exit() */
};

/* ---- image.c ---- */

/* The protocol of this GUID on handle, or NULL. */
void *uefi_protocol(const struct firmware *fw, EFI_HANDLE handle, EFI_GUID guid);

/* ---- console.c ---- */

/* Where firmware_console_write() writes to; NULL: nowhere any more. */
extern SIMPLE_TEXT_OUTPUT_INTERFACE *uefi_console;

/* ---- path.c ---- */

/* Did the image come from a network?  iPXE shows what it has loaded as files of a volume. */
bool uefi_from_network(const struct firmware *fw);

/* The file that the image is of, without its directories; empty: it is of none. */
void uefi_image_name(const struct firmware *fw, char *name, size_t size);

/* ---- files.c ---- */

/* The volume that the image came from.  Some firmware does not tell that one is read-only. */
enum volume { VOLUME_NONE, VOLUME_READ_ONLY, VOLUME_WRITABLE };
enum volume volume_find(const struct firmware *fw);

/* ---- memory.c ---- */

struct memory_map {
	UINTN size, entry_size;
	void *entries;
};

/* The map as it is now, to be closed; false: the firmware does not give it. */
bool memory_map_open(const struct firmware *fw, struct memory_map *map);
/* NULL behind the last. */
const EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, size_t i);
void memory_map_close(const struct firmware *fw, const struct memory_map *map);
