/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event select of AMD's core counters selects. */
#include "amd.h"

static bool is_within(const struct amd_limit *limit, unsigned ctr, unsigned code)
{
	return !limit->counters || code < limit->first || code > limit->last ||
	       limit->counters >> ctr & 1;
}

/* NULL: what the profile does not list never occurs, nor what this counter cannot count: no manual
 * says what it then counts, and this is assumed. */
static const struct amd_event *find(const struct amd_traits *traits, unsigned ctr, unsigned code)
{
	const struct amd_event *event = traits->events;

	if (!is_within(&traits->limit, ctr, code))
		return NULL;
	while (event->code && event->code != code)
		event++;
	return event->code ? event : NULL;
}

/* One signal, whatever the unit mask? */
static bool is_alone(const struct amd_event *event)
{
	return event && !event->sub_events && !amd_event_next(event);
}

/* Does some counter count one of the signals from first on? */
static bool watches(const struct pmu_amd *p, unsigned first)
{
	const struct amd_event *event;

	for (unsigned i = 0; i < p->traits->counters; i++)
		for (event = p->event[i]; event; event = amd_event_next(event))
			if (event->signal >= first)
				return true;
	return false;
}

bool amd_watches_hierarchy(const void *pmu)
{
	return watches(pmu, SIGNAL_MET) || ibs_filters(pmu);
}

bool amd_watches_northbridge(const void *pmu)
{
	return watches(pmu, SIGNAL_MET + MET_MEMORY);
}

/* BKDG 31116, 3.12: those from E0h on, whatever bits 11:8 are. */
static bool is_of_northbridge(const struct amd_traits *traits, unsigned code)
{
	enum { NORTHBRIDGE = 0xe0 };

	return traits->northbridge && (code & NORTHBRIDGE) == NORTHBRIDGE;
}

void amd_event_select(struct pmu_amd *p, unsigned ctr)
{
	struct setting *set = &p->core.counter[ctr].set;

	if (is_of_northbridge(p->traits, set->event))
		set->os = set->user = set->os || set->user;
	p->event[ctr] = find(p->traits, ctr, set->event);
	p->alone[ctr] = is_alone(p->event[ctr]);
}
