/* SPDX-License-Identifier: BSD-2-Clause */
/* The page tables of memory maps: what is mapped write-back is RAM, and all RAM is. */
#include "kernel/paging/paging.h"

#include <stdlib.h>

#include "check/unit/tap.h"

#define KIB        (UINT64_C(1) << 10)
#define MIB        (UINT64_C(1) << 20)
#define GIB        (UINT64_C(1) << 30)
#define LOW_4G     (4 * GIB)
#define PTE_LARGE  BIT(7)
#define ADDRESS    FIELD(51, 12)
#define PAGES_MAX  4096u
#define RANGES_MAX 300u

/* Four levels, unless a test says otherwise. */
static struct page_format format = {.bits = 9, .levels = 4, .largest = 2, .no_execute = true};

struct page_format paging_format(void)
{
	return format;
}

/* ---- where tables come from ---- */

static void *pages[PAGES_MAX];
static unsigned pages_used;

void *machine_pages(unsigned n)
{
	if (n != 1 || pages_used == PAGES_MAX)
		return NULL;
	pages[pages_used] = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
	return memset(pages[pages_used++], 0, PAGE_SIZE);
}

static void free_pages(void)
{
	while (pages_used > 0)
		free(pages[--pages_used]);
}

/* ---- what a tree of tables maps ---- */

struct seen {
	uint64_t back, uncached, combined; /* bytes of each type */
	uint64_t pages[4]; /* write-back, by level */
	bool stray; /* write-back where no RAM is */
	bool moved; /* not one to one */
	bool wrong; /* a device where none may be mapped, or other rights than data has */
};

struct memory {
	const struct memory_range *ranges; /* as the firmware has them */
	unsigned n;
	struct framebuffer screen;
};

/* The end of the range that holds this address; 0: none does. */
static uint64_t end_of(const struct memory *memory, uint64_t address)
{
	for (unsigned i = 0; i < memory->n; i++)
		if (address >= memory->ranges[i].from && address < memory->ranges[i].to)
			return memory->ranges[i].to;
	return 0;
}

/* Knows nothing of merging. */
static bool is_ram(const struct memory *memory, uint64_t from, uint64_t to)
{
	while (from < to) {
		from = end_of(memory, from);
		if (from == 0)
			return false;
	}
	return true;
}

static bool is_screen(const struct memory *memory, uint64_t from, uint64_t to)
{
	const struct framebuffer *f = &memory->screen;
	uint64_t base = (uintptr_t)f->base;

	return from >= base && to <= base + (uint64_t)f->stride * f->height * 4;
}

static void see_page(struct seen *seen, const struct memory *memory, uint64_t address,
		     unsigned level, uint64_t entry)
{
	uint64_t size = page_level_size(&format, level);

	seen->moved |= (entry & ADDRESS) != address;
	seen->wrong |= !(entry & PAGE_WRITE) || !(entry & PAGE_NO_EXECUTE) || entry & PAGE_USER;
	if (!(entry & PAGE_UNCACHED)) {
		seen->back += size;
		seen->pages[level]++;
		seen->stray |= !is_ram(memory, address, address + size);
	} else if ((entry & PAGE_UNCACHED) == PAGE_UNCACHED_MINUS) {
		seen->combined += size;
		seen->wrong |= !is_screen(memory, address, address + size);
	} else {
		seen->uncached += size;
		seen->wrong |= address >= LOW_4G;
	}
}

static void see_table(struct seen *seen, const struct memory *memory, const uint64_t *table,
		      unsigned level, uint64_t address)
{
	for (unsigned i = 0; i < 512; i++, address += page_level_size(&format, level)) {
		if (!(table[i] & PAGE_PRESENT))
			continue;
		if (level == 1 || table[i] & PTE_LARGE)
			see_page(seen, memory, address, level, table[i]);
		else
			see_table(seen, memory, (const uint64_t *)(table[i] & ADDRESS), level - 1,
				  address);
	}
}

static struct machine_facts facts;

static const char *set_ram(const struct memory *memory)
{
	struct memory_range ranges[RANGES_MAX];

	memcpy(ranges, memory->ranges, memory->n * sizeof(*ranges));
	facts = (struct machine_facts){.framebuffer = memory->screen};
	return machine_set_ram(&facts, ranges, memory->n);
}

static const char *refusal(const struct memory *memory)
{
	const char *why = set_ram(memory);

	return why ? why : "none";
}

/* Builds tables of the facts, and looks at all of them. */
static struct seen build_set(const struct memory *memory)
{
	struct seen seen = {0};

	if (paging_build() && mapping_build(&facts))
		see_table(&seen, memory, page_tables.root, format.levels, 0);
	return seen;
}

/* The same with pages of at most this level. */
static struct seen build(const struct memory *memory, unsigned largest)
{
	format.largest = largest;
	return set_ram(memory) ? (struct seen){0} : build_set(memory);
}

