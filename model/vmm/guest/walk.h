/* SPDX-License-Identifier: BSD-2-Clause */
/* A walk through the guest's page tables, as its processor goes. */
#pragma once

#include "guest.h"

enum { PAGE = 4096 };

#define PTE_PRESENT    BIT(0)
#define PTE_WRITABLE   BIT(1)
#define PTE_USER       BIT(2)
#define PTE_PWT        BIT(3)
#define PTE_PCD        BIT(4)
#define PTE_PAT        BIT(7) /* of a page of 4 KiB, of a larger one: */
#define PTE_ACCESSED   BIT(5)
#define PTE_DIRTY      BIT(6)
#define PTE_LARGE_PAT  BIT(12)
#define PTE_LARGE      BIT(7)
#define PTE_KEY        FIELD(62, 59)
#define PTE_NO_EXECUTE BIT(63)
#define PTE_ADDRESS    FIELD(51, 12)

/* The top table of 4-level paging. */
enum { TOP_SHIFT = 39, TOP_ENTRIES = 512 };
enum { LEVELS = 5 }; /* the most */

/* One page of the guest: where it is, and what the tables on the way to it allow. */
struct page {
	uint64_t linear, physical, cr3;
	uint64_t caching; /* PTE_PWT, PTE_PCD, PTE_PAT */
	bool same; /* the VMM has it at the same linear address */
	/* PTE_WRITABLE, PTE_USER and PTE_ACCESSED where set at all levels; PTE_DIRTY and PTE_KEY of
	 * the last one; PTE_NO_EXECUTE where set at any. */
	uint64_t rights;
	uint64_t era; /* when it was kept */
	/* The entries on the way to it, if they are of 8 bytes, and what the way depends on
	 * besides.
	 */
	struct {
		const uint64_t *at;
		uint64_t was;
	} way[LEVELS];
	unsigned levels; /* 0: unknown */
	uint64_t cr0, cr4, efer;
	uint8_t granted; /* accesses that the VMM may make itself, as bits of memory.c */
};

static inline void *physical_pointer(uint64_t physical)
{
	return (void *)(uintptr_t)physical;
}

static inline uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

/* The page that linear is in, with same and era clear; false: it is not mapped, or linear is not
 * canonical. */
bool walk(const struct guest *g, uint64_t linear, struct page *page);
/* Would walk() find the same page at linear as it found then? */
bool walk_is_same(const struct guest *g, uint64_t linear, const struct page *page);
/* The same for a write of the processor's own: the tables tell of it behind that, as they must. */
bool walk_to_write(const struct guest *g, uint64_t linear, struct page *page);
/* And for a fetch of code. */
bool walk_to_fetch(const struct guest *g, uint64_t linear, struct page *page);
/* The entry of linear in the top table; false: there are not four levels. */
bool walk_top(const struct vmcb *v, uint64_t linear, uint64_t *entry);
enum memory_type walk_type(const struct page *page);
