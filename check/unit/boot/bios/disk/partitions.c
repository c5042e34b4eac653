/* SPDX-License-Identifier: BSD-2-Clause */
/* Partitions: what MBR and GPT list, and what cannot be one. */
#include "check/unit/tap.h"
#include "image.h"

static struct sector sector;
static struct partitions found;

/* A disk of so many sectors, all zero but for the MBR's signature. */
static void make(uint64_t sectors)
{
	free(image.bytes);
	image = (struct image){.disk = {sectors, image_read, image_write}};
	image.bytes = calloc(sectors, SECTOR_SIZE);
	put(510, 0xaa55, 2);
}

static void mbr_entry(unsigned n, uint8_t type, uint32_t first, uint32_t count)
{
	put(446 + 16 * n + 4, type, 1);
	put(446 + 16 * n + 8, first, 4);
	put(446 + 16 * n + 12, count, 4);
}

static void gpt_header(uint64_t table, uint32_t entries, uint32_t size)
{
	memcpy(image.bytes + SECTOR_SIZE, "EFI PART", 8);
	put(SECTOR_SIZE + 40, 34, 8);
	put(SECTOR_SIZE + 48, 900, 8);
	put(SECTOR_SIZE + 72, table, 8);
	put(SECTOR_SIZE + 80, entries, 4);
	put(SECTOR_SIZE + 84, size, 4);
}

static void gpt_entry(uint64_t at, uint64_t first, uint64_t last)
{
	put(at, 0x28, 1);
	put(at + 32, first, 8);
	put(at + 40, last, 8);
}

static void look(void)
{
	sector = (struct sector){.disk = &image.disk};
	partitions_find(&sector, &found);
}

static bool is(unsigned n, uint64_t first, uint64_t count)
{
	return n < found.count && found.list[n].first == first && found.list[n].count == count;
}

static void test_mbr(void)
{
	make(1000);
	look();
	OK(found.count == 1 && is(0, 0, 1000));
	mbr_entry(0, 0x0c, 1, 999);
	mbr_entry(1, 0x00, 10, 10); /* in no use */
	mbr_entry(2, 0x06, 500, 500);
	mbr_entry(3, 0x83, 999, 1);
	look();
	OK(found.count == 4 && is(1, 1, 999) && is(2, 500, 500) && is(3, 999, 1));
	mbr_entry(0, 0x0c, 0, 10); /* as FAT32's code may look */
	mbr_entry(2, 0x06, 500, 501);
	mbr_entry(3, 0x83, 1000, 0);
	look();
	OK(found.count == 1);
	mbr_entry(0, 0x0c, UINT32_MAX, UINT32_MAX);
	mbr_entry(2, 0x06, 500, UINT32_MAX);
	look();
	OK(found.count == 1);
	put(510, 0, 2);
	look();
	OK(found.count == 0 && !sector.error);
	image.fails_at = image.calls + 1;
	look();
	OK(found.count == 0 && sector.error);
}

static void test_gpt(void)
{
	make(1000);
	mbr_entry(1, 0xee, 1, 999);
	mbr_entry(2, 0x0c, 100, 100); /* GPT alone counts */
	look();
	OK(found.count == 1);
	gpt_header(2, 128, 128);
	gpt_entry(2 * SECTOR_SIZE, 34, 34);
	gpt_entry(5 * SECTOR_SIZE + 128, 100, 900);
	gpt_entry(33 * SECTOR_SIZE + 384, 40, 50); /* the last one */
	look();
	OK(found.count == 4 && is(1, 34, 1) && is(2, 100, 801) && is(3, 40, 11));
	gpt_entry(2 * SECTOR_SIZE + 128, 33, 50); /* in the table */
	gpt_entry(2 * SECTOR_SIZE + 256, 50, 901);
	gpt_entry(3 * SECTOR_SIZE, 51, 50);
	gpt_entry(3 * SECTOR_SIZE + 128, 0, UINT64_MAX);
	look();
	OK(found.count == 4);
	gpt_header(2, 8, 512);
	look();
	OK(found.count == 2);
	gpt_header(2, 9, 4096);
	look();
	OK(found.count == 2);
	put(SECTOR_SIZE + 48, UINT64_MAX, 8);
	gpt_entry(2 * SECTOR_SIZE, 34, 1000); /* not on the disk */
	look();
	OK(found.count == 1);
}

static void test_gpt_header(void)
{
	static const struct {
		unsigned at, bytes;
		uint64_t value;
	} bad[] = {
		{0, 1, 'e'},          {72, 8, 0}, {72, 8, 1},   {72, 8, 34},  {72, 8, UINT64_MAX},
		{80, 4, 0},           {84, 4, 0}, {84, 4, 64},  {84, 4, 129}, {84, 4, 8192},
		{84, 4, 0x80000000u}, {40, 8, 0}, {40, 8, 101}, {48, 8, 0},   {40, 8, UINT64_MAX},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
		make(1000);
		mbr_entry(0, 0xee, 1, 999);
		gpt_header(2, 128, 128);
		gpt_entry(2 * SECTOR_SIZE, 100, 200);
		look();
		OK(found.count == 2 && is(1, 100, 101));
		put(SECTOR_SIZE + bad[i].at, bad[i].value, bad[i].bytes);
		look();
		OK(found.count == 1);
	}
}

/* More than there is room for, and more than there are sectors. */
static void test_many(void)
{
	make(1000);
	mbr_entry(0, 0xee, 1, 999);
	gpt_header(2, UINT32_MAX, 128);
	put(SECTOR_SIZE + 40, 800, 8);
	for (unsigned i = 0; i < 600; i++)
		gpt_entry(2 * SECTOR_SIZE + 128 * i, 800 + i % 100, 900);
	look();
	OK(found.count == PARTITIONS_MAX && is(128, 827, 74));
	gpt_header(33, 128, 128);
	image.disk.sectors = 34;
	look();
	OK(found.count == 1 && sector.error);
}

int main(void)
{
	test_mbr();
	test_gpt();
	test_gpt_header();
	test_many();
	free(image.bytes);
	return tap_end();
}
