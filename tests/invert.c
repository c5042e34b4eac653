/* SPDX-License-Identifier: BSD-2-Clause */
/* Inversion: every clock is either one with at least c occurrences, or one with fewer. */
#include "laws.h"

#define GROUP "invert"

enum role { ROLE_AT, ROLE_BELOW, ROLE_CLOCKS, ROLES };

static void check_partition(struct run *t, unsigned c, unsigned scrutinised)
{
	struct pmu_config cfg[ROLES] = {
		[ROLE_AT] = gated(EV_INSTRUCTIONS),
		[ROLE_BELOW] = gated(EV_INSTRUCTIONS),
		[ROLE_CLOCKS] = gated(EV_CYCLES),
	};
	uint64_t out[ROLES];
	unsigned ctr[ROLES];

	cfg[ROLE_AT].at_least = c;
	cfg[ROLE_BELOW].below = c;
	roles_assign(t, ROLES, scrutinised, ctr);
	measure(t, ROLES, ctr, cfg, NULL, &payload_bursts, iterations_for(&payload_bursts, 40),
		RING_3, out);
	CHECK_EQ(t, out[ROLE_AT] + out[ROLE_BELOW], out[ROLE_CLOCKS]);
}

TEST(partition, "clocks at or above a threshold and clocks below it add up to all clocks",
     .clause = "AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: INV with CNT_MASK",
     .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = ROLES, .per_counter = true)
{
	struct pmu_config below = gated(EV_INSTRUCTIONS);
	uint64_t outside;

	/* No manual says whether a clock outside the privilege filter is one with no occurrence.
	 * Where it is, the ring crossing does not gate an inverted counter. */
	below.below = 1;
	measure(t, 1, &t->counter, &below, NULL, &payload_straight, 1, RING_0, &outside);
	if (outside) {
		test_skip(t, "inverted counters here count clocks outside the privilege filter");
		return;
	}
	for (unsigned c = 1; c <= 3 && c <= t->pmu->max_threshold; c++) {
		check_partition(t, c, ROLE_AT);
		check_partition(t, c, ROLE_BELOW);
	}
}