static bool only_ram_is_cached(const struct seen *seen)
{
	return seen->back > 0 && !seen->stray && !seen->moved && !seen->wrong;
}

/* All RAM, of which this much lies below 4 GiB; and the arena is as large as it must be. */
static void check_map(const struct memory *memory, uint64_t low, uint64_t high)
{
	for (unsigned largest = 2; largest <= 3; largest++) {
		struct seen seen = build(memory, largest);

		OK(only_ram_is_cached(&seen));
		OK(seen.back == low + high);
		OK(seen.uncached + seen.combined == LOW_4G - low);
		OK(memory->screen.base || pages_used == mapping_tables(&facts, &format));
		free_pages();
	}
}

/* ---- machines ---- */

/* A hole for devices below 4 GiB, and that of HyperTransport below 1 TiB. */
static const struct memory_range epyc[] = {
	{0, 0xa0000},
	{0x100000, 0x75cf0000},
	{LOW_4G, UINT64_C(0xfd00000000)},
	{UINT64_C(0x10000000000), UINT64_C(0x1838f380000)},
};

static void test_epyc(void)
{
	const struct memory memory = {epyc, ARRAY_SIZE(epyc), {0}};
	struct seen seen;

	check_map(&memory, 640 * KIB + 0x75cf0000 - MIB,
		  UINT64_C(0xfd00000000) - LOW_4G + UINT64_C(0x838f380000));
	seen = build(&memory, 3);
	/* Below the hole from 4 GiB on, and above it. */
	OK(seen.pages[3] == 1008 + 526);
	OK(pages_used < 16);
	free_pages();
}

static void test_hypertransport_is_absent(void)
{
	const struct memory memory = {epyc, ARRAY_SIZE(epyc), {0}};
	const uint64_t *root, *table;

	build(&memory, 3);
	root = page_tables.root;
	table = (const uint64_t *)(root[1] & ADDRESS);
	/* The GiB below, the first and the last of the hole, and the one above. */
	OK(table[1011 - 512] & PAGE_PRESENT);
	OK(table[1012 - 512] == 0);
	OK(table[1023 - 512] == 0);
	table = (const uint64_t *)(root[2] & ADDRESS);
	OK(table[0] & PAGE_PRESENT);
	free_pages();
}

static void test_small_qemu(void)
{
	static const struct memory_range ranges[] = {{0, 0xa0000},
						     {0x100000, 0xe9ec000},
						     {0xeb1b000, 0xfb9b000},
						     {0xfbfb000, 0x10000000}};
	const struct memory memory = {ranges, ARRAY_SIZE(ranges), {0}};

	check_map(&memory,
		  640 * KIB + 0xe9ec000 - MIB + 0xfb9b000 - 0xeb1b000 + 0x10000000 - 0xfbfb000, 0);
}

static const struct memory_range laptop[] = {
	{0, 0x58000},
	{0x59000, 0x9f000},
	{0x100000, 15 * MIB},
	{16 * MIB, 0x4d53f000},
	{0x4d541000, 0x5b28d000},
	{0x5cfff000, 0x5d000000},
	{LOW_4G, UINT64_C(0x49effd000)},
};
#define LAPTOP_LOW                                                                                 \
	(0x58000 + 0x46000 + 14 * MIB + 0x4d53f000 - 16 * MIB + 0x5b28d000 - 0x4d541000 + 0x1000)
#define LAPTOP_HIGH (UINT64_C(0x49effd000) - LOW_4G)

static void test_laptop(void)
{
	const struct memory memory = {laptop, ARRAY_SIZE(laptop), {0}};

	check_map(&memory, LAPTOP_LOW, LAPTOP_HIGH);
}

/* The screen of a laptop, below 4 GiB or above RAM; and one that is part of RAM. */
static void test_screen(void)
{
	struct memory memory = {laptop,
				ARRAY_SIZE(laptop),
				{(uint32_t *)0x80000000, 1920, 1080, 1920, false, false}};
	struct seen seen;

	check_map(&memory, LAPTOP_LOW, LAPTOP_HIGH);
	memory.screen.base = (uint32_t *)UINT64_C(0x4000100000);
	seen = build(&memory, 3);
	OK(only_ram_is_cached(&seen));
	OK(seen.back == LAPTOP_LOW + LAPTOP_HIGH);
	/* 8,294,400 bytes in whole pages. */
	OK(seen.combined == 2025 * 4 * KIB);
	free_pages();
	memory.screen.base = (uint32_t *)UINT64_C(0x5b000000);
	seen = build(&memory, 3);
	OK(seen.back == LAPTOP_LOW + LAPTOP_HIGH);
	OK(only_ram_is_cached(&seen));
	free_pages();
}

