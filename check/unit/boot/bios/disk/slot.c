/* SPDX-License-Identifier: BSD-2-Clause */
/* The report's slot: what is written, and that it is nothing but the slot.  Disks are compared as a
 * whole. */
#include "check/unit/tap.h"
#include "image.h"

static struct slot slot;

static const char *write_text(const char *text)
{
	const struct slot_text texts[] = {{"tally\n", 6}, {text, strlen(text)}};

	return slot_write(&slot, texts, ARRAY_SIZE(texts));
}

/* The line, the tally, the text, then spaces and ends of lines. */
static bool contents_are(uint32_t first, const char *text)
{
	const char *at = (const char *)image.bytes + sector_of(first) * SECTOR_SIZE;
	const char *end = at + SLOT_SIZE;
	bool blank = true;

	if (memcmp(at, SLOT_LINE "tally\n", strlen(SLOT_LINE) + 6))
		return false;
	at += strlen(SLOT_LINE) + 6;
	if (memcmp(at, text, strlen(text)))
		return false;
	for (at += strlen(text); at < end; at++)
		blank &= *at == ((end - at) % SECTOR_SIZE == 1 ? '\n' : ' ');
	return blank;
}

/* Twice, because the second time finds what the first one wrote. */
static bool takes_reports(uint32_t first)
{
	image_keep();
	return !slot_open(&slot, &image.disk) && !image.writes && image_unchanged() &&
	       !write_text("one\n") && contents_are(first, "one\n") &&
	       image_unchanged_around(first) && !slot_open(&slot, &image.disk) &&
	       !write_text("another\n") && contents_are(first, "another\n") &&
	       image_unchanged_around(first);
}

/* A sentence that has this in it, and nothing was written. */
static bool refuses(const char *why)
{
	const char *error;

	image_keep();
	error = slot_open(&slot, &image.disk);
	if (error && strstr(error, why) && !image.writes && image_unchanged())
		return true;
	printf("# said: %s\n", error ? error : "nothing");
	return false;
}

static void test_kinds(void)
{
	image_make(12, 1, 4084, 0);
	image_slot(3);
	OK(takes_reports(3));
	image_make(12, 2, 1000, 63);
	put(446 + 16 + 4, 1, 1);
	put(446 + 16 + 8, 63, 4);
	put(446 + 16 + 12, image.disk.sectors - 63, 4);
	put(510, 0xaa55, 2);
	image_slot(1000 + 2 - SLOT_SECTORS / 2); /* the last cluster is the volume's last */
	OK(takes_reports(1000 + 2 - SLOT_SECTORS / 2));
	image_make(16, 1, 4085, 0);
	image_slot(2);
	OK(takes_reports(2));
	image_make(16, 4, 65524, 0);
	image_slot(60000);
	OK(takes_reports(60000));
	image_make(16, 128, 4085, 0); /* more in its last cluster than the file has */
	image_slot(77);
	OK(takes_reports(77));
	image_make(32, 1, 65525, 0);
	image_slot(65000 - SLOT_SECTORS);
	OK(takes_reports(65000 - SLOT_SECTORS));
	image_make(32, 1, 70000, 0); /* a number that needs the upper half */
	image_slot(66000);
	OK(takes_reports(66000));
	image_make(32, 8, 300, 0);
	image_slot(100);
	OK(takes_reports(100));
}

static void test_chains(void)
{
	static const unsigned bits[] = {12, 16, 32};

	for (unsigned i = 0; i < ARRAY_SIZE(bits); i++) {
		uint32_t last;

		image_make(bits[i], 4, bits[i] == 16 ? 5000 : 1000, 0);
		image_slot(100);
		last = image_chain(100);
		OK(!slot_open(&slot, &image.disk));
		image_link(150, 152);
		OK(refuses("not in one piece"));
		image_link(150, end_of_chain());
		OK(refuses("not in one piece"));
		image_link(150, 0);
		OK(refuses("not in one piece"));
		image_link(150, 151);
		image_link(last, last + 1);
		OK(refuses("longer than its size says"));
		image_link(last, end_of_chain() - 8); /* a bad cluster */
		OK(refuses("longer than its size says"));
		image_link(last, end_of_chain() - 7);
		OK(takes_reports(100));
	}
}

