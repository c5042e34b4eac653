/* SPDX-License-Identifier: BSD-2-Clause */
/* Events, each judged by what its payload declares. */
#include "test.h"

uint64_t event_least(const struct pmu_event *event, uint64_t iterations)
{
	uint64_t each = payload_occasion(event->occasion).each;

	return each && event->why->accuracy != PMU_UNCERTAIN ? each * iterations : 1;
}

uint64_t event_twice(const struct pmu_event *event, const struct payload *payload)
{
	return event->twice ? (uint64_t)payload->per_iteration.twice : 0;
}

static bool some_counter_has(struct run *t, const struct pmu_event *event, uint64_t least,
			     event_count *counted)
{
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (counted(t, c, event) >= least)
			return true;
	return false;
}

bool event_is_expected(struct run *t, const struct pmu_event *all, const struct pmu_event *event,
		       uint64_t iterations, event_count *counted)
{
	uint64_t often = payload_occasion(event->occasion).each * iterations / 2;
	bool in_edition = !event->edition;

	for (; all->name && !in_edition; all++)
		in_edition = all->occasion && all->edition == event->edition &&
			     some_counter_has(t, all, 1, counted);
	if (!in_edition || event->why->accuracy != PMU_UNCERTAIN)
		return in_edition;
	return some_counter_has(t, event, often ? often : 1, counted);
}

/* ---- rows of pmu->events ---- */

static unsigned place_of(const struct run *t, const struct pmu_event *event)
{
	return (unsigned)(event - t->pmu->events);
}

/* No manual promises that a flushed line stays away until it is used: a few may not be counted. */
static struct work work_of(const struct pmu_event *event)
{
	struct occasion occasion = payload_occasion(event->occasion);

	return in_ring3(occasion.payload, occasion.each ? 6 : 40);
}

/* Counts the ways into ring 3 and out of it, too: they may load segments, for example. */
static uint64_t count_all(struct run *t, unsigned ctr, const struct pmu_event *event)
{
	if (!pmu_can_count(t->pmu, ctr, place_of(t, event)))
		return 0;
	return count(t, ctr, gated(place_of(t, event)), work_of(event));
}

static bool check_count(struct run *t, const struct pmu_event *event)
{
	const struct work work = work_of(event);
	const uint64_t least = event_least(event, work.iterations);

	if (event->why->accuracy != PMU_EXACT)
		return CHECK_IS(t, count_all(t, t->counter, event), >=, least);
	return CHECK_COUNT(
		t, count_difference(t, t->counter, in_all_rings(place_of(t, event)), work), least);
}

bool event_check(struct run *t, const struct pmu_event *event)
{
	if (!event_is_expected(t, &t->pmu->events[EV_OWN], event, work_of(event).iterations,
			       count_all))
		return false;
	if (!check_count(t, event))
		report_diag("event %s, payload %s", event->name, event->occasion);
	return true;
}
