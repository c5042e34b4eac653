/* SPDX-License-Identifier: BSD-2-Clause */
/* Nested paging leaves out the pages of physical memory that the VMM itself answers for. */
#include "guest.h"

#define NESTED_PTE   FIELD(2, 0) /* present, writable, user: what nested paging asks for */
#define NESTED_LARGE BIT(7)

enum { GIGA_SHIFT = 30, MEGA2_SHIFT = 21, PAGE_SHIFT = 12 };

static uint64_t table_entry(const void *table)
{
	return (uint64_t)(uintptr_t)table | NESTED_PTE;
}

/* One to one, as the VMM's own. */
void nested_build(struct nested *n, uint64_t address)
{
	uint64_t giga = address >> GIGA_SHIFT;

	for (uint64_t i = 0; i < NESTED_ENTRIES; i++) {
		n->pdpt[i] = i << GIGA_SHIFT | NESTED_LARGE | NESTED_PTE;
		n->pd[i] = giga << GIGA_SHIFT | i << MEGA2_SHIFT | NESTED_LARGE | NESTED_PTE;
	}
	n->pml4[0] = table_entry(n->pdpt);
	n->pdpt[giga] = table_entry(n->pd);
	n->used = 0;
}

void nested_leave_out(struct nested *n, uint64_t address, uint64_t size)
{
	uint64_t start = address & ~(BIT(MEGA2_SHIFT) - 1);
	uint64_t *pt = n->pt[n->used++];

	for (uint64_t i = 0; i < NESTED_ENTRIES; i++) {
		uint64_t page = start + (i << PAGE_SHIFT);

		pt[i] = page - address < size ? 0 : page | NESTED_PTE;
	}
	n->pd[start >> MEGA2_SHIFT & (NESTED_ENTRIES - 1)] = table_entry(pt);
}
