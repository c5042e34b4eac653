/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of the run: one large piece; a low page, where another processor can start; and blocks
 * spread over all memory, because each socket of a machine has some of it. */
#include "uefi.h"

#define ONE_MIB     0x100000u /* legacy firmware may use what lies below */
#define PLACE_PAGES (MACHINE_PLACE_SIZE / PAGE)

/* The vector of a start-up IPI is the number of the page, and A0h to BFh are reserved.  Intel SDM
 * vol. 3A, 10.6.1. */
#define STARTUP_LAST 0x9ffffu

/* ---- the firmware's memory map ---- */

bool memory_map_open(const struct firmware *fw, struct memory_map *map)
{
	EFI_BOOT_SERVICES *services = fw->table->BootServices;
	UINTN key;
	UINT32 map_version;

	*map = (struct memory_map){0};
	services->GetMemoryMap(&map->size, NULL, &key, &map->entry_size, &map_version);
	/* The allocation itself may split entries. */
	map->size += 8 * map->entry_size;
	if (services->AllocatePool(EfiLoaderData, map->size, &map->entries))
		return false;
	if (!services->GetMemoryMap(&map->size, map->entries, &key, &map->entry_size,
				    &map_version) &&
	    map->entry_size >= sizeof(EFI_MEMORY_DESCRIPTOR))
		return true;
	memory_map_close(fw, map);
	return false;
}

const EFI_MEMORY_DESCRIPTOR *memory_map_entry(const struct memory_map *map, size_t i)
{
	size_t offset = i * map->entry_size;

	if (offset >= map->size)
		return NULL;
	return (const EFI_MEMORY_DESCRIPTOR *)((const char *)map->entries + offset);
}

void memory_map_close(const struct firmware *fw, const struct memory_map *map)
{
	fw->table->BootServices->FreePool(map->entries);
}

/* ---- pages ---- */

/* Returns the address; 0: there is no such memory. */
static uint64_t allocate(const struct firmware *fw, EFI_ALLOCATE_TYPE type, uint64_t address,
			 UINTN pages)
{
	EFI_PHYSICAL_ADDRESS got = address;

	return fw->table->BootServices->AllocatePages(type, EfiLoaderData, pages, &got) ? 0 : got;
}

static void release(const struct firmware *fw, uint64_t address, UINTN pages)
{
	if (address)
		fw->table->BootServices->FreePages(address, pages);
}

/* ---- places, spread evenly over the free memory, as many as can be had ---- */

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

/* Address of free page n, or of an earlier one if a place would not fit there; 0: there is none. */
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

static void allocate_places(const struct firmware *fw, uint64_t places[MACHINE_PLACES])
{
	struct memory_map map;
	uint64_t pages;

	if (!memory_map_open(fw, &map))
		return;
	pages = free_pages(&map);
	for (unsigned i = 0; i < MACHINE_PLACES; i++)
		places[i] = free_page(&map, pages * (2 * i + 1) / (2 * MACHINE_PLACES));
	memory_map_close(fw, &map);
	/* This may fail: some of the memory may be in use by now. */
	for (unsigned i = 0; i < MACHINE_PLACES; i++)
		if (places[i])
			places[i] = allocate(fw, AllocateAddress, places[i], PLACE_PAGES);
}

/* ---- all of it ---- */

const char *firmware_allocate(struct firmware *fw, struct machine_facts *facts, size_t size,
			      char **bytes)
{
	size_t arena = machine_arena_size(facts), all = arena + MEMORY_MAP_SIZE + size;

	fw->memory_pages = (all + PAGE - 1) / PAGE;
	fw->memory = allocate(fw, AllocateAnyPages, 0, fw->memory_pages);
	if (!fw->memory)
		return "the firmware has no memory for the take-over";
	facts->arena = memset((void *)fw->memory, 0, all);
	facts->arena_size = arena;
	fw->map = (char *)facts->arena + arena;
	*bytes = (char *)fw->map + MEMORY_MAP_SIZE;
	facts->startup_page = (void *)allocate(fw, AllocateMaxAddress, STARTUP_LAST, 1);
	allocate_places(fw, facts->places);
	return NULL;
}

void firmware_free(const struct firmware *fw, const struct machine_facts *facts)
{
	release(fw, fw->memory, fw->memory_pages);
	release(fw, (EFI_PHYSICAL_ADDRESS)facts->startup_page, 1);
	for (unsigned i = 0; i < MACHINE_PLACES; i++)
		release(fw, facts->places[i], PLACE_PAGES);
}
