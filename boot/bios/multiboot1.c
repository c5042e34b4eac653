/* SPDX-License-Identifier: BSD-2-Clause */
/* Multiboot Specification 0.6.96, 3.3: boot information format. */
#include "bios.h"

#define HAS_MEMORY       BIT(0)
#define HAS_BOOT_DEVICE  BIT(1)
#define HAS_COMMAND_LINE BIT(2)
#define HAS_MODULES      BIT(3)
#define HAS_MAP          BIT(6)
#define HAS_FRAMEBUFFER  BIT(12)

#define ONE_MIB          0x100000u
#define KIB              1024u
#define AVAILABLE        1u

struct information {
	uint32_t flags;
	uint32_t memory_lower, memory_upper; /* in KiB, from 0 and from 1 MiB */
	uint32_t boot_device; /* the drive in its upper byte */
	uint32_t command_line;
	uint32_t modules, modules_address;
	uint32_t symbols[4];
	uint32_t map_length, map_address;
	uint32_t drives_length, drives_address, config_table, loader_name, apm_table;
	uint32_t vbe_control, vbe_mode;
	uint16_t vbe[4];
	uint64_t framebuffer;
	uint32_t pitch, width, height;
	uint8_t bits, type, red;
} __attribute__((packed));
_Static_assert(offsetof(struct information, map_length) == 44, "layout");
_Static_assert(offsetof(struct information, framebuffer) == 88, "layout");
_Static_assert(offsetof(struct information, type) == 109, "layout");

struct module {
	uint32_t from, to, line, reserved;
};

/* An entry of the memory map; its size does not count the member size itself. */
struct map_entry {
	uint32_t size;
	uint64_t from, length;
	uint32_t type;
} __attribute__((packed));

static const void *at(uint32_t address)
{
	return (const void *)(uintptr_t)address;
}

static void read_map(struct firmware *fw, const struct information *info)
{
	uint32_t end = info->map_address + info->map_length;
	uint32_t address = info->map_address;

	while (address < end && end - address >= sizeof(struct map_entry)) {
		const struct map_entry *entry = at(address);

		loader_memory(fw, entry->from, entry->length, entry->type);
		address += entry->size + (uint32_t)sizeof(entry->size);
	}
}

/* Two sizes are all that the loader knows. */
static void read_sizes(struct firmware *fw, const struct information *info)
{
	loader_memory(fw, 0, (uint64_t)info->memory_lower * KIB, AVAILABLE);
	loader_memory(fw, ONE_MIB, (uint64_t)info->memory_upper * KIB, AVAILABLE);
}

const char *multiboot1_read(struct firmware *fw, uintptr_t address)
{
	const struct information *info = (const void *)address;

	if (info->flags & HAS_BOOT_DEVICE)
		loader_drive(fw, info->boot_device >> 24);
	if (info->flags & HAS_COMMAND_LINE)
		loader_command_line(fw, at(info->command_line));
	for (uint32_t i = 0; info->flags & HAS_MODULES && i < info->modules; i++) {
		const struct module *module = at(info->modules_address);

		module += i;
		loader_module(fw, module->line ? at(module->line) : "", module->from, module->to);
	}
	if (info->flags & HAS_MAP)
		read_map(fw, info);
	else if (info->flags & HAS_MEMORY)
		read_sizes(fw, info);
	else
		return "the loader does not tell where memory is";
	if (info->flags & HAS_FRAMEBUFFER)
		loader_screen(fw, &(struct loader_screen){info->framebuffer, info->pitch,
							  info->width, info->height, info->bits,
							  info->type, info->red});
	return NULL;
}
