/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands out pages of the arena, and maps memory one to one; no page is both writable and
 * executable. */
#include "paging.h"

/* For all that is not a page table, and for tables of what is mapped later: of our own image and of
 * devices. */
#define ARENA_BASE (1024u * 1024u)
/* For each of the others: stacks with their guard pages, descriptor tables, and its state. */
#define ARENA_OTHER (40u * PAGE_SIZE)

uint64_t machine_arena_size(const struct machine_facts *facts)
{
	const struct page_format format = paging_format();
	uint64_t size = ARENA_BASE + (uint64_t)facts->others * ARENA_OTHER +
			mapping_tables(facts, &format) * PAGE_SIZE;

	/* The arena itself is mapped in pages of 4 KiB. */
	return size + (size / page_level_size(&format, 2) + 1) * PAGE_SIZE;
}

void *machine_pages(unsigned count)
{
	uint8_t *pages = machine->next;
	size_t size = (size_t)count * PAGE_SIZE;

	if ((size_t)(machine->end - pages) < size)
		return NULL;
	machine->next = pages + size;
	return memset(pages, 0, size);
}

uint8_t *machine_stack(unsigned pages)
{
	uint8_t *bottom = machine_pages(pages + 1);

	if (bottom == NULL)
		return NULL;
	*(void **)(void *)bottom = machine->guard_pages;
	machine->guard_pages = bottom;
	return bottom + (size_t)(pages + 1) * PAGE_SIZE;
}

static bool map_page(uint64_t address, uint64_t rights)
{
	return paging_map(address, address + 1, PAGE_SMALL, rights);
}

static bool map_section(const void *from, const void *to, uint64_t rights)
{
	return paging_map((uintptr_t)from, (uintptr_t)to, PAGE_SMALL, rights);
}

static bool map_ourselves(void)
{
	const uint8_t *arena = machine->facts.arena;

	if (!map_section(image_start, image_end, PAGE_PRESENT | PAGE_NO_EXECUTE) ||
	    !map_section(text_start, text_end, PAGE_PRESENT) ||
	    !map_section(data_start, data_end, MAPPING_DATA) ||
	    !map_section(arena, arena + machine->facts.arena_size, MAPPING_DATA))
		return false;
	for (void *page = machine->guard_pages; page != NULL; page = *(void **)page)
		if (!map_page((uintptr_t)page, 0))
			return false;
	return true;
}

/* The other devices that we use lie below 4 GiB, or are mapped when they are used. */
static bool map_apic(void)
{
	return apic_base() == 0 || map_page(apic_base(), MAPPING_DATA | PAGE_UNCACHED);
}

bool memory_build(void)
{
	return paging_build() && mapping_build(&machine->facts) && map_page(0, 0) && map_apic() &&
	       map_ourselves();
}

/* Tables that are neither in RAM nor below 4 GiB are mapped when they are looked for.  They may lie
 * in memory that the firmware calls reserved, not all of which may be mapped. */
const void *memory_of_firmware(uint64_t address, uint64_t length)
{
	const void *bytes = acpi_identity(address, length);

	for (uint64_t at = address & ~(uint64_t)(PAGE_SIZE - 1);
	     bytes != NULL && at < address + length; at += PAGE_SIZE)
		if (!mapping_has(&machine->facts, at) &&
		    !map_page(at, PAGE_PRESENT | PAGE_NO_EXECUTE | PAGE_UNCACHED))
			return NULL;
	return bytes;
}

static bool is_ram(uint64_t address)
{
	return ranges_hold(machine->facts.ram, machine->facts.ram_ranges, address);
}

static bool within(uint64_t address, const void *from, const void *to)
{
	return address >= (uintptr_t)from && address < (uintptr_t)to;
}

bool memory_map_uncached(uint64_t address)
{
	/* A firmware table that points to RAM, our own image or arena is wrong. */
	if (is_ram(address) || within(address, image_start, image_end) ||
	    within(address, machine->facts.arena, machine->end))
		return false;
	if (!map_page(address, MAPPING_DATA | PAGE_UNCACHED))
		return false;
	/* The TLB may hold the large page that covered it before. */
	write_cr3(read_cr3());
	return true;
}

void memory_map_startup(bool executable)
{
	/* This cannot fail: the table that maps page 0 maps this page, too. */
	map_page((uintptr_t)machine->facts.startup_page, executable ? PAGE_PRESENT : MAPPING_DATA);
	write_cr3(read_cr3());
}
