/* SPDX-License-Identifier: BSD-2-Clause */
/* The hierarchy, as loads, stores and fetches meet it: splits, walks, misses, full buffers. */
#include "model/cpu/hierarchy.h"
#include "model/cpu/cpu.h"

#include "check/unit/tap.h"

static struct hierarchy h;
static uint8_t met[METS];

static void begin(void)
{
	memset(&h, 0, sizeof(h));
}

/* How often an access has met this since the last call. */
static unsigned take(enum met what)
{
	memset(met, 0, sizeof(met));
	hierarchy_take(&h, met);
	return met[what];
}

static void access_memory(enum memory_kind kind, uint64_t physical, uint64_t size)
{
	hierarchy_access(&h, &(const struct memory_access){
				     .kind = kind, .physical = physical, .size = size});
}

/* Memory that the program has at another linear address. */
static void access_moved(enum memory_kind kind, uint64_t linear, uint64_t moved)
{
	hierarchy_access(
		&h, &(const struct memory_access){
			    .kind = kind, .physical = linear + moved, .moved = moved, .size = 1});
}

static void access_type(enum memory_type type, enum memory_kind kind, uint64_t physical)
{
	hierarchy_access(&h, &(const struct memory_access){
				     .kind = kind, .physical = physical, .size = 8, .type = type});
}

static void access_through(enum memory_kind kind, uint64_t physical)
{
	access_type(MEMORY_WRITE_THROUGH, kind, physical);
}

static void fetch(uint64_t address, enum forgets forgets)
{
	hierarchy_fetch(&h, &(const struct insn){.address = address, .forgets = forgets});
}

static void test_write_through(void)
{
	begin();
	access_through(MEMORY_STORE, 0x1000);
	access_through(MEMORY_STORE, 0x1000);
	OK(take(MET_THROUGH_WRITE) == 2 && met[MET_LINE_MISS] == 0);
	access_through(MEMORY_LOAD, 0x1000);
	access_through(MEMORY_LOAD, 0x1000);
	OK(take(MET_THROUGH_READ) == 1 && met[MET_LINE_MISS] == 0 && met[MET_LINE_READ] == 0);
	access_through(MEMORY_STORE, 0x1000);
	access_memory(MEMORY_FLUSH, 0x1000, 1);
	OK(take(MET_THROUGH_WRITE) == 1 && met[MET_WRITE_BACK] == 0);
}

static void test_write_protected(void)
{
	const enum memory_type type = MEMORY_WRITE_PROTECTED;

	begin();
	access_type(type, MEMORY_LOAD, 0x1000);
	access_type(type, MEMORY_LOAD, 0x1000);
	OK(take(MET_PROTECTED_READ) == 1 && met[MET_LINE_MISS] == 0 && met[MET_THROUGH_READ] == 0);
	access_type(type, MEMORY_STORE, 0x1000); /* takes the line out */
	access_type(type, MEMORY_LOAD, 0x1000);
	OK(take(MET_PROTECTED_WRITE) == 1 && met[MET_PROTECTED_READ] == 1);
}

static void test_uncacheable(void)
{
	begin();
	access_type(MEMORY_UNCACHEABLE, MEMORY_LOAD, 0x1000);
	access_type(MEMORY_UNCACHEABLE, MEMORY_LOAD, 0x103c); /* two lines */
	access_type(MEMORY_UNCACHEABLE, MEMORY_STORE, 0x103c);
	OK(take(MET_UC_BUS_READ) == 2 && met[MET_UC_READ] == 0 && met[MET_LINE_MISS] == 0);
	OK(met[MET_SPLIT_UC_LOAD] == 1 && met[MET_SPLIT_UC_STORE] == 1);
	OK(met[MET_SPLIT_LOAD] == 0 && met[MET_SPLIT_STORE] == 0);
}

static void test_64k_conflict(void)
{
	begin();
	access_memory(MEMORY_STORE, 0x21000, 8);
	access_memory(MEMORY_LOAD, 0x21000, 8);
	access_memory(MEMORY_LOAD, 0x21008, 8);
	OK(take(MET_64K_CONFLICT) == 0);
	access_memory(MEMORY_LOAD, 0x31000, 8);
	access_memory(MEMORY_LOAD, 0x11000, 8);
	OK(take(MET_64K_CONFLICT) == 2);
}

static void test_others(void)
{
	begin();
	for (unsigned i = 0; i < 64; i++)
		fetch(0x1000, FORGETS_NOTHING);
	OK(take(MET_OTHER_READ) == 2);
}