/* The file is there, but is not the one that was made for the report. */
static void test_foreign(void)
{
	uint64_t entry;

	image_make(16, 4, 5000, 0);
	entry = image_slot(100);
	put(entry + 28, SLOT_SIZE - 1, 4);
	OK(refuses("another size"));
	put(entry + 28, SLOT_SIZE + 1, 4);
	OK(refuses("another size"));
	put(entry + 28, 0, 4);
	OK(refuses("another size"));
	put(entry + 28, SLOT_SIZE, 4);
	put(entry + 11, 0x21, 1);
	OK(refuses("read-only"));
	put(entry + 11, 0x10, 1);
	OK(refuses("directory"));
	put(entry + 11, 0x20, 1);
	put(entry + 26, 101, 2); /* moved: the clusters are in use, but begin otherwise */
	OK(refuses("not in one piece"));
	put(entry + 26, 1, 2);
	OK(refuses("behind its volume"));
	put(entry + 26, 4990, 2);
	OK(refuses("behind its volume"));
	put(entry + 26, 100, 2);
	put(sector_of(100) * SECTOR_SIZE, '\n', 1);
	OK(refuses("does not begin"));
	put(sector_of(100) * SECTOR_SIZE, '#', 1);
	put(entry, 0xe5, 1);
	OK(refuses("no FAT volume of the disk has pmubios.tap"));
	put(entry, 'P', 1);
	OK(takes_reports(100));
}

/* Clusters of the root directory that are not in order, and such as have no end. */
static void test_root_directory(void)
{
	image_make(32, 1, 5000, 0);
	image_link(2, 9);
	image_link(9, 7);
	image_link(7, end_of_chain());
	for (unsigned i = 0; i < 16; i++)
		image_entry("OTHER   TXT", 0x20, 0, 0);
	memcpy(image.bytes + sector_of(9) * SECTOR_SIZE, image.bytes + sector_of(2) * SECTOR_SIZE,
	       SECTOR_SIZE);
	image.root = sector_of(7);
	image.entries = 0;
	memset(image.bytes + image.root * SECTOR_SIZE, 0, SECTOR_SIZE);
	image_slot(100);
	OK(takes_reports(100));
	image_link(9, 2); /* round in a circle */
	OK(refuses("no FAT volume"));
	image_link(9, 0);
	OK(refuses("no FAT volume"));
	image_link(9, 7);
	put(image.volume * SECTOR_SIZE + 44, 5002, 4);
	OK(refuses("no FAT volume"));
	put(image.volume * SECTOR_SIZE + 44, 1, 4);
	OK(refuses("no FAT volume"));
}

/* Entries behind the end of a directory are none of it. */
static void test_end_of_directory(void)
{
	uint64_t entry;

	image_make(16, 4, 5000, 0);
	entry = image_slot(100);
	put(entry - 32, 0, 1);
	OK(refuses("no FAT volume"));
	image_make(16, 4, 5000, 0);
	while (image.entries < 512)
		image_entry("OTHER   TXT", 0x20, 0, 0);
	image_slot(100);
	OK(refuses("no FAT volume"));
	image.entries = 511;
	image_entry(SLOT_SHORT_NAME, 0x20, 100, SLOT_SIZE);
	OK(takes_reports(100));
}

/* The upper four bits of FAT32's entries mean nothing; a version that nobody knows means too much.
 */
static void test_fat32_alone(void)
{
	image_make(32, 4, 1000, 0);
	image_slot(100);
	image_link(2, 0xffffffffu);
	image_link(110, 0x5000006fu);
	OK(takes_reports(100));
	put(42, 1, 2);
	OK(refuses("no FAT volume"));
}

