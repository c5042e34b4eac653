/* SPDX-License-Identifier: BSD-2-Clause */
/* How often an event occurs in a clock: unit masks, and the filters of slices, homes, links and
 * power control. */
#include "box.h"

/* Unit mask of LLC_LOOKUP. */
#define LOOKUP_VALID 0x01u
#define LOOKUP_ANY   0x10u
#define LOOKUP_CLASS 0x1eu
/* The bit of NID in all unit masks of slices that have it. */
#define UMASK_NID 0x40u

/* Unit mask of the TOR events. */
enum tor_sub_event {
	TOR_OPCODE = 0x01,
	TOR_MISS_OPCODE = 0x03,
	TOR_EVICTION = 0x04,
	TOR_ALL = 0x08,
	TOR_MISS_ALL = 0x0a,
	TOR_WB = 0x10,
};

/* Unit mask of ADDR_OPC_MATCH. */
enum { MATCH_ADDRESS = 1, MATCH_OPCODE = 2 };

enum { BAND_BITS = 8 };

static unsigned sum_of_umask(const struct uncore_selection *selection, const uint8_t *n)
{
	unsigned sum = 0;

	for (unsigned bits = selection->umask & selection->event->umask; bits; bits &= bits - 1)
		sum += n[selection->event->signal + (unsigned)__builtin_ctz(bits)];
	return sum;
}

/* ---- clients ---- */

/* Of the unit mask of CACHE_LOOKUP: states M, E or S, I; requests that read, write, snoop from
 * outside, any. */
enum { CORE_M = 0x01, CORE_ES = 0x06, CORE_I = 0x08 };
enum { CORE_READ = 0x10, CORE_WRITE = 0x20, CORE_ANY = 0x80 };

static bool counts_core_lookup(const struct uncore_selection *selection,
			       const struct uncore_request *request)
{
	unsigned state = request->state == LINE_I   ? CORE_I
			 : request->state == LINE_M ? CORE_M
						    : CORE_ES;
	unsigned asks = (request->write ? CORE_WRITE : CORE_READ) | CORE_ANY;

	return selection->umask & state && selection->umask & asks;
}

/* Of TRK_REQUESTS. */
enum { TRACKED_ALL = 0x01, TRACKED_READS = 0x02, TRACKED_WRITES = 0x20, TRACKED_EVICTIONS = 0x80 };

static bool counts_tracked(const struct uncore_selection *selection,
			   const struct uncore_request *request)
{
	unsigned kind = !request->write ? TRACKED_READS
			: request->wb   ? TRACKED_EVICTIONS
					: TRACKED_WRITES;

	return selection->umask & (TRACKED_ALL | kind);
}

/* ---- slices ---- */

unsigned uncore_filtered(const struct uncore_box *box, enum uncore_field field)
{
	return uncore_get(box->kind, field,
			  (uint64_t)box->acting_filter[1] << 32 | box->acting_filter[0]);
}

/* Does it pass the filters that are the same for all transactions: by thread and by target node? */
static bool passes_ids(const struct uncore_box *box, const struct uncore_selection *selection,
		       const struct uncore_request *request)
{
	if (selection->thread && uncore_filtered(box, FILTER_THREAD) != request->tid)
		return false;
	return !(selection->umask & UMASK_NID) || !box->kind->field[FILTER_NODE] ||
	       (uncore_filtered(box, FILTER_NODE) >> request->nid & 1);
}

static bool passes_lookup(const struct uncore_box *box, const struct uncore_selection *selection,
			  const struct uncore_request *request)
{
	unsigned class = selection->umask & LOOKUP_CLASS;

	if (!(selection->umask & LOOKUP_VALID) || !passes_ids(box, selection, request) ||
	    !(uncore_filtered(box, FILTER_STATE) & request->state))
		return false;
	/* The sub-event NID takes all classes. */
	return class ? class & (request->lookup | LOOKUP_ANY) : selection->umask & UMASK_NID;
}