static void test_prefetch(void)
{
	begin();
	access_memory(MEMORY_PREFETCH, 0x1000, 1);
	access_memory(MEMORY_PREFETCH, 0x1000, 1);
	access_memory(MEMORY_LOAD, 0x1000, 8);
	OK(take(MET_PREFETCH) == 1 && met[MET_LINE_MISS] == 0);
	access_memory(MEMORY_STORE, 0x1000, 8);
	access_memory(MEMORY_PREFETCH, 0x1000 + 64 * CACHE_LINES, 1);
	OK(take(MET_PREFETCH) == 1 && met[MET_WRITE_BACK] == 1);
}

static void test_splits(void)
{
	begin();
	access_memory(MEMORY_LOAD, 0x1038, 8);
	access_memory(MEMORY_STORE, 0x1038, 8);
	OK(take(MET_SPLIT_LOAD) == 0 && met[MET_SPLIT_STORE] == 0);
	access_memory(MEMORY_LOAD, 0x1039, 8);
	OK(take(MET_SPLIT_LOAD) == 1 && met[MET_SPLIT_STORE] == 0);
	access_memory(MEMORY_STORE, 0x103f, 2);
	OK(take(MET_SPLIT_LOAD) == 0 && met[MET_SPLIT_STORE] == 1);
	access_memory(MEMORY_STORE, 0x2000, 256); /* a string */
	OK(take(MET_SPLIT_STORE) == 0);
}

static unsigned partial(uint64_t from, uint64_t size)
{
	begin();
	access_memory(MEMORY_STORE, 0x1004, 4);
	access_memory(MEMORY_LOAD, from, size);
	return take(MET_PARTIAL_DATA);
}

/* A load that misses, a store, and a load from there. */
static void late_store(uint64_t from)
{
	begin();
	access_memory(MEMORY_LOAD, 0x3000, 8);
	access_memory(MEMORY_STORE, 0x1000, 8);
	access_memory(MEMORY_LOAD, from, 4);
}

static void test_late_stores(void)
{
	late_store(0x1000);
	OK(take(MET_NO_STORE_DATA) == 1 && met[MET_NO_STORE_ADDRESS] == 0);
	OK(met[MET_UNALIGNED_DATA] == 0);
	late_store(0x1002);
	OK(take(MET_NO_STORE_DATA) == 0 && met[MET_NO_STORE_ADDRESS] == 1);
	OK(met[MET_UNALIGNED_DATA] == 1 && met[MET_PARTIAL_DATA] == 0);
	access_memory(MEMORY_LOAD, 0x1000, 8); /* no longer late */
	OK(take(MET_NO_STORE_DATA) == 0);
	access_memory(MEMORY_LOAD, 0x3000, 8); /* no miss */
	access_memory(MEMORY_STORE, 0x1000, 8);
	access_memory(MEMORY_LOAD, 0x1000, 8);
	OK(take(MET_NO_STORE_DATA) == 0);
}

static void test_partial_data(void)
{
	OK(partial(0x1004, 8) == 1 && partial(0x1000, 8) == 1 && partial(0x1007, 2) == 1);
	OK(partial(0x1004, 4) == 0 && partial(0x1005, 2) == 0);
	OK(partial(0x1008, 4) == 0 && partial(0x1000, 4) == 0);
}

static void test_buffers(void)
{
	begin();
	for (unsigned i = 0; i < WC_BUFFERS; i++) {
		access_memory(MEMORY_STREAM, 0x1000 + 64 * i, 8);
		access_memory(MEMORY_STREAM, 0x1008 + 64 * i, 8);
	}
	OK(take(MET_WC_EVICT) == 0);
	access_memory(MEMORY_STREAM, 0x2000, 8);
	OK(take(MET_WC_EVICT) == 1 && met[MET_WC_FULL] == 1);
	access_memory(MEMORY_STREAM, 0x1040, 8); /* the oldest now */
	OK(take(MET_WC_EVICT) == 0);
	access_memory(MEMORY_FENCE, 0, 0);
	OK(take(MET_WC_EVICT) == WC_BUFFERS && met[MET_WC_FULL] == 0);
}

/* Pages that share a set, as those of a program by chance do: as many as it has ways stay, and the
 * one that was not used for longest leaves first. */
