/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory maps as loaders hand them on, by both versions of Multiboot: what of them is RAM, and what
 * is free.  Sources: Linux's "BIOS-provided physical RAM map" in boot logs that owners of the
 * machines published.
 */
#define _GNU_SOURCE /* MAP_32BIT */
#include <sys/mman.h>

#include "boot/bios/bios.h"
#include "check/unit/tap.h"

#define MAGIC_1     0x2badb002u
#define MAGIC_2     0x36d76289u
#define ENTRIES_MAX 300u
#define ROWS        24u
#define PAGE        4096u

/* By the numbers of ACPI, 15.3; 20 is Linux's own for UEFI's reserved by the loader. */
enum { USABLE = 1, RESERVED, TABLES, NVS, BAD, OFF, PERSISTENT, VENDOR = 9, PRAM = 12, EFI = 20 };

/* Both ends belong to it, as in such a line of Linux. */
struct line {
	uint64_t from, last;
	uint32_t type; /* 0 ends them */
};

static const struct shape {
	const char *source;
	struct line map[ROWS];
	unsigned ranges, free; /* of RAM, whole pages, and of free memory, as it is told */
	uint64_t ram; /* bytes below 4 GiB in those pages */
} shapes[] = {
	/* clang-format off: a row of the map is a line */
	{"a virtual machine of VMware",
	 {{0, 0x9e7ff, USABLE},
	  {0x9e800, 0x9ffff, RESERVED},
	  {0xdc000, 0xfffff, RESERVED},
	  {0x100000, 0x7fedffff, USABLE},
	  {0x7fee0000, 0x7fefefff, TABLES},
	  {0x7feff000, 0x7fefffff, NVS},
	  {0x7ff00000, 0x7fffffff, USABLE},
	  {0xf0000000, 0xf7ffffff, RESERVED}},
	 2,
	 3,
	 0x9e000 + 0x7ff00000},
	{"QEMU with 8 GiB: memory above 4 GiB, and the hole of HyperTransport",
	 {{0, 0x9fbff, USABLE},
	  {0x9fc00, 0x9ffff, RESERVED},
	  {0xf0000, 0xfffff, RESERVED},
	  {0x100000, 0xbffdffff, USABLE},
	  {0xbffe0000, 0xbfffffff, RESERVED},
	  {0xfffc0000, 0xffffffff, RESERVED},
	  {0x100000000, 0x23fffffff, USABLE},
	  {0xfd00000000, 0xffffffffff, RESERVED}},
	 2,
	 2,
	 0x9f000 + 0xbfee0000},
	{"a laptop of AMD: holes of a few pages, and what UEFI has for its loader",
	 {{0, 0x9efff, USABLE},
	  {0x9f000, 0xbffff, RESERVED},
	  {0x100000, 0x9afffff, USABLE},
	  {0x9b00000, 0x9dfffff, RESERVED},
	  {0x9e00000, 0x9efffff, USABLE},
	  {0x9f00000, 0x9f0ffff, NVS},
	  {0x9f10000, 0xbab68fff, USABLE},
	  {0xbab69000, 0xbbd68fff, RESERVED},
	  {0xbbd69000, 0xc9f7efff, USABLE},
	  {0xc9f7f000, 0xcaf7efff, EFI},
	  {0xcaf7f000, 0xccf7efff, RESERVED},
	  {0xccf7f000, 0xcdf7efff, NVS}},
	 5,
	 5,
	 0x9f000 + 0x9a00000 + 0xb0d69000 + 0xe216000 + 0x1000000},
	{"a board with a type that is its maker's own",
	 {{0, 0x9e7ff, USABLE},
	  {0x9e800, 0x9ffff, RESERVED},
	  {0xe2000, 0xfffff, RESERVED},
	  {0x100000, 0xd7f8ffff, USABLE},
	  {0xd7f9e000, 0xd7f9ffff, VENDOR},
	  {0xd7fa0000, 0xd7fadfff, TABLES},
	  {0xd7fae000, 0xd7fdffff, NVS},
	  {0xd7fe0000, 0xd7ffffff, RESERVED}},
	 3,
	 2,
	 0x9e000 + 0xd7e90000 + 0x40000},
	{"a server with TDX: tables in the middle of memory",
	 {{0, 0x9efff, USABLE},
	  {0x9f000, 0xfffff, RESERVED},
	  {0x100000, 0x5d168fff, USABLE},
	  {0x5d169000, 0x5d22afff, TABLES},
	  {0x5d22b000, 0x5d3cefff, USABLE},
	  {0x5d3cf000, 0x5d469fff, RESERVED},
	  {0x5d46a000, 0x5e5b2fff, USABLE},
	  {0x5e5b3000, 0x5e5c2fff, RESERVED},
	  {0x5e5c3000, 0x5e5d2fff, USABLE},
	  {0x5e5d3000, 0x5e5e4fff, RESERVED},
	  {0x5e5e5000, 0x5eb57fff, USABLE},
	  {0x5eb58000, 0x61357fff, NVS},
	  {0x61358000, 0x6172afff, USABLE},
	  {0x6172b000, 0x61794fff, TABLES}},
	 5,
	 7,
	 0x9f000 + 0x5d2cf000 + 0x1149000 + 0x10000 + 0x31b0000},
	{"a server of four sockets under Xen: a map that ends within a page",
	 {{0, 0x98fff, USABLE},
	  {0x99400, 0xfffff, RESERVED},
	  {0x100000, 0x59a23fff, USABLE},
	  {0x59a24000, 0x59a24fff, RESERVED},
	  {0x59a25000, 0x64bebfff, USABLE},
	  {0x64bec000, 0x675fffff, RESERVED},
	  {0x67600000, 0x67b33fff, TABLES},
	  {0x67b34000, 0x6d72cfff, NVS},
	  {0x6d72d000, 0x6f28bfff, RESERVED},
	  {0x6f28c000, 0x6f7fffff, USABLE},
	  {0x6f800000, 0x8fffffff, RESERVED}},
	 5,
	 4,
	 0x99000 + 0x59924000 + 0xb1c7000 + 0x612d000 + 0x574000},
	{"memory that is none to run in",
	 {{0, 0x9ffff, USABLE},
	  {0x100000, 0x1fffff, BAD},
	  {0x200000, 0x2fffff, OFF},
	  {0x300000, 0x3fffff, PERSISTENT},
	  {0x400000, 0x4fffff, PRAM},
	  {0x500000, 0x5fffff, 0xffffffff}},
	 1,
	 1,
	 0xa0000},
	{"across 4 GiB, out of order, overlapping, and behind all addresses",
	 {{0xfff00000, 0x1000fffff, USABLE},
	  {0x100000, 0x2fffff, USABLE},
	  {0x200000, 0x3fffff, USABLE},
	  {0, 0x9ffff, USABLE},
	  {0x100000000, UINT64_MAX, USABLE}},
	 3,
	 4,
	 0xa0000 + 0x300000 + 0x100000},
	/* clang-format on */
};

