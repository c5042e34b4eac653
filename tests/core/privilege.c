/* SPDX-License-Identifier: BSD-2-Clause */
/* The privilege filter: the battery's other groups lean on it as their gate. */
#include "core.h"

#define GROUP  "privilege", "access"
#define USR_OS "AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: USR, OS; SDM vol. 3B: ESCR USR, OS"

static const uint64_t iterations = 2;

static struct pmu_config instructions(bool user, bool kernel)
{
	return (struct pmu_config){.event = EV_INSTRUCTIONS, .user = user, .kernel = kernel};
}

static uint64_t expected_difference(const struct payload *payload)
{
	return iterations * (uint64_t)payload->per_iteration.instructions;
}

void check_instructions(struct run *t, uint64_t got, uint64_t want)
{
	if (pmu_is_exact(t->pmu, EV_INSTRUCTIONS))
		CHECK_COUNT(t, got, want);
	else
		CHECK_IS(t, got, >=, want);
}

static uint64_t counted(struct run *t, struct pmu_config cfg, enum ring ring)
{
	return count(t, t->counter, cfg, in_ring(ring, &payload_sub, iterations));
}

static uint64_t difference(struct run *t, struct pmu_config cfg, enum ring ring)
{
	return count_difference(t, t->counter, cfg, in_ring(ring, &payload_straight, iterations));
}

TEST(user_only, "with USR alone a counter counts all of ring 3 and nothing of ring 0",
     .clause = USR_OS, .needs = PMU_PRIVILEGE | PMU_USER_ALONE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions(true, false);

	/* The window in ring 0 never leaves it, so there is not even a gate to count. */
	CHECK_EQ(t, counted(t, cfg, RING_0), 0);
	check_instructions(t, difference(t, cfg, RING_3), expected_difference(&payload_straight));
}

TEST(kernel_only, "with OS alone a counter counts all of ring 0 and nothing of ring 3",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions(false, true);

	check_instructions(t, difference(t, cfg, RING_0), expected_difference(&payload_straight));
	/* Switching the counter on and off and the gate are ring 0: constant, gone by difference.
	 */
	CHECK_COUNT(t, difference(t, cfg, RING_3), 0);
}

TEST(both, "with USR and OS a counter counts ring 0 and ring 3 alike", .clause = USR_OS,
     .needs = PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions(true, true);

	check_instructions(t, difference(t, cfg, RING_0), expected_difference(&payload_straight));
	check_instructions(t, difference(t, cfg, RING_3), expected_difference(&payload_straight));
}

TEST(neither, "with USR and OS clear a counter counts nothing, whatever the event",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .per_counter = true)
{
	FOR_EACH_EVENT (t->pmu, event) {
		struct pmu_config cfg = {.event = event};

		if (!can_count(t, event))
			continue;
		CHECK_EQ(t, counted(t, cfg, RING_0), 0);
		CHECK_EQ(t, counted(t, cfg, RING_3), 0);
	}
}

TEST(user_alone, "with USR alone a counter counts nothing of ring 0, whatever the event",
     .clause = USR_OS, .needs = PMU_PRIVILEGE | PMU_USER_ALONE, .per_counter = true)
{
	bool any = false;

	FOR_EACH_EVENT (t->pmu, event) {
		struct pmu_config cfg = gated(event);

		if (!can_count(t, event))
			continue;
		CHECK_EQ(t, counted(t, cfg, RING_0), 0);
		any |= counted(t, cfg, RING_3) > 0;
	}
	CHECK(t, any);
}

enum sum_role { ROLE_USER, ROLE_KERNEL, ROLE_BOTH, SUM_ROLES };

static struct window sum(unsigned event)
{
	return (struct window){
		.n = SUM_ROLES,
		.c = {[ROLE_USER] = {.cfg = {.event = event, .user = true}},
		      [ROLE_KERNEL] = {.cfg = {.event = event, .kernel = true}},
		      [ROLE_BOTH] = {.cfg = {.event = event, .user = true, .kernel = true}}}};
}

static const char *no_sum(const struct pmu *pmu, unsigned ctr)
{
	struct window w = sum(EV_INSTRUCTIONS);

	return window_unfit(pmu, ctr, &w, ROLE_BOTH);
}

static void check_sum(struct run *t, unsigned scrutinised, enum ring ring)
{
	struct window w = sum(EV_INSTRUCTIONS);

	w.work = in_ring(ring, &payload_calls, iterations);
	window_assign(t, &w, scrutinised);
	/* Counters that see ring 0 also see their neighbours being switched on one after the other:
	 * the same code in both windows, so the law is exact for what the longer one adds. */
	window_difference(t, &w);
	report_measured(&(struct measured){.parts = 2,
					   .part = {w.c[ROLE_USER].out, w.c[ROLE_KERNEL].out},
					   .least = w.c[ROLE_BOTH].out,
					   .most = w.c[ROLE_BOTH].out});
	CHECK_COUNT(t, w.c[ROLE_USER].out + w.c[ROLE_KERNEL].out, w.c[ROLE_BOTH].out);
	check_instructions(t, w.c[ROLE_BOTH].out, expected_difference(&payload_calls));
}

/* Counters that one write opens, and one closes, count the same clocks, where no ring changes. */
static void check_clocks(struct run *t, unsigned scrutinised)
{
	struct window w = sum(EV_CYCLES);

	w.work = in_ring0(&payload_calls, iterations);
	if (!(t->pmu->features & PMU_ATOMIC_START) || opens_late(t->pmu, t->counter) ||
	    window_unfit(t->pmu, t->counter, &w, scrutinised))
		return;
	window_run(t, &w);
	CHECK_COUNT(t, w.c[ROLE_USER].out + w.c[ROLE_KERNEL].out, w.c[ROLE_BOTH].out);
}

TEST(sum_law, "user and kernel counts of the same run add up to the count of both",
     .clause = USR_OS, .needs = PMU_PRIVILEGE, .min_counters = SUM_ROLES, .per_counter = true,
     .counts = EV_INSTRUCTIONS, .absent = no_sum)
{
	for (unsigned role = 0; role < SUM_ROLES; role++) {
		if (pmu_is_deaf(t->pmu, t->counter, &sum(EV_INSTRUCTIONS).c[role].cfg))
			continue;
		check_sum(t, role, RING_3);
		check_sum(t, role, RING_0);
		check_clocks(t, role);
	}
}

TEST(user_gate, "going to ring 3 and back costs one count, the same on every counter",
     .clause = "AMD, 2023: an instruction that changes the mode counts in the mode it goes to",
     .needs = PMU_PRIVILEGE | PMU_USER_ALONE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	const struct payload_counts *fixed = &payload_straight.fixed;
	const struct payload_counts *each = &payload_straight.per_iteration;
	struct window w = window_of_all(t, instructions(true, false));
	uint64_t cost = 1;

	for (int64_t n = 1; n <= 3; n++) {
		uint64_t payload = (uint64_t)(fixed->instructions + n * each->instructions);

		w.work = in_ring3(&payload_straight, (uint64_t)n);
		window_run(t, &w);
		/* The IRETQ goes to ring 3 and counts there, the INT goes to ring 0 and does not.
		 * A family that counted each in the mode it comes from would also show one. */
		if (n == 1 && w.c[0].out - payload == 2 && test_iret_twice(t, EV_INSTRUCTIONS))
			cost = 2;
		check_instructions(t, w.c[0].out - payload, cost);
		for (unsigned i = 1; i < w.n; i++)
			OF_COUNTER(t, w.c[i].ctr, CHECK_COUNT(t, w.c[i].out, w.c[0].out));
	}
}