static void test_ways(void)
{
	const uint64_t apart = UINT64_C(4096) * TLB_PAGES;

	begin();
	for (unsigned round = 0; round < 3; round++)
		for (unsigned i = 0; i < TLB_WAYS; i++)
			access_memory(MEMORY_LOAD, i * apart, 1);
	OK(take(MET_DATA_WALK) == TLB_WAYS);
	access_memory(MEMORY_LOAD, 0, 1);
	access_memory(MEMORY_LOAD, TLB_WAYS * apart, 1);
	OK(take(MET_DATA_WALK) == 1);
	access_memory(MEMORY_LOAD, 0, 1);
	OK(take(MET_DATA_WALK) == 0);
	access_memory(MEMORY_LOAD, apart, 1);
	OK(take(MET_DATA_WALK) == 1);
	access_memory(MEMORY_FORGET, 0, 1);
	access_memory(MEMORY_LOAD, apart, 1);
	OK(take(MET_DATA_WALK) == 0);
	access_memory(MEMORY_LOAD, 0, 1);
	OK(take(MET_DATA_WALK) == 1);
}

static void test_data(void)
{
	begin();
	access_memory(MEMORY_LOAD, 0x5000, 8);
	OK(take(MET_DATA_WALK) == 1 && met[MET_LINE_MISS] == 1);
	access_memory(MEMORY_LOAD, 0x5040, 8);
	OK(take(MET_DATA_WALK) == 0 && met[MET_LINE_MISS] == 1);
	access_memory(MEMORY_LOAD, 0x5000, 8);
	OK(take(MET_DATA_WALK) == 0 && met[MET_LINE_MISS] == 0);
	access_memory(MEMORY_FLUSH, 0x5000, 1);
	access_memory(MEMORY_STORE, 0x5000, 8);
	OK(take(MET_DATA_WALK) == 0 && met[MET_LINE_MISS] == 1);
	access_memory(MEMORY_LOAD, 0x6000, 8);
	access_memory(MEMORY_FORGET, 0x5040, 1);
	OK(take(MET_LINE_MISS) == 1);
	access_memory(MEMORY_LOAD, 0x6000, 8);
	OK(take(MET_DATA_WALK) == 0);
	access_memory(MEMORY_LOAD, 0x5000, 8);
	OK(take(MET_DATA_WALK) == 1 && met[MET_LINE_MISS] == 0);
}

static void test_code(void)
{
	begin();
	fetch(0x5000, FORGETS_NOTHING);
	OK(take(MET_TRACE_MISS) == 1 && met[MET_CODE_WALK] == 1 && met[MET_CODE_HIT] == 0);
	fetch(0x503f, FORGETS_NOTHING);
	OK(take(MET_TRACE_MISS) == 0 && met[MET_CODE_WALK] == 0 && met[MET_CODE_HIT] == 0);
	fetch(0x5040, FORGETS_NOTHING);
	OK(take(MET_TRACE_MISS) == 1 && met[MET_CODE_WALK] == 0 && met[MET_CODE_HIT] == 1);
}

/* Traces and pages of code are where the program has them, below and above their memory. */
static void test_moved(void)
{
	static const uint64_t moves[] = {0x100000, -UINT64_C(0x5000)};

	for (unsigned i = 0; i < 2; i++) {
		begin();
		fetch(0x7000, FORGETS_NOTHING);
		take(METS - 1);
		access_moved(MEMORY_FLUSH, 0x7000, moves[i]);
		OK(take(MET_TRACE_FLUSH) == 2);
		fetch(0x7000, FORGETS_NOTHING);
		OK(take(MET_TRACE_MISS) == 1 && met[MET_CODE_WALK] == 0);
		access_moved(MEMORY_FORGET, 0x7000, moves[i]);
		fetch(0x7040, FORGETS_NOTHING);
		OK(take(MET_CODE_WALK) == 1);
		access_moved(MEMORY_FLUSH, 0x7000 - moves[i], moves[i]);
		OK(take(MET_TRACE_FLUSH) == 0);
	}
}

static void test_forgetting(void)
{
	begin();
	access_memory(MEMORY_LOAD, 0x5000, 8);
	fetch(0x7000, FORGETS_PAGES);
	take(METS - 1);
	access_memory(MEMORY_LOAD, 0x5000, 8);
	OK(take(MET_DATA_WALK) == 1 && met[MET_LINE_MISS] == 0);
	fetch(0x7000, FORGETS_LINES); /* there is a trace: it needs no page */
	OK(take(MET_TRACE_MISS) == 0);
	access_memory(MEMORY_LOAD, 0x5000, 8);
	fetch(0x7000, FORGETS_NOTHING);
	OK(take(MET_DATA_WALK) == 0 && met[MET_LINE_MISS] == 1 && met[MET_TRACE_MISS] == 1);
	access_memory(MEMORY_FLUSH, 0x8000, 1);
	fetch(0x7000, FORGETS_NOTHING);
	OK(take(MET_TRACE_MISS) == 0);
	access_memory(MEMORY_FLUSH, 0x7020, 1);
	fetch(0x7000, FORGETS_NOTHING);
	OK(take(MET_TRACE_MISS) == 1);
}

