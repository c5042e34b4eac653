/* SPDX-License-Identifier: BSD-2-Clause */
/* Disks in memory with a FAT volume on them, made after the specification and not by the program's
 * own code, and a struct disk that notes what is done to them. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "boot/bios/disk/volume.h"

enum { SLOT_SECTORS = SLOT_SIZE / SECTOR_SIZE, TABLES = 2 };

static struct image {
	struct disk disk;
	uint8_t *bytes, *before;
	unsigned bits, spc;
	uint32_t clusters;
	uint64_t volume, table, table_sectors, root, data; /* numbers of sectors on the disk */
	unsigned entries; /* in the root directory */
	uint64_t fails_at; /* the so manieth call fails; 0: none */
	uint64_t calls, writes;
	bool forgets; /* what is written */
} image;

static inline void put(uint64_t at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		image.bytes[at + i] = (uint8_t)(value >> 8 * i);
}

/* ---- what the program calls ---- */

static inline const char *note_call(uint64_t first, unsigned count)
{
	if (first >= image.disk.sectors || count > image.disk.sectors - first || count > SLOT_CHUNK)
		abort();
	return ++image.calls == image.fails_at ? "the medium is bad" : NULL;
}

static inline const char *image_read(const struct disk *disk, uint64_t first, unsigned count,
				     void *bytes)
{
	const char *error = note_call(first, count);

	(void)disk;
	if (!error)
		memcpy(bytes, image.bytes + first * SECTOR_SIZE, count * SECTOR_SIZE);
	return error;
}

static inline const char *image_write(const struct disk *disk, uint64_t first, unsigned count,
				      const void *bytes)
{
	const char *error = note_call(first, count);

	(void)disk;
	if (!error && !image.forgets)
		memcpy(image.bytes + first * SECTOR_SIZE, bytes, count * SECTOR_SIZE);
	image.writes += !error;
	return error;
}

/* ---- making a disk ---- */

/* In both tables. */
static inline void image_link(uint32_t cluster, uint32_t entry)
{
	for (unsigned t = 0; t < TABLES; t++) {
		uint64_t table = (image.table + t * image.table_sectors) * SECTOR_SIZE;
		uint64_t at = table + cluster * image.bits / 8;
		uint32_t old = image.bytes[at] | (uint32_t)image.bytes[at + 1] << 8;

		if (image.bits == 12 && cluster & 1)
			put(at, (old & 0x00fu) | entry << 4, 2);
		else if (image.bits == 12)
			put(at, (old & 0xf000u) | (entry & 0xfffu), 2);
		else
			put(at, entry, image.bits / 8);
	}
}

static inline uint32_t end_of_chain(void)
{
	return image.bits == 32 ? 0x0fffffffu : (1u << image.bits) - 1;
}

static inline uint64_t sector_of(uint32_t cluster)
{
	return image.data + (uint64_t)(cluster - 2) * image.spc;
}

static inline void image_boot_sector(uint64_t total)
{
	const uint64_t at = image.volume * SECTOR_SIZE;
	const bool fat32 = image.bits == 32;

	put(at, 0x90feeb, 3);
	put(at + 11, SECTOR_SIZE, 2);
	put(at + 13, image.spc, 1);
	put(at + 14, image.table - image.volume, 2);
	put(at + 16, TABLES, 1);
	put(at + 17, fat32 ? 0 : 512, 2);
	put(at + (total < 65536 && !fat32 ? 19 : 32), total, total < 65536 && !fat32 ? 2 : 4);
	put(at + 21, 0xf8, 1);
	put(at + (fat32 ? 36 : 22), image.table_sectors, fat32 ? 4 : 2);
	if (fat32)
		put(at + 44, 2, 4);
	put(at + 510, 0xaa55, 2);
}

/* The volume begins at that sector; what lies in front of it and behind it is no zero either. */
static inline void image_make(unsigned bits, unsigned spc, uint32_t clusters, uint64_t volume)
{
	const uint64_t reserved = bits == 32 ? 32 : 1, root_sectors = bits == 32 ? 0 : 32;
	uint64_t total;

	free(image.bytes);
	free(image.before);
	image = (struct image){.bits = bits, .spc = spc, .clusters = clusters, .volume = volume};
	image.table = volume + reserved;
	image.table_sectors = ((clusters + 2) * (uint64_t)bits / 8 + SECTOR_SIZE) / SECTOR_SIZE;
	image.root = image.table + TABLES * image.table_sectors;
	image.data = image.root + root_sectors;
	total = image.data + (uint64_t)clusters * spc - volume;
	image.disk = (struct disk){volume + total + 40, image_read, image_write};
	image.bytes = malloc(image.disk.sectors * SECTOR_SIZE);
	image.before = malloc(image.disk.sectors * SECTOR_SIZE);
	memset(image.bytes, 0xa5, image.disk.sectors * SECTOR_SIZE);
	memset(image.bytes, 0, (image.data + image.spc) * SECTOR_SIZE);
	image_boot_sector(total);
	image_link(0, end_of_chain() - 7);
	image_link(1, end_of_chain());
	if (bits == 32) {
		image.root = image.data;
		image_link(2, end_of_chain());
	}
}

/* An entry in the root directory, whose first cluster has room for it. */
static inline uint64_t image_entry(const char *name, uint8_t attributes, uint32_t cluster,
				   uint32_t size)
{
	const uint64_t at = image.root * SECTOR_SIZE + 32 * image.entries++;

	memcpy(image.bytes + at, name, 11);
	put(at + 11, attributes, 1);
	put(at + 20, image.bits == 32 ? cluster >> 16 : 0x7777, 2);
	put(at + 26, cluster & 0xffffu, 2);
	put(at + 28, size, 4);
	return at;
}

/* Clusters from first on, for all of the slot. */
static inline uint32_t image_chain(uint32_t first)
{
	const uint32_t count = (SLOT_SECTORS + image.spc - 1) / image.spc;

	for (uint32_t i = 0; i < count; i++)
		image_link(first + i, i + 1 < count ? first + i + 1 : end_of_chain());
	return first + count - 1;
}

/* A whole slot behind entries that are none of it. */
static inline uint64_t image_slot(uint32_t first)
{
	uint8_t *contents = image.bytes + sector_of(first) * SECTOR_SIZE;

	image_entry(SLOT_SHORT_NAME, 0x08, 0, 0); /* the volume's label */
	image_entry("\xe5MUBIOS TAP", 0x20, first + 1, SLOT_SIZE); /* deleted */
	image_entry("PMUTEST86  ", 0x10, 5, 0);
	image_entry(SLOT_SHORT_NAME, 0x0f, 7, 7); /* a piece of a long name */
	memset(contents, '\n', SLOT_SIZE);
	memcpy(contents, SLOT_LINE, strlen(SLOT_LINE));
	image_chain(first);
	return image_entry(SLOT_SHORT_NAME, 0x20, first, SLOT_SIZE);
}

/* ---- looking at it ---- */

static inline void image_keep(void)
{
	memcpy(image.before, image.bytes, image.disk.sectors * SECTOR_SIZE);
	image.calls = 0;
	image.writes = 0;
}

static inline bool image_unchanged(void)
{
	return !memcmp(image.before, image.bytes, image.disk.sectors * SECTOR_SIZE);
}

/* All but the slot from this cluster on. */
static inline bool image_unchanged_around(uint32_t first)
{
	const uint64_t from = sector_of(first) * SECTOR_SIZE, to = from + SLOT_SIZE;

	return !memcmp(image.before, image.bytes, from) &&
	       !memcmp(image.before + to, image.bytes + to, image.disk.sectors * SECTOR_SIZE - to);
}
