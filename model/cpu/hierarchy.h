/* SPDX-License-Identifier: BSD-2-Clause */
/* What instructions meet on their way to memory: TLBs, caches, store and write-combining buffers.
 */
#ifndef HIERARCHY_H
#define HIERARCHY_H

#include <stdbool.h>
#include <stdint.h>

#include "silicon.h"

/* What there is to meet. */
enum met {
	MET_SPLIT_LOAD, /* over the end of a line */
	MET_SPLIT_STORE,
	MET_SPLIT_UC_LOAD, /* the same of uncacheable memory */
	MET_SPLIT_UC_STORE,
	MET_64K_CONFLICT, /* a load 64 KiB, or as often as you like, from the last store */
	MET_PARTIAL_DATA, /* a load that the store before it wrote in part */
	MET_UNALIGNED_DATA, /* a load from within what the store before it wrote */
	MET_NO_STORE_ADDRESS, /* a load behind a store behind a load that is late, */
	MET_NO_STORE_DATA, /* and a load of what is stored there */
	MET_WC_EVICT, /* a write-combining buffer is emptied */
	MET_WC_FULL, /* for want of another one */
	MET_DATA_WALK, /* a page that the TLB has not */
	MET_TRACE_FLUSH, /* half of one: all traces are forgotten */
	MET_CODE_WALK,
	MET_CODE_HIT, /* one that it has */
	MET_CODE_UNCACHEABLE, /* each instruction that no trace may have */
	MET_TRACE_MISS, /* code of which there is no trace yet, or that its first-level cache has
			   not */
	MET_LINE_MISS, /* in the last cache */
	MET_LINE_READ, /* the same, of a load */
	MET_THROUGH_READ, /* of write-through memory: a line missed by a load, */
	MET_THROUGH_WRITE, /* and a store, each of which goes on */
	MET_PROTECTED_READ, /* the same of write-protected memory */
	MET_PROTECTED_WRITE,
	MET_PREFETCH, /* a line that is prefetched and was missed */
	MET_WRITE_BACK, /* a line that was stored to leaves the last cache */
	MET_UC_READ, /* a load from the local APIC */
	MET_UC_BUS_READ, /* a load from elsewhere, which the bus carries */
	MET_OTHER_READ, /* a device reads a line */
	MET_STORES_FULL, /* a store that finds no free buffer */
	METS,
};

enum { TLB_PAGES = 64, TRACE_LINES = 256, CACHE_LINES = 1024, WC_BUFFERS = 6, STORE_BUFFERS = 24 };

/* All of it direct-mapped; 0: nothing there, else one more than the number of page or line. */
struct hierarchy {
	uint64_t data_page[TLB_PAGES], code_page[TLB_PAGES];
	bool uncacheable_code; /* it fetches next */
	uint64_t trace[TRACE_LINES], line[CACHE_LINES];
	bool dirty[CACHE_LINES];
	uint64_t wc_line[WC_BUFFERS];
	unsigned wc_filled; /* from the first on, the oldest */
	uint64_t stored; /* by the last store: address */
	uint64_t stored_size;
	bool late; /* the last load missed */
	bool stored_late; /* so had the load before the last store, and no other followed */
	unsigned stores; /* in buffers: what does not store lets one go */
	unsigned since_other; /* instructions since a device has read */
	/* Since hierarchy_take(). */
	bool any;
	uint8_t met[METS];
};

/* As silicon_memory(). */
void hierarchy_access(struct hierarchy *h, const struct memory_access *access);
/* insn is fetched, and does what it does to TLBs and caches. */
void hierarchy_fetch(struct hierarchy *h, const struct insn *insn);
/* Adds what was met to n[METS], and forgets it. */
void hierarchy_take(struct hierarchy *h, uint8_t *n);

#endif
