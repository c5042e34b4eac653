/* SPDX-License-Identifier: BSD-2-Clause */
/* A memory hierarchy that is just real enough to meet each of its events. */
#include "hierarchy.h"

#include "kernel/lib/string.h"

/* Instructions from one read of a device to the next. */
enum { OTHER_EVERY = 32 };
enum { PAGE = 4096, LINE = 64, WIDEST_OPERAND = 16, ALIASES = 65536 };

/* Uncacheable whatever the page tables say. */
#define APIC_PAGE    (UINT64_C(0xfee00000) / PAGE)
#define IO_APIC_PAGE (UINT64_C(0xfec00000) / PAGE)

static void meet(struct hierarchy *h, enum met what)
{
	h->any = true;
	h->met[what]++;
}

/* Lines take turns: of both controllers, and of what their pages are. */
static void reach_memory(struct hierarchy *h, uint64_t line)
{
	unsigned controller = (unsigned)(line % MEMORY_CONTROLLERS);
	unsigned page = (unsigned)(line / MEMORY_CONTROLLERS % MEMORY_PAGES);

	if (h->tells_memory)
		meet(h, MET_MEMORY + controller * MEMORY_PAGES + page);
}

/* True: it was not there, and is from now on. */
static bool enters(uint64_t *entries, unsigned count, uint64_t number)
{
	uint64_t *entry = &entries[number % count];
	bool present = *entry == number + 1;

	*entry = number + 1;
	return !present;
}

static uint64_t *set_of(uint64_t pages[TLB_PAGES], uint64_t page)
{
	return &pages[page % (TLB_PAGES / TLB_WAYS) * TLB_WAYS];
}

static bool is_walked_for(uint64_t pages[TLB_PAGES], uint64_t page)
{
	uint64_t *set = set_of(pages, page);
	unsigned way = 0;
	bool present;

	while (way < TLB_WAYS - 1 && set[way] != page + 1)
		way++;
	present = set[way] == page + 1;
	memmove(set + 1, set, way * sizeof(*set));
	set[0] = page + 1;
	return !present;
}

static void forget_page(uint64_t pages[TLB_PAGES], uint64_t page)
{
	uint64_t *set = set_of(pages, page);

	for (unsigned way = 0; way < TLB_WAYS; way++)
		if (set[way] == page + 1)
			set[way] = 0;
}

static void write_back(struct hierarchy *h, uint64_t line)
{
	bool *dirty = &h->dirty[line % CACHE_LINES];

	if (!*dirty)
		return;
	meet(h, MET_WRITE_BACK);
	reach_memory(h, line);
	*dirty = false;
}

static void leave_line(struct hierarchy *h, uint64_t line)
{
	unsigned entry = (unsigned)(line % CACHE_LINES);

	if (h->line[entry] != line + 1)
		return;
	write_back(h, line);
	h->line[entry] = 0;
}

/* True: the line was not there.  It is from now on, and another one has left. */
static bool misses_line(struct hierarchy *h, uint64_t line)
{
	uint64_t victim = h->line[line % CACHE_LINES] - 1;
	bool missed = enters(h->line, CACHE_LINES, line);

	if (missed)
		write_back(h, victim);
	return missed;
}

/* An access to memory that is not write-back: a store neither makes the line dirty nor fetches it.
 * If the memory is write-protected, the store takes the line out. */
static void cache_line_through(struct hierarchy *h, uint64_t line, bool store, bool protected)
{
	if (store && protected)
		leave_line(h, line);
	if (store) {
		meet(h, protected ? MET_PROTECTED_WRITE : MET_THROUGH_WRITE);
	} else if (misses_line(h, line)) {
		meet(h, protected ? MET_PROTECTED_READ : MET_THROUGH_READ);
		h->late = true;
	} else {
		return;
	}
	reach_memory(h, line);
}

static void prefetch_line(struct hierarchy *h, uint64_t line)
{
	if (!misses_line(h, line))
		return;
	meet(h, MET_PREFETCH);
	reach_memory(h, line);
}

static void cache_line(struct hierarchy *h, uint64_t line, bool store)
{
	if (misses_line(h, line)) {
		meet(h, MET_LINE_MISS);
		if (!store)
			meet(h, MET_LINE_READ);
		h->late |= !store;
		reach_memory(h, line);
	}
	h->dirty[line % CACHE_LINES] |= store;
}

/* ---- write-combining buffers ---- */

static void evict_oldest(struct hierarchy *h)
{
	h->wc_filled--;
	reach_memory(h, h->wc_line[0]);
	memmove(h->wc_line, h->wc_line + 1, h->wc_filled * sizeof(h->wc_line[0]));
	meet(h, MET_WC_EVICT);
}

static void stream(struct hierarchy *h, uint64_t line)
{
	leave_line(h, line);
	for (unsigned i = 0; i < h->wc_filled; i++)
		if (h->wc_line[i] == line)
			return;
	if (h->wc_filled == WC_BUFFERS) {
		evict_oldest(h);
		meet(h, MET_WC_FULL);
	}
	h->wc_line[h->wc_filled++] = line;
}

/* ---- loads and stores ---- */

static void compare_with_store(struct hierarchy *h, uint64_t from, uint64_t size)
{
	uint64_t end = h->stored + h->stored_size;

	if (from != h->stored && from % ALIASES == h->stored % ALIASES)
		meet(h, MET_64K_CONFLICT);
	if (h->stored_late)
		meet(h, from == h->stored ? MET_NO_STORE_DATA : MET_NO_STORE_ADDRESS);
	h->stored_late = false;
	if (from >= end || from + size <= h->stored)
		return;
	if (from < h->stored || from + size > end)
		meet(h, MET_PARTIAL_DATA);
	else if (from != h->stored)
		meet(h, MET_UNALIGNED_DATA);
}

