/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory traffic of a known number of cache lines, on write-back memory that nobody else uses. */
#pragma once

#include <stdint.h>

#define MEMORY_LINES  4096u
#define MEMORY_FEW    256u
#define MEMORY_MANY   8192u
#define MEMORY_REPEAT 256u
#define LINE_SIZE     64u

/* From now on the lines lie at the machine_place() of this number, from 1 on; 0: the program's own,
 * as at first. */
void memory_use(unsigned place);

/* Each over all lines; flushed means that they are in no cache. */
void memory_flush(void); /* CLFLUSH, MFENCE */
void memory_clean(void); /* flush, and wait until memory has what was dirty */
void memory_load(void); /* a load each, LFENCE */
void memory_store(void); /* a store each, MFENCE */
void memory_write_back(void); /* store, flush, and wait until memory has them */
void memory_stream(void); /* MOVNTI of all bytes, SFENCE, and the same wait */

/*
 * Over MEMORY_MANY lines, twice as many as a core of this processor can keep: of the first levels'
 * caches, which need not hold the same lines, the second has 256 KiB and the first 32 KiB.  The LLC
 * has room for all.
 */
#define MEMORY_CORE (288u * 1024 / LINE_SIZE)
void memory_fill(void); /* flushed, then loaded */
void memory_fill_dirty(void); /* flushed, then stored to */
void memory_load_many(void);
void memory_store_many(void);
void memory_flush_many(void);

/* Over MEMORY_FEW lines. */
void memory_flush_few(void);
void memory_load_few(void);
void memory_write_few(void); /* each stored to and flushed */
void memory_load_slowly(void); /* flushed, then loaded one after the other has come */
void memory_burst(void); /* flushed, then loaded */
void memory_mix(void); /* flushed, then written, loaded, and streamed to in part */

/* A handful of lines is flushed, loaded, stored to and flushed again. */
#define MEMORY_HANDFUL 32u
void memory_touch(void);

/* MEMORY_REPEAT times the first line: loaded and flushed again.  It comes and goes flushed. */
void memory_repeat(void);
uint64_t memory_first_line(void); /* its physical address */

/* Waits until queued writes have reached memory. */
void memory_drain(void);
