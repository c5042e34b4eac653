/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's page tables: AMD64 APM volume 2, chapter 5. */
#include "walk.h"

#define CR3_PAE FIELD(31, 5) /* four entries, anywhere */

/* Where a walk is, and how the tables are laid out. */
struct tables {
	uint64_t table;
	unsigned shift; /* of the bits of the linear address that this table is indexed by, */
	unsigned bits; /* so many in each table */
	unsigned entry; /* bytes */
	unsigned largest; /* shift of the largest page */
	bool has_pointers; /* the entries here are pointers alone, without rights */
	uint8_t marks; /* what the processor notes of the access, in entries */
};

static struct tables long_tables(const struct vmcb *v)
{
	return (struct tables){
		.table = v->cr3 & PTE_ADDRESS,
		.shift = v->cr4 & CR4_LA57 ? 48 : 39,
		.bits = 9,
		.entry = 8,
		.largest = 30,
	};
}

static struct tables tables_of(const struct vmcb *v)
{
	if (v->efer & EFER_LMA)
		return long_tables(v);
	if (v->cr4 & CR4_PAE)
		return (struct tables){
			.table = v->cr3 & CR3_PAE,
			.shift = 30,
			.bits = 9,
			.entry = 8,
			.largest = 21,
			.has_pointers = true,
		};
	return (struct tables){
		.table = v->cr3 & PTE_ADDRESS,
		.shift = 22,
		.bits = 10,
		.entry = 4,
		.largest = v->cr4 & CR4_PSE ? 22 : 12,
	};
}

static void *entry_at(const struct tables *t, uint64_t linear)
{
	uint64_t index = linear >> t->shift & (BIT(t->bits) - 1);

	return physical_pointer(t->table + t->entry * index);
}

/* PTE_PRESENT clear: not there. */
static uint64_t entry_of(const struct tables *t, uint64_t linear)
{
	const void *entry = entry_at(t, linear);

	return t->entry == 8 ? *(const uint64_t *)entry : *(const uint32_t *)entry;
}

/* The page that a last entry maps. */
static void end_walk(const struct tables *t, uint64_t entry, uint64_t linear, struct page *page)
{
	uint64_t offset = BIT(t->shift) - 1, address = entry & PTE_ADDRESS & ~offset;

	/* The address of a page of 4 MiB goes on in bits 20:13. */
	if (t->shift == 22)
		address |= field_get(FIELD(20, 13), entry) << 32;
	page->physical = page_of(address | (linear & offset));
	page->caching = entry & (PTE_PWT | PTE_PCD);
	if (entry & (t->shift == 12 ? PTE_PAT : PTE_LARGE_PAT))
		page->caching |= PTE_PAT;
}

static bool is_last(const struct tables *t, uint64_t entry)
{
	return t->shift == 12 || (t->shift <= t->largest && entry & PTE_LARGE);
}

/* Narrows the rights of the page by an entry.  Bits that only a last entry has, no other takes
 * away. */
static void narrow(const struct tables *t, uint64_t entry, struct page *page)
{
	uint64_t others = is_last(t, entry) ? 0 : PTE_DIRTY | PTE_KEY;

	if (!t->has_pointers)
		page->rights &= entry | PTE_NO_EXECUTE | others;
	page->rights |= entry & PTE_NO_EXECUTE;
}

static void mark(const struct tables *t, uint64_t entry, uint64_t linear)
{
	uint8_t *low = entry_at(t, linear);

	if (!t->has_pointers)
		*low |= (uint8_t)(t->marks & (is_last(t, entry) ? UINT8_MAX : ~PTE_DIRTY));
}

