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
void nested_build(struct nested *n)
{
	for (uint64_t i = 0; i < NESTED_ENTRIES; i++)
		n->pdpt[i] = i << GIGA_SHIFT | NESTED_LARGE | NESTED_PTE;
	n->pml4[0] = table_entry(n->pdpt);
	n->gigas = n->holes = 0;
}

/* Its table, in the place of the large page that it was. */
static uint64_t *split_giga(struct nested *n, uint64_t giga)
{
	uint64_t *pd;

	for (unsigned i = 0; i < n->gigas; i++)
		if (n->pdpt[giga] == table_entry(n->pd[i]))
			return n->pd[i];
	pd = n->pd[n->gigas++];
	for (uint64_t i = 0; i < NESTED_ENTRIES; i++)
		pd[i] = giga << GIGA_SHIFT | i << MEGA2_SHIFT | NESTED_LARGE | NESTED_PTE;
	n->pdpt[giga] = table_entry(pd);
	return pd;
}

void nested_leave_out(struct nested *n, uint64_t address, uint64_t size)
{
	uint64_t start = address & ~(BIT(MEGA2_SHIFT) - 1);
	uint64_t *pd = split_giga(n, address >> GIGA_SHIFT), *pt = n->pt[n->holes++];

	for (uint64_t i = 0; i < NESTED_ENTRIES; i++) {
		uint64_t page = start + (i << PAGE_SHIFT);

		pt[i] = page - address < size ? 0 : page | NESTED_PTE;
	}
	pd[start >> MEGA2_SHIFT & (NESTED_ENTRIES - 1)] = table_entry(pt);
}
