/* SPDX-License-Identifier: BSD-2-Clause */
/* Cascading of NetBurst counters: an overflow starts another counter.  The counter under test is
 * the one started. */
#include "cascade.h"
#include "kernel/apic.h"
#include "kernel/fault.h"
#include "kernel/trap.h"

#define GROUP   "cascade"
#define CASCADE "Intel SDM vol. 3B, 18.15: Cascading Counters"

static struct nb_cascade plain_cascade(const struct run *t)
{
	return nb_cascade(t->counter, (unsigned)netburst_counters[t->counter].cascade_source);
}

static void measure_cascade(struct run *t, struct nb_cascade *c, uint64_t iterations)
{
	nb_measure(t, c->c, ARRAY_SIZE(c->c), &payload_spaced, iterations);
}

TEST(every_pair, "when its source overflows, a counter with CASCADE begins to count",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_cascade c = plain_cascade(t);

	nb_check_takes_over(t, &c);
}

TEST(range_doubled, "what the source counts to its overflow and the target after it is every event",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_cascade c = plain_cascade(t);

	measure_cascade(t, &c, 8);
	for (uint64_t n = c.c[TOTAL].out; n > 1; n /= 2) {
		c.c[SOURCE].from = 0 - n;
		measure_cascade(t, &c, 8);
		/* Clocks do not repeat exactly: this window may be the shorter one. */
		if (c.c[TOTAL].out >= n)
			nb_check_sum(t, &c, n);
		else
			CHECK_EQ(t, c.c[TARGET].out, 0);
	}
}

/* Its interrupt as that of any counter: with the event after its overflow.  Returns the total. */
static uint64_t check_example(struct run *t, uint64_t source_n, uint64_t target_n,
			      uint64_t iterations)
{
	const bool interrupts = t->pmu->features & PMU_CASCADE_PMI;
	struct nb_cascade c = plain_cascade(t);
	bool wrapped;

	c.c[SOURCE].from = nb_minus(t, source_n);
	c.c[TARGET].from = nb_minus(t, target_n);
	c.c[TARGET].cfg.ovf_pmi = true;
	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	measure_cascade(t, &c, iterations);
	pmi_disarm();
	wrapped = !(c.c[TARGET].out >> (NETBURST_COUNTER_WIDTH - 1));
	if (interrupts) {
		CHECK_EQ(t, t->log.count, wrapped && c.c[TARGET].out > 0);
		CHECK_EQ(t, t->log.per_counter[t->counter], t->log.count);
	}
	/* The handler has cleared the flag that it found. */
	if (!t->log.count)
		CHECK_EQ(t, netburst_ovf(t->pmu, t->counter), wrapped);
	c.c[TARGET].out = (c.c[TARGET].out + target_n) & pmu_mask(t->pmu, t->counter);
	nb_check_sum(t, &c, source_n);
	return c.c[TOTAL].out;
}

TEST(example_200_400,
     "after 200 events of the source the target overflows with its 400th, and"
     " interrupts with the next",
     .clause = CASCADE, .driver = &pmu_netburst, .needs = PMU_INTERRUPT, .per_counter = true)
{
	const unsigned group = netburst_counters[t->counter].group;
	/* Returns and MMX instructions are rarer than branches and clocks: a tenth does. */
	const bool rare = group == NB_MS || group == NB_FLAME;
	uint64_t all = check_example(t, 2, 4, 4);

	/* The window ends one event before the overflow, with it, one after it. */
	for (uint64_t n = all - 1; n <= all + 1; n++)
		check_example(t, 2, n - 2, 4);
	if (rare)
		CHECK(t, check_example(t, 20, 40, 64) > 60);
	else
		CHECK(t, check_example(t, 200, 400, 208) > 600);
	if (!(t->pmu->features & PMU_CASCADE_PMI))
		test_known(t, "no interrupt from a cascaded counter: Intel SDM vol. 3B, 18.15");
}

