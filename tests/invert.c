/* SPDX-License-Identifier: BSD-2-Clause */
/* Inversion: every clock is either one with at least c occurrences, or one with fewer. */
#include "laws.h"

#define GROUP "invert"

enum role { ROLE_AT, ROLE_BELOW, ROLE_CLOCKS, ROLES };

/* The three of the same run, in one mode. */
struct partition {
	unsigned threshold, scrutinised;
	enum ring ring;
	uint64_t out[ROLES];
};

static bool measure_partition(struct run *t, struct partition *p, uint64_t iterations)
{
	struct pmu_config cfg[ROLES];
	unsigned ctr[ROLES];

	for (unsigned role = 0; role < ROLES; role++) {
		cfg[role] = gated(role == ROLE_CLOCKS ? EV_CYCLES : EV_INSTRUCTIONS);
		cfg[role].kernel = p->ring == RING_0;
	}
	cfg[ROLE_AT].at_least = p->threshold;
	cfg[ROLE_BELOW].below = p->threshold;
	if (!roles_assign(t, ROLES, p->scrutinised, cfg, ctr))
		return false;
	measure(t, ROLES, ctr, cfg, NULL, &payload_bursts, iterations, p->ring, p->out);
	return true;
}

/* The ring crossing opens and closes the three at the same instant: exact. */
static void check_gated(struct run *t, struct partition *p)
{
	if (measure_partition(t, p, iterations_for(&payload_bursts, 40)))
		CHECK_EQ(t, p->out[ROLE_AT] + p->out[ROLE_BELOW], p->out[ROLE_CLOCKS]);
}

/*
 * Where an inverted counter counts the clocks outside the privilege filter too, nothing gates it
 * but its own enable bit.  The three are then switched on and off one after the other, and may
 * differ by the clocks that takes: no more than all clocks of a window with next to nothing in it.
 */
static void check_switched(struct run *t, struct partition *p)
{
	uint64_t slack, sum, clocks;

	if (!measure_partition(t, p, 1))
		return;
	slack = p->out[ROLE_CLOCKS];
	measure_partition(t, p, 40 * iterations_for(&payload_bursts, 40));
	sum = p->out[ROLE_AT] + p->out[ROLE_BELOW];
	clocks = p->out[ROLE_CLOCKS];
	CHECK(t, clocks > 10 * slack);
	CHECK(t, sum <= clocks + slack && clocks <= sum + slack);
}

TEST(partition, "clocks at or above a threshold and clocks below it add up to all clocks",
     .clause = "AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: INV with CNT_MASK; "
	       "Intel SDM vol. 3B: CCCR complement",
     .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = ROLES, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	void (*check)(struct run * t, struct partition * p) = check_gated;
	struct partition p = {.ring = RING_3};
	struct pmu_config below = gated(EV_INSTRUCTIONS);
	uint64_t outside;

	/* AMD does not say whether a clock outside the privilege filter is one with no occurrence;
	 * on NetBurst it is. */
	below.below = 1;
	measure(t, 1, &t->counter, &below, NULL, &payload_straight, 1, RING_0, &outside);
	if (t->pmu->features & PMU_INVERT_FILTERED)
		CHECK_EQ(t, outside, 0);
	if (outside) {
		check = check_switched;
		p.ring = RING_0;
	}
	for (p.threshold = 1; p.threshold <= 3 && p.threshold <= t->pmu->max_threshold;
	     p.threshold++)
		for (p.scrutinised = ROLE_AT; p.scrutinised <= ROLE_BELOW; p.scrutinised++)
			check(t, &p);
}
