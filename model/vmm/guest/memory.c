/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's memory; physical memory is mapped one to one. */
#include "kernel/lib/string.h"
#include "walk.h"

#define CR4_SMEP  BIT(20)
#define CR4_SMAP  BIT(21)
#define RFLAGS_AC BIT(18)

enum { CODE_BYTES = 15, CODE_ROOM = 16, KEPT_PAGES = 32 };

/* RAM of all machines of QEMU ends here or lower, until it goes on above 4 GiB. */
#define LOW_RAM_END UINT64_C(0x80000000)

/* No check of access rights: what is read here was just executed or is to be pushed by the
 * processor itself, with its own rights. */
bool guest_locate(const struct guest *g, uint64_t linear, struct memory_access *access)
{
	struct page page;

	if (!walk(g, linear, &page))
		return false;
	access->physical = page.physical + (linear - page.linear);
	access->type = walk_type(&page);
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
	uint64_t index = linear >> TOP_SHIFT & (TOP_ENTRIES - 1), entry;

	if (!top || !index || !walk_top(g->vmcb, linear, &entry))
		return false;
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
