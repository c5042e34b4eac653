/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow: one interrupt, when the counter wraps and not one event sooner; no event lost. */
#include "kernel/apic.h"
#include "kernel/console/report.h"
#include "kernel/trap.h"
#include "tests/lib/laws.h"

#define GROUP "overflow"
#define OVERFLOW                                                                                   \
	"AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1, 13.2.3: INT, overflow; Intel SDM vol. "   \
	"3B: "                                                                                     \
	"CCCR OVF_PMI"

/* Enough for a period of 100. */
#define INSTRUCTIONS 110

static const struct payload *const payload = &payload_mix;

static struct pmu_config instructions(void)
{
	struct pmu_config cfg = gated(EV_INSTRUCTIONS);

	cfg.interrupt = true;
	return cfg;
}

static uint64_t total(struct run *t, const struct pmu_config *cfg)
{
	return window_total(t, cfg, payload, iterations_for(payload, INSTRUCTIONS), RING_3);
}

/* What is left in a counter preset to interrupt after period events when all have come. */
static uint64_t rest(const struct run *t, uint64_t all, uint64_t period)
{
	return (all + minus(t, period)) & pmu_mask(t->pmu, t->counter);
}

static uint64_t overflow_after(struct run *t, const struct pmu_config *cfg, uint64_t period,
			       struct pmi_log *log)
{
	return shoot(t, cfg, minus(t, period), payload, iterations_for(payload, INSTRUCTIONS),
		     VECTOR_PMI, log);
}

/* Between first and last, from a fixed seed: the same on every machine. */
static uint64_t any_between(uint64_t *seed, uint64_t first, uint64_t last)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return first + (*seed >> 33) % (last - first + 1);
}

static void check_one_interrupt(struct run *t, const struct pmi_log *log)
{
	CHECK_EQ(t, log->count, 1);
	CHECK_EQ(t, log->per_counter[t->counter], 1);
	CHECK_EQ(t, log->unexplained, 0);
}

/* Told, not judged: Linux raises a period of 1 to 2, as some CPUs dislike 1. */
static void report_period_one(struct run *t, const struct pmu_config *cfg)
{
	struct pmi_log log = {0};

	overflow_after(t, cfg, 1, &log);
	if (log.count != 1)
		report_diag("period 1: %llu interrupts", (unsigned long long)log.count);
}

TEST(exact_period, "a counter preset to -N interrupts exactly once when N events come",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions();
	uint64_t all = total(t, &cfg), seed = 86;

	REQUIRE(t, all > 101);
	report_period_one(t, &cfg);
	const uint64_t period[] = {
		2,
		99,
		100,
		any_between(&seed, 3, 98),
		any_between(&seed, 101, all - unseen_by_interrupt(t)),
		all - unseen_by_interrupt(t),
	};

	for (unsigned i = 0; i < ARRAY_SIZE(period); i++) {
		struct pmi_log log = {0};

		overflow_after(t, &cfg, period[i], &log);
		check_one_interrupt(t, &log);
	}
}

TEST(one_short, "a counter that stops one event short of overflow does not interrupt",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions();
	uint64_t all = total(t, &cfg);
	struct pmi_log none = {0}, one = {0};

	CHECK_EQ(t, overflow_after(t, &cfg, all + 1, &none), rest(t, all, all + 1));
	CHECK_EQ(t, none.count, 0);
	/* The same window with a higher preset: the last event is enough. */
	overflow_after(t, &cfg, all - unseen_by_interrupt(t), &one);
	check_one_interrupt(t, &one);
}

TEST(value_after, "a counter goes on counting from zero after its overflow and loses no event",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions();
	struct pmu_config returns = cfg;
	uint64_t all = total(t, &cfg), value;
	struct pmi_log log = {0};

	REQUIRE(t, all > 100);
	value = overflow_after(t, &cfg, 100, &log);
	CHECK_EQ(t, log.count, 1);
	/* The IRETQ from an interrupt taken in ring 3 goes to ring 3 and counts there: one more
	 * instruction (Weaver et al., ISPASS 2013: on every family measured). */
	CHECK_EQ(t, value, rest(t, all, 100) + taken_in_ring3(&log));

	/* The handler returns by IRETQ, never by a near RET to ring 3: free of that cost wherever
	 * the interrupt falls.  Some K7 count no near returns at all. */
	returns.event = EV_NEAR_RETURNS;
	if (!can_count(t, EV_NEAR_RETURNS))
		return;
	all = window_total(t, &returns, &payload_calls, 10, RING_3);
	if (all < 2)
		return;
	log = (struct pmi_log){0};
	value = shoot(t, &returns, minus(t, all / 2), &payload_calls, 10, VECTOR_PMI, &log);
	CHECK_EQ(t, log.count, 1);
	CHECK_EQ(t, value, rest(t, all, all / 2));
}