static bool walk_tables(struct tables *t, uint64_t linear, struct page *page)
{
	for (unsigned level = 0;; level++, t->shift -= t->bits, t->has_pointers = false) {
		uint64_t entry = entry_of(t, linear);

		if (!(entry & PTE_PRESENT))
			return false;
		page->way[level].at = entry_at(t, linear);
		page->way[level].was = entry;
		narrow(t, entry, page);
		if (t->marks)
			mark(t, entry, linear);
		if (is_last(t, entry)) {
			end_walk(t, entry, linear, page);
			page->levels = t->entry == sizeof(entry) ? level + 1 : 0;
			return true;
		}
		t->table = entry & PTE_ADDRESS;
	}
}

/* Not canonical: the bits above those that the tables translate are not all like the highest of
 * these. */
static bool is_canonical(const struct tables *t, uint64_t linear)
{
	unsigned above = 64 - (t->shift + t->bits);

	return (uint64_t)((int64_t)(linear << above) >> above) == linear;
}

static void begin_walk(const struct vmcb *v, uint64_t linear, struct page *page)
{
	page->linear = page_of(linear);
	page->caching = 0;
	page->same = false;
	page->rights = PTE_WRITABLE | PTE_USER | PTE_ACCESSED | PTE_DIRTY;
	page->era = 0;
	page->granted = 0;
	page->levels = 0;
	page->cr0 = v->cr0;
	page->cr3 = v->cr3;
	page->cr4 = v->cr4;
	page->efer = v->efer;
}

static bool walk_for(const struct guest *g, uint64_t linear, struct page *page, uint8_t marks)
{
	const struct vmcb *v = g->vmcb;
	struct tables t;

	begin_walk(v, linear, page);
	if (!(v->cr0 & CR0_PG)) {
		page->physical = page->linear;
		return true;
	}
	t = tables_of(v);
	t.marks = marks;
	page->rights |= PTE_KEY;
	return (!(v->efer & EFER_LMA) || is_canonical(&t, linear)) && walk_tables(&t, linear, page);
}

bool walk(const struct guest *g, uint64_t linear, struct page *page)
{
	return walk_for(g, linear, page, 0);
}

bool walk_is_same(const struct guest *g, uint64_t linear, const struct page *page)
{
	const struct vmcb *v = g->vmcb;
	unsigned left = page->levels;

	if (!left || page->linear != page_of(linear) || page->cr3 != v->cr3 ||
	    page->cr0 != v->cr0 || page->cr4 != v->cr4 || page->efer != v->efer)
		return false;
	while (left && *page->way[left - 1].at == page->way[left - 1].was)
		left--;
	return !left;
}

bool walk_to_write(const struct guest *g, uint64_t linear, struct page *page)
{
	return walk_for(g, linear, page, PTE_ACCESSED | PTE_DIRTY);
}

bool walk_to_fetch(const struct guest *g, uint64_t linear, struct page *page)
{
	return walk_for(g, linear, page, PTE_ACCESSED);
}

bool walk_top(const struct vmcb *v, uint64_t linear, uint64_t *entry)
{
	struct tables t = long_tables(v);

	if (!(v->efer & EFER_LMA) || t.shift != TOP_SHIFT)
		return false;
	*entry = entry_of(&t, linear);
	return true;
}

enum memory_type walk_type(const struct page *page)
{
	enum { PAT_UC = 0, PAT_WT = 4, PAT_WP = 5, PAT_UC_MINUS = 7 };
	unsigned entry = 0;
	uint64_t pat;

	if (!page->caching || msr_read(MSR_PAT, &pat) >= 0)
		return MEMORY_WRITE_BACK;
	entry += page->caching & PTE_PWT ? 1 : 0;
	entry += page->caching & PTE_PCD ? 2 : 0;
	entry += page->caching & PTE_PAT ? 4 : 0;
	switch (pat >> 8 * entry & 7) {
	case PAT_WT:
		return MEMORY_WRITE_THROUGH;
	case PAT_WP:
		return MEMORY_WRITE_PROTECTED;
	case PAT_UC:
	case PAT_UC_MINUS:
		return MEMORY_UNCACHEABLE;
	default:
		return MEMORY_WRITE_BACK;
	}
}
