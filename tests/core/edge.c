/* SPDX-License-Identifier: BSD-2-Clause */
/* Edge detection: counts the clocks in which a condition becomes true. */
#include "kernel/cpu.h"
#include "kernel/user.h"
#include "tests/lib/laws.h"

#define GROUP "edge"
#define EDGE  "AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: Edge; Intel SDM vol. 3B: CCCR edge"

enum role { RISE_AT, RISE_BELOW, AT, BELOW, ROLES };

/* The four of the same run for threshold c. */
static bool measure_edges(struct run *t, unsigned c, unsigned scrutinised, uint64_t out[ROLES])
{
	struct pmu_config cfg[ROLES];
	unsigned ctr[ROLES];

	for (unsigned role = 0; role < ROLES; role++) {
		cfg[role] = gated(EV_INSTRUCTIONS);
		cfg[role].edge = role == RISE_AT || role == RISE_BELOW;
		if (role == RISE_AT || role == AT)
			cfg[role].at_least = c;
		else
			cfg[role].below = c;
	}
	if (!roles_assign(t, ROLES, scrutinised, cfg, ctr))
		return false;
	measure(t, ROLES, ctr, cfg, NULL, &payload_bursts, iterations_for(&payload_bursts, 40),
		RING_3, out);
	return true;
}

TEST(alternation, "a condition rises as often as its inverse, give or take the one at the start",
     .clause = EDGE, .needs = PMU_EDGE | PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = ROLES,
     .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	uint64_t out[ROLES];

	for (unsigned c = 1; c <= 3 && c <= t->pmu->max_threshold; c++)
		for (unsigned role = RISE_AT; role <= RISE_BELOW; role++) {
			if (!measure_edges(t, c, role, out))
				return;
			/* Between two rises lies a fall, which is a rise of the inverse.  One more
			 * on either side: what the condition was before the window is not
			 * documented. */
			CHECK(t, out[RISE_AT] <= out[RISE_BELOW] + 1);
			CHECK(t, out[RISE_BELOW] <= out[RISE_AT] + 1);
		}
}

TEST(bound, "a condition rises in no more clocks than it is true, nor than it was false before",
     .clause = EDGE, .needs = PMU_EDGE | PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = ROLES,
     .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	uint64_t out[ROLES];

	for (unsigned c = 1; c <= 3 && c <= t->pmu->max_threshold; c++) {
		if (!measure_edges(t, c, RISE_AT, out))
			return;
		CHECK(t, out[RISE_AT] <= out[AT]);
		/* Each rise needs a clock below before it; the first may have had it before the
		 * window. */
		CHECK(t, out[RISE_AT] <= out[BELOW] + 1);
	}
}

static uint64_t count_edges(struct run *t, enum pmu_event_id event, unsigned at_least,
			    const struct payload *payload, uint64_t iterations)
{
	struct pmu_config cfg = gated(event);
	uint64_t out;

	cfg.edge = true;
	cfg.at_least = at_least;
	measure(t, 1, &t->counter, &cfg, NULL, payload, iterations, RING_3, &out);
	return out;
}

/* What a far-transfer counter shows to ring 3, between the IRETQ into it and the INT out of it. */
static uint64_t far_transfers_seen(struct run *t, unsigned below, bool edge)
{
	struct pmu_config cfg = gated(EV_FAR_TRANSFERS);
	uint64_t seen;

	cfg.below = below;
	cfg.edge = edge;
	pmu_reset(t->pmu);
	if (!CHECK(t, pmu_program(t->pmu, t->counter, &cfg) == NULL))
		return 0;
	t->programmed = BIT(t->counter);
	pmu_start(t->pmu, t->programmed);
	seen = user_call(user_rdpmc, t->pmu->counter[t->counter].rdpmc, NULL, 0);
	pmu_stop(t->pmu, t->programmed);
	return seen;
}

/*
 * Rises and falls alternate, so that counts alone cannot tell them apart, unless it is known what
 * the condition is at both ends.  "No far transfer" is false in the clock of the IRETQ that enters
 * ring 3 and true from then on: it rises, and a fall after that there is none.
 */
static void check_rises_not_falls(struct run *t)
{
	if (!can_count(t, EV_FAR_TRANSFERS))
		return;
	write_cr4(read_cr4() | CR4_PCE); /* the runner puts it back */
	/* Else this silicon counts the IRETQ in the mode it comes from. */
	if (far_transfers_seen(t, 0, false) == 1)
		CHECK(t, far_transfers_seen(t, 1, true) >= 1);
}

TEST(bursts, "an edge is a condition that becomes true: one per burst, one for what lasts",
     .clause = EDGE, .needs = PMU_EDGE | PMU_THRESHOLD | PMU_PRIVILEGE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	const uint64_t n = 4;
	struct pmu_config returns = gated(EV_NEAR_RETURNS);
	struct pmu_config instructions = gated(EV_INSTRUCTIONS);
	uint64_t rises;

	/* Retirement is in order: it stops behind each division and fence and goes on after it, so
	 * each iteration has a clock with no retirement followed by one with: at least one rise.
	 * What else stalls is the silicon's affair, and another time another. */
	rises = count_edges(t, EV_INSTRUCTIONS, 1, &payload_bursts, n);
	CHECK(t, rises >= n);
	CHECK(t, rises <= window_total(t, &instructions, &payload_bursts, n, RING_3));

	/* "Not halted" holds in every clock of the window: it can rise at its start or not at all,
	 * which of the two is not documented. */
	if (can_count(t, EV_CYCLES)) {
		CHECK(t, count_edges(t, EV_CYCLES, 0, &payload_straight, n) <= 1);
		CHECK(t, count_edges(t, EV_CYCLES, 1, &payload_straight, n) <= 1);
	}
	check_rises_not_falls(t);

	/* This payload returns once, as its last instruction: false before, true in one clock.
	 * Some K7 count no near returns at all. */
	if (!can_count(t, EV_NEAR_RETURNS) ||
	    window_total(t, &returns, &payload_straight, n, RING_3) == 0)
		return;
	CHECK_EQ(t, count_edges(t, EV_NEAR_RETURNS, 0, &payload_straight, n), 1);
	CHECK_EQ(t, count_edges(t, EV_NEAR_RETURNS, 1, &payload_straight, n), 1);
}
