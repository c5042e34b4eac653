/* SPDX-License-Identifier: BSD-2-Clause */
/* Delivery of the overflow interrupt: through the local APIC, to the handler, as often as due. */
#include "core.h"

#define GROUP "overflow", "edge"
#define LVT                                                                                        \
	"AMD64 APM vol. 2, 13.2.1: INT; 16.4: LVT performance counter entry; SDM vol. 3A: "        \
	"LVT"

#define DELIVERY_TEST(name, claim, ...)                                                            \
	TEST(name, claim, .clause = LVT, .needs = PMU_INTERRUPT | PMU_PRIVILEGE,                   \
	     .per_counter = true, .counts = EV_INSTRUCTIONS, __VA_ARGS__)

#define INSTRUCTIONS 80
#define PERIOD       40

static const struct payload *const payload = &payload_straight;

static struct pmu_config instructions(void)
{
	return (struct pmu_config){.event = EV_INSTRUCTIONS, .user = true, .interrupt = true};
}

static void overflow_once(struct run *t, uint32_t lvt)
{
	count_overflows(t, instructions(), preset_for(t, PERIOD), work_for(payload, INSTRUCTIONS),
			lvt);
}

/* Counter i is preset to interrupt after first + i * gap events. */
static struct window overflow_all(struct run *t, struct pmu_config cfg, uint64_t first,
				  uint64_t gap)
{
	struct window w = window_of_all(t, cfg);

	w.work = work_for(payload, INSTRUCTIONS);
	w.lvt = VECTOR_PMI;
	for (unsigned i = 0; i < w.n; i++)
		w.c[i].from = preset_for(t, first + i * gap);
	window_run(t, &w);
	return w;
}

/* All are armed and count, but only the one under test gets near its end. */
DELIVERY_TEST(right_counter, "an overflow is found on the counter that overflowed and on no other",
	      .min_counters = 2)
{
	struct window w = overflow_all(t, instructions(), PERIOD, 1u << 20);

	CHECK_EQ(t, t->log.count, 1);
	CHECK_EQ(t, t->log.unexplained, 0);
	CHECK_EQ(t, t->log.per_counter[t->counter], 1);
	for (unsigned i = 1; i < w.n; i++)
		OF_COUNTER(t, w.c[i].ctr, CHECK_EQ(t, t->log.per_counter[w.c[i].ctr], 0));
}

DELIVERY_TEST(masked, "a masked LVT entry holds the interrupt back", )
{
	overflow_once(t, VECTOR_PMI | APIC_LVT_MASKED);
	CHECK_EQ(t, t->log.count, 0);
	/* Whether a held one is dropped or comes on unmasking is left open: only new ones count. */
	overflow_once(t, VECTOR_PMI);
	CHECK_IS(t, t->log.count, >=, 1);
}

DELIVERY_TEST(if_delays, "an interrupt due while IF is clear comes once, when IF is set", )
{
	struct window w = {
		.n = 1,
		.c = {{.ctr = t->counter,
		       .cfg = {.event = EV_INSTRUCTIONS, .kernel = true, .interrupt = true},
		       .from = preset_for(t, PERIOD)}},
		.work = work_for(payload, INSTRUCTIONS)};

	w.work.ring = RING_0;
	irq_disable();
	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	window_run(t, &w);
	pmi_settle();
	CHECK_EQ(t, t->log.count, 0);
	irq_enable();
	pmi_disarm(t);
	CHECK_EQ(t, t->log.count, 1);
}

DELIVERY_TEST(nmi, "an LVT entry in NMI mode delivers the overflow as one NMI", )
{
	overflow_once(t, APIC_LVT_MODE_NMI);
	CHECK_EQ(t, t->log.count, 1);
	CHECK_EQ(t, t->log.per_counter[t->counter], 1);
}

/*
 * One window in which the handler presets the counter again at each interrupt: no overflow goes
 * unanswered.  Each preset drops the events since the overflow, the skid, so only bounds on the
 * number of interrupts hold on any silicon.
 */
static void require_rearmed(struct run *t, uint64_t period, struct work work)
{
	uint64_t all = count(t, t->counter, gated(EV_INSTRUCTIONS), work), value;
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter,
				  .cfg = instructions(),
				  .from = preset_for(t, period),
				  .rearm_from = preset_for(t, period)}},
			   .work = work,
			   .lvt = VECTOR_PMI};
	bool ok;

	window_run(t, &w);
	value = w.c[0].out;
	/* Each interrupt takes a period, and returning from each to ring 3 adds one instruction. */
	ok = CHECK_IS(t, t->log.count * period, <=, all + t->log.count);
	/* Armed with the top bit set, which an overflow clears until the handler answers: clear now
	 * means that an overflow was lost, or that the last answer came after the window, or that
	 * the event that would have raised the interrupt did. */
	if (taken_in_ring3(t) && !(value >> (t->pmu->counter[t->counter].width - 1)))
		REQUIRE_IS(t, value, <, unseen_by_interrupt(t));
	REQUIRE(t, ok);
}

TEST(rearm, "a counter preset again by its handler interrupts again, every time", .clause = LVT,
     .needs = PMU_INTERRUPT | PMU_PRIVILEGE | PMU_USER_ALONE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	const uint64_t rearms = 10, period = period_from(t, 12), most = 1u << 20;

	/* The larger the skid, the longer it takes: until all have come. */
	for (uint64_t i = 2 * rearms * period; t->log.count <= rearms && i <= most; i *= 4)
		require_rearmed(t, period, work_for(payload, i));
	CHECK_IS(t, t->log.count, >, rearms);
}

/* Counter i overflows i * gap events after counter 0. */
static void check_all(struct run *t, struct pmu_config cfg, uint64_t gap)
{
	struct window w = overflow_all(t, cfg, PERIOD, gap);

	/* Requests that meet a pending one merge with it: fewer interrupts than counters are
	 * allowed, a counter that no handler found overflowed is not. */
	CHECK_IS(t, t->log.count, >=, 1);
	CHECK_IS(t, t->log.count, <=, w.n);
	for (unsigned i = 0; i < w.n; i++) {
		OF_COUNTER(t, w.c[i].ctr, CHECK_IS(t, t->log.per_counter[w.c[i].ctr], >=, 1));
		OF_COUNTER(t, w.c[i].ctr, CHECK_COUNT(t, w.c[i].out + i * gap, w.c[0].out));
	}
}

TEST(all_at_once, "when all counters overflow at once or one after the other, none is lost",
     .clause = LVT, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2)
{
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, LOSES_INTERRUPTS);
	struct pmu_config cfg = instructions();

	if (erratum)
		test_known(t, erratum->id);
	check_all(t, cfg, 0);
	check_all(t, cfg, 1);
	check_all(t, cfg, 7);
	/* Counters that are deaf to ring 3 alone see the handler, too: only those that it finds
	 * overflowed at once are sure to be found. */
	cfg.kernel = true;
	if (window_of_all(t, cfg).n > window_of_all(t, instructions()).n)
		check_all(t, cfg, 0);
}