/* Nothing is evicted in this model. */
static bool passes_tor(const struct uncore_box *box, const struct uncore_selection *selection,
		       const struct uncore_request *request)
{
	bool opcode = uncore_filtered(box, FILTER_OPCODE) == request->opc;

	if (!passes_ids(box, selection, request))
		return false;
	switch (selection->umask & ~UMASK_NID) {
	case TOR_OPCODE:
		return opcode;
	case TOR_MISS_OPCODE:
		return opcode && request->miss;
	case TOR_ALL:
		return true;
	case TOR_MISS_ALL:
		return request->miss;
	case TOR_WB:
		return request->wb;
	default:
		return false;
	}
}

/* Who asks, and whether some cache has the line: all that asks here is a core. */
enum { SORT_CORE = 0x01, SORT_HIT = 0x10, SORT_MISS = 0x20 };

static bool passes_sort(const struct uncore_box *box, const struct uncore_selection *selection,
			const struct uncore_request *request)
{
	enum uncore_field place = request->remote ? FILTER_REMOTE : FILTER_LOCAL;

	if (!(selection->umask & SORT_CORE) ||
	    !(selection->umask & (request->miss ? SORT_MISS : SORT_HIT)) ||
	    !passes_ids(box, selection, request))
		return false;
	return uncore_filtered(box, place) && uncore_filtered(box, FILTER_FAR) &&
	       (uncore_filtered(box, FILTER_ANY_OPCODE) ||
		uncore_filtered(box, FILTER_OPCODE) == request->opc);
}

/* Does it pass, with the defect, if there is one? */
static bool passes_with(struct uncore *u, struct uncore_box *box, unsigned ctr, bool healthy)
{
	struct point at = uncore_point(u, box, ctr);

	at.passes = healthy;
	REACH(&at, &box->active, matches);
	return at.passes;
}

static bool passes(struct uncore *u, struct uncore_box *box, unsigned ctr,
		   const struct uncore_request *request)
{
	const struct uncore_selection *selection = &box->selection[ctr];
	bool healthy;

	switch (selection->event->counting) {
	case COUNTS_LOOKUP:
		healthy = passes_lookup(box, selection, request);
		break;
	case COUNTS_CODED_LOOKUP:
		healthy = uncore_passes_lookup(selection, request);
		break;
	case COUNTS_CODED_INSERTS:
	case COUNTS_CODED_OCCUPANCY:
		healthy = uncore_passes_insert(selection, request);
		break;
	case COUNTS_SORTED_INSERTS:
	case COUNTS_SORTED_OCCUPANCY:
		healthy = passes_sort(box, selection, request);
		break;
	default:
		healthy = passes_tor(box, selection, request);
		break;
	}
	return box->active.defect ? passes_with(u, box, ctr, healthy) : healthy;
}

static unsigned count_entries(struct uncore *u, struct uncore_box *box, unsigned ctr,
			      const struct uncore_segment *segment)
{
	unsigned n = 0;

	for (unsigned i = 0; i < segment->entry_count; i++)
		n += passes(u, box, ctr, segment->entries[i]);
	return n;
}

/* COUNTER0_OCCUPANCY: what counter 0 accumulates, before its threshold. */
static unsigned replay(struct uncore *u, struct uncore_box *box,
		       const struct uncore_segment *segment)
{
	return box->counter[0].set.enable && box->selection[0].event
		       ? uncore_occurrences(u, box, 0, segment)
		       : 0;
}

/* ---- homes and links ---- */

static bool matches_address(const uint32_t *filter, const struct uncore_request *request)
{
	uint64_t address = (uint64_t)filter[FILTER_ADDRMATCH1] << 32 | filter[FILTER_ADDRMATCH0];

	return request->address / UNCORE_LINE == address / UNCORE_LINE;
}

