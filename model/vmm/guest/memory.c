/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's memory through the guest's page tables; physical memory is mapped one to one. */
#include "guest.h"
#include "kernel/lib/string.h"

#define PTE_PRESENT    BIT(0)
#define PTE_WRITABLE   BIT(1)
#define PTE_USER       BIT(2)
#define PTE_PWT        BIT(3)
#define PTE_PCD        BIT(4)
#define PTE_PAT        BIT(7) /* of a page of 4 KiB, of a larger one: */
#define PTE_LARGE_PAT  BIT(12)
#define PTE_LARGE      BIT(7)
#define PTE_NO_EXECUTE BIT(63)
#define PTE_ADDRESS    FIELD(51, 12)

#define CR4_SMEP       BIT(20)
#define CR4_SMAP       BIT(21)
#define RFLAGS_AC      BIT(18)

enum { PAGE = 4096, CODE_BYTES = 15, CODE_ROOM = 16, KEPT_PAGES = 32 };

/* RAM of all machines of QEMU ends here or lower, until it goes on above 4 GiB. */
#define LOW_RAM_END UINT64_C(0x80000000)

/* The entries of the top table in 4-level paging. */
enum { TOP_SHIFT = 39, TOP_ENTRIES = 512 };

/* One page of the guest: where it is, and what the tables on the way to it allow. */
struct page {
	uint64_t linear, physical, cr3;
	uint64_t caching; /* PTE_PWT, PTE_PCD, PTE_PAT */
	bool same; /* the VMM has it at the same linear address */
	uint64_t rights; /* PTE_WRITABLE and PTE_USER where set at all levels; PTE_NO_EXECUTE */
	uint64_t era; /* when it was kept */
};

static void *physical_pointer(uint64_t physical)
{
	return (void *)(uintptr_t)physical;
}

