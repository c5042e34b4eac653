/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables of 4 or 5 levels.  AMD64 APM vol. 2 ch. 5. */
#include "x86_64.h"

#define CR4_LA57              BIT(12)

#define PTE_LARGE             BIT(7)
#define PTE_ADDRESS           FIELD(51, 12)

#define CPUID_EXT_FEATURES    0x80000001u
#define CPUID_EXT_EDX_NX      BIT(20)
#define CPUID_EXT_EDX_PAGE_1G BIT(26)

struct page_tables page_tables;

/* The table below entry.  If there is none, it is made, and maps what a large page has mapped. */
static uint64_t *table_below(uint64_t *entry, unsigned level)
{
	uint64_t *table;
	uint64_t old = *entry;

	if ((old & PAGE_PRESENT) != 0 && (old & PTE_LARGE) == 0)
		return (uint64_t *)(old & PTE_ADDRESS);
	table = machine_pages(1);
	if (table == NULL)
		return NULL;
	/* At level 1 bit 7 selects a memory type. */
	if (level == 2)
		old &= ~PTE_LARGE;
	for (unsigned i = 0; (old & PAGE_PRESENT) != 0 && i < PAGE_SIZE / 8; i++)
		table[i] = old + i * page_level_size(level - 1);
	/* The last level decides about rights. */
	*entry = (uintptr_t)table | PAGE_PRESENT | PAGE_WRITE | PAGE_USER;
	return table;
}

/* Maps one page of this level to itself. */
static bool map_page(uint64_t address, unsigned level, uint64_t rights)
{
	uint64_t *table = page_tables.root;

	for (unsigned l = page_tables.levels; l > level; l--) {
		table = table_below(&table[address / page_level_size(l) % 512], l);
		if (table == NULL)
			return false;
	}
	if (level > 1 && rights != 0)
		rights |= PTE_LARGE;
	table[address / page_level_size(level) % 512] = rights == 0 ? 0 : address | rights;
	return true;
}

bool paging_map(uint64_t from, uint64_t to, enum page_size size, uint64_t rights)
{
	unsigned largest = size == PAGE_HUGE ? page_tables.largest : size;
	uint64_t at = from & ~(uint64_t)(PAGE_SIZE - 1);

	if (!page_tables.no_execute)
		rights &= ~PAGE_NO_EXECUTE;
	while (at < to) {
		unsigned level = page_level(at, to, largest);

		if (!map_page(at, level, rights))
			return false;
		at += page_level_size(level);
	}
	return true;
}

unsigned paging_largest(void)
{
	return (cpuid(CPUID_EXT_FEATURES, 0).edx & CPUID_EXT_EDX_PAGE_1G) != 0 ? 3 : 2;
}

bool paging_build(void)
{
	page_tables = (struct page_tables){
		.root = machine_pages(1),
		.levels = (read_cr4() & CR4_LA57) != 0 ? 5 : 4,
		.largest = paging_largest(),
		.no_execute = (cpuid(CPUID_EXT_FEATURES, 0).edx & CPUID_EXT_EDX_NX) != 0,
	};
	return page_tables.root != NULL;
}