static bool matches_home(const struct uncore_selection *selection, const uint32_t *filter,
			 const struct uncore_request *request)
{
	unsigned required = selection->umask & (MATCH_ADDRESS | MATCH_OPCODE);

	if (!required || (required & MATCH_ADDRESS && !matches_address(filter, request)))
		return false;
	return !(required & MATCH_OPCODE) || filter[FILTER_OPCODEMATCH] == request->ha_opcode;
}

static bool matches_packet(const uint32_t *filter, const struct uncore_header *header)
{
	uint32_t low = filter[FILTER_MASK0], high = filter[FILTER_MASK1];

	return (header->low & low) == (filter[FILTER_MATCH0] & low) &&
	       (header->high & high) == (filter[FILTER_MATCH1] & high);
}

static unsigned count_packets(const uint32_t *filter, const struct uncore_segment *segment)
{
	unsigned n = 0;

	for (unsigned i = 0; i < segment->header_count; i++)
		n += matches_packet(filter, &segment->headers[i]);
	return n;
}

/* ---- AMD ---- */

static bool is_of_slice(const struct uncore_kind *kind, uint64_t ctl, unsigned slice)
{
	if (kind->field[CTL_SLICES])
		return uncore_get(kind, CTL_SLICES, ctl) >> slice & 1;
	return uncore_get(kind, CTL_ALL_SLICES, ctl) || uncore_get(kind, CTL_SLICE, ctl) == slice;
}

enum { ZEN_THREADS = 2 }; /* of a core, where the register has a number of it */

static bool is_of_thread(const struct uncore_kind *kind, uint64_t ctl, unsigned thread)
{
	unsigned threads = uncore_get(kind, CTL_THREADS, ctl);

	if (!kind->field[CTL_CORE])
		return threads >> thread & 1;
	return threads >> thread % ZEN_THREADS & 1 &&
	       (uncore_get(kind, CTL_ALL_CORES, ctl) ||
		uncore_get(kind, CTL_CORE, ctl) == thread / ZEN_THREADS);
}

/* The filters of a cache, with the defect, if there is one. */
static bool passes_scope(struct uncore *u, struct uncore_box *box, unsigned ctr,
			 const struct uncore_request *request)
{
	const uint64_t ctl = box->selection[ctr].ctl;
	bool healthy = is_of_slice(box->kind, ctl, request->slice) &&
		       is_of_thread(box->kind, ctl, request->tid);

	return box->active.defect ? passes_with(u, box, ctr, healthy) : healthy;
}

enum { CACHE_MISS = 0x01, CACHE_HITS = 0xfe };

static bool counts_lookup(const struct uncore_selection *selection,
			  const struct uncore_request *request)
{
	return selection->umask & (request->miss ? CACHE_MISS : CACHE_HITS);
}

/* What is written is none of these. */
static bool counts_fill(const struct uncore_selection *selection,
			const struct uncore_request *request)
{
	return selection->umask & L2_DATA && !request->write &&
	       (selection->event->signal == L2_REQUESTS || request->miss);
}

/* Of the three bits that stand for requests with data, one is of reads, and one of writes. */
enum { FABRIC_READ = 0x08, FABRIC_WRITE = 0x10 };

static bool counts_request(const struct uncore_selection *selection,
			   const struct uncore_request *request)
{
	return request->channel == selection->instance &&
	       selection->umask & (request->write ? FABRIC_WRITE : FABRIC_READ);
}

enum { BEATS_WRITE = 0x001, BEATS_ALL = 0x0fe, BEATS_OF = 0x300, BEATS_HERE = 0x400 };
enum { BEATS_ELSEWHERE = 0x800 };

static bool counts_beat(const struct uncore_selection *selection,
			const struct uncore_request *request)
{
	const unsigned needs = BEATS_ALL | BEATS_OF;

	return request->channel == selection->instance && (selection->umask & needs) == needs &&
	       (selection->umask & BEATS_WRITE) == request->write &&
	       selection->umask & (request->remote ? BEATS_ELSEWHERE : BEATS_HERE);
}

