/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event select of AMD's core counters selects. */
#include "amd.h"

static bool is_within(const struct amd_limit *limit, unsigned ctr, unsigned code)
{
	return !limit->counters || code < limit->first || code > limit->last ||
	       limit->counters >> ctr & 1;
}

const struct amd_event *amd_event_find(const struct amd_traits *traits, unsigned ctr, unsigned code)
{
	const struct amd_event *event = traits->events;

	if (!is_within(&traits->limit, ctr, code))
		return NULL;
	while (event->code && event->code != code)
		event++;
	return event->code ? event : NULL;
}

bool amd_event_is_alone(const struct amd_event *event)
{
	return event && !event->sub_events && !amd_event_next(event);
}

bool amd_watches_hierarchy(const void *pmu)
{
	const struct pmu_amd *p = pmu;
	const struct amd_event *event;

	for (unsigned i = 0; i < p->traits->counters; i++)
		for (event = p->event[i]; event; event = amd_event_next(event))
			if (event->signal >= SIGNAL_MET)
				return true;
	return ibs_filters(p);
}
