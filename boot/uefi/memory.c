/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of the run: one piece, and what must lie elsewhere. */
#include "firmware.h"

#include "kernel/console/screen.h"
#include "kernel/lib/string.h"

#define PAGE 4096u
#define GIB  (UINT64_C(1) << 30)

/* The vector of a start-up IPI is the number of the page, and A0h to BFh are reserved.  Intel SDM
 * vol. 3A, 10.6.1. */
#define STARTUP_LAST 0x9ffffu

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

static void *startup_page_allocate(const struct firmware *fw)
{
	EFI_PHYSICAL_ADDRESS address = STARTUP_LAST;

	if (fw->table->BootServices->AllocatePages(AllocateMaxAddress, EfiLoaderData, 1, &address))
		return NULL;
	return (void *)address;
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
	memory->startup_page = startup_page_allocate(fw);
	places_allocate(fw, memory->places);
}

void memory_free(const struct firmware *fw, const struct memory *memory)
{
	if (memory->arena)
		fw->table->BootServices->FreePages((EFI_PHYSICAL_ADDRESS)memory->arena,
						   pages(memory->size));
	if (memory->startup_page)
		fw->table->BootServices->FreePages((EFI_PHYSICAL_ADDRESS)memory->startup_page, 1);
	places_free(fw, memory->places);
}