TEST(target_waits, "before its source overflows, a counter with CASCADE does not count",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_cascade c = plain_cascade(t);

	c.c[SOURCE].from = nb_minus(t, UINT64_C(1) << 32);
	c.c[TARGET].from = 5;
	measure_cascade(t, &c, 5);
	CHECK_EQ(t, c.c[TARGET].out, 5);
}

TEST(source_goes_on, "the source counts on from 0 after its overflow, and keeps OVF set",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_cascade c = plain_cascade(t);

	c.c[SOURCE].from = nb_minus(t, 3);
	measure_cascade(t, &c, 5);
	CHECK_EQ(t, c.c[SOURCE].out, c.c[TOTAL].out - 3);
	CHECK(t, netburst_ovf(t->pmu, c.c[SOURCE].ctr));
}

TEST(not_without_flag, "without CASCADE the overflow of its source does not start a counter",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_cascade c = plain_cascade(t);

	c.c[SOURCE].from = nb_minus(t, 3);
	c.c[TARGET].cfg.cascade = false;
	measure_cascade(t, &c, 5);
	CHECK_EQ(t, c.c[TARGET].out, 0);
	CHECK(t, netburst_ovf(t->pmu, c.c[SOURCE].ctr));
}

/* Clears bits of a CCCR while the target counts. */
static void check_stopped_by(struct run *t, enum nb_cascade_role role, uint64_t bits)
{
	struct nb_cascade c = plain_cascade(t);
	uint32_t cccr = t->pmu->counter[c.c[role].ctr].ctl.address;
	uint64_t target, source;

	c.c[SOURCE].from = nb_minus(t, 3);
	nb_open(t, c.c, ARRAY_SIZE(c.c));
	nb_call(&payload_spaced, 5);
	wrmsr(cccr, rdmsr(cccr) & ~bits);
	target = pmu_read(t->pmu, c.c[TARGET].ctr);
	source = pmu_read(t->pmu, c.c[SOURCE].ctr);
	nb_call(&payload_spaced, 5);
	nb_close(t, c.c, ARRAY_SIZE(c.c));
	CHECK(t, target > 0);
	CHECK_EQ(t, c.c[TARGET].out, target);
	CHECK(t, c.c[SOURCE].out > source);
}

TEST(stop_by_source, "clearing OVF of the source stops the target, and not the source",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	check_stopped_by(t, SOURCE, CCCR_OVF);
}

TEST(stop_by_target, "clearing CASCADE of the target stops it", .clause = CASCADE,
     .driver = &pmu_netburst, .per_counter = true)
{
	check_stopped_by(t, TARGET, CCCR_CASCADE);
}

TEST(enabled_target, "a counter with CASCADE that is enabled counts without its source",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_cascade c = plain_cascade(t);

	c.c[TARGET].waits = false;
	measure_cascade(t, &c, 5);
	CHECK_EQ(t, c.c[TARGET].out, c.c[TOTAL].out);
	/* Nor does it begin anew, or count twice, when the source overflows. */
	c.c[SOURCE].from = nb_minus(t, 3);
	measure_cascade(t, &c, 5);
	CHECK_EQ(t, c.c[TARGET].out, c.c[TOTAL].out);
}

TEST(wrong_direction, "the overflow of any counter but its source does not start a counter",
     .clause = CASCADE, .driver = &pmu_netburst, .per_counter = true)
{
	struct nb_counter c[NETBURST_COUNTERS];
	unsigned source = (unsigned)netburst_counters[t->counter].cascade_source;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		c[i] = (struct nb_counter){.ctr = i,
					   .cfg = nb_event(i),
					   .from = nb_minus(t, i == source ? 1u << 30 : 1)};
	c[t->counter].cfg.cascade = true;
	c[t->counter].waits = true;
	nb_measure(t, c, NETBURST_COUNTERS, &payload_spaced, 5);
	CHECK_EQ(t, c[t->counter].out, nb_minus(t, 1));
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		CHECK_EQ(t, netburst_ovf(t->pmu, i), i != source && i != t->counter);
}