static void store(void)
{
	access_memory(MEMORY_STORE, 0x1000, 8);
	hierarchy_fetch(&h, &(const struct insn){.memory = MEMORY_STORE});
}

static void test_store_buffers(void)
{
	begin();
	for (unsigned i = 0; i < STORE_BUFFERS; i++)
		store();
	OK(take(MET_STORES_FULL) == 0);
	store();
	OK(take(MET_STORES_FULL) == 1);
	fetch(0x7000, FORGETS_NOTHING);
	store();
	OK(take(MET_STORES_FULL) == 0);
	store();
	OK(take(MET_STORES_FULL) == 1);
	access_memory(MEMORY_FENCE, 0, 0);
	store();
	OK(take(MET_STORES_FULL) == 0);
}

static enum forgets forgets(const char *code)
{
	struct insn insn;

	insn_decode((const uint8_t *)code, 3, CODE_64, &insn);
	return insn.forgets;
}

static void test_who_forgets(void)
{
	OK(forgets("\x0f\x22\xd8") == FORGETS_PAGES); /* MOV CR3, RAX */
	OK(forgets("\x0f\x20\xd8") == FORGETS_NOTHING); /* MOV RAX, CR3 */
	OK(forgets("\x0f\x22\xe0") == FORGETS_NOTHING); /* MOV CR4, RAX */
	OK(forgets("\x0f\x01\x3f") ==
	   FORGETS_NOTHING); /* INVLPG [RDI]: of one page, as an access */
	OK(forgets("\x0f\x01\xf8") == FORGETS_NOTHING); /* SWAPGS */
	OK(forgets("\x0f\x09\x90") == FORGETS_LINES && forgets("\x0f\x08\x90") == FORGETS_LINES);
	OK(forgets("\x0f\xa2\x90") == FORGETS_NOTHING);
}

static void test_uncacheable_code(void)
{
	begin();
	h.uncacheable_code = true;
	fetch(0x1000, FORGETS_NOTHING);
	fetch(0x1001, FORGETS_NOTHING);
	OK(take(MET_CODE_UNCACHEABLE) == 2 && met[MET_TRACE_MISS] == 0 && met[MET_CODE_WALK] == 0);
	h.uncacheable_code = false;
	fetch(0x1000, FORGETS_NOTHING);
	OK(take(MET_CODE_UNCACHEABLE) == 0 && met[MET_TRACE_MISS] == 1);
}

/* Both controllers by turns, and of each the three kinds of pages. */
static unsigned reached(void)
{
	unsigned all = 0;

	take(MET_MEMORY);
	for (unsigned i = MET_MEMORY; i < METS; i++)
		all += met[i];
	return all;
}

static void test_memory(void)
{
	begin();
	access_memory(MEMORY_LOAD, 0x10000, 8);
	OK(reached() == 0);
	hierarchy_tell_memory(&h, true);
	for (unsigned line = 0; line < 12; line++)
		access_memory(MEMORY_LOAD, 0x10000 + 64 * line, 8);
	OK(reached() == 12 && met[MET_MEMORY] == 2 && met[METS - 1] == 2);
	for (unsigned line = 0; line < 12; line++)
		access_memory(MEMORY_STORE, 0x10000 + 64 * line, 8);
	OK(reached() == 0);
	access_memory(MEMORY_FLUSH, 0x10000, 8);
	OK(reached() == 1 && met[MET_WRITE_BACK] == 1);
	/* What was dirty goes, and the new one comes. */
	access_memory(MEMORY_LOAD, 0x10040 + 64 * CACHE_LINES, 8);
	OK(reached() == 2);
	hierarchy_tell_memory(&h, true);
	access_memory(MEMORY_LOAD, 0x10040 + 64 * CACHE_LINES, 8);
	OK(reached() == 0);
	hierarchy_tell_memory(&h, false);
	hierarchy_tell_memory(&h, true);
	access_memory(MEMORY_LOAD, 0x10040 + 64 * CACHE_LINES, 8);
	OK(reached() == 1);
}

int main(void)
{
	test_memory();

	test_uncacheable_code();
	test_write_through();
	test_write_protected();
	test_uncacheable();
	test_64k_conflict();
	test_others();
	test_prefetch();
	test_splits();
	test_partial_data();
	test_late_stores();
	test_buffers();
	test_ways();
	test_data();
	test_code();
	test_moved();
	test_forgetting();
	test_store_buffers();
	test_who_forgets();
	return tap_end();
}
