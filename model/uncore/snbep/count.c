/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the counters of a box do in its clocks: threshold, inversion, edge detection, gating.  The
 * clock of a box is exactly linear in the TSC, and it is caught up with whenever somebody looks.
 */
#include <stddef.h>

#include "hooks.h"
#include "kernel/lib/string.h"

/* Increments in a stretch of clocks that are all the same: of the first, of each one after it. */
struct stretch {
	unsigned first, rest;
};

uint64_t uncore_counter_mask(const struct uncore_box *box)
{
	return BIT(box->traits->width) - 1;
}

/* ---- the comparison ---- */

/* The condition after threshold and inversion. */
static bool condition(const struct uncore *u, const struct uncore_setting *set, unsigned n)
{
	bool inverted = set->occupancy ? set->occ_invert : set->invert;
	bool result = (n >= set->threshold) != inverted;

	return u->hooks->condition ? u->hooks->condition(set, n, result) : result;
}

static bool detect_edge(const struct uncore *u, const struct uncore_setting *set, bool before,
			bool now)
{
	bool result = now && !before;

	return u->hooks->edge ? u->hooks->edge(set, before, now, result) : result;
}

static struct stretch level(const struct uncore *u, const struct uncore_setting *set, unsigned n,
			    unsigned amount)
{
	if (u->hooks->per_clock)
		amount = u->hooks->per_clock(set, n, amount);
	return (struct stretch){amount, amount};
}

/* n occurrences in each clock of the stretch; *before is the history of the edge detector.
 * Without a threshold the edge detector and the inversion do nothing. */
static struct stretch compare(const struct uncore *u, const struct uncore_setting *set, unsigned n,
			      bool *before)
{
	bool edge = set->occupancy ? set->occ_edge : set->edge, was = *before, now;

	if (!set->threshold)
		return (struct stretch){n, n};
	*before = now = condition(u, set, n);
	if (!edge)
		return level(u, set, n, now);
	return (struct stretch){detect_edge(u, set, was, now), detect_edge(u, set, now, now)};
}

/* ---- the PCU's occupancies ---- */

static unsigned occupancy_of(const struct uncore_setting *set, const struct uncore_segment *segment)
{
	return set->occ_sel ? segment->n[PCU_C0 + set->occ_sel - 1] : 0;
}

/* The inversion bit of the control register is that of the companion event. */
static bool companion_active(const struct uncore *u, const struct uncore_box *box,
			     const struct uncore_setting *set, const struct uncore_segment *segment)
{
	if (!set->companion)
		return true;
	return (set->event && uncore_occurrences(u, box, set, segment) > 0) != set->invert;
}

static struct stretch count_occupancy(const struct uncore *u, const struct uncore_box *box,
				      unsigned i, const struct uncore_segment *segment,
				      bool *before)
{
	const struct uncore_setting *set = &box->set[i];
	struct stretch stretch = compare(u, set, occupancy_of(set, segment), before);

	if (!companion_active(u, box, set, segment))
		stretch = (struct stretch){0, 0};
	return stretch;
}

/* ---- one stretch ---- */

static struct stretch count(const struct uncore *u, struct uncore_box *box, unsigned i,
			    const struct uncore_segment *segment)
{
	const struct uncore_setting *set = &box->set[i];
	unsigned n = 0;

	if (set->occupancy)
		return count_occupancy(u, box, i, segment, &box->condition[i]);
	if (set->event)
		n = uncore_occurrences(u, box, set, segment);
	return compare(u, set, n, &box->condition[i]);
}

static bool is_frozen(const struct uncore_box *box)
{
	const uint32_t both = (uint32_t)(BOX_CTL_FRZ | BOX_CTL_FRZ_EN);

	return (box->box_ctl & both) == both;
}

bool uncore_runs(struct uncore *u, const struct uncore_box *box, unsigned ctr)
{
	bool en = ctr == UNCORE_COUNTERS ? box->fixed_ctl & FIXED_CTL_EN : box->set[ctr].en;
	bool frozen = is_frozen(box);

	if (en && u->hooks->frozen)
		frozen = u->hooks->frozen(u, box, ctr, frozen);
	return en && !frozen;
}

static void set_counter(const struct uncore *u, struct uncore_box *box, unsigned ctr,
			uint64_t *value, uint64_t amount)
{
	/* All fixed counters are 48 bits wide. */
	uint64_t mask = ctr == UNCORE_COUNTERS ? FIELD(47, 0) : uncore_counter_mask(box);
	uint64_t old = *value;

	box->added[ctr] += amount;
	*value = (old + amount) & mask;
	if (u->hooks->hold)
		*value = u->hooks->hold(box, ctr, old, *value) & mask;
}

