/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD: a name is words of AMD's guides, which libpfm4 joins by "_"; ": " comes before a unit mask.
 */
#include <ctype.h>
#include <stdio.h>

#include "events.h"
#include "pmu/amd/amd.h"

static const struct {
	const char *pmu;
	uint8_t family, model;
} processors[] = {
	{"amd64_k7", 0x06, 0x04},
	{"amd64_k8_revb", 0x0f, 0x04},
	{"amd64_k8_revc", 0x0f, 0x08},
	{"amd64_k8_revd", 0x0f, 0x14},
	{"amd64_k8_reve", 0x0f, 0x24},
	{"amd64_k8_revf", 0x0f, 0x41},
	{"amd64_k8_revg", 0x0f, 0x68},
	{"amd64_fam10h_barcelona", 0x10, 0x02},
	{"amd64_fam10h_shanghai", 0x10, 0x04},
	{"amd64_fam10h_istanbul", 0x10, 0x08},
	{"amd64_fam11h_turion", 0x11, 0x03},
	{"amd64_fam12h_llano", 0x12, 0x01},
	{"amd64_fam14h_bobcat", 0x14, 0x01},
	{"amd64_fam15h_interlagos", 0x15, 0x01},
	{"amd64_fam16h", 0x16, 0x00},
	{"amd64_fam17h_zen1", 0x17, 0x01},
	{"amd64_fam17h_zen2", 0x17, 0x31},
	{"amd64_fam19h_zen3", 0x19, 0x01},
	{"amd64_fam19h_zen4", 0x19, 0x11},
	{"amd64_fam1ah_zen5", 0x1a, 0x02},
	{"zen6", 0x1a, 0x50},
};

#define FIELDS (PERF_CTL_EVENT_LOW | PERF_CTL_UNIT_MASK | PERF_CTL_EVENT_HIGH)

static void join(const char *name, char *theirs)
{
	for (; *name; name++)
		if (*name != ' ')
			*theirs++ = (char)toupper(*name);
		else if (name[-1] != ':')
			*theirs++ = '_';
}

static void check_event(const char *pmu, const struct pmu_event *event)
{
	struct fact fact = {
		.pmu = pmu,
		.fields = FIELDS,
		.code = field_put(PERF_CTL_EVENT_LOW, event->code & 0xff) |
			field_put(PERF_CTL_EVENT_HIGH, event->code >> 8) |
			field_put(PERF_CTL_UNIT_MASK, event->unit_mask),
		.counters = event->counters ? event->counters : ALL_COUNTERS,
	};

	snprintf(fact.name, sizeof(fact.name), "%s", event->name);
	join(event->name, fact.theirs);
	check_fact(&fact);
}

void check_amd(void)
{
	uint32_t parts = 0;

	for (size_t i = 0; i < ARRAY_SIZE(processors); i++) {
		enum amd_part part = amd_part(processors[i].family, processors[i].model);
		struct pmu_event events[PMU_EVENTS_MAX] = {0};

		parts |= 1u << part;
		amd_events(part, AMD_EXTENDED_COUNTERS, events);
		for (unsigned e = EV_CYCLES; e < EV_OWN || events[e].name; e++)
			if (events[e].name)
				check_event(processors[i].pmu, &events[e]);
	}
	for (unsigned part = AMD_K7; part <= AMD_ZEN6; part++)
		check(parts >> part & 1, "part %u of AMD is compared", part);
}
