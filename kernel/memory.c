/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands out pages of the arena, and maps all memory one to one; no page is both writable and
 * executable. */
#include "state.h"

#define LOW_4G UINT64_C(0x100000000)

#define DATA   (PAGE_PRESENT | PAGE_WRITE | PAGE_NO_EXECUTE)

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

	if (bottom == NULL || machine->stacks == STACKS_MAX)
		return NULL;
	machine->guard_pages[machine->stacks++] = (uintptr_t)bottom;
	return bottom + (size_t)(pages + 1) * PAGE_SIZE;
}

static bool map_page(uint64_t address, uint64_t rights)
{
	return paging_map(address, address + 1, PAGE_SMALL, rights);
}

/* All memory, in the largest pages, which need the fewest tables.  The firmware's stack is part of
 * it. */
static bool map_memory(void)
{
	return paging_map(0, LOW_4G, PAGE_LARGE, DATA) &&
	       paging_map(LOW_4G, machine->facts.memory_top, PAGE_HUGE, DATA) && map_page(0, 0);
}

static bool map_devices(void)
{
	const struct framebuffer *f = &machine->facts.framebuffer;
	uint64_t screen = (uintptr_t)f->base, size = (uint64_t)f->stride * f->height * 4;

	/* Below 4 GiB or the top of memory the screen is mapped already. */
	if (screen >= LOW_4G && screen >= machine->facts.memory_top &&
	    !paging_map(screen, screen + size, PAGE_LARGE, DATA))
		return false;
	for (unsigned i = 0; i < machine->controllers.io_apics; i++)
		if (!map_page(machine->controllers.io_apic[i].base, DATA | PAGE_UNCACHED))
			return false;
	return apic_base() == 0 || map_page(apic_base(), DATA | PAGE_UNCACHED);
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
	    !map_section(data_start, data_end, DATA) ||
	    !map_section(arena, arena + machine->facts.arena_size, DATA))
		return false;
	for (unsigned i = 0; i < machine->stacks; i++)
		if (!map_page(machine->guard_pages[i], 0))
			return false;
	return true;
}

bool memory_build(void)
{
	return paging_build() && map_memory() && map_devices() && map_ourselves();
}

static bool within(uint64_t address, const void *from, const void *to)
{
	return address >= (uintptr_t)from && address < (uintptr_t)to;
}

bool memory_map_uncached(uint64_t address)
{
	/* A firmware table that points to our own image or arena is wrong. */
	if (within(address, image_start, image_end) ||
	    within(address, machine->facts.arena, machine->end))
		return false;
	if (!map_page(address, DATA | PAGE_UNCACHED))
		return false;
	/* The TLB may hold the large page that covered it before. */
	write_cr3(read_cr3());
	return true;
}

void memory_map_startup(bool executable)
{
	/* This cannot fail: the table that maps page 0 maps this page, too. */
	map_page((uintptr_t)machine->facts.startup_page, executable ? PAGE_PRESENT : DATA);
	write_cr3(read_cr3());
}