/* The entries of a firmware that keeps them as a linked list. */
static void test_unsorted(void)
{
	static const struct memory_range ranges[] = {
		{LOW_4G + GIB, LOW_4G + 2 * GIB},
		{0x100000, 0x40000000},
		{0x3ff00000, 0x7ff00000},
		{0x1000, 0xa0000},
		{LOW_4G, LOW_4G + GIB},
		{0x200000, 0x300000},
		{0x2000, 0x3000},
		{0x1000, 0x2000},
	};
	const struct memory memory = {ranges, ARRAY_SIZE(ranges), {0}};

	check_map(&memory, 0x9f000 + 0x7ff00000 - MIB, 2 * GIB);
	OK(!set_ram(&memory) && facts.ram_ranges == 3);
	OK(machine_memory_top(&facts) == LOW_4G + 2 * GIB);
}

/* Nothing is RAM of which only a part of a page is known to be. */
static void test_odd_entries(void)
{
	static const struct memory_range ranges[] = {
		{0x1234, 0x1234},
		{0x800, 0x9fc00},
		{0x100000, 0x100000},
		{0x200000, 0x3ffe01},
		{LOW_4G + 5, LOW_4G + GIB + 5},
		{UINT64_C(0xfd00000000), UINT64_C(0xfd00000000)},
	};
	const struct memory memory = {ranges, ARRAY_SIZE(ranges), {0}};

	check_map(&memory, 0x9e000 + 0x1ff000, GIB - 4 * KIB);
}

static void test_has(void)
{
	const struct memory memory = {epyc, ARRAY_SIZE(epyc), {0}};

	OK(!set_ram(&memory));
	OK(mapping_has(&facts, 0));
	OK(mapping_has(&facts, LOW_4G - 1));
	OK(mapping_has(&facts, LOW_4G));
	OK(mapping_has(&facts, UINT64_C(0xfcffffffff)));
	OK(!mapping_has(&facts, UINT64_C(0xfd00000000)));
	OK(!mapping_has(&facts, UINT64_C(0xffffffffff)));
	OK(mapping_has(&facts, UINT64_C(0x10000000000)));
	OK(!mapping_has(&facts, UINT64_C(0x1838f380000)));
}

/* Registers over the end of a page: both pages, uncached; where nobody can reach them, nothing. */
static void test_uart(void)
{
	const struct memory_range ram[] = {{0, 0xa0000}, {MIB, 2 * GIB}};
	const struct memory memory = {ram, ARRAY_SIZE(ram), {0}};
	uint64_t from = UINT64_C(0x380000000ff8);

	OK(!set_ram(&memory));
	facts.uart = (struct memory_range){from, from + 32};
	OK(build_set(&memory).uncached == LOW_4G - (2 * GIB - MIB + 0xa0000) + 8 * KIB);
	free_pages();
	facts.uart = (struct memory_range){UINT64_C(1) << 47, (UINT64_C(1) << 47) + 8};
	OK(build_set(&memory).uncached == LOW_4G - (2 * GIB - MIB + 0xa0000));
	free_pages();
}

/* ---- what cannot be had ---- */

static void test_too_many(void)
{
	struct memory_range ranges[RANGES_MAX];
	struct memory memory = {ranges, MACHINE_RAM_RANGES, {0}};

	for (unsigned i = 0; i < RANGES_MAX; i++)
		ranges[i] = (struct memory_range){i * 2 * MIB, i * 2 * MIB + MIB};
	OK(!set_ram(&memory) && facts.ram_ranges == MACHINE_RAM_RANGES);
	memory.n++;
	SAME(refusal(&memory),
	     "the firmware's memory map has more than 256 separate ranges of RAM");
	OK(facts.ram_ranges == 0);
	/* The same number of entries that are neighbours are one range. */
	for (unsigned i = 0; i < RANGES_MAX; i++)
		ranges[i].to = ranges[i].from + 2 * MIB;
	memory.n = RANGES_MAX;
	OK(!set_ram(&memory) && facts.ram_ranges == 1);
}

static void test_impossible(void)
{
	const struct memory_range beyond = range_of_pages(LOW_4G, UINT64_MAX), nothing = {0};

	SAME(refusal(&(struct memory){&beyond, 1, {0}}),
	     "the firmware's memory map has RAM above 128 TiB");
	SAME(refusal(&(struct memory){&nothing, 1, {0}}), "the firmware's memory map has no RAM");
	OK(machine_memory_top(&facts) == 0);
}

static void test_tables_run_out(void)
{
	const struct memory memory = {epyc, ARRAY_SIZE(epyc), {0}};
	unsigned spare = PAGES_MAX - 8;
	struct seen seen;

	pages_used = spare;
	seen = build(&memory, 3);
	OK(seen.back == 0);
	while (pages_used > spare)
		free(pages[--pages_used]);
	pages_used = 0;
}

int main(void)
{
	test_epyc();
	test_hypertransport_is_absent();
	test_small_qemu();
	test_laptop();
	test_screen();
	test_unsorted();
	test_odd_entries();
	test_has();
	test_uart();
	test_too_many();
	test_impossible();
	test_tables_run_out();
	return tap_end();
}
