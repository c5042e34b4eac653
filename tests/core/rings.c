/* SPDX-License-Identifier: BSD-2-Clause */
/* Rings 1 and 2, which no system uses any more: to the privilege filter they are as ring 3. */
#include "core.h"

#define GROUP  "privilege", "access"
#define USR_OS "AMD64 APM vol. 2, 13.2.1: USR, OS; SDM vol. 3B, 20.2.1.1: USR, OS; ESCR USR, OS"

static const uint64_t iterations = 2;

static uint64_t difference(struct run *t, bool kernel, enum ring ring)
{
	struct pmu_config cfg = {.event = EV_INSTRUCTIONS, .user = !kernel, .kernel = kernel};

	return count_difference(t, t->counter, cfg, in_ring(ring, &payload_straight, iterations));
}

TEST(middle_rings, "with USR alone a counter counts all of rings 1 and 2, with OS alone nothing",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	uint64_t payload = iterations * (uint64_t)payload_straight.per_iteration.instructions;

	for (enum ring ring = RING_1; ring <= RING_2; ring++) {
		check_instructions(t, difference(t, false, ring), payload);
		CHECK_COUNT(t, difference(t, true, ring), 0);
	}
}
