/* SPDX-License-Identifier: BSD-2-Clause */
/* AnyThread, with the other thread of the core at work. */
#include "intel.h"

#define GROUP      "any", "fixed"

#define ITERATIONS UINT64_C(5000)

/* payload_chain waits for six multiplications and six additions an iteration.  This thread's clocks
 * on its way to HLT and back are a fraction of these; reference clocks may be fewer than clocks. */
#define CLOCKS   (12 * ITERATIONS)
#define FRACTION 4u

static void work_of_other(void)
{
	sibling_call_halted(&(struct sibling_job){.entry = payload_chain.entry, .di = ITERATIONS});
}

/* In both rings: BDD059. */
static void check(struct run *t, unsigned first, unsigned end, bool any)
{
	struct window w = {.work = {.act = work_of_other}};

	for (unsigned c = first; c < end; c++) {
		unsigned event = first_event(t->pmu, c);

		if (any_counts(t->pmu, event))
			w.c[w.n++] = (struct slot){.ctr = c,
						   .cfg = in_all_rings(event),
						   .extra = any ? any_bit(t->pmu, c) : 0};
	}
	window_run(t, &w);
	for (unsigned i = 0; i < w.n; i++)
		CHECK_EQ(t, w.c[i].out >= CLOCKS / FRACTION, any);
}

static uint64_t count_returns(struct run *t, uint64_t extra)
{
	struct window w = {
		.n = 1,
		.c = {{.ctr = t->counter, .cfg = in_all_rings(EV_NEAR_RETURNS), .extra = extra}}};

	window_call(t, &w, 1);
	return w.c[0].out;
}

/* The other one spins, without a return. */
INTEL_TEST(adds_nothing,
	   "with ANY a counter counts no more than without while no other thread has an event",
	   .clause = "SDM vol. 3B, 20.2.3: AnyThread", .needs = PMU_GLOBAL | PMU_ANY_THREAD,
	   .per_counter = true, .counts = EV_NEAR_RETURNS)
{
	if (core_threads() > 1)
		test_start_sibling(t);
	CHECK_EQ(t, count_returns(t, PERFEVTSEL_ANY), count_returns(t, 0));
}

INTEL_TEST(while_halted,
	   "with ANY a counter counts for the other thread of the core while this one is halted",
	   .clause = "SDM vol. 3B, 20.2.3: AnyThread", .needs = PMU_GLOBAL | PMU_ANY_THREAD)
{
	test_start_sibling(t);
	for (unsigned any = 0; any < 2; any++) {
		check(t, 0, intel_general(t->pmu), any);
		check(t, intel_general(t->pmu), t->pmu->counters, any);
	}
}
