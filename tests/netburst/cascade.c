/* SPDX-License-Identifier: BSD-2-Clause */
/* Cascading of NetBurst counters: an overflow starts another counter.  The counter under test is
 * the one started. */
#include "cascade.h"

#define GROUP   "cascade", "ovf"
#define CASCADE "SDM vol. 3B, 18.15: Cascading Counters"

/* Rows of struct nb_cascade. */
#define CASCADE_TEST(name, claim, ...)                                                             \
	NB_COUNTER_TEST(name, claim, .clause = CASCADE)                                            \
	{                                                                                          \
		static const struct nb_cascade rows[] = {__VA_ARGS__};                             \
                                                                                                   \
		nb_check_cascade(t, t->counter, false, rows, ARRAY_SIZE(rows));                    \
	}

CASCADE_TEST(every_pair, "when its source overflows, a counter with CASCADE begins to count",
	     {TAKES_OVER, .after = 3})

CASCADE_TEST(target_waits, "before its source overflows, a counter with CASCADE does not count",
	     {WAITS, .after = UINT64_C(1) << 32, .target_from = 5})

CASCADE_TEST(source_goes_on, "the source counts on from 0 after its overflow, and keeps OVF set",
	     {GOES_ON | HAS_OVF, .after = 3})

CASCADE_TEST(not_without_flag,
	     "without CASCADE the overflow of its source does not start a counter",
	     {WAITS | HAS_OVF, .after = 3, .no_flag = true})

/* Nor does it begin anew, or count twice, when the source overflows. */
CASCADE_TEST(enabled_target, "a counter with CASCADE that is enabled counts without its source",
	     {COUNTS_ALL, .enabled = true}, {COUNTS_ALL, .after = 3, .enabled = true})

NB_COUNTER_TEST(range_doubled,
		"the source up to its overflow and the target behind it count every event",
		.clause = CASCADE)
{
	struct window w = nb_cascade(t->counter, false);

	w.work.iterations = 4;
	window_run(t, &w);
	for (uint64_t n = w.c[TOTAL].out; n > 1; n /= 2) {
		w.c[SOURCE].from = 0 - n;
		window_run(t, &w);
		/* Clocks do not repeat exactly: this window may be the shorter one. */
		if (w.c[TOTAL].out >= n)
			nb_check_sum(t, &w, n);
		else
			CHECK_EQ(t, w.c[TARGET].out, 0);
	}
}

/* The target interrupts as any counter does: with the event after its overflow.  Returns the
 * total. */
static uint64_t check_example(struct run *t, uint64_t source_n, uint64_t target_n,
			      uint64_t iterations)
{
	const bool interrupts = t->pmu->features & PMU_CASCADE_PMI;
	struct window w = nb_cascade(t->counter, false);
	bool wrapped;

	w.work.iterations = iterations;
	w.c[SOURCE].from = 0 - source_n;
	w.c[TARGET].from = 0 - target_n;
	nb(&w.c[TARGET])->ovf_pmi = true;
	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	window_run(t, &w);
	pmi_disarm(t);
	wrapped = !(w.c[TARGET].out >> (NETBURST_COUNTER_WIDTH - 1));
	if (interrupts) {
		CHECK_EQ(t, t->log.count, wrapped && w.c[TARGET].out > 0);
		CHECK_EQ(t, t->log.per_counter[t->counter], t->log.count);
	}
	/* The handler has cleared the flag that it found. */
	if (!t->log.count)
		CHECK_EQ(t, netburst_ovf(t->pmu, t->counter), wrapped);
	w.c[TARGET].out = (w.c[TARGET].out + target_n) & pmu_mask(t->pmu, t->counter);
	nb_check_sum(t, &w, source_n);
	return w.c[TOTAL].out;
}

NB_COUNTER_TEST(example_200_400,
		"after 200 events of the source the target overflows with its 400th, and"
		" interrupts with the next",
		.clause = CASCADE, .needs = PMU_INTERRUPT)
{
	const unsigned group = netburst_counters[t->counter].group;
	/* Returns and MMX instructions are rarer than branches and clocks: a tenth does. */
	const bool rare = group == NB_MS || group == NB_FLAME;
	uint64_t all = check_example(t, 2, 4, 4);

	/* The window ends one event before the overflow, with it, one after it. */
	for (uint64_t n = all - 1; n <= all + 1; n++)
		check_example(t, 2, n - 2, 4);
	if (rare)
		CHECK_IS(t, check_example(t, 20, 40, 64), >, 60);
	else
		CHECK_IS(t, check_example(t, 200, 400, 208), >, 600);
	if (!(t->pmu->features & PMU_CASCADE_PMI))
		test_known(t, "no interrupt from a cascaded counter: SDM vol. 3B, 18.15");
}

/* Clears bits of a CCCR while the target counts. */
static void check_stopped_by(struct run *t, unsigned role, uint64_t bits)
{
	struct window w = nb_cascade(t->counter, false);
	uint32_t cccr = pmu_number(t->pmu->counter[w.c[role].ctr].ctl);
	uint64_t target, source;

	w.c[SOURCE].from = 0 - UINT64_C(3);
	window_program(t, &w);
	window_open(t, &w);
	work_do(&w.work);
	wrmsr(cccr, rdmsr(cccr) & ~bits);
	target = pmu_read(t->pmu, w.c[TARGET].ctr);
	source = pmu_read(t->pmu, w.c[SOURCE].ctr);
	work_do(&w.work);
	window_close(t, &w);
	CHECK_IS(t, target, >, 0);
	CHECK_EQ(t, w.c[TARGET].out, target);
	CHECK_IS(t, w.c[SOURCE].out, >, source);
}

NB_COUNTER_TEST(stop_by_source, "clearing OVF of the source stops the target, and not the source",
		.clause = CASCADE)
{
	check_stopped_by(t, SOURCE, CCCR_OVF);
}

NB_COUNTER_TEST(stop_by_target, "clearing CASCADE of the target stops it", .clause = CASCADE)
{
	check_stopped_by(t, TARGET, CCCR_CASCADE);
}

NB_COUNTER_TEST(wrong_direction,
		"the overflow of any counter but its source does not start a counter",
		.clause = CASCADE)
{
	struct window w = {NB_WINDOW, .n = NETBURST_COUNTERS, .work = in_ring3(&payload_spaced, 5)};
	unsigned source = (unsigned)netburst_counters[t->counter].cascade_source;

	for (unsigned i = 0; i < w.n; i++) {
		w.c[i] = nb_slot(i, nb_event(i));
		w.c[i].from = 0 - UINT64_C(1);
	}
	w.c[source].from = 0 - (UINT64_C(1) << 30);
	nb(&w.c[t->counter])->cascade = true;
	w.c[t->counter].waits = true;
	window_run(t, &w);
	CHECK_EQ(t, w.c[t->counter].out, nb_before_overflow(t, 1));
	for (unsigned i = 0; i < w.n; i++)
		CHECK_EQ(t, netburst_ovf(t->pmu, i), i != source && i != t->counter);
}