/* When a line that has a trace changes or leaves, all traces go, as on NetBurst.  Traces go by
 * linear addresses: a program throws code out by the one that it executes it at. */
static void leave_trace(struct hierarchy *h, uint64_t line)
{
	if (h->trace[line % TRACE_LINES] != line + 1)
		return;
	memset(h->trace, 0, sizeof(h->trace));
	meet(h, MET_TRACE_FLUSH);
	meet(h, MET_TRACE_FLUSH);
}

static void touch_line(struct hierarchy *h, const struct memory_access *access, uint64_t line)
{
	enum memory_kind kind = access->kind;
	bool protected = access->type == MEMORY_WRITE_PROTECTED;

	if (kind != MEMORY_LOAD && kind != MEMORY_PREFETCH)
		leave_trace(h, (line * LINE - access->moved) / LINE);
	if (kind == MEMORY_FLUSH)
		leave_line(h, line);
	else if (kind == MEMORY_STREAM)
		stream(h, line);
	else if (kind == MEMORY_PREFETCH)
		prefetch_line(h, line);
	else if (protected || access->type == MEMORY_WRITE_THROUGH)
		cache_line_through(h, line, kind == MEMORY_STORE, protected);
	else
		cache_line(h, line, kind == MEMORY_STORE);
}

static void touch_operand(struct hierarchy *h, const struct memory_access *access)
{
	bool store = access->kind == MEMORY_STORE;

	if (access->size > WIDEST_OPERAND)
		return;
	if (access->physical % LINE + access->size > LINE)
		meet(h, store ? MET_SPLIT_STORE : MET_SPLIT_LOAD);
	if (!store) {
		compare_with_store(h, access->physical, access->size);
		return;
	}
	if (h->stores == STORE_BUFFERS)
		meet(h, MET_STORES_FULL);
	else
		h->stores++;
	h->stored = access->physical;
	h->stored_size = access->size;
	h->stored_late = h->late;
	h->late = false;
}

static bool is_uncacheable(const struct memory_access *access)
{
	uint64_t page = access->physical / PAGE;

	return page == APIC_PAGE || page == IO_APIC_PAGE || access->type == MEMORY_UNCACHEABLE;
}

static void access_uncacheable(struct hierarchy *h, const struct memory_access *access)
{
	bool load = access->kind == MEMORY_LOAD, store = access->kind == MEMORY_STORE;
	bool splits = access->physical % LINE + access->size > LINE;

	if (load)
		meet(h, access->physical / PAGE == APIC_PAGE ? MET_UC_READ : MET_UC_BUS_READ);
	if (splits && load)
		meet(h, MET_SPLIT_UC_LOAD);
	if (splits && store)
		meet(h, MET_SPLIT_UC_STORE);
}

void hierarchy_access(struct hierarchy *h, const struct memory_access *access)
{
	uint64_t line = access->physical / LINE;
	uint64_t end = (access->physical + access->size + LINE - 1) / LINE;

	if (access->kind == MEMORY_FENCE) {
		h->stores = 0;
		while (h->wc_filled)
			evict_oldest(h);
		return;
	}
	if (access->kind == MEMORY_FORGET) {
		forget_page(h->data_page, access->physical / PAGE);
		forget_page(h->code_page, (access->physical - access->moved) / PAGE);
		return;
	}
	if (is_walked_for(h->data_page, access->physical / PAGE))
		meet(h, MET_DATA_WALK);
	if (is_uncacheable(access)) {
		access_uncacheable(h, access);
		return;
	}
	for (; line < end; line++)
		touch_line(h, access, line);
	if (access->kind == MEMORY_LOAD || access->kind == MEMORY_STORE)
		touch_operand(h, access);
}

/* ---- code ---- */

static void forget_lines(struct hierarchy *h)
{
	memset(h->line, 0, sizeof(h->line));
	memset(h->dirty, 0, sizeof(h->dirty));
}

static void forget(struct hierarchy *h, enum forgets what)
{
	if (what == FORGETS_PAGES) {
		memset(h->data_page, 0, sizeof(h->data_page));
		memset(h->code_page, 0, sizeof(h->code_page));
	} else if (what == FORGETS_LINES) {
		memset(h->trace, 0, sizeof(h->trace));
		/* WBINVD writes all of them back; how many is left open. */
		forget_lines(h);
	}
}

void hierarchy_fetch(struct hierarchy *h, const struct insn *insn)
{
	if (h->uncacheable_code) {
		meet(h, MET_CODE_UNCACHEABLE);
	} else if (enters(h->trace, TRACE_LINES, insn->address / LINE)) {
		meet(h, MET_TRACE_MISS);
		meet(h, is_walked_for(h->code_page, insn->address / PAGE) ? MET_CODE_WALK
									  : MET_CODE_HIT);
	}
	if (insn->memory != MEMORY_STORE && h->stores)
		h->stores--;
	if (++h->since_other == OTHER_EVERY) {
		h->since_other = 0;
		meet(h, MET_OTHER_READ);
	}
	forget(h, insn->forgets);
}

void hierarchy_tell_memory(struct hierarchy *h, bool tells)
{
	if (tells && !h->tells_memory)
		forget_lines(h);
	h->tells_memory = tells;
}

void hierarchy_take(struct hierarchy *h, uint8_t *n)
{
	for (unsigned i = 0; i < METS; i++)
		n[i] = (uint8_t)(n[i] + h->met[i]);
	memset(h->met, 0, sizeof(h->met));
	h->any = false;
}
