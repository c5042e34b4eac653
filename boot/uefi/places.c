/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of memory here and there: where there are several sockets, each has some of the memory. */
#include "firmware.h"

#define PAGE        4096u
#define PLACE_PAGES (MACHINE_PLACE_SIZE / PAGE)
#define ONE_MIB     0x100000u /* legacy firmware may use what lies below */

static bool is_free(const EFI_MEMORY_DESCRIPTOR *entry)
{
	return entry->Type == EfiConventionalMemory && entry->PhysicalStart >= ONE_MIB;
}

static uint64_t free_pages(const struct memory_map *map)
{
	const EFI_MEMORY_DESCRIPTOR *entry;
	uint64_t pages = 0;

	for (size_t i = 0; (entry = memory_map_entry(map, i)); i++)
		if (is_free(entry))
			pages += entry->NumberOfPages;
	return pages;
}

/* Address of free page n, moved down where a place would not fit behind it; 0: there is none. */
static uint64_t free_page(const struct memory_map *map, uint64_t n)
{
	const EFI_MEMORY_DESCRIPTOR *entry;

	for (size_t i = 0; (entry = memory_map_entry(map, i)); i++) {
		uint64_t pages = entry->NumberOfPages;

		if (!is_free(entry))
			continue;
		if (n >= pages) {
			n -= pages;
			continue;
		}
		if (pages < PLACE_PAGES)
			return 0;
		if (n > pages - PLACE_PAGES)
			n = pages - PLACE_PAGES;
		return entry->PhysicalStart + n * PAGE;
	}
	return 0;
}

/* Some of the free memory may be too scattered, or gone by now. */
static uint64_t allocate(const struct firmware *fw, uint64_t place)
{
	EFI_PHYSICAL_ADDRESS address = place;

	if (!place || fw->table->BootServices->AllocatePages(AllocateAddress, EfiLoaderData,
							     PLACE_PAGES, &address))
		return 0;
	return place;
}

void places_allocate(const struct firmware *fw, uint64_t places[MACHINE_PLACES])
{
	uint64_t wanted[MACHINE_PLACES] = {0}, pages;
	struct memory_map map;

	if (memory_map_open(fw, &map)) {
		pages = free_pages(&map);
		for (unsigned i = 0; i < MACHINE_PLACES; i++)
			wanted[i] = free_page(&map, pages * (2 * i + 1) / (2 * MACHINE_PLACES));
		memory_map_close(fw, &map);
	}
	for (unsigned i = 0; i < MACHINE_PLACES; i++)
		places[i] = allocate(fw, wanted[i]);
}

void places_free(const struct firmware *fw, const uint64_t places[MACHINE_PLACES])
{
	for (unsigned i = 0; i < MACHINE_PLACES; i++)
		if (places[i])
			fw->table->BootServices->FreePages(places[i], PLACE_PAGES);
}
