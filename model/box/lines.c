/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The caches, as far as slices and memory can tell: which lines are absent from all of them, which
 * are dirty, and which of them the core's own caches hold.  A line that nothing is known of is
 * clean, and the core never loses it.  With prefetchers or without, no line is ever fetched or
 * evicted but by the program itself; the LLC has room for all.
 */

#include "box.h"

#define LINE_ABSENT UINT64_C(1)
#define LINE_DIRTY  UINT64_C(2) /* memory does not have it */
#define LINE_CLEAN  UINT64_C(4)
/* The line in the core's own caches is modified: the LLC does not have it. */
#define LINE_MODIFIED UINT64_C(1)
#define LINE_STATE    FIELD(5, 0)
#define ALL_BYTES     (~UINT64_C(0))

static uint64_t line_of(uint64_t physical)
{
	return physical & ~LINE_STATE;
}

static unsigned set_of(uint64_t line)
{
	return (unsigned)(line / UNCORE_LINE % UNCORE_SETS);
}

/* ---- settled lines ---- */

#define SETTLED_LOADS  UINT64_C(1)
#define SETTLED_STORES UINT64_C(2)

_Static_assert(UNCORE_SETS % UNCORE_SETTLED == 0 && UNCORE_CORE_SETS % UNCORE_SETTLED == 0,
	       "who evicts a line takes its place");

static uint64_t *settled(struct uncore_memory *m, uint64_t line)
{
	return &m->settled[line / UNCORE_LINE % UNCORE_SETTLED];
}

/* For any line of its sets, all of which have one place here. */
static void unsettle(struct uncore_memory *m, uint64_t line)
{
	*settled(m, line) = 0;
}

bool uncore_is_settled(const struct uncore *u, const struct memory_access *access)
{
	uint64_t line = line_of(access->physical);
	uint64_t known = u->memory.settled[line / UNCORE_LINE % UNCORE_SETTLED];
	bool stores = access->kind == MEMORY_STORE;

	if (!stores && access->kind != MEMORY_LOAD && access->kind != MEMORY_PREFETCH)
		return false;
	return known & (stores ? SETTLED_STORES : SETTLED_LOADS) && line_of(known) == line &&
	       line_of(access->physical + access->size - 1) == line;
}

/* ---- what is known of lines ---- */

static uint64_t *find(struct uncore_memory *m, uint64_t line)
{
	uint64_t *ways = m->lines[set_of(line)];

	for (unsigned way = 0; way < UNCORE_WAYS; way++)
		if (ways[way] && line_of(ways[way]) == line)
			return &ways[way];
	return NULL;
}

static uint64_t state_of(struct uncore_memory *m, uint64_t line)
{
	const uint64_t *entry = find(m, line);

	return entry ? *entry & LINE_STATE : 0;
}

/* Absent lines are what the program has worked for: dirty ones are forgotten first. */
static uint64_t *victim(struct uncore_memory *m, unsigned set)
{
	for (unsigned way = 0; way < UNCORE_WAYS; way++)
		if (!(m->lines[set][way] & LINE_ABSENT))
			return &m->lines[set][way];
	return &m->lines[set][m->oldest[set]++ % UNCORE_WAYS];
}

static void remember(struct uncore_memory *m, uint64_t line, uint64_t state)
{
	uint64_t *entry = find(m, line);

	for (unsigned way = 0; !entry && way < UNCORE_WAYS; way++)
		if (!m->lines[set_of(line)][way])
			entry = &m->lines[set_of(line)][way];
	if (!entry)
		entry = victim(m, set_of(line));
	unsettle(m, line);
	*entry = line | state;
}

/* ---- the core's own caches ---- */

static uint64_t *ways_of(struct uncore_memory *m, uint64_t line)
{
	return m->core[line / UNCORE_LINE % UNCORE_CORE_SETS];
}

/* The place of the line among those ways, or with line 0 a free one; NULL: there is none. */
static uint64_t *find_way(const struct uncore_memory *m, uint64_t *ways, uint64_t line)
{
	for (unsigned way = 0; way < m->core_ways; way++)
		if (line_of(ways[way]) == line)
			return &ways[way];
	return NULL;
}

/* Makes room for the line: without a free place the oldest one goes, to the LLC if that has not got
 * it. */
static uint64_t *make_room(struct uncore *u, uint64_t line)
{
	uint64_t *ways = ways_of(&u->memory, line), *free = find_way(&u->memory, ways, 0);
	uint8_t *oldest = &u->memory.core_oldest[line / UNCORE_LINE % UNCORE_CORE_SETS];

	if (free)
		return free;
	free = &ways[(*oldest)++ % u->memory.core_ways];
	if (*free & LINE_MODIFIED)
		uncore_request(u, TRANSACTION_EVICTION, line_of(*free));
	return free;
}

static void keep_in_core(struct uncore *u, uint64_t line, bool modified)
{
	uint64_t *way = find_way(&u->memory, ways_of(&u->memory, line), line);

	if (!way) {
		way = make_room(u, line);
		*way = line;
	}
	if (modified)
		*way |= LINE_MODIFIED;
}

static void drop_from_core(struct uncore_memory *m, uint64_t line)
{
	uint64_t *way = find_way(m, ways_of(m, line), line);

	if (way)
		*way = 0;
}

