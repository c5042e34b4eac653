/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A box without traffic.  Its clock is exactly linear in the TSC, and it is caught up with whenever
 * somebody looks: the pattern of its kind has passed by then, however often.
 */
#include "box.h"
#include "kernel/lib/string.h"

const struct uncore_pattern *uncore_pattern_of(const struct uncore *u, const struct uncore_box *box)
{
	if (uncore_varies(u, UNCORE_OTHERS) && box->kind->busy)
		return box->kind->busy;
	return u->sockets > 1 && box->kind->linked ? box->kind->linked : box->kind->idle;
}

static uint64_t period_of(const struct uncore_pattern *pattern)
{
	uint64_t period = 0;

	for (unsigned i = 0; i < pattern->count; i++)
		period += pattern->segments[i].clocks;
	return period;
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

/* ---- a healthy box ---- */

/* Learns what the counter adds in whole segments, each behind the one before it in the pattern, as
 * its edge detector knows of that. */
static void learn_counter(struct uncore *u, struct uncore_box *box, unsigned ctr,
			  const struct uncore_pattern *pattern)
{
	struct uncore_rhythm *r = &box->rhythm[ctr];

	uncore_look(u, box, ctr, &pattern->segments[pattern->count - 1]);
	r->conditions = 0;
	for (unsigned i = 0; i < pattern->count; i++) {
		r->before[i + 1] = r->before[i] + uncore_look(u, box, ctr, &pattern->segments[i]);
		r->conditions |= (unsigned)box->counter[ctr].condition << i;
	}
	box->learnt |= BIT(ctr);
}

/* The counter goes on by the segments from first to before end, and by whole periods. */
static void add_segments(struct uncore *u, struct uncore_box *box, unsigned ctr,
			 const struct uncore_pattern *pattern, unsigned end, uint64_t periods)
{
	const struct uncore_rhythm *r = &box->rhythm[ctr];
	unsigned last = (end + pattern->count - 1) % pattern->count;

	if (!(box->learnt & BIT(ctr)))
		learn_counter(u, box, ctr, pattern);
	uncore_add(u, box, ctr,
		   r->before[end] - r->before[box->segment] + periods * r->before[pattern->count]);
	box->counter[ctr].condition = r->conditions >> last & 1;
}

/* Runs whole segments, as many as there are in clocks, the pattern being at the start of one, with
 * the one before it passed; returns for how many clocks. */
static uint64_t run_segments(struct uncore *u, struct uncore_box *box,
			     const struct uncore_pattern *pattern, uint64_t clocks)
{
	uint64_t period = period_of(pattern), periods = clocks / period, running;
	unsigned end = box->segment;
	uint64_t passed = periods * period;

	while (pattern->segments[end].clocks <= clocks - passed) {
		passed += pattern->segments[end].clocks;
		end = (end + 1) % pattern->count;
		periods += !end;
	}
	for (running = uncore_running(u, box); running; running &= running - 1)
		add_segments(u, box, (unsigned)__builtin_ctzll(running), pattern, end, periods);
	box->clock += passed;
	box->segment = end;
	return passed;
}

/* ---- one with a defect ---- */

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
	for (unsigned i = 0; i < UNCORE_ALL_COUNTERS; i++)
		if (box->added[i] != before[i])
			uncore_add(u, box, i, (box->added[i] - before[i]) * (periods - 2));
	box->clock += (periods - 2) * period;
}

static uint64_t run_with_defect(struct uncore *u, struct uncore_box *box,
				const struct uncore_pattern *pattern, uint64_t clocks)
{
	uint64_t period = period_of(pattern);

	if (box->segment || box->passed || clocks < 3 * period)
		return run_part(u, box, pattern, clocks);
	run_periods(u, box, pattern, clocks / period, period);
	return clocks / period * period;
}

/* ---- both ---- */

static void run_idle(struct uncore *u, struct uncore_box *box, uint64_t clocks)
{
	const struct uncore_pattern *pattern = uncore_pattern_of(u, box);

	while (box->active.defect && clocks)
		clocks -= run_with_defect(u, box, pattern, clocks);
	if (clocks)
		clocks -= run_part(u, box, pattern, clocks);
	if (clocks)
		clocks -= run_segments(u, box, pattern, clocks);
	if (clocks)
		run_part(u, box, pattern, clocks);
}

static void advance_to(struct uncore *u, struct uncore_box *box, uint64_t clock)
{
	if (clock > box->clock)
		run_idle(u, box, clock - box->clock);
}

/* It counted until all were frozen. */
static void hold(struct uncore *u, struct uncore_box *box)
{
	advance_to(u, box, uncore_clock_at(u, box, u->frozen_at));
	box->held = true;
}

void uncore_advance(struct uncore *u, struct uncore_box *box)
{
	if (u->frozen && !box->held && box->socket == u->home)
		hold(u, box);
	advance_to(u, box, uncore_clock_at(u, box, u->now));
}
