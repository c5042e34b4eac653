/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow: one interrupt, when the counter wraps and not one event sooner; no event lost. */
#include "core.h"

#define GROUP "overflow", "edge"
#define OVERFLOW                                                                                   \
	"AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1, 13.2.3: INT, overflow; SDM vol. "         \
	"3B: "                                                                                     \
	"CCCR OVF_PMI"

#define OVERFLOW_TEST_WITH(name, claim, feature)                                                   \
	TEST(name, claim, .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE | (feature),  \
	     .per_counter = true, .counts = EV_INSTRUCTIONS)
#define OVERFLOW_TEST(name, claim) OVERFLOW_TEST_WITH(name, claim, 0)
/* Where the instructions of the handler must not count. */
#define RING3_TEST(name, claim) OVERFLOW_TEST_WITH(name, claim, PMU_USER_ALONE)

/* Enough for a period of 100. */
#define INSTRUCTIONS 110

static struct work mix(void)
{
	return work_for(&payload_mix, INSTRUCTIONS);
}

static struct pmu_config instructions(void)
{
	return (struct pmu_config){.event = EV_INSTRUCTIONS, .user = true, .interrupt = true};
}

/* The count of one window when nothing interrupts it. */
static uint64_t total_of(struct run *t, unsigned event, struct work work)
{
	return count(t, t->counter, gated(event), work);
}

static uint64_t total(struct run *t)
{
	return total_of(t, EV_INSTRUCTIONS, mix());
}

/* The value left in a counter that was preset to interrupt after period events, when all have come.
 */
static uint64_t rest(const struct run *t, uint64_t all, uint64_t period)
{
	return (all + preset_for(t, period)) & pmu_mask(t->pmu, t->counter);
}

static uint64_t late(const struct run *t)
{
	return t->log.value_at_pmi[t->counter] - t->pmu->interrupt_after;
}

static uint64_t overflow_after(struct run *t, uint64_t period)
{
	uint64_t out = count_overflows(t, instructions(), preset_for(t, period), mix(), VECTOR_PMI);

	if (t->log.count == 1)
		report_measured(&(struct measured){.late = late(t)});
	return out;
}

/* Between first and last, from a fixed seed: the same on every machine. */
static uint64_t any_between(uint64_t *seed, uint64_t first, uint64_t last)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return first + (*seed >> 33) % (last - first + 1);
}

static void check_one_interrupt(struct run *t)
{
	CHECK_EQ(t, t->log.count, 1);
	CHECK_EQ(t, t->log.per_counter[t->counter], 1);
	CHECK_EQ(t, t->log.unexplained, 0);
}

/* Last, and no checks: Linux raises a period of 1 to 2, as some CPUs dislike 1, and more on those
 * that have a shortest period. */
static void report_short_periods(struct run *t)
{
	for (uint64_t period = 1; period < period_from(t, 2); period *= 2) {
		overflow_after(t, period);
		if (t->log.count != 1)
			report_diag("period %llu: %llu interrupts", (unsigned long long)period,
				    (unsigned long long)t->log.count);
	}
}

OVERFLOW_TEST(exact_period, "a counter preset to -N interrupts exactly once when N events come")
{
	uint64_t all = total(t), seed = 86;

	REQUIRE_IS(t, all, >, 101);
	const uint64_t period[] = {
		period_from(t, 2),
		99,
		100,
		any_between(&seed, period_from(t, 3), 98),
		any_between(&seed, 101, all - unseen_by_interrupt(t)),
		all - unseen_by_interrupt(t),
	};

	for (unsigned i = 0; i < ARRAY_SIZE(period); i++) {
		overflow_after(t, period[i]);
		check_one_interrupt(t);
	}
	report_short_periods(t);
}

OVERFLOW_TEST(one_short, "a counter that stops one event short of overflow does not interrupt")
{
	uint64_t all = total(t);

	CHECK_COUNT(t, overflow_after(t, all + 1), rest(t, all, all + 1));
	CHECK_EQ(t, t->log.count, 0);
	/* The same window with a higher preset: the last event is enough. */
	overflow_after(t, all - unseen_by_interrupt(t));
	check_one_interrupt(t);
}

RING3_TEST(value_after,
	   "a counter goes on counting from zero after its overflow and loses no event")
{
	struct pmu_config returns = instructions();
	const struct work calls = in_ring3(&payload_calls, period_from(t, 5) * 2);
	uint64_t all = total(t), value;

	REQUIRE_IS(t, all, >, 100);
	value = overflow_after(t, 100);
	CHECK_EQ(t, t->log.count, 1);
	/* The IRETQ from an interrupt taken in ring 3 goes to ring 3 and counts there: one more
	 * instruction (Weaver et al., ISPASS 2013: on every family measured). */
	if (taken_in_ring3(t) && value == rest(t, all, 100) + 2 &&
	    test_iret_twice(t, EV_INSTRUCTIONS))
		value--;
	check_instructions(t, value, rest(t, all, 100) + taken_in_ring3(t));

	/* The handler returns by IRETQ, never by a near RET to ring 3: free of that cost wherever
	 * the interrupt falls.  Some K7 count no near returns at all. */
	returns.event = EV_NEAR_RETURNS;
	if (!can_count(t, EV_NEAR_RETURNS))
		return;
	all = total_of(t, EV_NEAR_RETURNS, calls);
	if (all / 2 < period_from(t, 1))
		return;
	value = count_overflows(t, returns, preset_for(t, all / 2), calls, VECTOR_PMI);
	CHECK_EQ(t, t->log.count, 1);
	CHECK_COUNT(t, value, rest(t, all, all / 2));
}

