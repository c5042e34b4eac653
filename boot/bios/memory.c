/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory of the run: what the loader says is free, without our own image. */
#include "bios.h"

#define PAGE 4096u

/* Where other processors may start: all that a BIOS or a loader uses lies elsewhere. */
#define STARTUP_PAGE 0x10000u

/* The first of size bytes, whole pages, in a range but behind this address; 0: they do not fit. */
static uint64_t fit(const struct memory_range *range, uint64_t behind, uint64_t size)
{
	uint64_t from = range->from > behind ? range->from : behind;

	from = (from + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	return from < range->to && range->to - from >= size ? from : 0;
}

static uint64_t find(const struct firmware *fw, uint64_t size)
{
	uint64_t found = 0;

	for (unsigned i = 0; !found && i < fw->free_ranges; i++)
		found = fit(&fw->free[i], (uintptr_t)image_end, size);
	return found;
}

bool memory_is_free(const struct firmware *fw, uint64_t from, uint64_t to)
{
	for (unsigned i = 0; i < fw->free_ranges; i++)
		if (from >= fw->free[i].from && to <= fw->free[i].to)
			return true;
	return false;
}

/* No places: a machine with memory of many controllers is tested by the 64-bit program. */
const char *firmware_allocate(struct firmware *fw, struct machine_facts *facts, size_t size,
			      char **bytes)
{
	uint64_t arena = machine_arena_size(facts), all = arena + size;
	uint64_t memory = find(fw, all);

	if (!memory)
		return "there is no free memory for the take-over";
	facts->arena = memset((void *)(uintptr_t)memory, 0, (size_t)all);
	facts->arena_size = arena;
	*bytes = (char *)facts->arena + arena;
	if (memory_is_free(fw, STARTUP_PAGE, STARTUP_PAGE + PAGE))
		facts->startup_page = (void *)STARTUP_PAGE;
	return NULL;
}

/* Nobody is there who would want it back. */
void firmware_free(const struct firmware *fw, const struct machine_facts *facts)
{
	(void)fw;
	(void)facts;
}