/* ---- as a loader writes them, below 4 GiB ---- */

static uint8_t *memory;
static unsigned used;

static void put(uint64_t value, unsigned size)
{
	for (; size; size--, value >>= 8)
		memory[used++] = (uint8_t)value;
}

/* Multiboot 0.6.96, 3.3: flags with bit 6, map_length and map_address; then the entries. */
static void write_1(const struct line *map, unsigned n)
{
	memset(memory, 0, 116);
	used = 0;
	put(1u << 6, 4);
	used = 44;
	put(24 * n, 4);
	put((uintptr_t)memory + 128, 4);
	used = 128;
	for (unsigned i = 0; i < n; i++) {
		put(20, 4);
		put(map[i].from, 8);
		put(map[i].last - map[i].from + 1, 8);
		put(map[i].type, 4);
	}
}

/* Multiboot2 2.0, 3.6.8: the tag of type 6, and the end. */
static void write_2(const struct line *map, unsigned n)
{
	used = 0;
	put(8 + 16 + 24 * n + 8, 8);
	put(6, 4);
	put(16 + 24 * n, 4);
	put(24, 8);
	for (unsigned i = 0; i < n; i++) {
		put(map[i].from, 8);
		put(map[i].last - map[i].from + 1, 8);
		put(map[i].type, 8);
	}
	put(0, 4);
	put(8, 4);
}

static struct firmware fw;
static struct memory_range kept[MAP_RANGES_MAX];
static unsigned kept_ranges;

/* NULL, or why the map is of no use; and what is RAM by it. */
static const char *read(bool second, const struct line *map, unsigned n)
{
	const char *why;

	memset(&fw, 0, sizeof(fw));
	(second ? write_2 : write_1)(map, n);
	why = multiboot_read(&fw, second ? MAGIC_2 : MAGIC_1, (uintptr_t)memory);
	memcpy(kept, fw.map, sizeof(kept));
	kept_ranges = ranges_merge(kept, fw.map_ranges);
	return why;
}

static uint64_t ram(void)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < kept_ranges; i++)
		bytes += kept[i].to - kept[i].from;
	return bytes;
}

static void test_shape(const struct shape *shape)
{
	unsigned n = 0;

	while (n < ROWS && shape->map[n].type)
		n++;
	for (unsigned second = 0; second < 2; second++) {
		printf("# %s, Multiboot %u\n", shape->source, second + 1);
		OK(!read(second, shape->map, n) && !fw.map_cut);
		OK(kept_ranges == shape->ranges);
		OK(fw.free_ranges == shape->free);
		OK(ram() == shape->ram);
	}
}

/* The caller hears of more entries than there is room for. */
static void test_too_many(void)
{
	static struct line map[ENTRIES_MAX];

	for (unsigned i = 0; i < ENTRIES_MAX; i++)
		map[i] = (struct line){2 * i * PAGE, 2 * i * PAGE + PAGE - 1, USABLE};
	for (unsigned second = 0; second < 2; second++) {
		OK(!read(second, map, MAP_RANGES_MAX) && !fw.map_cut);
		OK(kept_ranges == MAP_RANGES_MAX);
		read(second, map, MAP_RANGES_MAX + 1);
		OK(fw.map_cut);
	}
}

static void test_none(void)
{
	static const struct line nothing[] = {{0x100000, 0xfffff, USABLE}};

	for (unsigned n = 0; n < 2; n++) {
		read(false, nothing, n);
		OK(kept_ranges == 0);
		OK(read(true, nothing, n) && kept_ranges == 0);
	}
}

int main(void)
{
	memory = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (!OK(memory != MAP_FAILED))
		return tap_end();
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		test_shape(&shapes[i]);
	test_too_many();
	test_none();
	return tap_end();
}
