/* SPDX-License-Identifier: BSD-2-Clause */
/* Every event of every processor: do payloads declare what its row says of them? */
#include "check/unit/host.h"
#include "check/unit/tap.h"
#include "pmu/amd/amd.h"
#include "pmu/intel/intel.h"
#include "pmu/netburst/netburst.h"
#include "tests/lib/payload.h"

static const struct pmu_event *asked;

/* A name that says nothing is a panic. */
static void ask(void *arg)
{
	*(struct occasion *)arg = payload_occasion(asked->occasion);
}

static void check_event(const struct pmu_event *event)
{
	struct occasion occasion = {0};

	OK(event->why && event->why->text[0]);
	if (!event->occasion)
		return;
	printf("# %s: %s\n", event->name, event->occasion);
	asked = event;
	OK(!host_panics(ask, &occasion));
	/* Exact events need occasions that count each time. */
	OK(event->why->accuracy != PMU_EXACT || occasion.each);
	OK(!event->twice || !occasion.payload->per_iteration.twice);
}

static void check_events(const struct pmu_event *events, unsigned max)
{
	for (unsigned e = 0; e < max; e++)
		if (events[e].name)
			check_event(&events[e]);
}

static void check_amd(enum amd_part part)
{
	struct pmu_event events[PMU_EVENTS_MAX] = {0};

	amd_events(part, AMD_EXTENDED_COUNTERS, events);
	check_events(events, PMU_EVENTS_MAX);
}

static void check_intel(enum intel_part part)
{
	const struct intel_cpu cpu = {.part = part, .general = 4, .fixed = 7};
	struct pmu_event events[PMU_EVENTS_MAX] = {0};

	intel_events(&cpu, events);
	check_events(events, PMU_EVENTS_MAX);
}

static void check_netburst(const struct pmu_event *event)
{
	for (; event->name; event++)
		check_event(event);
}

int main(void)
{
	for (unsigned part = AMD_K7; part <= AMD_ZEN5; part++)
		check_amd((enum amd_part)part);
	for (unsigned part = INTEL_UNKNOWN; part <= INTEL_DARKMONT; part++)
		check_intel((enum intel_part)part);
	check_netburst(netburst_escr_events);
	check_netburst(netburst_uncacheable_events);
	return tap_end();
}