static uint64_t page_of(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

/* ---- the guest's page tables: AMD64 APM volume 2, chapter 5 ---- */

#define CR3_PAE FIELD(31, 5) /* four entries, anywhere */

/* Where a walk is, and how the tables are laid out. */
struct tables {
	uint64_t table;
	unsigned shift; /* of the bits of the linear address that this table is indexed by, */
	unsigned bits; /* so many in each table */
	unsigned entry; /* bytes */
	unsigned largest; /* shift of the largest page */
	bool has_pointers; /* the entries here are pointers alone, without rights */
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

/* PTE_PRESENT clear: not there. */
static uint64_t entry_of(const struct tables *t, uint64_t linear)
{
	uint64_t index = linear >> t->shift & (BIT(t->bits) - 1);
	const void *entry = physical_pointer(t->table + t->entry * index);

	return t->entry == 8 ? *(const uint64_t *)entry : *(const uint32_t *)entry;
}

/* The page that a last entry maps. */
static void end_walk(const struct tables *t, uint64_t entry, uint64_t linear, struct page *page)
{
	uint64_t offset = BIT(t->shift) - 1, address = entry & PTE_ADDRESS & ~offset;

	/* Of pages of 4 MiB the address goes on in bits 20:13. */
	if (t->shift == 22)
		address |= field_get(FIELD(20, 13), entry) << 32;
	page->physical = page_of(address | (linear & offset));
	page->caching = entry & (PTE_PWT | PTE_PCD);
	if (entry & (t->shift == 12 ? PTE_PAT : PTE_LARGE_PAT))
		page->caching |= PTE_PAT;
}

static bool walk_tables(struct tables *t, uint64_t linear, struct page *page)
{
	for (;; t->shift -= t->bits, t->has_pointers = false) {
		uint64_t entry = entry_of(t, linear);

		if (!(entry & PTE_PRESENT))
			return false;
		if (!t->has_pointers)
			page->rights &= entry | PTE_NO_EXECUTE;
		page->rights |= entry & PTE_NO_EXECUTE;
		if (t->shift == 12 || (t->shift <= t->largest && entry & PTE_LARGE)) {
			end_walk(t, entry, linear, page);
			return true;
		}
		t->table = entry & PTE_ADDRESS;
	}
}

static bool walk(const struct guest *g, uint64_t linear, struct page *page)
{
	const struct vmcb *v = g->vmcb;
	struct tables t;

	*page = (struct page){
		.linear = page_of(linear), .cr3 = v->cr3, .rights = PTE_WRITABLE | PTE_USER};
	if (!(v->cr0 & CR0_PG)) {
		page->physical = page->linear;
		return true;
	}
	t = tables_of(v);
	return walk_tables(&t, linear, page);
}

static enum memory_type type_of(const struct page *page)
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

/* No check of access rights: what is read here was just executed or is to be pushed by the
 * processor itself, with its own rights. */
bool guest_locate(const struct guest *g, uint64_t linear, struct memory_access *access)
{
	struct page page;

	if (!walk(g, linear, &page))
		return false;
	access->physical = page.physical + (linear - page.linear);
	access->type = type_of(&page);
	return true;
}

static size_t bytes_left_in_page(uint64_t address)
{
	return PAGE - (address & (PAGE - 1));
}

/* Page by page.  One of to and from is NULL: the guest's memory. */
static bool copy(const struct guest *g, uint64_t linear, uint8_t *to, const uint8_t *from,
		 size_t size)
{
	for (size_t done = 0, part; done < size; done += part) {
		struct memory_access access;
		void *memory;

		part = bytes_left_in_page(linear + done);
		if (part > size - done)
			part = size - done;
		if (!guest_locate(g, linear + done, &access))
			return false;
		memory = physical_pointer(access.physical);
		memcpy(to ? to + done : memory, from ? from + done : memory, part);
	}
	return true;
}

bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size)
{
	return copy(g, linear, to, NULL, size);
}

bool guest_write(const struct guest *g, uint64_t linear, const void *from, size_t size)
{
	return copy(g, linear, NULL, from, size);
}

/* ---- what the VMM shares with the guest ---- */

/* The VMM's own top table.  Its first entry maps physical memory one to one; in the others it has
 * what the guest has, so that the kernel of an operating system is where it is for itself. */
static uint64_t *top;

void guest_share(uint64_t *pml4)
{
	top = pml4;
}

static bool share(const struct guest *g, uint64_t linear)
{
	const struct vmcb *v = g->vmcb;
	struct tables t = long_tables(v);
	uint64_t index = linear >> TOP_SHIFT & (TOP_ENTRIES - 1), entry;

	if (!top || !index || !(v->efer & EFER_LMA) || t.shift != TOP_SHIFT)
		return false;
	entry = entry_of(&t, linear);
	if (top[index] != entry) {
		top[index] = entry;
		vmm_flush_translations();
	}
	return true;
}

/* ---- translations kept ---- */

/* A TLB: it too may be stale until CR3 is loaded or a serializing instruction has run.  What was
 * kept in another era is forgotten. */
static struct page pages[KEPT_PAGES];
static uint64_t era = 1;
static uint64_t code_rights, code_caching; /* of the last code found */

AT_EXIT void guest_forget_pages(void)
{
	era++;
}

/* walk() leaves era 0, in which nothing is kept. */
AT_EXIT APART static bool keep_page(const struct guest *g, struct page *page, uint64_t linear)
{
	if (!walk(g, linear, page))
		return false;
	page->same = page->physical == page->linear || share(g, linear);
	page->era = era;
	return true;
}

/* NULL: not mapped. */
HOT static const struct page *find_page(const struct guest *g, uint64_t linear)
{
	struct page *page = &pages[linear / PAGE % KEPT_PAGES];
	bool kept =
		page->era == era && page->linear == page_of(linear) && page->cr3 == g->vmcb->cr3;

	return kept || keep_page(g, page, linear) ? page : NULL;
}

/* Supervisor mode access prevention. */
HOT static bool is_prevented(const struct guest *g, const struct page *page)
{
	const struct vmcb *v = g->vmcb;

	return v->cr4 & CR4_SMAP && v->cpl < 3 && page->rights & PTE_USER &&
	       !(v->rflags & RFLAGS_AC);
}

/* The page of the operand at linear, a word at most; NULL: the VMM has it elsewhere, or the guest
 * may not access it. */
HOT static const struct page *find_same(const struct guest *g, uint64_t linear, bool write)
{
	const struct page *page;

	if (bytes_left_in_page(linear) < guest_word(g))
		return NULL;
	page = find_page(g, linear);
	if (!page || !page->same || (write && !(page->rights & PTE_WRITABLE)) ||
	    is_prevented(g, page) || (g->vmcb->cpl == 3 && !(page->rights & PTE_USER)))
		return NULL;
	return page;
}

HOT bool guest_same_address(const struct guest *g, uint64_t linear, bool write)
{
	const struct page *page = find_same(g, linear, write);

	return page && page->physical < LOW_RAM_END;
}

bool guest_same_device(const struct guest *g, uint64_t linear, uint64_t device, bool write)
{
	const struct page *page = find_same(g, linear, write);

	return page && page->physical == device;
}

HOT bool guest_code_allowed(const struct guest *g)
{
	bool user = code_rights & PTE_USER;

	return !(code_rights & PTE_NO_EXECUTE) &&
	       (g->vmcb->cpl < 3 ? !user || !(g->vmcb->cr4 & CR4_SMEP) : user);
}

bool guest_code_uncacheable(void)
{
	return code_caching & PTE_PCD;
}

/* So near to the end of its page that what follows may be in another one. */
COLD static const uint8_t *straddling_code(const struct guest *g, uint64_t linear,
					   const uint8_t *code, unsigned *available)
{
	static uint8_t straddling[CODE_ROOM];
	size_t part = bytes_left_in_page(linear);

	memcpy(straddling, code, part);
	if (!guest_read(g, linear + part, straddling + part, CODE_ROOM - part))
		*available = (unsigned)part;
	return straddling;
}

HOT const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available)
{
	static const uint8_t nothing[CODE_ROOM];
	const struct page *page = find_page(g, linear);
	const uint8_t *code;

	*available = 0;
	if (!page)
		return nothing;
	code_rights = page->rights;
	code_caching = page->caching;
	code = physical_pointer(page->physical + (linear - page->linear));
	*available = CODE_BYTES;
	return bytes_left_in_page(linear) >= CODE_ROOM
		       ? code
		       : straddling_code(g, linear, code, available);
}
