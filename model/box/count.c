/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counters of a box in its clocks: threshold, inversion, edge detection, gating.  The clock of
 * a box is exactly linear in the TSC, and it is caught up with whenever somebody looks.
 */
#include "box.h"
#include "kernel/lib/string.h"

/* ---- one stretch ---- */

static unsigned occupancy_of(const struct uncore_selection *selection,
			     const struct uncore_segment *segment)
{
	return selection->umask ? segment->n[POWER_C0 + selection->umask - 1] : 0;
}

/* n in each clock of the segment; false: the companion event of an occupancy forbids to count. */
DATAPATH bool look(struct point *at)
{
	struct uncore_box *box = at->box;
	const struct uncore_selection *selection = &box->selection[at->ctr];
	unsigned n = selection->event ? uncore_occurrences(at->pmu, box, at->ctr, at->segment) : 0;

	at->n = selection->occupancy ? occupancy_of(selection, at->segment) : n;
	at->passes = true;
	return !selection->companion || (n > 0) != selection->companion_inverted;
}

/* Increments of the first clock, and of each one after it.  An edge is one of the comparison,
 * whether the companion is active or not: it only lets the clock count. */
DATAPATH uint64_t count(struct point *at, uint32_t clocks, const struct active *active)
{
	bool counts = look(at);
	struct point rest = *at;

	datapath_filter(at, active);
	if (clocks > 1)
		datapath_filter(&rest, active);
	return counts ? at->amount + rest.amount * (clocks - 1) : 0;
}

DATAPATH void add(struct point *at, uint64_t amount, const struct active *active)
{
	struct uncore_box *box = at->box;

	box->added[at->ctr] += amount;
	at->amount = amount;
	datapath_count(at, active);
}

DATAPATH bool is_stopped(const struct point *at)
{
	const struct uncore *u = at->pmu;

	return ((const struct uncore_box *)at->box)->frozen &&
	       !(u->fixed_thaws && at->ctr == UNCORE_FIXED);
}

DATAPATH bool runs(struct point *at, const struct active *active)
{
	at->enabled = at->set->enable;
	at->frozen = is_stopped(at);
	return datapath_runs(at, active);
}

uint64_t uncore_running(struct uncore *u, struct uncore_box *box)
{
	uint64_t running = 0;

	if (!box->active.defect || !box->active.defect->written)
		return 0;
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++) {
		struct point at = uncore_point(u, box, i);

		running |= runs(&at, uncore_active(box)) ? BIT(i) : 0;
	}
	return running;
}

DATAPATH void run_counter(struct uncore *u, struct uncore_box *box, unsigned ctr,
			  const struct uncore_segment *segment, const struct active *active)
{
	struct point at = uncore_point(u, box, ctr);

	at.segment = segment;
	if (runs(&at, active))
		add(&at, count(&at, segment->clocks, active), active);
}

DATAPATH void run(struct uncore *u, struct uncore_box *box, const struct uncore_segment *segment,
		  const struct active *active)
{
	bool may_wake = active && active->defect->runs;

	box->clock += segment->clocks;
	if (box->frozen && !may_wake && !u->fixed_thaws)
		return;
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++)
		if (box->counter[i].set.enable || may_wake)
			run_counter(u, box, i, segment, active);
}

void uncore_run(struct uncore *u, struct uncore_box *box, const struct uncore_segment *segment)
{
	if (box->active.defect)
		run(u, box, segment, &box->active);
	else
		run(u, box, segment, NULL);
}

/* ---- time ---- */

static uint64_t hz_of(struct uncore *u, struct uncore_box *box)
{
	struct point at = uncore_point(u, box, 0);

	at.value = box->kind->hz;
	REACH(&at, uncore_active(box), rate);
	return at.value;
}

/* Scales in two parts, neither of which overflows. */
static uint64_t scale(uint64_t time, uint64_t from_hz, uint64_t to_hz)
{
	return time / from_hz * to_hz + time % from_hz * to_hz / from_hz;
}

uint64_t uncore_tsc_of(struct uncore *u, struct uncore_box *box)
{
	return u->origin + scale(box->clock, hz_of(u, box), u->tsc_hz) + 1;
}

/* ---- idle patterns ---- */

static const struct uncore_pattern *pattern_of(const struct uncore *u, const struct uncore_box *box)
{
	return u->sockets > 1 && box->kind->linked ? box->kind->linked : box->kind->idle;
}

/* Runs the segment at hand, for at most clocks; returns for how many. */
static uint64_t run_part(struct uncore *u, struct uncore_box *box,
			 const struct uncore_pattern *pattern, uint64_t clocks)
{
	struct uncore_segment part = pattern->segments[box->segment];

	part.clocks -= box->passed;
	if (part.clocks > clocks) {
		part.clocks = (uint32_t)clocks;
		box->passed += part.clocks;
	} else {
		box->passed = 0;
		box->segment = (box->segment + 1) % pattern->count;
	}
	uncore_run(u, box, &part);
	return part.clocks;
}

static void run_period(struct uncore *u, struct uncore_box *box,
		       const struct uncore_pattern *pattern)
{
	for (unsigned i = 0; i < pattern->count; i++)
		uncore_run(u, box, &pattern->segments[i]);
}

/* Runs whole periods, the pattern being at its start.  From the second on they are all the same,
 * the history of the edge detectors included. */
static void run_periods(struct uncore *u, struct uncore_box *box,
			const struct uncore_pattern *pattern, uint64_t periods, uint64_t period)
{
	uint64_t before[UNCORE_ALL_COUNTERS];

	run_period(u, box, pattern);
	memcpy(before, box->added, sizeof(before));
	run_period(u, box, pattern);
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++) {
		uint64_t each = box->added[i] - before[i];
		struct point at;

		if (!each)
			continue;
		at = uncore_point(u, box, i);
		add(&at, each * (periods - 2), uncore_active(box));
	}
	box->clock += (periods - 2) * period;
}

static uint64_t period_of(const struct uncore_pattern *pattern)
{
	uint64_t period = 0;

	for (unsigned i = 0; i < pattern->count; i++)
		period += pattern->segments[i].clocks;
	return period;
}

static void run_idle(struct uncore *u, struct uncore_box *box, uint64_t clocks)
{
	const struct uncore_pattern *pattern = pattern_of(u, box);
	uint64_t period = period_of(pattern);

	while (clocks) {
		if (!box->segment && !box->passed && clocks >= 3 * period) {
			run_periods(u, box, pattern, clocks / period, period);
			clocks %= period;
		} else {
			clocks -= run_part(u, box, pattern, clocks);
		}
	}
}

void uncore_advance(struct uncore *u, struct uncore_box *box)
{
	uint64_t clock = scale(u->now - u->origin, u->tsc_hz, hz_of(u, box));

	if (clock > box->clock)
		run_idle(u, box, clock - box->clock);
}
