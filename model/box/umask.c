/* SPDX-License-Identifier: BSD-2-Clause */
/* Unit masks: which requests and which signals they take by themselves, without a filter. */
#include "box.h"

/* ---- sums of signals ---- */

unsigned uncore_sum_signal(const struct uncore_selection *selection,
			   const struct uncore_segment *segment)
{
	return segment->n[selection->event->signal];
}

unsigned uncore_sum_umask(const struct uncore_selection *selection,
			  const struct uncore_segment *segment)
{
	const uint8_t *n = &segment->n[selection->event->signal];
	unsigned sum = 0;

	for (unsigned bits = selection->umask & selection->event->umask; bits; bits &= bits - 1)
		sum += n[__builtin_ctz(bits)];
	return sum;
}

unsigned uncore_sum_any(const struct uncore_selection *selection,
			const struct uncore_segment *segment)
{
	return uncore_sum_umask(selection, segment) > 0;
}

/* ---- slices, whose unit masks are codes: what their bits mean is read off the lists of events,
 * which have each as a whole ---- */

/* Of its low eight bits, states; of those behind them, what a lookup is for; and of an insertion
 * whether some cache has the line, and an opcode's low byte, if it is to be that. */
enum { FOUND_I = 0x01, FOUND_S = 0x10, FOUND_E = 0x20, FOUND_M = 0x40, FOUND_F = 0x80 };
enum { FOR_DATA = 0x01, FOR_WRITE = 0x02, FOR_OWNERSHIP = 0x08 };
enum { OPCODE_RFO = 0x00 };
#define CODE_OF(umask) ((umask) >> 8)
#define CODED_HIT      BIT(0)
#define CODED_MISS     BIT(1)
#define CODED_MATCH    BIT(19)
#define CODED_OPCODE   FIELD(18, 11)
#define BY_CORE        0x01u

bool uncore_takes_coded_lookup(const struct uncore_selection *selection,
			       const struct uncore_request *request)
{
	const unsigned state = request->state == LINE_I   ? FOUND_I
			       : request->state == LINE_M ? FOUND_M
			       : request->state == LINE_E ? FOUND_E
			       : request->state == LINE_F ? FOUND_F
							  : FOUND_S;
	const unsigned what = request->write                        ? FOR_WRITE
			      : (request->opc & 0xff) == OPCODE_RFO ? FOR_OWNERSHIP
								    : FOR_DATA;

	return selection->umask & state && CODE_OF(selection->umask) & what;
}

bool uncore_takes_insert(const struct uncore_selection *selection,
			 const struct uncore_request *request)
{
	const uint32_t code = CODE_OF(selection->umask);

	return selection->umask & BY_CORE && code & (request->miss ? CODED_MISS : CODED_HIT) &&
	       (!(code & CODED_MATCH) || field_get(CODED_OPCODE, code) == (request->opc & 0xff));
}

/* ---- clients ---- */

/* Of the unit mask of CACHE_LOOKUP: states M, E or S, I; requests that read, write, snoop from
 * outside, any. */
enum { CORE_M = 0x01, CORE_ES = 0x06, CORE_I = 0x08 };
enum { CORE_READ = 0x10, CORE_WRITE = 0x20, CORE_ANY = 0x80 };

