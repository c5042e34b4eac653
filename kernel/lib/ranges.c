/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of physical memory, and the pages that map them. */
#include "ranges.h"

#define PAGE_SHIFT 12u
#define PAGE_MASK  ((UINT64_C(1) << PAGE_SHIFT) - 1)

struct memory_range range_of_pages(uint64_t start, uint64_t pages)
{
	uint64_t most = (UINT64_MAX - start) >> PAGE_SHIFT;

	return (struct memory_range){start, start + ((pages < most ? pages : most) << PAGE_SHIFT)};
}

/* By insertion: firmware's maps are short, and mostly sorted. */
static void sort(struct memory_range *ranges, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		struct memory_range range = ranges[i];
		unsigned at = i;

		for (; at > 0 && ranges[at - 1].from > range.from; at--)
			ranges[at] = ranges[at - 1];
		ranges[at] = range;
	}
}

/* Joins sorted ranges that overlap or touch; drops empty ones. */
static unsigned join(struct memory_range *ranges, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++) {
		struct memory_range range = ranges[i];

		if (range.from >= range.to)
			continue;
		if (kept == 0 || range.from > ranges[kept - 1].to)
			ranges[kept++] = range;
		else if (range.to > ranges[kept - 1].to)
			ranges[kept - 1].to = range.to;
	}
	return kept;
}

/* A page that is memory in part is left out: nobody knows what the rest of it is. */
static void cut_to_pages(struct memory_range *range)
{
	bool past_end = range->from > UINT64_MAX - PAGE_MASK;

	range->from = past_end ? range->to : (range->from + PAGE_MASK) & ~PAGE_MASK;
	range->to &= ~PAGE_MASK;
}

unsigned ranges_merge(struct memory_range *ranges, unsigned n)
{
	sort(ranges, n);
	n = join(ranges, n);
	/* Only now: a page may be whole by two ranges that touch within it. */
	for (unsigned i = 0; i < n; i++)
		cut_to_pages(&ranges[i]);
	return join(ranges, n);
}

bool ranges_hold(const struct memory_range *ranges, unsigned n, uint64_t address)
{
	for (unsigned i = 0; i < n; i++)
		if (address >= ranges[i].from && address < ranges[i].to)
			return true;
	return false;
}

struct memory_range ranges_hole(const struct memory_range *ranges, unsigned n, unsigned i,
				uint64_t limit)
{
	struct memory_range hole = {.from = i == 0 ? 0 : ranges[i - 1].to,
				    .to = i == n ? limit : ranges[i].from};

	if (hole.to > limit)
		hole.to = limit;
	if (hole.from > hole.to)
		hole.from = hole.to;
	return hole;
}

unsigned page_level(const struct page_format *format, uint64_t address, uint64_t to,
		    unsigned largest)
{
	unsigned level = largest;

	while (level > 1 && (address % page_level_size(format, level) != 0 ||
			     page_level_size(format, level) > to - address))
		level--;
	return level;
}

/* The tables on the way to a page of this level. */
static void count_page(const struct page_format *format, struct table_count *count,
		       uint64_t address, unsigned level)
{
	for (; level <= format->levels; level++) {
		uint64_t size = page_level_size(format, level + 1);

		if (address < count->next[level - 1])
			continue;
		count->next[level - 1] = (address & ~(size - 1)) + size;
		count->tables++;
	}
}

void page_tables_count(const struct page_format *format, struct table_count *count,
		       struct memory_range range, unsigned largest)
{
	uint64_t at = range.from;

	while (at < range.to) {
		unsigned level = page_level(format, at, range.to, largest);

		count_page(format, count, at, level);
		at += page_level_size(format, level);
	}
}