OVERFLOW_TEST(width_boundary, "carries inside the counter lose no event and do not interrupt")
{
	/* Where counters and the software above them have been cut or sign-extended. */
	const unsigned carry_into[] = {16, 31, 32, 40, t->pmu->counter[t->counter].width - 1};
	uint64_t all = total(t);

	for (unsigned i = 0; i < ARRAY_SIZE(carry_into); i++) {
		uint64_t from;

		if (carry_into[i] >= t->pmu->counter[t->counter].width)
			continue;
		/* In the middle of the window: an erratum spoils a carry in the very clock in
		 * which the counter is disabled. */
		from = BIT(carry_into[i]) - all / 2;
		if (!pmu_can_write(t->pmu, t->counter, from))
			continue;
		CHECK_COUNT(t, count_overflows(t, instructions(), from, mix(), VECTOR_PMI),
			    from + all);
		CHECK_EQ(t, t->log.count, 0);
	}
}

/* With twice as many iterations as the shortest period has events. */
static struct work sub(const struct run *t)
{
	return in_ring3(&payload_sub, 2 * period_from(t, 5));
}

/* The counter under test preset to interrupt after period events, and another one from zero. */
static void check_beside(struct run *t, unsigned event, uint64_t period)
{
	unsigned changes = GATE_CHANGES;
	struct window w = {
		.n = 2,
		.c = {{.cfg = gated(event), .from = preset_for(t, period)}, {.cfg = gated(event)}},
		.work = sub(t),
		.lvt = VECTOR_PMI};
	uint64_t counted;

	w.c[0].cfg.interrupt = true;
	window_assign(t, &w, 0);
	window_run(t, &w);
	counted = slot_counted(t, &w.c[0]);
	if (counted >= period)
		changes += GATE_CHANGES;
	CHECK_NEAR(t, counted, w.c[1].out, clocks_hidden(t, &w.c[1].cfg, changes));
	CHECK_EQ(t, t->log.count, counted >= period);
}

/* Another counter that can count it, too? */
static bool has_another(const struct pmu *pmu, unsigned ctr, unsigned event)
{
	struct window w = {.n = 2, .c = {{.cfg = gated(event)}, {.cfg = gated(event)}}};

	return pmu_can_count(pmu, ctr, event) && !window_unfit(pmu, ctr, &w, 0);
}

static const char *alone(const struct pmu *pmu, unsigned ctr)
{
	FOR_EACH_EVENT (pmu, event)
		if (has_another(pmu, ctr, event))
			return NULL;
	return "no other counter can count what this one can";
}

TEST(beside_another, "a counter that overflows counts the same as its neighbour that does not",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2,
     .per_counter = true, .absent = alone)
{
	FOR_EACH_EVENT (t->pmu, event) {
		uint64_t all;

		if (!has_another(t->pmu, t->counter, event))
			continue;
		all = total_of(t, event, sub(t));
		/* In the middle, where clocks that vary a little make no difference. */
		if (all >= 2 * period_from(t, 5))
			check_beside(t, event, all / 2);
		check_beside(t, event, 2 * all + 10);
	}
}

/* The counter under test overflows by what retires in one ring; another one counts that in the
 * others. */
static struct window of_opposites(const struct run *t, bool user)
{
	return (struct window){
		.lvt = VECTOR_PMI,
		.n = 2,
		.c = {{.from = preset_for(t, 100),
		       .cfg = {.event = EV_INSTRUCTIONS,
			       .user = user,
			       .kernel = !user,
			       .interrupt = true}},
		      {.cfg = {.event = EV_INSTRUCTIONS, .user = !user, .kernel = user}}},
		.work = user ? mix() : in_ring0(&payload_mix, mix().iterations)};
}

static const char *no_opposite(const struct pmu *pmu, unsigned ctr)
{
	struct window w = {.n = 2,
			   .c = {{.cfg = gated(EV_INSTRUCTIONS)},
				 {.cfg = {.event = EV_INSTRUCTIONS, .kernel = true}}}};

	return window_unfit(pmu, ctr, &w, 0);
}

TEST(beside_opposite,
     "a counter of some rings interrupts beside one that counts the same in the others",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE | PMU_USER_ALONE, .min_counters = 2,
     .per_counter = true, .counts = EV_INSTRUCTIONS, .absent = no_opposite)
{
	for (unsigned user = 0; user < 2; user++) {
		struct window w = of_opposites(t, user);

		window_assign(t, &w, 0);
		window_run(t, &w);
		check_one_interrupt(t);
	}
}

OVERFLOW_TEST(int_clear, "a counter with INT clear overflows without an interrupt")
{
	uint64_t all = total(t);

	REQUIRE_IS(t, all, >, 100);
	CHECK_COUNT(
		t,
		count_overflows(t, gated(EV_INSTRUCTIONS), preset_for(t, 100), mix(), VECTOR_PMI),
		rest(t, all, 100));
	CHECK_EQ(t, t->log.count, 0);
}

RING3_TEST(skid, "the interrupt of an overflow comes; how many events late is reported, not judged")
{
	bool in_time;
	char counter[sizeof(t->pmu->name) + 4];

	REQUIRE_IS(t, total(t), >, 100);
	overflow_after(t, 100);
	REQUIRE_EQ(t, t->log.count, 1);
	/* No manual bounds it, so there is nothing that could be broken. */
	in_time = taken_in_ring3(t);
	report_diag("interrupt %llu instructions late%s", (unsigned long long)late(t),
		    in_time ? "" : " or more: it came after the window");
	fmt_print(counter, sizeof(counter), "%s.%u", t->pmu->name, t->counter);
	report_finding(counter, "skid", "%llu%s", (unsigned long long)late(t), in_time ? "" : "+");
}
