/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Disks by whoever made them: no sector is written but those of the slot.  The input is the number
 * of the access that fails (2 bytes; 0: none), the disk's number of sectors (4), then pieces of
 * address (sector: 4, byte in it: 2), length (2) and contents; what no piece covers is zero.
 */
#include "fuzz.h"

#include <string.h>

#include "boot/bios/disk/disk.h"

enum { PIECES = 64, SLOT_SECTORS = SLOT_SIZE / SECTOR_SIZE };

static struct piece {
	uint64_t from, to; /* bytes of the disk */
	const uint8_t *bytes;
} pieces[PIECES];
static unsigned pieces_count;

static uint64_t calls, fails_at;
static const char FAILED[] = "it failed";

/* The sectors written: all in one piece, or else MUST() ends it. */
static struct {
	uint64_t first, count; /* sectors */
	uint8_t bytes[SLOT_SIZE];
} written;

/* ---- the disk ---- */

static void build(struct input *in, struct disk *disk)
{
	fails_at = input_number(in, 2);
	disk->sectors = input_number(in, 4);
	for (pieces_count = 0; in->left && pieces_count < PIECES; pieces_count++) {
		uint64_t from = input_number(in, 4) * SECTOR_SIZE;
		size_t length;

		from += input_number(in, 2) % SECTOR_SIZE;
		length = input_number(in, 2);
		if (length > in->left)
			length = in->left;
		pieces[pieces_count] = (struct piece){from, from + length, in->at};
		in->at += length;
		in->left -= length;
	}
}

/* Before anything was written; a later piece lies over an earlier one. */
static void original(uint64_t at, uint8_t *bytes, size_t size)
{
	memset(bytes, 0, size);
	for (unsigned i = 0; i < pieces_count; i++) {
		uint64_t from = pieces[i].from > at ? pieces[i].from : at;
		uint64_t to = pieces[i].to < at + size ? pieces[i].to : at + size;

		if (from < to)
			memcpy(bytes + (from - at), pieces[i].bytes + (from - pieces[i].from),
			       to - from);
	}
}

static uint64_t number_at(uint64_t at, unsigned size)
{
	uint8_t bytes[8];
	struct input in = {bytes, size};

	original(at, bytes, size);
	return input_number(&in, size);
}

static const char *disk_read(const struct disk *disk, uint64_t first, unsigned count, void *bytes)
{
	uint8_t *block = fuzz_block((size_t)count * SECTOR_SIZE);

	MUST(count && count <= SLOT_CHUNK);
	MUST(first < disk->sectors && count <= disk->sectors - first);
	if (++calls == fails_at)
		return FAILED;
	original(first * SECTOR_SIZE, block, (size_t)count * SECTOR_SIZE);
	for (uint64_t i = 0; i < count; i++)
		if (first + i >= written.first && first + i - written.first < written.count)
			memcpy(block + i * SECTOR_SIZE,
			       written.bytes + (first + i - written.first) * SECTOR_SIZE,
			       SECTOR_SIZE);
	memcpy(bytes, block, (size_t)count * SECTOR_SIZE);
	return NULL;
}

static const char *disk_write(const struct disk *disk, uint64_t first, unsigned count,
			      const void *bytes)
{
	MUST(count && count <= SLOT_CHUNK);
	MUST(first < disk->sectors && count <= disk->sectors - first);
	if (++calls == fails_at)
		return FAILED;
	if (!written.count)
		written.first = first;
	MUST(first == written.first + written.count && count <= SLOT_SECTORS - written.count);
	memcpy(written.bytes + written.count * SECTOR_SIZE, bytes, (size_t)count * SECTOR_SIZE);
	written.count += count;
	return NULL;
}

/* ---- what a slot is, said once more and in another way ---- */

struct volume {
	uint64_t at; /* bytes of the disk */
	uint64_t cluster, table, data; /* sectors */
	unsigned bits;
};

