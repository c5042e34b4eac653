/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's memory; physical memory is mapped one to one. */
#include "kernel/lib/string.h"
#include "walk.h"

#define CR4_SMEP  BIT(20)
#define CR4_SMAP  BIT(21)
#define CR4_KEYS  (BIT(22) | BIT(24)) /* PKE and PKS */
#define RFLAGS_AC BIT(18)

/* Error code of a page fault. */
#define FAULT_PRESENT (uint32_t) BIT(0)
#define FAULT_WRITE   (uint32_t) BIT(1)

enum { CODE_BYTES = 15, CODE_ROOM = 16, KEPT_PAGES = 1024 };

/* RAM of all machines of QEMU ends here or lower, until it goes on above 4 GiB. */
#define LOW_RAM_END UINT64_C(0x80000000)

static size_t bytes_left_in_page(uint64_t address)
{
	return PAGE - (address & (PAGE - 1));
}

struct page_fault guest_fault;

static void *refuse(uint64_t linear, uint32_t error)
{
	guest_fault = (struct page_fault){.linear = linear, .error = error, .found = true};
	return NULL;
}

/* NULL: not mapped. */
static void *to_read(const struct guest *g, uint64_t linear)
{
	struct page page;

	return walk(g, linear, &page) ? physical_pointer(page.physical + (linear - page.linear))
				      : refuse(linear, 0);
}

/* NULL: not mapped, or not to be written to. */
static void *to_write(const struct guest *g, uint64_t linear)
{
	struct page page;

	if (!walk(g, linear, &page))
		return refuse(linear, FAULT_WRITE);
	if ((!(page.rights & PTE_WRITABLE) && g->vmcb->cr0 & CR0_WP) ||
	    !walk_to_write(g, linear, &page))
		return refuse(linear, FAULT_WRITE | FAULT_PRESENT);
	return physical_pointer(page.physical + (linear - page.linear));
}

/* Bytes of size, from done on, that lie in one page. */
static size_t next_part(uint64_t linear, size_t done, size_t size)
{
	size_t part = bytes_left_in_page(linear + done);

	return part > size - done ? size - done : part;
}

bool guest_read(const struct guest *g, uint64_t linear, void *to, size_t size)
{
	for (size_t done = 0, part; done < size; done += part) {
		const void *memory = to_read(g, linear + done);

		part = next_part(linear, done, size);
		if (!memory)
			return false;
		memcpy((uint8_t *)to + done, memory, part);
	}
	return true;
}

bool guest_write(const struct guest *g, uint64_t linear, const void *from, size_t size)
{
	for (size_t done = 0, part; done < size; done += part) {
		void *memory = to_write(g, linear + done);

		part = next_part(linear, done, size);
		if (!memory)
			return false;
		memcpy(memory, (const uint8_t *)from + done, part);
	}
	return true;
}

