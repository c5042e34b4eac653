/* SPDX-License-Identifier: BSD-2-Clause */
/* The report's slot: a file whose contents are replaced, and nothing else on the disk. */
#include "volume.h"

#define SECTORS (SLOT_SIZE / SECTOR_SIZE)

_Static_assert(SLOT_SIZE % SECTOR_SIZE == 0, "whole sectors");
_Static_assert(sizeof(SLOT_LINE) - 1 < SECTOR_SIZE, "in the first sector");
_Static_assert(sizeof(SLOT_SHORT_NAME) - 1 == 11, "8 and 3 characters");

/* ---- where it is ---- */

static const char *check_line(struct sector *sector, uint64_t number)
{
	const void *bytes = sector_read(sector, number);

	if (!bytes)
		return sector->error;
	return memcmp(bytes, SLOT_LINE, sizeof(SLOT_LINE) - 1) ? SLOT_NAME
		       " does not begin as the one made for the report"
							       : NULL;
}

static const char *accept(struct slot *slot, struct fat *fat, const struct fat_file *file)
{
	const char *error;
	struct extent extent;

	if (file->attributes & FAT_DIRECTORY)
		return SLOT_NAME " is a directory";
	if (file->attributes & FAT_READ_ONLY)
		return SLOT_NAME " is marked read-only";
	if (file->size != SLOT_SIZE)
		return SLOT_NAME " has another size than the one made for the report";
	error = fat_locate(fat, file, &extent);
	if (error)
		return error;
	slot->first = extent.first;
	return check_line(fat->sector, extent.first);
}

const char *slot_open(struct slot *slot, const struct disk *disk)
{
	struct sector sector = {.disk = disk};
	struct partitions found;
	struct fat_file file;
	struct fat fat;

	slot->disk = disk;
	partitions_find(&sector, &found);
	for (unsigned i = 0; i < found.count; i++)
		if (fat_open(&fat, &sector, &found.list[i]) &&
		    fat_find(&fat, SLOT_SHORT_NAME, &file))
			return accept(slot, &fat, &file);
	return sector.error ? sector.error : "no FAT volume of the disk has " SLOT_NAME;
}

/* ---- what is in it ---- */

/* Copies of a text, which begins at position at, what lies in this sector. */
static void place(uint8_t *sector, uint64_t position, uint64_t at, const struct slot_text *text)
{
	uint64_t from = at > position ? at : position;
	uint64_t to = at + text->length;

	if (to > position + SECTOR_SIZE)
		to = position + SECTOR_SIZE;
	if (from < to)
		memcpy(sector + (from - position), text->text + (from - at), (size_t)(to - from));
}

/* Fills a sector of the file with its share of the line and of the texts, and with spaces up to an
 * end of line, so that all of it stays text. */
static void compose(uint8_t *sector, unsigned n, const struct slot_text *texts, unsigned count)
{
	static const struct slot_text line = {SLOT_LINE, sizeof(SLOT_LINE) - 1};
	const uint64_t position = (uint64_t)n * SECTOR_SIZE;
	uint64_t at = line.length;

	memset(sector, ' ', SECTOR_SIZE - 1);
	sector[SECTOR_SIZE - 1] = '\n';
	place(sector, position, 0, &line);
	for (unsigned i = 0; i < count; at += texts[i++].length)
		place(sector, position, at, &texts[i]);
}

static bool is_same(const struct slot *slot, unsigned n, unsigned sectors,
		    const struct slot_text *texts, unsigned count)
{
	uint8_t wanted[SECTOR_SIZE];
	bool same = true;

	for (unsigned i = 0; i < sectors; i++) {
		compose(wanted, n + i, texts, count);
		same &= !memcmp(wanted, slot->chunk + i * SECTOR_SIZE, SECTOR_SIZE);
	}
	return same;
}

/* Sectors from number n on, as many as are left up to a chunk. */
static unsigned chunk_from(unsigned n)
{
	return SECTORS - n < SLOT_CHUNK ? SECTORS - n : SLOT_CHUNK;
}

static const char *write_all(struct slot *slot, const struct slot_text *texts, unsigned count)
{
	const char *error = NULL;

	for (unsigned n = 0; n < SECTORS && !error; n += SLOT_CHUNK) {
		for (unsigned i = 0; i < chunk_from(n); i++)
			compose(slot->chunk + i * SECTOR_SIZE, n + i, texts, count);
		error = slot->disk->write(slot->disk, slot->first + n, chunk_from(n), slot->chunk);
	}
	return error;
}

static const char *read_back(struct slot *slot, const struct slot_text *texts, unsigned count)
{
	const char *error;

	for (unsigned n = 0; n < SECTORS; n += SLOT_CHUNK) {
		error = slot->disk->read(slot->disk, slot->first + n, chunk_from(n), slot->chunk);
		if (error)
			return error;
		if (!is_same(slot, n, chunk_from(n), texts, count))
			return "what was read back from " SLOT_NAME " is not what was written";
	}
	return NULL;
}

const char *slot_write(struct slot *slot, const struct slot_text *texts, unsigned count)
{
	const char *error;
	uint64_t length = 0;

	for (unsigned i = 0; i < count; i++)
		length += texts[i].length;
	if (length > SLOT_ROOM)
		return "the report is longer than " SLOT_NAME;
	error = write_all(slot, texts, count);
	return error ? error : read_back(slot, texts, count);
}
