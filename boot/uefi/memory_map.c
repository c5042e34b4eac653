/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's memory map. */
#include "firmware.h"

bool memory_map_open(const struct firmware *fw, struct memory_map *map)
{
	EFI_BOOT_SERVICES *services = fw->table->BootServices;
	UINTN key;
	UINT32 version;

	*map = (struct memory_map){0};
	services->GetMemoryMap(&map->size, NULL, &key, &map->entry_size, &version);
	/* The allocation itself may split entries. */
	map->size += 8 * map->entry_size;
	if (services->AllocatePool(EfiLoaderData, map->size, &map->entries))
		return false;
	if (!services->GetMemoryMap(&map->size, map->entries, &key, &map->entry_size, &version) &&
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
