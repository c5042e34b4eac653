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
	       "Intel SDM vol. 3B: events of each family",
     .needs = PMU_SELECT | PMU_PRIVILEGE, .per_counter = true, .absent = none)
{
	const struct pmu *pmu = t->pmu;
	bool some = false;

	for (unsigned e = EV_OWN; pmu->events[e].name; e++)
		if (is_judged(pmu, t->counter, e))
			some |= event_check(t, &pmu->events[e]);
	SKIP_IF(t, !some, "only some editions of the manual have such events, and none counts");
}
