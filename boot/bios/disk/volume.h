/* SPDX-License-Identifier: BSD-2-Clause */
/* Volumes of a disk, and the sectors of a file on them. */
#pragma once

#include "disk.h"

/* Sectors that follow one another; their numbers are those of the disk. */
struct extent {
	uint64_t first, count;
};

/* ---- sector.c ---- */

/* The sector read last: what is asked for next is often there, too. */
struct sector {
	const struct disk *disk;
	const char *error; /* why the last sector could not be read; NULL: none has failed */
	uint64_t number;
	bool is_read;
	uint8_t bytes[SECTOR_SIZE];
};

/* Its bytes, valid until the next call; NULL: sector->error. */
const void *sector_read(struct sector *sector, uint64_t number);

/* ---- partitions.c ---- */

/* The disk as a whole, and as many partitions as GPT's table usually has room for. */
#define PARTITIONS_MAX 129u

struct partitions {
	unsigned count;
	struct extent list[PARTITIONS_MAX];
};

/* Finds all that may be a volume: the disk as a whole; the partitions of GPT; without GPT those of
 * the MBR, but no logical ones.  Each lies on the disk. */
void partitions_find(struct sector *sector, struct partitions *found);

/* ---- fat.c ---- */

struct fat {
	struct sector *sector;
	unsigned bits; /* of an entry of the table: 12, 16, 32 */
	uint64_t table; /* first sector of the table in use */
	uint64_t data; /* first sector of cluster FAT_FIRST */
	uint32_t cluster_sectors;
	uint32_t end; /* number behind the last cluster */
	struct extent root; /* of FAT12 and FAT16 */
	uint32_t root_cluster; /* of FAT32 */
};

#define FAT_FIRST 2u

struct fat_file {
	uint32_t cluster, size;
	uint8_t attributes;
};

#define FAT_READ_ONLY 0x01u
#define FAT_DIRECTORY 0x10u

/* False: no FAT volume that makes sense, or its first sector cannot be read. */
bool fat_open(struct fat *fat, struct sector *sector, const struct extent *volume);

/* In the root directory, by its short name: 8 and 3 characters. */
bool fat_find(struct fat *fat, const char *name, struct fat_file *file);

/* All sectors of the file; it is not empty.  The whole chain of its clusters is followed. */
const char *fat_locate(struct fat *fat, const struct fat_file *file, struct extent *extent);
