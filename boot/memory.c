/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of the run, in one piece. */
#include "firmware.h"

#include "screen.h"
#include "string.h"

#define PAGE 4096u
#define GIB  (UINT64_C(1) << 30)

static size_t pages(size_t size)
{
	return (size + PAGE - 1) / PAGE;
}

/* Page tables of 2 MiB pages cost a page for each GiB, and the address space below 4 GiB, where
 * devices live, is always mapped. */
static size_t arena_size(uint64_t memory_top)
{
	uint64_t gib = memory_top / GIB;

	return MACHINE_ARENA_SIZE + (size_t)(gib < 4 ? 4 : gib) * PAGE;
}

void memory_allocate(const struct firmware *fw, struct memory *memory, uint64_t memory_top)
{
	size_t arena = arena_size(memory_top);
	size_t size = arena + REPORT_BUFFER_SIZE + MEMORY_MAP_SIZE + SCREEN_CELLS_MAX;
	EFI_PHYSICAL_ADDRESS address;
	char *start;

	*memory = (struct memory){.size = size};
	if (fw->table->BootServices->AllocatePages(AllocateAnyPages, EfiLoaderData, pages(size),
						   &address))
		return;
	start = (char *)address;
	memset(start, 0, size);
	memory->arena = start;
	memory->arena_size = arena;
	memory->report = start + arena;
	memory->map = memory->report + REPORT_BUFFER_SIZE;
	memory->cells = memory->report + REPORT_BUFFER_SIZE + MEMORY_MAP_SIZE;
	places_allocate(fw, memory->places);
}

void memory_free(const struct firmware *fw, const struct memory *memory)
{
	if (memory->arena)
		fw->table->BootServices->FreePages((EFI_PHYSICAL_ADDRESS)memory->arena,
						   pages(memory->size));
	places_free(fw, memory->places);
}
