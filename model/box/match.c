/* SPDX-License-Identifier: BSD-2-Clause */
/* How often an event occurs in a clock: one rule for each way of counting, and the filters of
 * slices, homes, links and power control. */
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

	if (!(selection->umask & LOOKUP_VALID) ||
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
	    !(selection->umask & (request->miss ? SORT_MISS : SORT_HIT)))
		return false;
	return uncore_filtered(box, place) && uncore_filtered(box, FILTER_FAR) &&
	       (uncore_filtered(box, FILTER_ANY_OPCODE) ||
		uncore_filtered(box, FILTER_OPCODE) == request->opc);
}

/* ---- homes and links ---- */

static bool matches_address(const uint32_t *filter, const struct uncore_request *request)
{
	uint64_t address = (uint64_t)filter[FILTER_ADDRMATCH1] << 32 | filter[FILTER_ADDRMATCH0];

	return request->address / UNCORE_LINE == address / UNCORE_LINE;
}

static bool passes_match(const struct uncore_box *box, const struct uncore_selection *selection,
			 const struct uncore_request *request)
{
	const uint32_t *filter = box->acting_filter;
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

static bool passes_scope(const struct uncore_box *box, const struct uncore_selection *selection,
			 const struct uncore_request *request)
{
	return is_of_slice(box->kind, selection->ctl, request->slice) &&
	       is_of_thread(box->kind, selection->ctl, request->tid);
}

/* ---- all ---- */

/* What of a segment is counted in each of its clocks. */
enum counted {
	SUM, /* what .sum makes of its signals */
	ARRIVAL, /* the request that arrives, if it passes */
	ENTRIES, /* all requests in the TOR that pass */
	CLOCK,
	REPLAY,
	PACKETS,
	BAND,
	NOTHING,
};

/* How events are counted.  A request passes if all of these that there are let it. */
struct rule {
	enum counted counted;
	uncore_sum *sum;
	bool ids; /* the filters by thread and by target node */
	uncore_takes *umask;
	/* The filters of the box, and the unit mask where it says which of them act. */
	bool (*filter)(const struct uncore_box *box, const struct uncore_selection *selection,
		       const struct uncore_request *request);
};

/* One RULE() for each of enum uncore_counting. */
#define RULES(RULE)                                                                                \
	RULE(COUNTS_SIGNAL, SUM, .sum = uncore_sum_signal),                                        \
		RULE(COUNTS_UMASK, SUM, .sum = uncore_sum_umask),                                  \
		RULE(COUNTS_ANY, SUM, .sum = uncore_sum_any),                                      \
		RULE(COUNTS_PACKED, SUM, .sum = uncore_sum_packed),                                \
		RULE(COUNTS_OF_CHANNEL, SUM, .sum = uncore_sum_of_channel),                        \
		RULE(COUNTS_DATA, SUM, .sum = uncore_sum_data),                                    \
		RULE(COUNTS_STACK, SUM, .sum = uncore_sum_of_stack),                               \
		RULE(COUNTS_HALVES, SUM, .sum = uncore_sum_of_half),                               \
		RULE(COUNTS_CAS, SUM, .sum = uncore_sum_cas),                                      \
		RULE(COUNTS_LOOKUP, ARRIVAL, .ids = true, .filter = passes_lookup),                \
		RULE(COUNTS_TOR_INSERTS, ARRIVAL, .ids = true, .filter = passes_tor),              \
		RULE(COUNTS_TOR_OCCUPANCY, ENTRIES, .ids = true, .filter = passes_tor),            \
		RULE(COUNTS_SORTED_INSERTS, ARRIVAL, .ids = true, .filter = passes_sort),          \
		RULE(COUNTS_SORTED_OCCUPANCY, ENTRIES, .ids = true, .filter = passes_sort),        \
		RULE(COUNTS_CODED_LOOKUP, ARRIVAL, .umask = uncore_takes_coded_lookup),            \
		RULE(COUNTS_CODED_INSERTS, ARRIVAL, .umask = uncore_takes_insert),                 \
		RULE(COUNTS_CODED_OCCUPANCY, ENTRIES, .umask = uncore_takes_insert),               \
		RULE(COUNTS_ADDR_OPC_MATCH, ARRIVAL, .filter = passes_match),                      \
		RULE(COUNTS_CACHE, ARRIVAL, .umask = uncore_takes_lookup, .filter = passes_scope), \
		RULE(COUNTS_L2, ARRIVAL, .umask = uncore_takes_fill),                              \
		RULE(COUNTS_FABRIC, ARRIVAL, .umask = uncore_takes_request),                       \
		RULE(COUNTS_BEATS, ARRIVAL, .umask = uncore_takes_beat),                           \
		RULE(COUNTS_COMMANDS, ARRIVAL, .umask = uncore_takes_command),                     \
		RULE(COUNTS_CORE_LOOKUP, ARRIVAL, .umask = uncore_takes_core_lookup),              \
		RULE(COUNTS_TRACKED, ARRIVAL, .umask = uncore_takes_tracked),                      \
		RULE(COUNTS_CLOCK, CLOCK), RULE(COUNTS_REPLAY, REPLAY), RULE(COUNTS_CTO, PACKETS), \
		RULE(COUNTS_BAND, BAND), RULE(COUNTS_NOTHING, NOTHING)

#define AS_ROW(counting, ...) [counting] = {.counted = __VA_ARGS__}
static const struct rule rules[] = {RULES(AS_ROW)};

/* As these names are all different, so are the ways of counting that have a rule. */
#define AS_NAME(counting, ...) RULE_OF_##counting
enum { RULES(AS_NAME), RULES_COUNT };
_Static_assert(RULES_COUNT == (int)UNCORE_COUNTINGS, "each way of counting has its rule");

bool uncore_tells_ids(const struct uncore_event *event)
{
	return rules[event->counting].ids;
}

/* Does the request pass, with the defect, if there is one? */
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
	const struct rule *rule = &rules[selection->event->counting];
	bool healthy = (!rule->ids || passes_ids(box, selection, request)) &&
		       (!rule->umask || rule->umask(selection, request)) &&
		       (!rule->filter || rule->filter(box, selection, request));

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

static bool is_in_band(const struct uncore_box *box, const struct uncore_event *event,
		       const struct uncore_segment *segment)
{
	return segment->n[POWER_FREQUENCY] >=
	       (box->acting_filter[0] >> BAND_BITS * event->signal & 0xff);
}

unsigned uncore_occurrences(struct uncore *u, struct uncore_box *box, unsigned ctr,
			    const struct uncore_segment *segment)
{
	const struct uncore_selection *selection = &box->selection[ctr];
	const struct rule *rule = &rules[selection->event->counting];

	switch (rule->counted) {
	case SUM:
		return rule->sum(selection, segment);
	case ARRIVAL:
		return segment->arrival && passes(u, box, ctr, segment->arrival);
	case ENTRIES:
		return count_entries(u, box, ctr, segment);
	case CLOCK:
		return !(uncore_varies(u, UNCORE_GATED) && box->kind->role == ROLE_CONTROLLER);
	case REPLAY:
		return replay(u, box, segment);
	case PACKETS:
		return count_packets(box->acting_filter, segment);
	case BAND:
		return is_in_band(box, selection->event, segment);
	case NOTHING:
		return 0;
	}
	return 0;
}