static void add(const struct uncore *u, struct uncore_box *box, unsigned ctr, uint64_t *value,
		uint64_t amount)
{
	if (u->hooks->increment)
		amount = u->hooks->increment(box, ctr, amount);
	set_counter(u, box, ctr, value, amount);
}

static void run_counter(struct uncore *u, struct uncore_box *box, unsigned i,
			const struct uncore_segment *segment)
{
	struct stretch stretch = count(u, box, i, segment);

	add(u, box, i, &box->ctr[i],
	    stretch.first + (uint64_t)stretch.rest * (segment->clocks - 1));
}

void uncore_run(struct uncore *u, struct uncore_box *box, const struct uncore_segment *segment)
{
	box->clock += segment->clocks;
	if (is_frozen(box) && !u->hooks->frozen)
		return;
	for (unsigned i = 0; i < box->traits->counters; i++)
		if (uncore_runs(u, box, i))
			run_counter(u, box, i, segment);
	if (uncore_runs(u, box, UNCORE_COUNTERS))
		add(u, box, UNCORE_COUNTERS, &box->fixed, segment->clocks);
}

/* ---- time ---- */

static uint64_t hz_of(const struct uncore *u, const struct uncore_box *box)
{
	return u->hooks->hz ? u->hooks->hz(box, box->traits->hz) : box->traits->hz;
}

/* In two parts, neither of which overflows. */
static uint64_t scale(uint64_t time, uint64_t from_hz, uint64_t to_hz)
{
	return time / from_hz * to_hz + time % from_hz * to_hz / from_hz;
}

uint64_t uncore_tsc_of(const struct uncore *u, const struct uncore_box *box)
{
	return u->origin + scale(box->clock, hz_of(u, box), u->tsc_hz) + 1;
}

/* ---- idle patterns ---- */

static const struct uncore_segment *pattern_of(const struct uncore *u, const struct uncore_box *box,
					       unsigned *count_)
{
	bool linked = u->sockets > 1 && box->traits->idle_linked;

	*count_ = linked ? box->traits->idle_linked_count : box->traits->idle_count;
	return linked ? box->traits->idle_linked : box->traits->idle;
}

/* At most clocks of the segment at hand; returns how many. */
static uint64_t run_part(struct uncore *u, struct uncore_box *box,
			 const struct uncore_segment *pattern, unsigned segments, uint64_t clocks)
{
	struct uncore_segment part = pattern[box->segment];

	part.clocks -= box->passed;
	if (part.clocks > clocks) {
		part.clocks = (uint32_t)clocks;
		box->passed += part.clocks;
	} else {
		box->passed = 0;
		box->segment = (box->segment + 1) % segments;
	}
	uncore_run(u, box, &part);
	return part.clocks;
}

static void run_period(struct uncore *u, struct uncore_box *box,
		       const struct uncore_segment *pattern, unsigned segments)
{
	for (unsigned i = 0; i < segments; i++)
		uncore_run(u, box, &pattern[i]);
}

/* Whole periods, the pattern being at its start.  From the second on they are all the same, the
 * history of the edge detectors included. */
static void run_periods(struct uncore *u, struct uncore_box *box,
			const struct uncore_segment *pattern, unsigned segments, uint64_t periods,
			uint64_t period)
{
	uint64_t before[UNCORE_COUNTERS + 1];

	run_period(u, box, pattern, segments);
	memcpy(before, box->added, sizeof(before));
	run_period(u, box, pattern, segments);
	for (unsigned i = 0; i <= UNCORE_COUNTERS; i++) {
		uint64_t each = box->added[i] - before[i];

		set_counter(u, box, i, i == UNCORE_COUNTERS ? &box->fixed : &box->ctr[i],
			    each * (periods - 2));
	}
	box->clock += (periods - 2) * period;
}

static uint64_t period_of(const struct uncore_segment *pattern, unsigned segments)
{
	uint64_t period = 0;

	for (unsigned i = 0; i < segments; i++)
		period += pattern[i].clocks;
	return period;
}

static void run_idle(struct uncore *u, struct uncore_box *box, uint64_t clocks)
{
	unsigned segments;
	const struct uncore_segment *pattern = pattern_of(u, box, &segments);
	uint64_t period = period_of(pattern, segments);

	while (clocks) {
		if (!box->segment && !box->passed && clocks >= 3 * period) {
			run_periods(u, box, pattern, segments, clocks / period, period);
			clocks %= period;
		} else {
			clocks -= run_part(u, box, pattern, segments, clocks);
		}
	}
}

void uncore_advance(struct uncore *u, struct uncore_box *box)
{
	uint64_t clock = scale(u->now - u->origin, u->tsc_hz, hz_of(u, box));

	if (clock > box->clock)
		run_idle(u, box, clock - box->clock);
}