/* ---- write combining ---- */

static void complete(struct uncore *u, struct uncore_wc_buffer *buffer)
{
	bool dirty = state_of(&u->memory, buffer->line) == LINE_DIRTY;
	bool full = buffer->bytes == ALL_BYTES;

	if (!buffer->bytes)
		return;
	remember(&u->memory, buffer->line, LINE_ABSENT);
	drop_from_core(&u->memory, buffer->line);
	/* A dirty line in a cache is written back, and merged with the rest of the line. */
	if (dirty)
		uncore_request(u, TRANSACTION_WBMTOI, buffer->line);
	uncore_request(u,
		       dirty  ? TRANSACTION_WCILF_HIT_M
		       : full ? TRANSACTION_WCILF
			      : TRANSACTION_WCIL,
		       buffer->line);
	buffer->bytes = 0;
}

void uncore_flush_buffers(struct uncore *u)
{
	for (unsigned i = 0; i < UNCORE_WC_BUFFERS; i++)
		complete(u, &u->memory.wc[i]);
}

static struct uncore_wc_buffer *find_buffer(struct uncore_memory *m, uint64_t line)
{
	for (unsigned i = 0; i < UNCORE_WC_BUFFERS; i++)
		if (m->wc[i].bytes && m->wc[i].line == line)
			return &m->wc[i];
	return NULL;
}

static void stream(struct uncore *u, uint64_t line, uint64_t bytes)
{
	struct uncore_memory *m = &u->memory;
	struct uncore_wc_buffer *buffer = find_buffer(m, line);

	unsettle(m, line);
	if (!buffer) {
		buffer = &m->wc[m->next_wc++ % UNCORE_WC_BUFFERS];
		complete(u, buffer);
		buffer->line = line;
	}
	buffer->bytes |= bytes;
	if (buffer->bytes == ALL_BYTES)
		complete(u, buffer);
}

/* ---- accesses to one line ---- */

static void end_streaming(struct uncore *u, uint64_t line)
{
	struct uncore_wc_buffer *buffer = find_buffer(&u->memory, line);

	if (buffer)
		complete(u, buffer);
}

static bool in_core(struct uncore_memory *m, uint64_t line)
{
	return !state_of(m, line) || find_way(m, ways_of(m, line), line);
}

static void load(struct uncore *u, uint64_t line)
{
	uint64_t state = state_of(&u->memory, line);

	if (in_core(&u->memory, line))
		return;
	if (state == LINE_ABSENT)
		remember(&u->memory, line, LINE_CLEAN);
	keep_in_core(u, line, false);
	uncore_request(u,
		       state == LINE_ABSENT  ? TRANSACTION_DRD
		       : state == LINE_DIRTY ? TRANSACTION_DRD_HIT_M
					     : TRANSACTION_DRD_HIT,
		       line);
}

static void store(struct uncore *u, uint64_t line)
{
	uint64_t state = state_of(&u->memory, line);
	bool here = in_core(&u->memory, line);

	remember(&u->memory, line, LINE_DIRTY);
	keep_in_core(u, line, true);
	if (!here)
		uncore_request(u,
			       state == LINE_ABSENT  ? TRANSACTION_RFO
			       : state == LINE_DIRTY ? TRANSACTION_RFO_HIT_M
						     : TRANSACTION_RFO_HIT,
			       line);
}

static void flush(struct uncore *u, uint64_t line)
{
	bool dirty = state_of(&u->memory, line) == LINE_DIRTY;

	remember(&u->memory, line, LINE_ABSENT);
	drop_from_core(&u->memory, line);
	if (dirty)
		uncore_request(u, TRANSACTION_WBMTOI, line);
}

/* The bytes of line that the access touches. */
static uint64_t bytes_of(const struct memory_access *access, uint64_t line)
{
	uint64_t first = access->physical > line ? access->physical - line : 0;
	uint64_t end = access->physical + access->size - line;

	return FIELD((end < UNCORE_LINE ? end : UNCORE_LINE) - 1, first);
}

static void access_line(struct uncore *u, const struct memory_access *access, uint64_t line)
{
	if (access->kind != MEMORY_STREAM && access->kind != MEMORY_FORGET)
		end_streaming(u, line);
	switch (access->kind) {
	case MEMORY_LOAD:
	case MEMORY_PREFETCH:
		load(u, line);
		*settled(&u->memory, line) = line | SETTLED_LOADS;
		break;
	case MEMORY_STORE:
		store(u, line);
		*settled(&u->memory, line) = line | SETTLED_LOADS | SETTLED_STORES;
		break;
	case MEMORY_FLUSH:
		flush(u, line);
		break;
	case MEMORY_STREAM:
		stream(u, line, bytes_of(access, line));
		break;
	case MEMORY_NONE:
	case MEMORY_FENCE:
	case MEMORY_FORGET:
		break;
	}
}

void uncore_access(struct uncore *u, const struct memory_access *access)
{
	uint64_t first = line_of(access->physical);
	uint64_t last = line_of(access->physical + access->size - 1);

	if (access->locked && first != last)
		uncore_count_lock(u);
	for (uint64_t line = first; line <= last; line += UNCORE_LINE)
		access_line(u, access, line);
}
