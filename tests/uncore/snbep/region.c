/* SPDX-License-Identifier: BSD-2-Clause */
/* Regions of memory, as home agents tell them apart. */
#include "traffic.h"

#define GROUP   "traffic"
#define REGIONS 8u /* that have a bit in the unit mask of TAD_REQUESTS_G0 */

/* Of all home agents counter ctr[i] on each region once: regions with the reads of a line of the
 * place, by counter. */
static void find_regions(struct run *t, uint64_t place, uint32_t regions[SNBEP_COUNTERS_MAX])
{
	struct traffic traffic = {
		.kind = SNBEP_HA,
		.n = SNBEP_COUNTERS_MAX,
		.place = place,
		.load = memory_repeat, /* of a line that need not be flushed before */
	};
	const struct pmu *pmu;

	for (unsigned c = 0; c < traffic.n; c++)
		regions[c] = 0;
	for (unsigned turn = 0; turn < REGIONS; turn++) {
		for (unsigned c = 0; c < traffic.n; c++)
			traffic.cfg[c] =
				(struct snbep_config){HA_TAD_REQUESTS_G0((turn + c) % REGIONS)};
		traffic_run(t, &traffic);
		for (unsigned i = 0; (pmu = traffic_box(&traffic, &i));)
			for (unsigned c = 0; c < traffic.n; c++)
				if (pmu_read(pmu, c) > MEMORY_REPEAT / 2)
					regions[c] |= (uint32_t)BIT((turn + c) % REGIONS);
	}
}

/* There may be more regions than this event has, up to 12: a line of those is in none here. */
SNBEP_TEST(regions, "a line lies in one region of memory, which all counters agree on",
	   .clause = "Intel 327043-001, 2.4: HA event TAD_REQUESTS_G0",
	   .kinds = SNBEP_FIRST(SNBEP_HA))
{
	uint32_t regions[SNBEP_COUNTERS_MAX], seen = 0;

	for (unsigned i = 0; i < MACHINE_PLACES; i++) {
		if (!machine_place(i))
			continue;
		find_regions(t, machine_place(i), regions);
		CHECK(t, !(regions[0] & (regions[0] - 1)));
		for (unsigned c = 1; c < SNBEP_COUNTERS_MAX; c++)
			CHECK_EQ(t, regions[c], regions[0]);
		seen |= regions[0];
	}
	report_diag("regions: %x", seen);
}
