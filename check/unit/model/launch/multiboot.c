/* SPDX-License-Identifier: BSD-2-Clause */
/* A Multiboot loader's work: places a file, and tells of the machine's memory. */
#include "model/launch/multiboot.h"

#include "check/unit/tap.h"
#include "kernel/lib/bits.h"

/* ---- the file ---- */

enum { SIZE = 0x400, HEADERS = 52, SEGMENT = 32, MULTIBOOT = 0x100, TEXT = 0x200 };

static uint8_t file[SIZE];

static void put(unsigned at, uint32_t value)
{
	memcpy(file + at, &value, sizeof(value));
}

static void put_segment(unsigned n, uint32_t offset, uint32_t address, uint32_t bytes,
			uint32_t memory)
{
	const uint32_t words[] = {1, offset, address, address, bytes, memory, 5, 0x1000};

	memcpy(file + HEADERS + SEGMENT * n, words, sizeof(words));
}

static void put_multiboot(uint32_t flags)
{
	put(MULTIBOOT, 0x1badb002);
	put(MULTIBOOT + 4, flags);
	put(MULTIBOOT + 8, -(0x1badb002 + flags));
}

/* Two segments: 16 bytes at 101000h, and 8 bytes at 100000h that are 100h in memory. */
static void make(void)
{
	static const uint8_t begin[] = {0x7f, 'E', 'L', 'F', 1, 1, 1};

	memset(file, 0, sizeof(file));
	memcpy(file, begin, sizeof(begin));
	put(16, 2 | 3 << 16); /* executable, 386 */
	put(24, 0x101004);
	put(28, HEADERS);
	put(40, HEADERS | SEGMENT << 16);
	put(44, 2);
	put_segment(0, TEXT, 0x101000, 16, 16);
	put_segment(1, TEXT + 16, 0x100000, 8, 0x100);
	put_multiboot(3);
	for (unsigned i = 0; i < 24; i++)
		file[TEXT + i] = (uint8_t)(i + 1);
}

static struct multiboot_image image;

static bool refused(const char *word)
{
	const char *error = multiboot_read(file, sizeof(file), &image);

	return error && strstr(error, word);
}

static void test_file(void)
{
	static uint8_t memory[0x1010];

	make();
	OK(!multiboot_read(file, sizeof(file), &image));
	OK(image.entry == 0x101004 && image.first == 0x100000 && image.end == 0x101010);
	memset(memory, 0xee, sizeof(memory));
	multiboot_place(file, &image, memory);
	OK(memory[0] == 17 && memory[7] == 24 && memory[8] == 0 && memory[0xfff] == 0);
	OK(memory[0x1000] == 1 && memory[0x100f] == 16);
}

static void test_bad_elf(void)
{
	make();
	OK(multiboot_read(file, 51, &image) != NULL);
	file[4] = 2; /* 64 bits */
	OK(refused("32-bit ELF"));
	make();
	put(44, 40);
	OK(refused("program headers"));
	make();
	put(28, 0xfffffff0);
	OK(refused("program headers"));
	make();
	put_segment(0, SIZE - 15, 0x101000, 16, 16);
	OK(refused("beyond the file"));
	put_segment(0, TEXT, 0x101000, 17, 16);
	OK(refused("beyond the file"));
	put_segment(0, TEXT, 0xfffffff8, 16, 16);
	OK(refused("4 GiB"));
	make();
	put(24, 0x101010);
	OK(refused("entry"));
	put(44, 0);
	OK(refused("entry"));
}

static void test_bad_header(void)
{
	make();
	put_multiboot(4); /* a video mode */
	OK(refused("asks for more"));
	put_multiboot(BIT(17));
	OK(!multiboot_read(file, sizeof(file), &image));
	put(MULTIBOOT + 8, 0);
	OK(refused("no Multiboot header"));
}

/* ---- the memory map ---- */

static struct multiboot_map map;

static bool is(unsigned i, uint64_t address, uint64_t length, unsigned type)
{
	return map.entry[i].size == 20 && map.entry[i].address == address &&
	       map.entry[i].length == length && map.entry[i].type == type;
}

static bool add(uint64_t address, uint64_t length, enum multiboot_memory type)
{
	return multiboot_add(&map, address, length, type);
}

static void test_map(void)
{
	struct multiboot_information information = {0};

	memset(&map, 0, sizeof(map));
	OK(add(0x300000, 0x100000, MEMORY_AVAILABLE) && add(0, 0xa0000, MEMORY_AVAILABLE));
	OK(add(0x100000, 0x100000, MEMORY_AVAILABLE) && add(0x400000, 0x1000, MEMORY_NVS));
	OK(map.count == 4 && is(0, 0, 0xa0000, 1) && is(3, 0x400000, 0x1000, 4));
	OK(add(0x200000, 0x100000, MEMORY_AVAILABLE)); /* closes a gap */
	OK(map.count == 3 && is(1, 0x100000, 0x300000, 1) && is(2, 0x400000, 0x1000, 4));
	OK(add(0x500000, 0, MEMORY_RESERVED) && map.count == 3);
	multiboot_describe(&information, &map);
	OK(information.flags == (BIT(0) | BIT(6)));
	OK(information.lower == 640 && information.upper == 0xc00);
	OK(information.map_length == 72);
}

static void test_full_map(void)
{
	memset(&map, 0, sizeof(map));
	for (unsigned i = 0; i < MULTIBOOT_ENTRIES; i++)
		add(i * 0x2000, 0x1000, MEMORY_RESERVED);
	OK(map.count == MULTIBOOT_ENTRIES && !add(0x1000, 0x100, MEMORY_AVAILABLE));
}

int main(void)
{
	test_file();
	test_bad_elf();
	test_bad_header();
	test_map();
	test_full_map();
	return tap_end();
}
