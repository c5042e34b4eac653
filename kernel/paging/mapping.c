/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Maps memory: which ranges, and with which memory type.
 *
 * Only RAM is mapped write-back, because the processor may access write-back memory speculatively.
 * Not all that lies between two ranges of RAM bears this: AMD reserves FD_0000_0000h to
 * FF_FFFF_FFFFh for HyperTransport, in the middle of the RAM of a big server, and an access there
 * may end in a machine check.
 */
#include "paging.h"

#define LOW_4G UINT64_C(0x100000000)

const char *machine_set_ram(struct machine_facts *facts, struct memory_range *ranges, unsigned n)
{
	n = ranges_merge(ranges, n);
	if (n == 0)
		return "the firmware's memory map has no RAM";
	if (n > MACHINE_RAM_RANGES)
		return "the firmware's memory map has more than " TEXT(
			MACHINE_RAM_RANGES) " separate ranges of RAM";
	if (ranges[n - 1].to > WORD_ADDRESS_LIMIT)
		return "the firmware's memory map has RAM above 128 TiB";
	memcpy(facts->ram, ranges, n * sizeof(*ranges));
	facts->ram_ranges = n;
	return NULL;
}

uint64_t machine_memory_top(const struct machine_facts *facts)
{
	return facts->ram_ranges == 0 ? 0 : facts->ram[facts->ram_ranges - 1].to;
}

/*
 * Below 4 GiB all that is not RAM is mapped: local and I/O APICs, HPET, a UART, ECAM as a rule, and
 * the ACPI tables of older firmware, in reserved memory.  That is safe there, because the processor
 * does not access uncached memory speculatively.  Not in pages of 1 GiB: these would span ranges
 * for which the MTRRs disagree.  Intel SDM vol. 3A, 11.11.9.
 */
static bool map_low_holes(const struct machine_facts *facts)
{
	for (unsigned i = 0; i <= facts->ram_ranges; i++) {
		struct memory_range hole = ranges_hole(facts->ram, facts->ram_ranges, i, LOW_4G);

		if (!paging_map(hole.from, hole.to, PAGE_LARGE, MAPPING_DATA | PAGE_UNCACHED))
			return false;
	}
	return true;
}

/* Wherever it is.  Write-combining, which makes it fast, is for the firmware's MTRRs to say. */
static bool map_screen(const struct framebuffer *f)
{
	uint64_t cell = f->text ? sizeof(uint16_t) : sizeof(uint32_t);
	uint64_t screen = (uintptr_t)f->base, size = (uint64_t)f->stride * f->height * cell;

	return screen == 0 ||
	       paging_map(screen, screen + size, PAGE_LARGE, MAPPING_DATA | PAGE_UNCACHED_MINUS);
}

/* One that nobody can reach stays unmapped: its address came out of a table of the firmware's. */
static bool map_uart(const struct memory_range *uart)
{
	return uart->from == uart->to || uart->to > WORD_ADDRESS_LIMIT ||
	       paging_map(uart->from, uart->to, PAGE_SMALL, MAPPING_DATA | PAGE_UNCACHED);
}

/* In the largest pages, which need the fewest tables.  The firmware's stack is part of it. */
static bool map_ram(const struct machine_facts *facts)
{
	for (unsigned i = 0; i < facts->ram_ranges; i++)
		if (!paging_map(facts->ram[i].from, facts->ram[i].to, PAGE_HUGE, MAPPING_DATA))
			return false;
	return true;
}

/* RAM comes last: where a device is part of it, or shares a page with it, RAM has one type. */
bool mapping_build(const struct machine_facts *facts)
{
	return map_low_holes(facts) && map_screen(&facts->framebuffer) && map_uart(&facts->uart) &&
	       map_ram(facts);
}

bool mapping_has(const struct machine_facts *facts, uint64_t address)
{
	return address < LOW_4G || ranges_hold(facts->ram, facts->ram_ranges, address);
}

uint64_t mapping_tables(const struct machine_facts *facts, const struct page_format *format)
{
	struct table_count count = {0};
	unsigned large = format->largest < PAGE_LARGE ? format->largest : PAGE_LARGE;

	for (unsigned i = 0; i <= facts->ram_ranges; i++) {
		page_tables_count(format, &count,
				  ranges_hole(facts->ram, facts->ram_ranges, i, LOW_4G), large);
		if (i < facts->ram_ranges)
			page_tables_count(format, &count, facts->ram[i], format->largest);
	}
	return count.tables;
}