bool uncore_takes_core_lookup(const struct uncore_selection *selection,
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

bool uncore_takes_tracked(const struct uncore_selection *selection,
			  const struct uncore_request *request)
{
	unsigned kind = !request->write ? TRACKED_READS
			: request->wb   ? TRACKED_EVICTIONS
					: TRACKED_WRITES;

	return selection->umask & (TRACKED_ALL | kind);
}

/* ---- AMD ---- */

enum { CACHE_MISS = 0x01, CACHE_HITS = 0xfe };

bool uncore_takes_lookup(const struct uncore_selection *selection,
			 const struct uncore_request *request)
{
	return selection->umask & (request->miss ? CACHE_MISS : CACHE_HITS);
}

/* What is written is none of these. */
bool uncore_takes_fill(const struct uncore_selection *selection,
		       const struct uncore_request *request)
{
	return selection->umask & L2_DATA && !request->write &&
	       (selection->event->signal == L2_REQUESTS || request->miss);
}

/* Of the three bits that stand for requests with data, one is of reads, and one of writes. */
enum { FABRIC_READ = 0x08, FABRIC_WRITE = 0x10 };

bool uncore_takes_request(const struct uncore_selection *selection,
			  const struct uncore_request *request)
{
	return request->channel == selection->instance &&
	       selection->umask & (request->write ? FABRIC_WRITE : FABRIC_READ);
}

enum { BEATS_WRITE = 0x001, BEATS_ALL = 0x0fe, BEATS_OF = 0x300, BEATS_HERE = 0x400 };
enum { BEATS_ELSEWHERE = 0x800 };

bool uncore_takes_beat(const struct uncore_selection *selection,
		       const struct uncore_request *request)
{
	const unsigned needs = BEATS_ALL | BEATS_OF;

	return request->channel == selection->instance && (selection->umask & needs) == needs &&
	       (selection->umask & BEATS_WRITE) == request->write &&
	       selection->umask & (request->remote ? BEATS_ELSEWHERE : BEATS_HERE);
}

enum { NO_WRITES = 1, NO_READS = 2 };

bool uncore_takes_command(const struct uncore_selection *selection,
			  const struct uncore_request *request)
{
	return !(selection->umask & (request->write ? NO_WRITES : NO_READS));
}

unsigned uncore_sum_data(const struct uncore_selection *selection,
			 const struct uncore_segment *segment)
{
	return segment->entry_count && uncore_takes_command(selection, segment->entries[0])
		       ? uncore_sum_signal(selection, segment)
		       : 0;
}

/* ---- stacks ---- */

enum { OF_WRITES = 0x01, OF_READS = 0x04, PORTS_FROM = 8, POSTED = BIT(16), NOT_POSTED = BIT(17) };

static unsigned count_ports(const struct uncore_selection *selection, const uint8_t *n)
{
	unsigned sum = 0;

	for (unsigned port = 0; port < STACK_PORTS; port++)
		if (selection->umask >> (PORTS_FROM + port) & 1)
			sum += n[port];
	return sum;
}

unsigned uncore_sum_of_stack(const struct uncore_selection *selection,
			     const struct uncore_segment *segment)
{
	const uint8_t *sort = &segment->n[selection->event->signal];
	unsigned sum = 0;

	if (selection->umask & OF_WRITES && selection->umask & POSTED)
		sum += count_ports(selection, &sort[STACK_WRITES]);
	if (selection->umask & OF_READS && selection->umask & NOT_POSTED)
		sum += count_ports(selection, &sort[STACK_READS]);
	return sum;
}

/* ---- channels, of which each has two halves ---- */

static bool is_of_half(uint32_t halves, const uint8_t *n)
{
	return halves >> n[CHANNEL_HALF] & 1;
}

unsigned uncore_sum_of_half(const struct uncore_selection *selection,
			    const struct uncore_segment *segment)
{
	const uint8_t *n = segment->n;

	return is_of_half(selection->umask, n) ? n[selection->event->signal] : 0;
}

/* Reads that are asked for, and those ahead of a write of less than a line; writes. */
enum { CAS_READ = 0x01, CAS_UNDERFILL = 0x04, CAS_WRITE = 0x10, CAS_HALVES_FROM = 6 };

unsigned uncore_sum_cas(const struct uncore_selection *selection,
			const struct uncore_segment *segment)
{
	const uint8_t *cas = &segment->n[CHANNEL_CAS];
	unsigned sum = 0;

	if (!is_of_half(selection->umask >> CAS_HALVES_FROM, segment->n))
		return 0;
	if (selection->umask & CAS_READ)
		sum += cas[RD_REG];
	if (selection->umask & CAS_UNDERFILL)
		sum += cas[RD_UNDERFILL];
	if (selection->umask & CAS_WRITE)
		sum += cas[WR_WMM] + cas[WR_RMM];
	return sum;
}

/* ---- memory ---- */

unsigned uncore_sum_packed(const struct uncore_selection *selection,
			   const struct uncore_segment *segment)
{
	const struct uncore_event *event = selection->event;
	unsigned sum = 0, signal = event->signal;

	for (uint32_t bits = event->umask; bits; bits &= bits - 1, signal++)
		sum += selection->umask & bits & -bits ? segment->n[signal] : 0;
	return sum;
}

#define OF_SORT FIELD(7, 0) /* of a unit mask: behind it are the bits of channels */

unsigned uncore_sum_of_channel(const struct uncore_selection *selection,
			       const struct uncore_segment *segment)
{
	const struct uncore_event *event = selection->event;
	unsigned sum = 0;

	if (!segment->arrival ||
	    !(selection->umask &
	      uncore_scatter(event->umask & ~OF_SORT, BIT(segment->arrival->channel))))
		return 0;
	for (uint64_t bits = selection->umask & event->umask & OF_SORT; bits; bits &= bits - 1)
		sum += segment->n[event->signal + (unsigned)__builtin_ctzll(bits)];
	return sum;
}
