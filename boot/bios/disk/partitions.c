/* SPDX-License-Identifier: BSD-2-Clause */
/* The partitions of a disk.  Checksums are not looked at: a volume, and a file on it, must make
 * sense by themselves. */
#include "volume.h"

/* UEFI specification 2.10, 5.2.1: the MBR. */
struct mbr_entry {
	uint8_t active, first_chs[3], type, last_chs[3];
	uint32_t first, count;
} __attribute__((packed));

struct mbr {
	uint8_t code[446];
	struct mbr_entry entry[4];
	uint16_t signature;
} __attribute__((packed));

_Static_assert(sizeof(struct mbr) == SECTOR_SIZE, "hardware layout");

#define MBR_SIGNATURE 0xaa55u
#define MBR_GPT       0xeeu /* the type of an entry that stands for GPT */

/* 5.3.2 and 5.3.3: GPT's header, and an entry of its table. */
struct gpt {
	char signature[8];
	uint32_t revision, size, crc, reserved;
	uint64_t self, other, first_usable, last_usable;
	uint8_t guid[16];
	uint64_t table;
	uint32_t entries, entry_size;
} __attribute__((packed));

struct gpt_entry {
	uint64_t type[2], guid[2];
	uint64_t first, last;
} __attribute__((packed));

_Static_assert(offsetof(struct gpt, table) == 72, "hardware layout");
_Static_assert(offsetof(struct gpt_entry, first) == 32, "hardware layout");

#define GPT_SECTOR         1u
#define GPT_ENTRY_SIZE     128u /* or a power of two times it */
#define GPT_ENTRY_SIZE_MAX 4096u

static void add(struct partitions *found, const struct disk *disk, uint64_t first, uint64_t count)
{
	if (found->count < PARTITIONS_MAX && count && first < disk->sectors &&
	    count <= disk->sectors - first)
		found->list[found->count++] = (struct extent){first, count};
}

static bool makes_sense(const struct gpt *gpt)
{
	return !memcmp(gpt->signature, "EFI PART", sizeof(gpt->signature)) &&
	       gpt->table > GPT_SECTOR && gpt->table < gpt->first_usable &&
	       gpt->entry_size >= GPT_ENTRY_SIZE && gpt->entry_size <= GPT_ENTRY_SIZE_MAX &&
	       !(gpt->entry_size & (gpt->entry_size - 1));
}

static void list_gpt(struct sector *sector, struct partitions *found)
{
	const void *bytes = sector_read(sector, GPT_SECTOR);
	const struct gpt_entry *entry;
	struct gpt gpt;

	if (!bytes)
		return;
	memcpy(&gpt, bytes, sizeof(gpt));
	if (!makes_sense(&gpt))
		return;
	for (uint32_t n = 0; n < gpt.entries && n < PARTITIONS_MAX; n++) {
		uint32_t at = n * gpt.entry_size;

		bytes = sector_read(sector, gpt.table + at / SECTOR_SIZE);
		if (!bytes)
			return;
		entry = (const void *)((const char *)bytes + at % SECTOR_SIZE);
		if ((entry->type[0] | entry->type[1]) && entry->first >= gpt.first_usable &&
		    entry->first <= entry->last && entry->last <= gpt.last_usable)
			add(found, sector->disk, entry->first, entry->last - entry->first + 1);
	}
}

void partitions_find(struct sector *sector, struct partitions *found)
{
	const struct mbr *mbr = sector_read(sector, 0);
	bool has_gpt = false;

	found->count = 0;
	if (!mbr || mbr->signature != MBR_SIGNATURE)
		return;
	add(found, sector->disk, 0, sector->disk->sectors);
	for (unsigned i = 0; i < ARRAY_SIZE(mbr->entry); i++)
		has_gpt |= mbr->entry[i].type == MBR_GPT;
	for (unsigned i = 0; i < ARRAY_SIZE(mbr->entry) && !has_gpt; i++)
		if (mbr->entry[i].type && mbr->entry[i].first)
			add(found, sector->disk, mbr->entry[i].first, mbr->entry[i].count);
	if (has_gpt)
		list_gpt(sector, found);
}
