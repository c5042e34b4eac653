/* SPDX-License-Identifier: BSD-2-Clause */
/* The hierarchy that instructions meet on their way to memory: TLBs, caches, store and
 * write-combining buffers. */
#pragma once

#include "model/signals/signals.h"

enum {
	TLB_PAGES = 64,
	TLB_WAYS = 8,
	TRACE_LINES = 256,
	CACHE_LINES = 1024,
	WC_BUFFERS = 6,
	STORE_BUFFERS = 24
};

/* Direct-mapped but for the TLBs, which have sets of TLB_WAYS, the newest first; 0: nothing there,
 * else one more than the number of page or line. */
struct hierarchy {
	bool uncacheable_code; /* the code that retires next is */
	bool tells_memory; /* a northbridge counts what reaches memory */
	/* Since hierarchy_take(). */
	bool any;
	uint8_t met[METS];
	uint64_t data_page[TLB_PAGES], code_page[TLB_PAGES];
	uint64_t trace[TRACE_LINES], line[CACHE_LINES];
	bool dirty[CACHE_LINES];
	uint64_t wc_line[WC_BUFFERS];
	unsigned wc_filled; /* from the first on, the oldest */
	uint64_t stored; /* by the last store: address */
	uint64_t stored_size;
	bool late; /* the last load missed */
	bool stored_late; /* the load before the last store missed, and no load has followed */
	unsigned stores; /* in buffers: each instruction that does not store frees one */
	unsigned since_other; /* instructions since a device has read */
};

/* Whether a northbridge counts what reaches memory.  What happened to lines before is not known: if
 * it does from now on, none is in the caches. */
void hierarchy_tell_memory(struct hierarchy *h, bool tells);
/* As silicon_memory(). */
void hierarchy_access(struct hierarchy *h, const struct memory_access *access);
/* insn is fetched, and does what it does to TLBs and caches. */
void hierarchy_fetch(struct hierarchy *h, const struct insn *insn);
/* Adds what was met to n[METS], and forgets it. */
void hierarchy_take(struct hierarchy *h, uint8_t *n);
