/* SPDX-License-Identifier: BSD-2-Clause */
/* FAT12, FAT16 and FAT32, as far as a file in the root directory needs it.  Microsoft, "FAT:
 * General Overview of On-Disk Format", 1.03. */
#include "volume.h"

struct boot_sector {
	uint8_t jump[3], oem[8];
	uint16_t sector_size;
	uint8_t cluster_sectors;
	uint16_t reserved;
	uint8_t tables;
	uint16_t root_entries, sectors_16;
	uint8_t media;
	uint16_t table_sectors_16, track_sectors, heads;
	uint32_t hidden, sectors_32;
	/* From here on of FAT32 alone. */
	uint32_t table_sectors_32;
	uint16_t flags, version;
	uint32_t root_cluster;
	uint8_t others[462];
	uint16_t signature;
} __attribute__((packed));

_Static_assert(offsetof(struct boot_sector, root_cluster) == 44, "hardware layout");
_Static_assert(sizeof(struct boot_sector) == SECTOR_SIZE, "hardware layout");

#define SIGNATURE      0xaa55u
#define ONE_TABLE      0x80u /* in flags: the tables differ, and one is in use */
#define TABLE_IN_USE   0x0fu

#define FAT16_CLUSTERS 4085u /* from so many on it is FAT16, */
#define FAT32_CLUSTERS 65525u /* and from so many on FAT32 */
#define FAT32_NUMBER   0x0fffffffu /* an entry's upper four bits are reserved */

struct entry {
	char name[11];
	uint8_t attributes, others[8];
	uint16_t cluster_high; /* of FAT32 */
	uint32_t times;
	uint16_t cluster_low;
	uint32_t size;
} __attribute__((packed));

_Static_assert(sizeof(struct entry) == 32, "hardware layout");

#define ENTRIES (SECTOR_SIZE / sizeof(struct entry))
/* No directory has more than 65,536 entries: a longer one has no end. */
#define DIRECTORY_SECTORS_MAX (65536u / ENTRIES)
#define NAME_END              '\0' /* no entry follows */
#define LABEL                 0x08u /* the volume's, or a piece of a long name */

/* ---- the volume ---- */

static uint32_t table_sectors(const struct boot_sector *b)
{
	return b->table_sectors_16 ? b->table_sectors_16 : b->table_sectors_32;
}

static bool is_boot_sector(const struct boot_sector *b)
{
	return b->signature == SIGNATURE && (b->jump[0] == 0xeb || b->jump[0] == 0xe9) &&
	       b->sector_size == SECTOR_SIZE && b->cluster_sectors &&
	       !(b->cluster_sectors & (b->cluster_sectors - 1)) && b->reserved &&
	       table_sectors(b) && !b->table_sectors_16 == !b->root_entries &&
	       (b->table_sectors_16 || !b->version);
}

/* As other systems do: what has the fields of FAT32 is FAT32, also when it has few clusters. */
static unsigned bits_of(const struct boot_sector *b, uint64_t clusters)
{
	if (!b->table_sectors_16)
		return clusters <= FAT32_NUMBER - 16 ? 32 : 0;
	if (clusters < FAT16_CLUSTERS)
		return 12;
	return clusters < FAT32_CLUSTERS ? 16 : 0;
}

/* Which of the tables is in use; b->tables or more: none. */
static unsigned table_of(const struct boot_sector *b)
{
	return b->table_sectors_16 || !(b->flags & ONE_TABLE) ? 0 : b->flags & TABLE_IN_USE;
}

bool fat_open(struct fat *fat, struct sector *sector, const struct extent *volume)
{
	const struct boot_sector *b = sector_read(sector, volume->first);
	uint64_t sectors, root, root_sectors, data, clusters;

	if (!b || !is_boot_sector(b))
		return false;
	sectors = b->sectors_16 ? b->sectors_16 : b->sectors_32;
	root = b->reserved + (uint64_t)b->tables * table_sectors(b);
	root_sectors = (b->root_entries + ENTRIES - 1) / ENTRIES;
	data = root + root_sectors;
	if (sectors > volume->count || data >= sectors)
		return false;
	clusters = (sectors - data) / b->cluster_sectors;
	*fat = (struct fat){
		.sector = sector,
		.bits = bits_of(b, clusters),
		.table = volume->first + b->reserved + (uint64_t)table_of(b) * table_sectors(b),
		.data = volume->first + data,
		.cluster_sectors = b->cluster_sectors,
		.end = (uint32_t)clusters + FAT_FIRST,
		.root = {volume->first + root, root_sectors},
		.root_cluster = b->root_cluster,
	};
	return fat->bits && table_of(b) < b->tables &&
	       (clusters + FAT_FIRST) * fat->bits <= (uint64_t)table_sectors(b) * SECTOR_SIZE * 8;
}

