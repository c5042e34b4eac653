/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables of any format.  AMD64 APM vol. 2 ch. 5. */
#include "paging.h"

#define PTE_LARGE   BIT(7)
#define PTE_ADDRESS FIELD(51, 12)

struct page_tables page_tables;

/* Entries of 10 bits' tables are half as long. */
static bool is_short(void)
{
	return page_tables.format.bits == 10;
}

static uint64_t entry_get(const void *table, unsigned i)
{
	return is_short() ? ((const uint32_t *)table)[i] : ((const uint64_t *)table)[i];
}

static void entry_set(void *table, unsigned i, uint64_t entry)
{
	if (is_short())
		((uint32_t *)table)[i] = (uint32_t)entry;
	else
		((uint64_t *)table)[i] = entry;
}

static unsigned entries(void)
{
	return 1u << page_tables.format.bits;
}

static unsigned index_of(uint64_t address, unsigned level)
{
	return (unsigned)(address / page_level_size(&page_tables.format, level) % entries());
}

/* The last level decides about rights. */
static uint64_t table_rights(unsigned level)
{
	bool bare = page_tables.format.bare_top && level == page_tables.format.levels;

	return bare ? PAGE_PRESENT : PAGE_PRESENT | PAGE_WRITE | PAGE_USER;
}

/* The table below an entry.  If there is none, it is made, and maps what a large page has mapped.
 */
static void *table_below(void *table, unsigned i, unsigned level)
{
	uint64_t old = entry_get(table, i), size = page_level_size(&page_tables.format, level - 1);
	void *below;

	if ((old & PAGE_PRESENT) != 0 && (old & PTE_LARGE) == 0)
		return (void *)(uintptr_t)(old & PTE_ADDRESS);
	below = machine_pages(1);
	if (below == NULL)
		return NULL;
	/* At level 1 bit 7 selects a memory type. */
	if (level == 2)
		old &= ~PTE_LARGE;
	for (unsigned e = 0; (old & PAGE_PRESENT) != 0 && e < entries(); e++)
		entry_set(below, e, old + e * size);
	entry_set(table, i, (uintptr_t)below | table_rights(level));
	return below;
}

/* Maps one page of this level to itself. */
static bool map_page(uint64_t address, unsigned level, uint64_t rights)
{
	void *table = page_tables.root;

	for (unsigned l = page_tables.format.levels; l > level; l--) {
		table = table_below(table, index_of(address, l), l);
		if (table == NULL)
			return false;
	}
	if (level > 1 && rights != 0)
		rights |= PTE_LARGE;
	entry_set(table, index_of(address, level), rights == 0 ? 0 : address | rights);
	return true;
}

bool paging_map(uint64_t from, uint64_t to, enum page_size size, uint64_t rights)
{
	const struct page_format *format = &page_tables.format;
	unsigned largest = size < format->largest ? size : format->largest;
	uint64_t at = from & ~(uint64_t)(PAGE_SIZE - 1);

	if (!format->no_execute)
		rights &= ~PAGE_NO_EXECUTE;
	while (at < to) {
		unsigned level = page_level(format, at, to, largest);

		if (!map_page(at, level, rights))
			return false;
		at += page_level_size(format, level);
	}
	return true;
}

bool paging_build(void)
{
	page_tables = (struct page_tables){.root = machine_pages(1), .format = paging_format()};
	return page_tables.root != NULL;
}
