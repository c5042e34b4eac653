/* SPDX-License-Identifier: BSD-2-Clause */
/* Alive: each counter counts, before anything else is asked of it. */
#include "core.h"

#define GROUP "alive", "truth"

/* Events that are waited for, and what a counter counts in them at least. */
struct stretch {
	unsigned event;
	struct work work;
	uint64_t least;
};

/* Each iteration of payload_mix has these, and takes a clock. */
static bool is_in_mix(unsigned event)
{
	return event <= EV_NOT_TAKEN_BRANCHES;
}

/* Of an event that no manual ties to a payload nothing is expected in particular. */
static struct stretch stretch_of(const struct pmu *pmu, unsigned event, uint64_t events)
{
	const struct pmu_event *row = &pmu->events[event];
	struct occasion occasion = {&payload_mix, 1};
	uint64_t n;

	if (!is_in_mix(event) && row->occasion)
		occasion = payload_occasion(row->occasion);
	n = work_for(occasion.payload, events).iterations;
	if (!pmu_is_exact(pmu, event) && event != EV_CYCLES)
		occasion.each = 0;
	return (struct stretch){event, in_ring3(occasion.payload, n), occasion.each * n};
}

static uint64_t counted_in_ring(struct run *t, unsigned ctr, const struct stretch *stretch,
				enum ring ring, int beside)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = ctr, .cfg = in_all_rings(stretch->event)}},
			   .work = stretch->work};

	w.work.ring = ring;
	if (beside >= 0)
		w.c[w.n++] =
			(struct slot){.ctr = (unsigned)beside,
				      .cfg = in_all_rings(telling_event(t->pmu, (unsigned)beside))};
	window_run(t, &w);
	return w.c[0].out;
}

/* Which rings it counts is not asked here: in ring 0 it is asked where ring 3 shows too little. */
static uint64_t counted_in(struct run *t, unsigned ctr, const struct stretch *stretch, int beside)
{
	uint64_t user = counted_in_ring(t, ctr, stretch, RING_3, beside), kernel;

	if (user && user >= stretch->least)
		return user;
	kernel = counted_in_ring(t, ctr, stretch, RING_0, beside);
	return user > kernel ? user : kernel;
}

static void check_many(struct run *t, const struct stretch *few, const struct stretch *many)
{
	uint64_t in_many = counted_in(t, t->counter, many, -1),
		 in_few = counted_in(t, t->counter, few, -1);
	bool counts = in_few + in_many, enough = in_few >= few->least && in_many >= many->least;

	if (!counts || !enough)
		vitals_note(t->pmu, t->counter, counts ? VITAL_SLOW : VITAL_DEAD);
	if (CHECK_COUNT_LEAST(t, in_few + in_many, 1)) {
		CHECK_COUNT_LEAST(t, in_few, few->least);
		CHECK_COUNT_LEAST(t, in_many, many->least);
	}
	if (!counts || !enough)
		test_end();
}

static bool fits_beside(struct run *t, unsigned other)
{
	const struct pmu_config mine = in_all_rings(telling_event(t->pmu, t->counter)),
				its = in_all_rings(telling_event(t->pmu, other));

	return other != t->counter && its.event &&
	       !(t->pmu->counting->conflict &&
		 t->pmu->counting->conflict(t->pmu, t->counter, &mine, other, &its));
}

static void check_beside(struct run *t, const struct stretch *some)
{
	for (unsigned other = 0; other < t->pmu->counters; other++) {
		uint64_t counted;

		if (!fits_beside(t, other))
			continue;
		counted = counted_in(t, t->counter, some, (int)other);
		if (CHECK_COUNT_LEAST(t, counted, 1) && CHECK_COUNT_LEAST(t, counted, some->least))
			continue;
		report_diag("beside counter %u", other);
		vitals_note(t->pmu, t->counter, VITAL_ALONE);
		test_end();
	}
}

static const char *unless_known(const struct pmu *pmu, unsigned ctr)
{
	return telling_event(pmu, ctr) ? NULL
				       : "no event is known that the counter counts for sure";
}

TEST(counts, "the counter counts, few events and many, alone and beside each other one",
     .clause = "AMD64 APM vol. 2, 13.2.1: PERF_CTL; SDM vol. 3B: CCCR, IA32_PERFEVTSEL",
     .per_counter = true, .even_ill = true, .absent = unless_known)
{
	/* Where counters start one after the other, a counter that is alone then and counts for a
	 * few instructions does not reach SOME. */
	enum { FEW = 10, SOME = 1000, MANY = 10000 };
	const unsigned event = telling_event(t->pmu, t->counter);
	const struct stretch few = stretch_of(t->pmu, event, FEW),
			     some = stretch_of(t->pmu, event, SOME),
			     many = stretch_of(t->pmu, event, MANY);

	vitals_note(t->pmu, t->counter, VITAL_WELL);
	check_many(t, &few, &many);
	check_beside(t, &some);
}

/* ---- events ---- */

static bool is_certain(const struct pmu *pmu, unsigned event)
{
	const struct pmu_event *row = &pmu->events[event];

	return row->name && pmu_is_exact(pmu, event) && !row->edition &&
	       (is_in_mix(event) || row->occasion);
}

/* False: counters that are well can count it, and none does. */
static bool is_counted(struct run *t, unsigned event)
{
	const struct stretch stretch = stretch_of(t->pmu, event, 100);
	const uint64_t ill = vitals_of(t->pmu, VITAL_DEAD) | vitals_of(t->pmu, VITAL_SLOW) |
			     vitals_of(t->pmu, VITAL_ALONE);
	bool any = false;

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		if (ill >> c & 1 || !pmu_can_count(t->pmu, c, event))
			continue;
		if (counted_in(t, c, &stretch, -1))
			return true;
		any = true;
	}
	return !any;
}

TEST(events, "each event that has a payload of its own is counted by some counter",
     .clause = "AMD BKDG/PPR of each family: events; SDM vol. 3B: events of each family",
     .min_counters = 1, .even_ill = true)
{
	FOR_EACH_EVENT (t->pmu, event) {
		if (!is_certain(t->pmu, event) || CHECK(t, is_counted(t, event)))
			continue;
		report_diag("no counter counts %s", t->pmu->events[event].name);
		vitals_note_event(t->pmu, event);
	}
}
