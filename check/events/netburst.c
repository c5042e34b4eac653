/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst: an event and the names of its mask bits; rows of which several may be selected by one
 * ESCR.  libpfm4 has two processors: here is the one that knows more events. */
#include <stdio.h>

#include "events.h"
#include "pmu/netburst/wiring.h"

#define FIELDS (ESCR_EVENT_SELECT | ESCR_EVENT_MASK | (uint64_t)CCCR_ESCR_SELECT << 32)

static void check_row(const char *prefix, const struct pmu_event *row)
{
	const struct netburst_event *event = &netburst_events[row->code];
	struct fact fact = {
		.pmu = "netburst_p",
		.fields = FIELDS,
		.code = field_put(ESCR_EVENT_SELECT, event->select) |
			field_put(ESCR_EVENT_MASK, row->unit_mask) |
			field_put(CCCR_ESCR_SELECT, event->escr) << 32,
		.counters = row->counters,
	};

	snprintf(fact.name, sizeof(fact.name), "%s%s%s", prefix, *prefix ? " " : "", row->name);
	for (size_t i = 0; fact.name[i]; i++)
		fact.theirs[i] = fact.name[i] == ' ' ? ':' : fact.name[i];
	check_fact(&fact);
}

static void check_rows(const struct pmu_event *rows)
{
	for (; rows->name; rows++)
		check_row(netburst_event_name((enum netburst_event_id)rows->code), rows);
}

void check_netburst(void)
{
	for (unsigned e = EV_CYCLES; e < EV_OWN || netburst_generic_events[e].name; e++)
		if (netburst_generic_events[e].name)
			check_row("", &netburst_generic_events[e]);
	check_rows(netburst_escr_events);
	check_rows(netburst_uncacheable_events);
}
