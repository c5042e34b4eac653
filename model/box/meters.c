/* SPDX-License-Identifier: BSD-2-Clause */
/* What counts by itself: nothing starts, stops or clears it.  It is what the pattern of the box has
 * at times, and where lines of memory are counted those that the core has gone through it. */
#include "layout.h"

/* Lines count for as many instructions behind each reading as a program may execute between two:
 * nobody asks for the others, and to be told of an access is slow. */
enum { TOLD = 65536 };

static bool is_meter_of(const struct uncore_kind *kind, unsigned boxes, uint32_t msr, unsigned *box,
			unsigned *number)
{
	for (*number = 0; kind->meters && kind->meters[*number].msr; (*number)++) {
		const struct uncore_meter *meter = &kind->meters[*number];
		const uint32_t offset =
			uncore_without_gap(kind, msr - meter->msr, meter->apart, meter->gap);

		*box = offset / meter->apart;
		if (msr >= meter->msr && *box < boxes && offset == *box * meter->apart)
			return true;
	}
	return false;
}

struct uncore_box *uncore_find_meter(struct uncore *u, uint32_t msr, unsigned *number)
{
	unsigned first = 0, box;

	for (const struct uncore_kind *kind = u->part->kinds; kind->boxes; kind++) {
		if (is_meter_of(kind, kind->boxes, msr, &box, number))
			return &u->box[u->home][first + box];
		first += kind->boxes;
	}
	return NULL;
}

bool uncore_is_meter(const struct uncore_part *part, uint32_t msr)
{
	unsigned box, number;

	for (const struct uncore_kind *kind = part->kinds; kind->boxes; kind++)
		if (is_meter_of(kind, kind->listed ? kind->listed : kind->boxes, msr, &box,
				&number))
			return true;
	return false;
}

/* Of the pattern, in so many clocks of it, which are no more than it has. */
static uint64_t sum_of(const struct uncore_pattern *pattern, unsigned signal, uint64_t clocks)
{
	uint64_t sum = 0;

	for (unsigned i = 0; clocks && i < pattern->count; i++) {
		const struct uncore_segment *segment = &pattern->segments[i];
		uint64_t passed = segment->clocks < clocks ? segment->clocks : clocks;

		sum += passed * segment->n[signal];
		clocks -= passed;
	}
	return sum;
}

static uint64_t signals_until(const struct uncore_pattern *pattern, unsigned signal, uint64_t clock)
{
	uint64_t period = pattern->segments[0].clocks;

	for (unsigned i = 1; i < pattern->count; i++)
		period += pattern->segments[i].clocks;
	return clock / period * sum_of(pattern, signal, period) +
	       sum_of(pattern, signal, clock % period);
}

static uint64_t lines_of(const struct uncore_box *box, const struct uncore_meter *meter)
{
	return (meter->lines & LINES_READ ? box->lines[0] : 0) +
	       (meter->lines & LINES_WRITTEN ? box->lines[1] : 0);
}

uint64_t uncore_read_meter(struct uncore *u, struct uncore_box *box, unsigned number)
{
	struct point at = uncore_point(u, box, 0);
	const struct uncore_meter *meter;
	uint64_t clock;

	at.reg = (struct reg_id){UNCORE_METER, number, false};
	at.ctr = number;
	REACH(&at, uncore_active(box), address);
	meter = &box->kind->meters[at.reg.number];
	clock = uncore_clock_at(u, box, u->now);
	at.value = meter->clocks ? clock
				 : signals_until(uncore_pattern_of(u, box), meter->signal, clock) /
					   (meter->unit ? meter->unit : 1);
	at.value = (at.value + lines_of(box, meter)) & (~UINT64_C(0) >> (64 - meter->width));
	if (meter->lines)
		u->metered = u->executed + TOLD;
	REACH(&at, uncore_active(box), shown);
	return at.value;
}

/* What is less than a line is read before it is written. */
void uncore_meter_line(struct uncore_box *box, const struct uncore_request *request)
{
	box->lines[0] += !request->write || request->partial;
	box->lines[1] += request->write;
}

enum { MEMORY_LATENCY = 10 };

void uncore_lay_out_memory(struct uncore_layout *l)
{
	for (unsigned i = 0; i < l->queue->count; i++) {
		const struct uncore_request *request = &l->queue->pending[i];
		struct uncore_segment *segment = uncore_append(l, 1);

		segment->n[MEMORY_READS] = !request->write || request->partial;
		segment->n[MEMORY_WRITES] = request->write;
		uncore_append(l, MEMORY_LATENCY);
	}
}