enum { NO_WRITES = 1, NO_READS = 2 };

static bool counts_command(const struct uncore_selection *selection,
			   const struct uncore_request *request)
{
	return !(selection->umask & (request->write ? NO_WRITES : NO_READS));
}

/* ---- all ---- */

/* Is the request that arrives one that the counter counts? */
static bool counts_arrival(struct uncore *u, struct uncore_box *box, unsigned ctr,
			   const struct uncore_request *request)
{
	const struct uncore_selection *selection = &box->selection[ctr];

	switch (selection->event->counting) {
	case COUNTS_ADDR_OPC_MATCH:
		return matches_home(selection, box->acting_filter, request);
	case COUNTS_CACHE:
		return counts_lookup(selection, request) && passes_scope(u, box, ctr, request);
	case COUNTS_L2:
		return counts_fill(selection, request);
	case COUNTS_FABRIC:
		return counts_request(selection, request);
	case COUNTS_BEATS:
		return counts_beat(selection, request);
	case COUNTS_COMMANDS:
		return counts_command(selection, request);
	case COUNTS_CORE_LOOKUP:
		return counts_core_lookup(selection, request);
	case COUNTS_TRACKED:
		return counts_tracked(selection, request);
	default:
		return passes(u, box, ctr, request);
	}
}

unsigned uncore_occurrences(struct uncore *u, struct uncore_box *box, unsigned ctr,
			    const struct uncore_segment *segment)
{
	const struct uncore_selection *selection = &box->selection[ctr];
	const struct uncore_event *event = selection->event;
	const uint32_t *filter = box->acting_filter;

	switch (event->counting) {
	case COUNTS_SIGNAL:
		return segment->n[event->signal];
	case COUNTS_UMASK:
		return sum_of_umask(selection, segment->n);
	case COUNTS_PACKED:
		return uncore_sum_packed(selection, segment->n);
	case COUNTS_OF_CHANNEL:
		return uncore_sum_of_channel(selection, segment);
	case COUNTS_ANY:
		return sum_of_umask(selection, segment->n) > 0;
	case COUNTS_CLOCK:
		return !(u->gated && box->kind->role == ROLE_CONTROLLER);
	case COUNTS_LOOKUP:
	case COUNTS_TOR_INSERTS:
	case COUNTS_SORTED_INSERTS:
	case COUNTS_CODED_LOOKUP:
	case COUNTS_CODED_INSERTS:
	case COUNTS_ADDR_OPC_MATCH:
	case COUNTS_CACHE:
	case COUNTS_L2:
	case COUNTS_FABRIC:
	case COUNTS_BEATS:
	case COUNTS_COMMANDS:
	case COUNTS_CORE_LOOKUP:
	case COUNTS_TRACKED:
		return segment->arrival && counts_arrival(u, box, ctr, segment->arrival);
	case COUNTS_TOR_OCCUPANCY:
	case COUNTS_SORTED_OCCUPANCY:
	case COUNTS_CODED_OCCUPANCY:
		return count_entries(u, box, ctr, segment);
	case COUNTS_REPLAY:
		return replay(u, box, segment);
	case COUNTS_CTO:
		return count_packets(filter, segment);
	case COUNTS_BAND:
		return segment->n[POWER_FREQUENCY] >=
		       (filter[0] >> BAND_BITS * event->signal & 0xff);
	case COUNTS_DATA:
		return segment->entry_count && counts_command(selection, segment->entries[0])
			       ? segment->n[event->signal]
			       : 0;
	case COUNTS_STACK:
		return uncore_count_stack(selection, segment->n);
	case COUNTS_HALVES:
		return uncore_count_half(selection, segment->n);
	case COUNTS_CAS:
		return uncore_count_cas(selection, segment->n);
	case COUNTS_NOTHING:
		return 0;
	}
	return 0;
}