void guest_write_physical(uint64_t physical, const void *from, size_t size)
{
	if (physical < LOW_RAM_END && size <= LOW_RAM_END - physical)
		memcpy(physical_pointer(physical), from, size);
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

/* A TLB: it too may be stale until CR3 is loaded or a serializing instruction has run, and has no
 * page that was not accessed.  Pages that were kept in another era are forgotten. */
static struct page pages[KEPT_PAGES];
static uint64_t era = 1;
static uint64_t code_rights, code_caching; /* of the last code found */

AT_EXIT void guest_forget_pages(void)
{
	era++;
}

/* walk() leaves era 0, in which nothing is kept, and nothing granted. */
AT_EXIT APART static bool keep_page(const struct guest *g, struct page *page, uint64_t linear)
{
	if (!walk_is_same(g, linear, page) && !walk(g, linear, page))
		return false;
	page->same = page->physical == page->linear || share(g, linear);
	if (!page->same)
		page->granted = 0;
	page->era = era;
	return true;
}

HOT static struct page *slot_of(uint64_t linear)
{
	return &pages[linear / PAGE % KEPT_PAGES];
}

/* NULL: not mapped. */
HOT static const struct page *find_page(const struct guest *g, uint64_t linear)
{
	struct page *page = slot_of(linear);
	bool kept = page->era == era && page->linear == page_of(linear) &&
		    page->cr3 == g->vmcb->cr3 && page->rights & PTE_ACCESSED;

	return kept || keep_page(g, page, linear) ? page : NULL;
}

/* No check of access rights: what is read here was just executed, or the processor itself reads it,
 * with its own rights. */
HOT bool guest_locate(const struct guest *g, uint64_t linear, struct memory_access *access)
{
	const struct page *page = find_page(g, linear);

	if (!page)
		return false;
	access->physical = page->physical + (linear - page->linear);
	access->moved = page->physical - page->linear;
	access->type = walk_type(page);
	return true;
}

/* Supervisor mode access prevention. */
HOT static bool is_prevented(const struct guest *g, const struct page *page)
{
	const struct vmcb *v = g->vmcb;

	return v->cr4 & CR4_SMAP && v->cpl < 3 && page->rights & PTE_USER &&
	       !(v->rflags & RFLAGS_AC);
}

/* May the VMM itself access the page?  An access that must still be noted in the tables is left to
 * guest mode.  So are the rights of a protection key; key 0, which stacks have, is taken for open.
 */
HOT static bool may_access(const struct guest *g, const struct page *page, bool write)
{
	uint64_t needed = PTE_ACCESSED | (write ? PTE_WRITABLE | PTE_DIRTY : 0) |
			  (g->vmcb->cpl == 3 ? PTE_USER : 0);

	return page->same && (page->rights & needed) == needed && !is_prevented(g, page) &&
	       !(page->rights & PTE_KEY && g->vmcb->cr4 & CR4_KEYS);
}

/* As a TLB does, it looks at the tables again before it refuses. */
APART static bool may_access_now(const struct guest *g, uint64_t linear, bool write)
{
	struct page *page = slot_of(linear);

	return keep_page(g, page, linear) && may_access(g, page, write);
}

/* The page of the operand at linear, a word at most; NULL: the VMM has it elsewhere, or the guest
 * may not access it. */
HOT static const struct page *find_same(const struct guest *g, uint64_t linear, bool write)
{
	const struct page *page;

	if (bytes_left_in_page(linear) < guest_word(g))
		return NULL;
	page = find_page(g, linear);
	return page && (may_access(g, page, write) || may_access_now(g, linear, write)) ? page
											: NULL;
}

HOT static unsigned grant_of(const struct guest *g, bool write)
{
	return 1u << (2 * (g->vmcb->cpl == 3) + write);
}

APART static bool find_grant(const struct guest *g, uint64_t linear, bool write)
{
	const struct page *page = find_same(g, linear, write);

	if (!page || page->physical >= LOW_RAM_END)
		return false;
	/* Else it depends on more. */
	if (!(g->vmcb->cr4 & (CR4_SMAP | CR4_KEYS)))
		slot_of(linear)->granted |= (uint8_t)grant_of(g, write);
	return true;
}

/* What was granted is, until the page is kept anew; a load of CR4 forgets all. */
HOT bool guest_same_address(const struct guest *g, uint64_t linear, bool write)
{
	enum { WORD = 8 };
	const struct page *page = slot_of(linear);
	bool granted = page->granted & grant_of(g, write) && page->era == era &&
		       page->linear == page_of(linear) && page->cr3 == g->vmcb->cr3 &&
		       linear % PAGE <= PAGE - WORD;

	return granted || find_grant(g, linear, write);
}

bool guest_same_device(const struct guest *g, uint64_t linear, uint64_t device, bool write)
{
	const struct page *page = find_same(g, linear, write);

	return page && page->physical == device;
}

HOT static bool may_execute(const struct guest *g, uint64_t rights)
{
	bool user = rights & PTE_USER;

	return rights & PTE_ACCESSED && !(rights & PTE_NO_EXECUTE) &&
	       (g->vmcb->cpl < 3 ? !user || !(g->vmcb->cr4 & CR4_SMEP) : user);
}

HOT bool guest_code_allowed(const struct guest *g)
{
	return may_execute(g, code_rights);
}

bool guest_code_fetched(const struct guest *g)
{
	struct page page;

	if (!guest_code_allowed(g) && may_execute(g, code_rights | PTE_ACCESSED) &&
	    walk_to_fetch(g, g->vmcb->cs.base + g->vmcb->rip, &page))
		code_rights |= PTE_ACCESSED;
	return guest_code_allowed(g);
}

bool guest_code_uncacheable(void)
{
	return code_caching & PTE_PCD;
}

/* The page of the code that was found last. */
static struct {
	uint64_t linear, cr3, era;
	const uint8_t *code;
} here;

/* Bytes that stand for a place without code, which nobody may execute. */
COLD static const uint8_t *no_code(void)
{
	static const uint8_t nothing[CODE_ROOM];

	code_rights = PTE_NO_EXECUTE;
	code_caching = 0;
	here.era = 0;
	return nothing;
}

/* Code so near to the end of its page that its rest may be in another one; a rest that may not be
 * executed is not available. */
COLD static const uint8_t *straddling_code(const struct guest *g, uint64_t linear,
					   const uint8_t *code, unsigned *available)
{
	static uint8_t straddling[CODE_ROOM];
	size_t part = bytes_left_in_page(linear);
	const struct page *next;

	memcpy(straddling, code, part);
	next = find_page(g, linear + part);
	if (next && may_execute(g, next->rights))
		memcpy(straddling + part, physical_pointer(next->physical), CODE_ROOM - part);
	else
		*available = (unsigned)part;
	return straddling;
}

HOT const uint8_t *guest_code_here(const struct guest *g, uint64_t linear)
{
	bool is_here =
		here.era == era && here.linear == page_of(linear) && here.cr3 == g->vmcb->cr3;

	return is_here ? here.code + linear % PAGE : NULL;
}

HOT const uint8_t *guest_code(const struct guest *g, uint64_t linear, unsigned *available)
{
	const struct page *page = find_page(g, linear);
	const uint8_t *code;

	*available = 0;
	if (!page)
		return no_code();
	code_rights = page->rights;
	code_caching = page->caching;
	here.linear = page->linear;
	here.cr3 = page->cr3;
	here.era = era;
	here.code = physical_pointer(page->physical);
	code = physical_pointer(page->physical + (linear - page->linear));
	*available = CODE_BYTES;
	return bytes_left_in_page(linear) >= CODE_ROOM
		       ? code
		       : straddling_code(g, linear, code, available);
}
