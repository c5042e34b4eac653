/* SPDX-License-Identifier: BSD-2-Clause */
/* What counts by itself: nothing starts, stops or clears it.  Boxes that have it get no traffic of
 * memory, so that their patterns say it all. */
#include "box.h"

#define METER FIELD(35, 0)

static bool is_meter_of(const struct uncore_kind *kind, unsigned boxes, uint32_t msr, unsigned *box,
			unsigned *number)
{
	for (*number = 0; kind->meters && kind->meters[*number].msr; (*number)++) {
		const struct uncore_meter *meter = &kind->meters[*number];

		*box = (msr - meter->msr) / meter->apart;
		if (msr >= meter->msr && *box < boxes && msr == meter->msr + *box * meter->apart)
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

uint64_t uncore_read_meter(struct uncore *u, struct uncore_box *box, unsigned number)
{
	struct point at = uncore_point(u, box, 0);
	const struct uncore_meter *meter;
	uint64_t clock;

	at.reg = (struct reg_id){UNCORE_METER, number, false};
	at.ctr = number;
	REACH(&at, uncore_active(box), address);
	meter = &box->kind->meters[at.reg.number];
	clock = uncore_clock_of(u, box);
	at.value = METER &
		   (meter->clocks ? clock : signals_until(box->kind->idle, meter->signal, clock));
	REACH(&at, uncore_active(box), shown);
	return at.value;
}