static bool read_volume(struct volume *v, uint64_t at)
{
	uint64_t tables = number_at(at + 16, 1), old = number_at(at + 22, 2);
	uint64_t size = old ? old : number_at(at + 36, 4);
	uint64_t sectors = number_at(at + 19, 2) ? number_at(at + 19, 2) : number_at(at + 32, 4);
	uint64_t flags = old ? 0 : number_at(at + 40, 2);

	v->at = at;
	v->cluster = number_at(at + 13, 1);
	v->table = number_at(at + 14, 2) + (flags & 0x80 ? (flags & 15) * size : 0);
	v->data = number_at(at + 14, 2) + tables * size + (number_at(at + 17, 2) * 32 + 511) / 512;
	if (number_at(at + 510, 2) != 0xaa55 || !v->cluster || sectors <= v->data)
		return false;
	v->bits = !old ? 32 : (sectors - v->data) / v->cluster < 4085 ? 12 : 16;
	return true;
}

static uint64_t link_of(const struct volume *v, uint64_t cluster)
{
	uint64_t table = v->at + v->table * SECTOR_SIZE;

	if (v->bits == 12)
		return number_at(table + cluster * 3 / 2, 2) >> (cluster & 1 ? 4 : 0) & 0xfff;
	return number_at(table + cluster * v->bits / 8, v->bits / 8) & 0xfffffff;
}

/* Do the clusters from this one on hold exactly the sectors that were written, or will have been?
 */
static bool is_chain(const struct volume *v, uint64_t cluster)
{
	uint64_t count = (SLOT_SECTORS + v->cluster - 1) / v->cluster;
	uint64_t first = v->at / SECTOR_SIZE + v->data + (cluster - 2) * v->cluster;

	if (cluster < 2 || first != written.first)
		return false;
	for (uint64_t i = 1; i < count; i++, cluster++)
		if (link_of(v, cluster) != cluster + 1)
			return false;
	return link_of(v, cluster) >= (UINT64_C(0xffffff8) & ((UINT64_C(1) << v->bits) - 1));
}

/* Is there an entry in a directory, in the sector at this place, with such clusters? */
static bool has_entry(const struct volume *v, uint64_t sector)
{
	for (uint64_t at = sector; at < sector + SECTOR_SIZE; at += 32) {
		uint8_t name[11];
		uint64_t cluster = number_at(at + 26, 2);

		original(at, name, sizeof(name));
		if (v->bits == 32)
			cluster |= number_at(at + 20, 2) << 16;
		if (!memcmp(name, SLOT_SHORT_NAME, sizeof(name)) &&
		    !(number_at(at + 11, 1) & 0x19) && number_at(at + 28, 4) == SLOT_SIZE &&
		    is_chain(v, cluster))
			return true;
	}
	return false;
}

/* Whatever is not zero lies in a piece; so do volumes and entries. */
static bool is_slot(void)
{
	struct volume v;

	for (unsigned i = 0; i < pieces_count; i++)
		for (uint64_t at = pieces[i].from / 512 * 512; at < pieces[i].to; at += 512)
			for (unsigned k = 0; read_volume(&v, at) && k < pieces_count; k++)
				for (uint64_t e = pieces[k].from / 512 * 512; e < pieces[k].to;
				     e += 512)
					if (has_entry(&v, e))
						return true;
	return false;
}

static void must_have_line(void)
{
	uint8_t line[sizeof(SLOT_LINE) - 1];

	original(written.first * SECTOR_SIZE, line, sizeof(line));
	MUST(!memcmp(line, SLOT_LINE, sizeof(line)));
}

/* All of it is text, and the slot's line still stands in front of it. */
static void must_be_text(void)
{
	MUST(written.count == SLOT_SECTORS);
	MUST(!memcmp(written.bytes, SLOT_LINE "report\n", sizeof(SLOT_LINE "report\n") - 1));
	for (size_t i = 0; i < SLOT_SIZE; i++)
		MUST(written.bytes[i] == '\n' ||
		     (written.bytes[i] >= ' ' && written.bytes[i] <= '~'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct slot_text text = {"report\n", 7};
	static struct slot slot;
	struct disk disk = {0, disk_read, disk_write};
	struct input in = {data, size};
	const char *error;

	build(&in, &disk);
	calls = 0;
	written.count = 0;
	error = slot_open(&slot, &disk);
	MUST(!written.count);
	if (!error) {
		error = slot_write(&slot, &text, 1);
		if (!error)
			must_be_text();
	}
	if (written.count) {
		must_have_line();
		MUST(is_slot());
	}
	if (error)
		must_be_sentence(error);
	fuzz_free_all();
	return 0;
}