/* ---- clusters ---- */

static bool is_cluster(const struct fat *fat, uint32_t cluster)
{
	return cluster >= FAT_FIRST && cluster < fat->end;
}

static uint64_t cluster_sector(const struct fat *fat, uint32_t cluster)
{
	return fat->data + (uint64_t)(cluster - FAT_FIRST) * fat->cluster_sectors;
}

static bool table_byte(const struct fat *fat, uint64_t at, uint32_t *byte)
{
	const uint8_t *bytes = sector_read(fat->sector, fat->table + at / SECTOR_SIZE);

	if (bytes)
		*byte = bytes[at % SECTOR_SIZE];
	return bytes;
}

/* The entry of a cluster that is one.  An entry of FAT12 may begin in one sector, or byte, and end
 * in the next. */
static bool table_entry(const struct fat *fat, uint32_t cluster, uint32_t *entry)
{
	const uint64_t bit = (uint64_t)cluster * fat->bits;
	uint32_t byte;

	*entry = 0;
	for (unsigned i = 0; i < (fat->bits + 7) / 8; i++) {
		if (!table_byte(fat, bit / 8 + i, &byte))
			return false;
		*entry |= byte << 8 * i;
	}
	if (fat->bits == 12)
		*entry = *entry >> bit % 8 & 0xfffu;
	*entry &= FAT32_NUMBER;
	return true;
}

/* Is this entry the mark of the last cluster?  The eight highest numbers are. */
static bool is_last(const struct fat *fat, uint32_t entry)
{
	const uint32_t highest = fat->bits == 32 ? FAT32_NUMBER : (1u << fat->bits) - 1;

	return entry >= highest - 7;
}

const char *fat_locate(struct fat *fat, const struct fat_file *file, struct extent *extent)
{
	const uint32_t bytes = fat->cluster_sectors * SECTOR_SIZE;
	const uint32_t last = file->cluster + (file->size - 1) / bytes;
	uint32_t entry;

	if (!is_cluster(fat, file->cluster) || !is_cluster(fat, last) || last < file->cluster)
		return "the file ends behind its volume: the file system is damaged";
	for (uint32_t cluster = file->cluster; cluster <= last; cluster++) {
		if (!table_entry(fat, cluster, &entry))
			return fat->sector->error;
		if (cluster < last && entry != cluster + 1)
			return "the file is not in one piece: it must be made anew";
		if (cluster == last && !is_last(fat, entry))
			return "the file is longer than its size says: the file system is damaged";
	}
	extent->first = cluster_sector(fat, file->cluster);
	extent->count = (file->size + SECTOR_SIZE - 1) / SECTOR_SIZE;
	return NULL;
}

/* ---- the root directory ---- */

/* The sector behind this one in its cluster, or the first one of the next cluster. */
static bool next_sector(const struct fat *fat, uint32_t *cluster, uint32_t *within)
{
	uint32_t entry;

	if (++*within < fat->cluster_sectors)
		return true;
	*within = 0;
	if (!table_entry(fat, *cluster, &entry) || !is_cluster(fat, entry))
		return false;
	*cluster = entry;
	return true;
}

enum search { SEARCH_FOUND, SEARCH_FURTHER, SEARCH_ENDED };

static enum search search_sector(const struct fat *fat, uint64_t number, const char *name,
				 struct fat_file *file)
{
	const struct entry *entry = sector_read(fat->sector, number);

	if (!entry)
		return SEARCH_ENDED;
	for (unsigned i = 0; i < ENTRIES; i++, entry++) {
		if (entry->name[0] == NAME_END)
			return SEARCH_ENDED;
		if (entry->attributes & LABEL || memcmp(entry->name, name, sizeof(entry->name)))
			continue;
		*file = (struct fat_file){entry->cluster_low, entry->size, entry->attributes};
		if (fat->bits == 32)
			file->cluster |= (uint32_t)entry->cluster_high << 16;
		return SEARCH_FOUND;
	}
	return SEARCH_FURTHER;
}

bool fat_find(struct fat *fat, const char *name, struct fat_file *file)
{
	const bool in_clusters = fat->bits == 32;
	enum search search = SEARCH_FURTHER;
	uint32_t cluster = fat->root_cluster, within = 0;

	if (in_clusters && !is_cluster(fat, cluster))
		return false;
	for (uint32_t i = 0; i < DIRECTORY_SECTORS_MAX && search == SEARCH_FURTHER; i++) {
		uint64_t number = fat->root.first + i;

		if (in_clusters)
			number = cluster_sector(fat, cluster) + within;
		else if (i == fat->root.count)
			break;
		search = search_sector(fat, number, name, file);
		if (in_clusters && search == SEARCH_FURTHER && !next_sector(fat, &cluster, &within))
			break;
	}
	return search == SEARCH_FOUND;
}
