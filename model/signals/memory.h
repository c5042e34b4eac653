/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses of instructions to memory, and what they meet on their way. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How an instruction accesses its memory operand. */
enum memory_kind {
	MEMORY_NONE,
	MEMORY_LOAD,
	MEMORY_STORE, /* or a load and a store */
	MEMORY_FLUSH, /* CLFLUSH */
	MEMORY_STREAM, /* a non-temporal store */
	MEMORY_FENCE, /* MFENCE, SFENCE */
	MEMORY_PREFETCH,
	MEMORY_FORGET, /* INVLPG: what TLBs know of this page */
};
/* Any other type counts as write-back; the APICs are uncacheable by their addresses. */
enum memory_type {
	MEMORY_WRITE_BACK,
	MEMORY_WRITE_THROUGH,
	MEMORY_WRITE_PROTECTED,
	MEMORY_UNCACHEABLE,
};
struct memory_access {
	enum memory_kind kind;
	uint64_t physical;
	uint64_t moved; /* physical, of the linear address; 0: mapped one to one */
	uint64_t size;
	bool locked;
	enum memory_type type;
};

enum { MEMORY_CONTROLLERS = 2, MEMORY_PAGES = 3 };

/* Things that an access can meet on its way to memory. */
enum met {
	MET_SPLIT_LOAD, /* over the end of a line */
	MET_SPLIT_STORE,
	MET_SPLIT_UC_LOAD, /* the same of uncacheable memory */
	MET_SPLIT_UC_STORE,
	MET_64K_CONFLICT, /* a load at a multiple of 64 KiB from the last store */
	MET_PARTIAL_DATA, /* a load that the store before it wrote in part */
	MET_UNALIGNED_DATA, /* a load from within what the store before it wrote */
	MET_NO_STORE_ADDRESS, /* a load behind a store that waits for a late load, */
	MET_NO_STORE_DATA, /* and the same from the address that is stored to */
	MET_WC_EVICT, /* a write-combining buffer is emptied */
	MET_WC_FULL, /* because no other one is free */
	MET_DATA_WALK, /* a page of data that is not in the TLB */
	MET_TRACE_FLUSH, /* half of a flush, which forgets all traces */
	MET_CODE_WALK, /* a page of code that is not in the TLB, */
	MET_CODE_HIT, /* and code that is */
	MET_CODE_UNCACHEABLE, /* an instruction from uncacheable memory, which has no trace */
	MET_TRACE_MISS, /* code that has no trace yet, or is not in the first-level cache */
	MET_LINE_MISS, /* a line that is not in the last cache */
	MET_LINE_READ, /* the same by a load */
	MET_THROUGH_READ, /* of write-through memory: a line missed by a load, */
	MET_THROUGH_WRITE, /* and a store, each of which goes on */
	MET_PROTECTED_READ, /* the same of write-protected memory */
	MET_PROTECTED_WRITE,
	MET_PREFETCH, /* a line that is prefetched and was missed */
	MET_WRITE_BACK, /* a line that was stored to leaves the last cache */
	MET_UC_READ, /* a load from the local APIC */
	MET_UC_BUS_READ, /* an uncacheable load from elsewhere, over the bus */
	MET_OTHER_READ, /* a device reads a line */
	MET_STORES_FULL, /* a store that finds no free buffer */
	/* An access to memory, which finds its page open, or none, or another one, of each
	 * controller: known only while a northbridge counts them. */
	MET_MEMORY,
	METS = MET_MEMORY + MEMORY_CONTROLLERS * MEMORY_PAGES,
};
