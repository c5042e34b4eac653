/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multiboot: the information that a loader gives to a program, and the file that it loads; pure
 * computation.  Multiboot Specification 0.6.96; System V ABI, "Object files".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MULTIBOOT_LOADED UINT32_C(0x2badb002) /* in EAX */

/* ---- the file ---- */

/* The image of a program, by physical addresses. */
struct multiboot_image {
	uint32_t entry;
	uint32_t first, end; /* of the memory that it occupies */
};

/* NULL, or what is wrong with the file. */
const char *multiboot_read(const uint8_t *file, size_t size, struct multiboot_image *image);
/* Puts it to memory, where that begins at image->first.  For a file that was read without a
 * complaint. */
void multiboot_place(const uint8_t *file, const struct multiboot_image *image, uint8_t *memory);

/* ---- the information ---- */

/* Types of memory, as BIOS' function E820h has them. */
enum multiboot_memory {
	MEMORY_AVAILABLE = 1,
	MEMORY_RESERVED = 2,
	MEMORY_ACPI = 3,
	MEMORY_NVS = 4,
};

struct multiboot_entry {
	uint32_t size; /* of the other members */
	uint64_t address, length;
	uint32_t type;
} __attribute__((packed));

enum { MULTIBOOT_ENTRIES = 256 };

/* Sorted, without gaps between entries of the same type. */
struct multiboot_map {
	unsigned count;
	struct multiboot_entry entry[MULTIBOOT_ENTRIES];
};
/* Memory that is not there yet.  False: there is no room for it. */
bool multiboot_add(struct multiboot_map *map, uint64_t address, uint64_t length,
		   enum multiboot_memory type);

struct multiboot_module {
	uint32_t start, end, string, reserved;
};

struct multiboot_information {
	uint32_t flags; /* MULTIBOOT_HAS_* */
	uint32_t lower, upper; /* KiB from 0 and from 1 MiB on */
	uint32_t boot_device, command_line;
	uint32_t modules, module; /* how many, and where */
	uint32_t symbols[4];
	uint32_t map_length, map;
	uint32_t drives_length, drives, config_table;
	uint32_t loader_name;
};
_Static_assert(offsetof(struct multiboot_information, map) == 48, "Multiboot information");
_Static_assert(offsetof(struct multiboot_information, loader_name) == 64, "Multiboot information");

#define MULTIBOOT_HAS_MEMORY       (uint32_t) BIT(0)
#define MULTIBOOT_HAS_COMMAND_LINE (uint32_t) BIT(2)
#define MULTIBOOT_HAS_MODULES      (uint32_t) BIT(3)
#define MULTIBOOT_HAS_MAP          (uint32_t) BIT(6)
#define MULTIBOOT_HAS_LOADER_NAME  (uint32_t) BIT(9)

/* Fills in what the map says. */
void multiboot_describe(struct multiboot_information *information, const struct multiboot_map *map);
