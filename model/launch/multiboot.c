/* SPDX-License-Identifier: BSD-2-Clause */
/* Multiboot files and information. */
#include "multiboot.h"
#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"

/* ---- the header ---- */

enum { HEADER_WITHIN = 8192, HEADER_ALIGNED = 4 };
#define HEADER_MAGIC UINT32_C(0x1badb002)
/* A loader must know what these ask for; here: modules on pages, and a memory map, which all get.
 */
#define HEADER_MUST  (uint32_t) FIELD(15, 0)
#define HEADER_KNOWN (uint32_t) FIELD(1, 0)

struct header {
	uint32_t magic, flags, checksum;
};

static const char *check_header(const uint8_t *file, size_t size)
{
	struct header header;

	for (size_t at = 0; at < HEADER_WITHIN && at + sizeof(header) <= size;
	     at += HEADER_ALIGNED) {
		memcpy(&header, file + at, sizeof(header));
		if (header.magic != HEADER_MAGIC || header.magic + header.flags + header.checksum)
			continue;
		return header.flags & HEADER_MUST & ~HEADER_KNOWN
			       ? "its Multiboot header asks for more than modules and a memory map"
			       : NULL;
	}
	return "it has no Multiboot header in its first 8 KiB";
}

/* ---- ELF ---- */

struct elf {
	uint8_t identity[16];
	uint16_t type, machine;
	uint32_t version, entry, segments, sections, flags;
	uint16_t size, segment_size, segment_count, section_size, section_count, names;
};

struct segment {
	uint32_t type, offset, virtual, physical, file_size, memory_size, flags, alignment;
};

enum { TYPE_EXECUTABLE = 2, MACHINE_386 = 3, SEGMENT_LOAD = 1 };
static const uint8_t identity[] = {0x7f, 'E', 'L', 'F', 1 /* 32 bits */, 1 /* little-endian */};

static struct segment segment_at(const uint8_t *file, unsigned index)
{
	struct segment segment;
	struct elf elf;

	memcpy(&elf, file, sizeof(elf));
	memcpy(&segment, file + elf.segments + sizeof(segment) * index, sizeof(segment));
	return segment;
}

static bool is_within(uint64_t at, uint64_t length, uint64_t size)
{
	return at <= size && length <= size - at;
}

static bool is_loaded(const struct segment *s)
{
	return s->type == SEGMENT_LOAD && s->memory_size;
}

static const char *add_segment(const struct segment *s, size_t size, struct multiboot_image *image)
{
	if (s->file_size > s->memory_size || !is_within(s->offset, s->file_size, size))
		return "a segment goes beyond the file";
	if (!is_within(s->physical, s->memory_size, UINT32_MAX))
		return "a segment goes beyond 4 GiB";
	if (s->physical < image->first)
		image->first = s->physical;
	if (s->physical + s->memory_size > image->end)
		image->end = s->physical + s->memory_size;
	return NULL;
}

static const char *check_elf(const uint8_t *file, size_t size, struct elf *elf)
{
	if (size < sizeof(*elf))
		return "it is too short";
	memcpy(elf, file, sizeof(*elf));
	if (memcmp(elf->identity, identity, sizeof(identity)) || elf->type != TYPE_EXECUTABLE ||
	    elf->machine != MACHINE_386)
		return "it is no 32-bit ELF program";
	if (elf->segment_size != sizeof(struct segment) ||
	    !is_within(elf->segments, (uint64_t)elf->segment_size * elf->segment_count, size))
		return "its program headers go beyond the file";
	return NULL;
}

const char *multiboot_read(const uint8_t *file, size_t size, struct multiboot_image *image)
{
	struct elf elf;
	const char *error = check_elf(file, size, &elf);

	if (!error)
		error = check_header(file, size);
	if (error)
		return error;
	*image = (struct multiboot_image){.entry = elf.entry, .first = UINT32_MAX};
	for (unsigned i = 0; i < elf.segment_count && !error; i++) {
		struct segment segment = segment_at(file, i);

		if (is_loaded(&segment))
			error = add_segment(&segment, size, image);
	}
	if (!error && (elf.entry < image->first || elf.entry >= image->end))
		error = "its entry point is in no segment";
	return error;
}

void multiboot_place(const uint8_t *file, const struct multiboot_image *image, uint8_t *memory)
{
	struct elf elf;

	memcpy(&elf, file, sizeof(elf));
	memset(memory, 0, image->end - image->first);
	for (unsigned i = 0; i < elf.segment_count; i++) {
		struct segment s = segment_at(file, i);

		if (is_loaded(&s))
			memcpy(memory + (s.physical - image->first), file + s.offset, s.file_size);
	}
}

/* ---- the information ---- */

enum { KIB_SHIFT = 10, LOWER_MOST = 640 };
#define MIB UINT64_C(0x100000)

static uint64_t end_of(const struct multiboot_entry *entry)
{
	return entry->address + entry->length;
}

/* With the one before, if that goes on in it. */
static void join(struct multiboot_map *map, unsigned i)
{
	struct multiboot_entry *entry = &map->entry[i];

	if (!i || i >= map->count || entry[-1].type != entry->type ||
	    end_of(&entry[-1]) != entry->address)
		return;
	entry[-1].length += entry->length;
	map->count--;
	memmove(entry, entry + 1, (map->count - i) * sizeof(*entry));
}

bool multiboot_add(struct multiboot_map *map, uint64_t address, uint64_t length,
		   enum multiboot_memory type)
{
	unsigned i = map->count;

	if (!length)
		return true;
	if (map->count == MULTIBOOT_ENTRIES)
		return false;
	for (; i && map->entry[i - 1].address > address; i--)
		map->entry[i] = map->entry[i - 1];
	map->entry[i] = (struct multiboot_entry){sizeof(*map->entry) - sizeof(map->entry->size),
						 address, length, type};
	map->count++;
	join(map, i + 1);
	join(map, i);
	return true;
}

/* The KiB of available memory from address on. */
static uint32_t kib_from(const struct multiboot_map *map, uint64_t address)
{
	for (unsigned i = 0; i < map->count; i++) {
		const struct multiboot_entry *entry = &map->entry[i];

		if (entry->type == MEMORY_AVAILABLE && entry->address <= address &&
		    address < end_of(entry))
			return (uint32_t)((end_of(entry) - address) >> KIB_SHIFT);
	}
	return 0;
}

void multiboot_describe(struct multiboot_information *information, const struct multiboot_map *map)
{
	information->flags |= MULTIBOOT_HAS_MEMORY | MULTIBOOT_HAS_MAP;
	information->lower = kib_from(map, 0);
	if (information->lower > LOWER_MOST)
		information->lower = LOWER_MOST;
	information->upper = kib_from(map, MIB);
	information->map = (uint32_t)(uintptr_t)map->entry;
	information->map_length = (uint32_t)(map->count * sizeof(*map->entry));
}
