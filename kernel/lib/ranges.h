/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of physical memory, and the pages that map them: pure computation. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct memory_range {
	uint64_t from, to; /* the first byte, and the one behind the last; the same: empty */
};

/* This many pages of 4 KiB from start on, or as many as there are below the end of the address
 * space. */
struct memory_range range_of_pages(uint64_t start, uint64_t pages);

/* Sorts them, makes one range of those that overlap or touch, and keeps the whole pages of each.
 * Returns how many are left: never two that touch, none empty. */
unsigned ranges_merge(struct memory_range *ranges, unsigned n);

/* The following take ranges as ranges_merge() leaves them. */

/* Do they hold this address? */
bool ranges_hold(const struct memory_range *ranges, unsigned n, uint64_t address);

/* The hole between range i - 1 and range i, before the first for i == 0, behind the last for i ==
 * n; cut off at limit. */
struct memory_range ranges_hole(const struct memory_range *ranges, unsigned n, unsigned i,
				uint64_t limit);

/* ---- pages ---- */

/* A format of page tables, of which each takes a page. */
struct page_format {
	unsigned bits; /* of an address that choose an entry: 9, or 10 of 32 bits each */
	unsigned
		levels; /* of tables, 1 at the bottom; an entry of level n maps a page of level n */
	unsigned largest; /* the level of the largest pages */
	bool bare_top; /* an entry of the top table has no rights */
	bool no_execute;
};

/* Bytes that an entry of a page table of this level maps. */
static inline uint64_t page_level_size(const struct page_format *format, unsigned level)
{
	return UINT64_C(1) << (12 + format->bits * (level - 1));
}

/* The level of the largest page that begins at this address, a page's, and ends at or before to,
 * but not above largest; 1 if there is none. */
unsigned page_level(const struct page_format *format, uint64_t address, uint64_t to,
		    unsigned largest);

/* Tables that page_tables_count() has counted so far; at first all zero. */
struct table_count {
	uint64_t tables;
	uint64_t next[5]; /* by level - 1: the end of what the last table maps */
};

/* Counts the tables that a range needs, in the largest pages that fit up to level largest, and that
 * no range before needed.  Ranges must come in ascending order. */
void page_tables_count(const struct page_format *format, struct table_count *count,
		       struct memory_range range, unsigned largest);
