/* SPDX-License-Identifier: BSD-2-Clause */
/* Every event of the driver's own, each for a bit of its code that no other event has set. */
#include "core.h"

#define GROUP "sub_event", "count"

static bool is_judged(const struct pmu *pmu, unsigned ctr, unsigned event)
{
	return pmu->events[event].occasion && pmu_can_count(pmu, ctr, event);
}

static const char *none(const struct pmu *pmu, unsigned ctr)
{
	for (unsigned e = EV_OWN; pmu->events[e].name; e++)
		if (is_judged(pmu, ctr, e))
			return NULL;
	return "no event is documented that no other group counts";
}

TEST(occurs, "an event selected by one bit of event or unit mask counts whenever it occurs",
     .clause = "AMD 22007 appendix D, 26094: events 20h, 65h; AMD 55803: PMCx060, 063, 064, "
	       "0CB, 28A; AMD 55898: PMCx28F; AMD 55901: PMCx00A; "
	       "SDM vol. 3B: events of each family",
     .needs = PMU_SELECT | PMU_PRIVILEGE, .per_counter = true, .absent = none)
{
	const struct pmu *pmu = t->pmu;
	bool some = false;

	for (unsigned e = EV_OWN; pmu->events[e].name; e++)
		if (is_judged(pmu, t->counter, e))
			some |= event_check(t, &pmu->events[e]);
	SKIP_IF(t, !some, "only some editions of the manual have such events, and none counts");
}

/* ---- events of which no number is promised ---- */

static bool is_open(const struct pmu_event *event)
{
	return event->occasion && event->why->accuracy == PMU_AT_LEAST &&
	       !payload_occasion(event->occasion).each;
}

static bool has_open_event(const struct pmu *pmu)
{
	for (unsigned e = EV_OWN; pmu->events[e].name; e++)
		if (is_open(&pmu->events[e]) && !pmu->events[e].edition)
			return true;
	return false;
}

ABSENT_UNLESS(none_is_open, has_open_event(pmu), "each event that is documented has its number")

/* Twice as many occasions are far more than what else may count meanwhile. */
enum { OCCASIONS = 300 };

/* False: no counter has it. */
static bool check_grows(struct run *t, unsigned event)
{
	const struct payload *payload = payload_occasion(t->pmu->events[event].occasion).payload;
	const unsigned failures = t->failures;
	struct window once = window_of_all(t, gated(event)), twice = once;

	once.work = in_ring3(payload, OCCASIONS);
	twice.work = in_ring3(payload, 2 * OCCASIONS);
	if (!once.n || payload_missing(payload))
		return false;
	window_run(t, &once);
	window_run(t, &twice);
	for (unsigned i = 0; i < once.n; i++) {
		OF_COUNTER(t, once.c[i].ctr, CHECK_COUNT_LEAST(t, once.c[i].out, 1));
		OF_COUNTER(t, once.c[i].ctr, CHECK_EQ(t, once.c[i].out, once.c[0].out));
		OF_COUNTER(t, once.c[i].ctr, CHECK_IS(t, twice.c[i].out, >, once.c[i].out));
	}
	if (t->failures != failures)
		report_diag("event %s, payload %s", t->pmu->events[event].name, payload->name);
	return true;
}

TEST(grows,
     "where no number of an event is promised, all counters have the same one, and a larger one of "
     "twice as many occasions",
     .clause = "SDM vol. 3B: architectural events LLC References, LLC Misses, Branch Misses "
	       "Retired; AMD 22007 appendix D: event 0C5h; AMD 55898: PMCx0C5, 1C7",
     .needs = PMU_SELECT | PMU_PRIVILEGE, .absent = none_is_open)
{
	bool some = false;

	for (unsigned e = EV_OWN; t->pmu->events[e].name; e++)
		if (is_open(&t->pmu->events[e]) && !t->pmu->events[e].edition)
			some |= check_grows(t, e);
	SKIP_IF(t, !some, "what makes these events occur cannot be run here");
}
