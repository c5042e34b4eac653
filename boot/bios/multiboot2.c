/* SPDX-License-Identifier: BSD-2-Clause */
/* Multiboot2 Specification 2.0, 3.6: boot information. */
#include "bios.h"

#define TAG_END          0u
#define TAG_COMMAND_LINE 1u
#define TAG_MODULE       3u
#define TAG_BOOT_DEVICE  5u
#define TAG_MAP          6u
#define TAG_FRAMEBUFFER  8u
#define TAG_EFI_32       11u /* the table that UEFI gives a program */
#define TAG_EFI_64       12u
#define TAG_ACPI_OLD     14u
#define TAG_ACPI_NEW     15u

struct tag {
	uint32_t type, size;
};

struct module {
	struct tag tag;
	uint32_t from, to;
	char line[];
};

struct boot_device {
	struct tag tag;
	uint32_t drive, partition, part_of_partition;
};

struct map {
	struct tag tag;
	uint32_t entry_size, entry_version;
};

struct map_entry {
	uint64_t from, length;
	uint32_t type, reserved;
};

struct screen {
	struct tag tag;
	uint64_t address;
	uint32_t pitch, width, height;
	uint8_t bits, type;
	uint16_t reserved;
	uint8_t red;
} __attribute__((packed));
_Static_assert(offsetof(struct screen, type) == 29, "layout");
_Static_assert(offsetof(struct screen, red) == 32, "layout");

/* The data of a tag, behind its head. */
static const void *content(const struct tag *tag)
{
	return tag + 1;
}

static void read_map(struct firmware *fw, const struct tag *tag)
{
	const struct map *map = (const void *)tag;
	uint32_t at = sizeof(*map);

	if (map->entry_size < sizeof(struct map_entry))
		return;
	for (; at < tag->size && tag->size - at >= map->entry_size; at += map->entry_size) {
		const struct map_entry *entry = (const void *)((const char *)tag + at);

		loader_memory(fw, entry->from, entry->length, entry->type);
	}
}

static void read_module(struct firmware *fw, const struct tag *tag)
{
	const struct module *module = (const void *)tag;

	loader_module(fw, module->line, module->from, module->to);
}

static void read_boot_device(struct firmware *fw, const struct tag *tag)
{
	const struct boot_device *device = (const void *)tag;

	loader_drive(fw, device->drive);
}

static void read_screen(struct firmware *fw, const struct tag *tag)
{
	const struct screen *s = (const void *)tag;

	loader_screen(fw, &(struct loader_screen){s->address, s->pitch, s->width, s->height,
						  s->bits, s->type, s->red});
}

/* The new one has more, whichever comes first. */
static void read_rsdp(struct firmware *fw, const struct tag *tag)
{
	size_t size = tag->size - sizeof(*tag);

	if (tag->type == TAG_ACPI_OLD && fw->rsdp[0])
		return;
	memset(fw->rsdp, 0, sizeof(fw->rsdp));
	memcpy(fw->rsdp, content(tag), size < sizeof(fw->rsdp) ? size : sizeof(fw->rsdp));
}

static void read_tag(struct firmware *fw, const struct tag *tag)
{
	switch (tag->type) {
	case TAG_COMMAND_LINE:
		loader_command_line(fw, content(tag));
		break;
	case TAG_MODULE:
		read_module(fw, tag);
		break;
	case TAG_BOOT_DEVICE:
		read_boot_device(fw, tag);
		break;
	case TAG_MAP:
		read_map(fw, tag);
		break;
	case TAG_FRAMEBUFFER:
		read_screen(fw, tag);
		break;
	case TAG_EFI_32:
	case TAG_EFI_64:
		fw->on_efi = true;
		break;
	case TAG_ACPI_OLD:
	case TAG_ACPI_NEW:
		read_rsdp(fw, tag);
		break;
	default:
		break;
	}
}

const char *multiboot2_read(struct firmware *fw, uintptr_t address)
{
	uint32_t size = *(const uint32_t *)address;
	uint32_t at = 2 * sizeof(uint32_t);

	while (at < size && size - at >= sizeof(struct tag)) {
		const struct tag *tag = (const void *)(address + at);

		if (tag->type == TAG_END || tag->size < sizeof(*tag))
			break;
		read_tag(fw, tag);
		at += (tag->size + 7) & ~7u; /* each begins at a multiple of 8 */
	}
	return fw->map_ranges ? NULL : "the loader does not tell where memory is";
}