TEST(width_boundary, "carries inside the counter lose no event and do not interrupt",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	/* Where counters and the software above them have been cut or sign-extended. */
	const unsigned carry_into[] = {16, 31, 32, 40, t->pmu->counter[t->counter].width - 1};
	struct pmu_config cfg = instructions();
	uint64_t all = total(t, &cfg);

	for (unsigned i = 0; i < ARRAY_SIZE(carry_into); i++) {
		struct pmi_log log = {0};
		uint64_t from;

		if (carry_into[i] >= t->pmu->counter[t->counter].width)
			continue;
		/* In the middle of the window: 16h erratum 795 spoils a carry in the very clock in
		 * which the counter is disabled. */
		from = BIT(carry_into[i]) - all / 2;
		if (!pmu_can_write(t->pmu, t->counter, from))
			continue;
		CHECK_EQ(t,
			 shoot(t, &cfg, from, payload, iterations_for(payload, INSTRUCTIONS),
			       VECTOR_PMI, &log),
			 from + all);
		CHECK_EQ(t, log.count, 0);
	}
}

/* The counter under test preset to interrupt after period events, and another one from zero. */
static void check_beside(struct run *t, enum pmu_event_id event, uint64_t period)
{
	struct pmu_config cfg[] = {gated(event), gated(event)};
	uint64_t from[] = {minus(t, period), 0}, out[2];
	struct pmi_log log = {.armed = BIT(t->counter)};
	unsigned ctr[2];

	cfg[0].interrupt = true;
	if (!roles_assign(t, 2, 0, cfg, ctr))
		return;
	pmi_arm(t, &log, VECTOR_PMI);
	measure(t, 2, ctr, cfg, from, &payload_sub, 10, RING_3, out);
	pmi_disarm();
	CHECK_EQ(t, out[0], rest(t, out[1], period));
	CHECK_EQ(t, log.count, out[1] >= period);
}

TEST(beside_another, "a counter that overflows counts the same as one that does not",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2,
     .per_counter = true)
{
	for (unsigned event = EV_CYCLES; event < EV_COUNT; event++) {
		struct pmu_config cfg = gated((enum pmu_event_id)event);
		uint64_t all;

		if (!can_count(t, cfg.event))
			continue;
		all = window_total(t, &cfg, &payload_sub, 10, RING_3);
		/* In the middle, where clocks that vary a little make no difference. */
		if (all >= 10)
			check_beside(t, cfg.event, all / 2);
		check_beside(t, cfg.event, 2 * all + 10);
	}
}

TEST(int_clear, "a counter with INT clear overflows without an interrupt", .clause = OVERFLOW,
     .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = gated(EV_INSTRUCTIONS);
	uint64_t all = total(t, &cfg);
	struct pmi_log log = {0};

	REQUIRE(t, all > 100);
	CHECK_EQ(t, overflow_after(t, &cfg, 100, &log), rest(t, all, 100));
	CHECK_EQ(t, log.count, 0);
}

TEST(skid, "the interrupt of an overflow comes; how many events late is told, not judged",
     .clause = OVERFLOW, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = instructions();
	struct pmi_log log = {0};

	REQUIRE(t, total(t, &cfg) > 100);
	overflow_after(t, &cfg, 100, &log);
	REQUIRE_EQ(t, log.count, 1);
	/* No manual bounds it, so there is nothing that could be broken. */
	report_diag("interrupt %llu instructions late%s",
		    (unsigned long long)(log.value_at_pmi[t->counter] - t->pmu->interrupt_after),
		    taken_in_ring3(&log) ? "" : " or more: it came after the window");
}