/* FAT32 whose tables differ: the one in use counts. */
static void test_one_table(void)
{
	image_make(32, 4, 1000, 0);
	image_slot(100);
	memset(image.bytes + image.table * SECTOR_SIZE, 0, image.table_sectors * SECTOR_SIZE);
	OK(refuses("not in one piece"));
	put(40, 0x81, 2);
	OK(takes_reports(100));
	put(40, 0x82, 2);
	OK(refuses("no FAT volume"));
}

/* The boot sector's numbers contradict each other, or the disk. */
static void test_boot_sector(void)
{
	static const struct {
		unsigned at, bytes;
		uint64_t value;
	} bad[] = {
		{0, 1, 0x33}, {11, 2, 2048}, {11, 2, 0},     {13, 1, 0},
		{13, 1, 3},   {13, 1, 2},    {14, 2, 0},     {14, 2, 65535},
		{16, 1, 0},   {17, 2, 0},    {19, 2, 65535}, {19, 2, 0},
		{22, 2, 0},   {22, 2, 1},    {510, 1, 0},    {22, 2, 0xffff},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
		image_make(16, 4, 5000, 0);
		image_slot(100);
		put(bad[i].at, bad[i].value, bad[i].bytes);
		OK(refuses("no FAT volume"));
	}
	image_make(16, 4, 5000, 0);
	image_slot(100);
	image.disk.sectors = sector_of(5000);
	OK(refuses("no FAT volume"));
}

/* However the medium fails, nothing is written before the file is known to be the right one. */
static void test_medium(void)
{
	uint64_t opened;
	bool silent = true;

	image_make(32, 4, 1000, 0);
	image_slot(100);
	image_keep();
	OK(!slot_open(&slot, &image.disk));
	opened = image.calls;
	OK(opened >= 4);
	for (uint64_t n = 1; n <= opened; n++) {
		image.fails_at = n;
		silent &= refuses("the medium is bad");
	}
	OK(silent);
	image.fails_at = opened + 1; /* as a medium that is write-protected does */
	image_keep();
	OK(!slot_open(&slot, &image.disk));
	SAME(write_text("text\n"), "the medium is bad");
	OK(!image.writes && image_unchanged());
	image.fails_at = opened + 2; /* half of it is written */
	image_keep();
	OK(!slot_open(&slot, &image.disk));
	SAME(write_text("text\n"), "the medium is bad");
	OK(image.writes == 1 && image_unchanged_around(100));
	image.fails_at = 0;
	image.forgets = true;
	OK(!slot_open(&slot, &image.disk));
	OK(!!strstr(write_text("text\n"), "not what was written"));
	image.forgets = false;
	image.fails_at = opened + 2 * (SLOT_SECTORS / SLOT_CHUNK + 1);
	image_keep();
	OK(!slot_open(&slot, &image.disk));
	SAME(write_text("text\n"), "the medium is bad");
}

static void test_lengths(void)
{
	static char text[SLOT_ROOM + 2];
	static const unsigned shorter[] = {6, 7, 517, 518, 519, 6 + 512};

	memset(text, 'x', sizeof(text) - 1);
	image_make(16, 4, 5000, 0);
	image_slot(100);
	for (unsigned i = 0; i < ARRAY_SIZE(shorter); i++) {
		text[SLOT_ROOM - shorter[i]] = '\0';
		image_keep();
		OK(!slot_open(&slot, &image.disk) && !write_text(text));
		OK(contents_are(100, text) && image_unchanged_around(100));
		text[SLOT_ROOM - shorter[i]] = 'x';
	}
	text[SLOT_ROOM - 5] = '\0';
	image_keep();
	OK(!!strstr(write_text(text), "longer"));
	OK(!image.writes && image_unchanged());
	OK(!slot_write(&slot, NULL, 0) && image_unchanged_around(100));
}

int main(void)
{
	test_kinds();
	test_chains();
	test_foreign();
	test_root_directory();
	test_end_of_directory();
	test_fat32_alone();
	test_one_table();
	test_boot_sector();
	test_medium();
	test_lengths();
	free(image.bytes);
	free(image.before);
	return tap_end();
}
