/* SPDX-License-Identifier: BSD-2-Clause */
/* Delivery of the overflow interrupt: through the local APIC, to the handler, as often as due. */
#include "kernel/apic.h"
#include "kernel/cpu.h"
#include "kernel/machine.h"
#include "kernel/trap.h"
#include "tests/lib/laws.h"

#define GROUP "overflow"
#define LVT                                                                                        \
	"AMD64 APM vol. 2, 13.2.1: INT; 16.4: LVT performance counter entry; Intel SDM vol. 3A: "  \
	"LVT"

#define INSTRUCTIONS 80
#define PERIOD       40

static const struct payload *const payload = &payload_straight;

static struct pmu_config instructions(void)
{
	struct pmu_config cfg = gated(EV_INSTRUCTIONS);

	cfg.interrupt = true;
	return cfg;
}

static uint64_t overflow_once(struct run *t, uint32_t lvt, struct pmi_log *log)
{
	struct pmu_config cfg = instructions();

	return shoot(t, &cfg, minus(t, PERIOD), payload, iterations_for(payload, INSTRUCTIONS), lvt,
		     log);
}

TEST(right_counter, "an overflow is found on the counter that overflowed and on no other",
     .clause = LVT, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	unsigned ctr[PMU_COUNTERS_MAX], counters = counters_for(t, EV_INSTRUCTIONS, ctr);
	struct pmu_config cfg[PMU_COUNTERS_MAX];
	uint64_t from[PMU_COUNTERS_MAX], out[PMU_COUNTERS_MAX];
	struct pmi_log log = {0};

	for (unsigned i = 0; i < counters; i++) {
		cfg[i] = instructions();
		/* All are armed and count, but only the first gets near its end. */
		from[i] = minus(t, i ? 1u << 20 : PERIOD);
		log.armed |= BIT(ctr[i]);
	}
	pmi_arm(t, &log, VECTOR_PMI);
	measure(t, counters, ctr, cfg, from, payload, iterations_for(payload, INSTRUCTIONS), RING_3,
		out);
	pmi_disarm();
	CHECK_EQ(t, log.count, 1);
	CHECK_EQ(t, log.unexplained, 0);
	CHECK_EQ(t, log.per_counter[t->counter], 1);
	for (unsigned i = 1; i < counters; i++)
		CHECK_EQ(t, log.per_counter[ctr[i]], 0);
}

TEST(masked, "a masked LVT entry holds the interrupt back", .clause = LVT,
     .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmi_log held = {0}, passed = {0};

	overflow_once(t, VECTOR_PMI | APIC_LVT_MASKED, &held);
	CHECK_EQ(t, held.count, 0);
	/* Whether a held one is dropped or comes on unmasking is left open: only new ones count. */
	overflow_once(t, VECTOR_PMI, &passed);
	CHECK(t, passed.count >= 1);
}

TEST(if_delays, "an interrupt due while IF is clear comes once, when IF is set", .clause = LVT,
     .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmu_config cfg = {.event = EV_INSTRUCTIONS, .kernel = true, .interrupt = true};
	uint64_t n = iterations_for(payload, INSTRUCTIONS), from = minus(t, PERIOD), value;
	uint64_t during, after;
	struct pmi_log log = {.armed = BIT(t->counter)};

	irq_disable();
	pmi_arm(t, &log, VECTOR_PMI);
	measure(t, 1, &t->counter, &cfg, &from, payload, n, RING_0, &value);
	machine_delay_us(50);
	during = log.count;
	irq_enable();
	pmi_disarm();
	after = log.count;
	CHECK_EQ(t, during, 0);
	CHECK_EQ(t, after, 1);
}

TEST(nmi, "an LVT entry in NMI mode delivers the overflow as one NMI", .clause = LVT,
     .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	struct pmi_log log = {0};

	overflow_once(t, APIC_LVT_MODE_NMI, &log);
	CHECK_EQ(t, log.count, 1);
	CHECK_EQ(t, log.per_counter[t->counter], 1);
}

/*
 * One window in which the handler presets the counter again at each interrupt.  True: no
 * overflow went unanswered.  Each preset drops the events since the overflow, the skid, so only
 * bounds on the number of interrupts hold on any silicon.
 */
static bool check_rearmed(struct run *t, uint64_t period, uint64_t iterations, uint64_t *count)
{
	struct pmu_config cfg = instructions();
	uint64_t all = window_total(t, &cfg, payload, iterations, RING_3);
	struct pmi_log log = {0};
	uint64_t value;
	bool ok;

	log.rearm_from[t->counter] = minus(t, period);
	value = shoot(t, &cfg, minus(t, period), payload, iterations, VECTOR_PMI, &log);
	*count = log.count;
	/* Each interrupt takes a period, and returning from each to ring 3 adds one instruction. */
	ok = CHECK(t, log.count * period <= all + log.count);
	/* Armed with the top bit set, which an overflow clears until the handler answers: clear now
	 * means that an overflow was lost, or that the last answer came after the window, or that
	 * the event that would have raised the interrupt did. */
	return CHECK(t, value >> (t->pmu->counter[t->counter].width - 1) ||
				value < unseen_by_interrupt(t) || !taken_in_ring3(&log)) &&
	       ok;
}

TEST(rearm, "a counter preset again by its handler interrupts again, every time", .clause = LVT,
     .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	const uint64_t rearms = 10, period = 12, most = 1u << 20;
	uint64_t count = 0;

	/* The larger the skid, the longer it takes: until all have come. */
	for (uint64_t i = 2 * rearms * period; count <= rearms && i <= most; i *= 4)
		if (!check_rearmed(t, period, iterations_for(payload, i), &count))
			return;
	CHECK(t, count > rearms);
}

/* Counter i overflows i * gap events after counter 0. */
static void check_all(struct run *t, uint64_t gap)
{
	unsigned ctr[PMU_COUNTERS_MAX], counters = counters_for(t, EV_INSTRUCTIONS, ctr);
	struct pmu_config cfg[PMU_COUNTERS_MAX];
	uint64_t from[PMU_COUNTERS_MAX], out[PMU_COUNTERS_MAX];
	struct pmi_log log = {0};

	for (unsigned i = 0; i < counters; i++) {
		cfg[i] = instructions();
		from[i] = minus(t, PERIOD + i * gap);
		log.armed |= BIT(ctr[i]);
	}
	pmi_arm(t, &log, VECTOR_PMI);
	measure(t, counters, ctr, cfg, from, payload, iterations_for(payload, INSTRUCTIONS), RING_3,
		out);
	pmi_disarm();
	/* Requests that meet a pending one merge with it: fewer interrupts than counters are
	 * allowed, a counter that no handler found overflowed is not. */
	CHECK(t, log.count >= 1 && log.count <= counters);
	for (unsigned i = 0; i < counters; i++) {
		CHECK(t, log.per_counter[ctr[i]] >= 1);
		CHECK_EQ(t, out[i] + i * gap, out[0]);
	}
}

TEST(all_at_once, "when all counters overflow at once or one after the other, none is lost",
     .clause = LVT, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2)
{
	if (t->pmu->interrupts_lost)
		test_known(t, t->pmu->interrupts_lost);
	check_all(t, 0);
	check_all(t, 1);
	check_all(t, 7);
}
