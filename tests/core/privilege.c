/* SPDX-License-Identifier: BSD-2-Clause */
/* The privilege filter: the battery's other groups lean on it as their gate. */
#include "tests/lib/laws.h"

#define GROUP "privilege"
#define USR_OS                                                                                     \
	"AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: USR, OS; Intel SDM vol. 3B: ESCR USR, OS"

static const uint64_t iterations = 2;

static struct pmu_config instructions(bool user, bool kernel)
{
	return (struct pmu_config){.event = EV_INSTRUCTIONS, .user = user, .kernel = kernel};
}

static uint64_t expected_difference(const struct payload *payload)
{
	return iterations * (uint64_t)payload->per_iteration.instructions;
}

static uint64_t count(struct run *t, const struct pmu_config *cfg, enum ring ring)
{
	uint64_t out;

	measure(t, 1, &t->counter, cfg, NULL, &payload_sub, iterations, ring, &out);
	return out;
}

static uint64_t difference(struct run *t, const struct pmu_config *cfg, enum ring ring)
{
	return measure_difference(t, t->counter, cfg, &payload_straight, iterations, ring);
}

TEST(user_only, "with USR alone a counter counts all of ring 3 and nothing of ring 0",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions(true, false);

	/* The window in ring 0 never leaves it, so there is not even a gate to count. */
	CHECK_EQ(t, count(t, &cfg, RING_0), 0);
	CHECK_EQ(t, difference(t, &cfg, RING_3), expected_difference(&payload_straight));
}

TEST(kernel_only, "with OS alone a counter counts all of ring 0 and nothing of ring 3",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions(false, true);

	CHECK_EQ(t, difference(t, &cfg, RING_0), expected_difference(&payload_straight));
	/* Switching the counter on and off and the gate are ring 0: constant, gone by difference.
	 */
	CHECK_EQ(t, difference(t, &cfg, RING_3), 0);
}

TEST(both, "with USR and OS a counter counts ring 0 and ring 3 alike", .clause = USR_OS,
     .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions(true, true);

	CHECK_EQ(t, difference(t, &cfg, RING_0), expected_difference(&payload_straight));
	CHECK_EQ(t, difference(t, &cfg, RING_3), expected_difference(&payload_straight));
}

TEST(neither, "with USR and OS clear a counter counts nothing, whatever the event",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .per_counter = true)
{
	for (unsigned event = EV_CYCLES; event < EV_COUNT; event++) {
		struct pmu_config cfg = {.event = (enum pmu_event_id)event};

		if (!can_count(t, cfg.event))
			continue;
		CHECK_EQ(t, count(t, &cfg, RING_0), 0);
		CHECK_EQ(t, count(t, &cfg, RING_3), 0);
	}
}

TEST(user_alone, "with USR alone a counter counts nothing of ring 0, whatever the event",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .per_counter = true)
{
	bool counted = false;

	for (unsigned event = EV_CYCLES; event < EV_COUNT; event++) {
		struct pmu_config cfg = gated((enum pmu_event_id)event);

		if (!can_count(t, cfg.event))
			continue;
		CHECK_EQ(t, count(t, &cfg, RING_0), 0);
		counted |= count(t, &cfg, RING_3) > 0;
	}
	CHECK(t, counted);
}

enum sum_role { ROLE_USER, ROLE_KERNEL, ROLE_BOTH, SUM_ROLES };

static void check_sum(struct run *t, unsigned scrutinised, enum ring ring)
{
	struct pmu_config cfg[SUM_ROLES] = {
		[ROLE_USER] = instructions(true, false),
		[ROLE_KERNEL] = instructions(false, true),
		[ROLE_BOTH] = instructions(true, true),
	};
	uint64_t once[SUM_ROLES], twice[SUM_ROLES], user, kernel, both;
	unsigned ctr[SUM_ROLES];

	if (!roles_assign(t, SUM_ROLES, scrutinised, cfg, ctr))
		return;
	measure(t, SUM_ROLES, ctr, cfg, NULL, &payload_calls, iterations, ring, once);
	measure(t, SUM_ROLES, ctr, cfg, NULL, &payload_calls, 2 * iterations, ring, twice);
	/* Counters that see ring 0 also see their neighbours being switched on one after the other:
	 * the same code in both windows, so the law is exact for what the longer one adds. */
	user = twice[ROLE_USER] - once[ROLE_USER];
	kernel = twice[ROLE_KERNEL] - once[ROLE_KERNEL];
	both = twice[ROLE_BOTH] - once[ROLE_BOTH];
	CHECK_EQ(t, user + kernel, both);
	CHECK_EQ(t, both, expected_difference(&payload_calls));
}

TEST(sum_law, "user and kernel counts of the same run add up to the count of both",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .min_counters = SUM_ROLES, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	for (unsigned role = 0; role < SUM_ROLES; role++) {
		check_sum(t, role, RING_3);
		check_sum(t, role, RING_0);
	}
}

TEST(user_gate, "going to ring 3 and back costs one count, the same on every counter",
     .clause = "AMD, 2023: an instruction that changes the mode counts in the mode it goes to",
     .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	const struct payload_counts *fixed = &payload_straight.fixed;
	const struct payload_counts *each = &payload_straight.per_iteration;
	struct pmu_config cfg[PMU_COUNTERS_MAX];
	unsigned ctr[PMU_COUNTERS_MAX], counters = counters_for(t, EV_INSTRUCTIONS, ctr);
	uint64_t out[PMU_COUNTERS_MAX];

	for (unsigned i = 0; i < counters; i++)
		cfg[i] = instructions(true, false);
	for (int64_t n = 1; n <= 3; n++) {
		uint64_t payload = (uint64_t)(fixed->instructions + n * each->instructions);

		measure(t, counters, ctr, cfg, NULL, &payload_straight, (uint64_t)n, RING_3, out);
		/* The IRETQ goes to ring 3 and counts there, the INT goes to ring 0 and does not.
		 * A family that counted each in the mode it comes from would also show one. */
		CHECK_EQ(t, out[0] - payload, 1);
		for (unsigned i = 1; i < counters; i++)
			CHECK_EQ(t, out[i], out[0]);
	}
}
