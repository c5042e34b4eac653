/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers with a period of their own: filters, which leave records of some loads alone. */
#include "own.h"

#define GROUP "samples", "access"

ABSENT_UNLESS(not_by_misses, pmu->sampler->misses, "this sampler does not tell misses from hits")
ABSENT_UNLESS(not_by_latency, pmu->sampler->latency_step, "this sampler does not filter by latency")

#define FILTER_TEST(name, claim, absent_)                                                          \
	TEST(name, claim, .clause = IBS, .needs = PMU_SAMPLER, .absent = absent_)

/* ---- what loads nothing ---- */

/* NOPs, a few times, by one period after the other. */
static void check_none(struct run *t, struct pmu_sampling what)
{
	for (uint32_t left = t->pmu->sampler->periods; left; left &= left - 1) {
		what.of = (enum pmu_period)(left & -left);
		what.period = t->pmu->sampler->shortest;
		for (unsigned i = 0; i < 4; i++) {
			CHECK(t, !own_run(t, &what, known_nops(KNOWN_STRAIGHT), 0));
			t->pmu->sampler->disarm(t->pmu);
		}
	}
}

FILTER_TEST(misses_only, "what loads nothing leaves no record where misses alone are to leave some",
	    not_by_misses)
{
	check_none(t, (struct pmu_sampling){.misses_only = true});
}

/* ---- what loads a line from memory in each turn ---- */

/*
 * One of the six instructions of a turn loads; the low seven bits of a period are random, so that
 * tags fall on it now and then: of so many turns some sixty ops are tagged, and that none of them
 * is the load has a chance of (5/6)^60, one in 50,000, and less by the next try.
 */
enum { TURNS = 2000, TRIES = 3 };

/* Ops alone: a period of clocks ends while all wait for memory, and never at the load. */
static bool comes(struct run *t, struct pmu_sampling what)
{
	what.of = PERIOD_OPS;
	what.period = t->pmu->sampler->shortest;
	what.misses_only = true;
	return own_run(t, &what, known_missed, TURNS);
}

static void check_load(struct run *t, const struct pmu_sample *sample)
{
	CHECK_EQ(t, sample->is & (SAMPLE_IS_LOAD | SAMPLE_IS_STORE | SAMPLE_IS_MISS),
		 SAMPLE_IS_LOAD | SAMPLE_IS_MISS);
	if (sample->has & SAMPLE_EVENT_IP)
		CHECK_EQ(t, sample->event_ip, (uintptr_t)known_missing);
	if (sample->has & SAMPLE_LINEAR)
		CHECK_EQ(t, sample->linear, (uintptr_t)user_buffer());
}

/* Up to TRIES records; returns how many there were. */
static unsigned judge_loads(struct run *t, unsigned latency)
{
	const struct pmu_sampling what = {.latency = latency};
	unsigned records = 0;

	for (unsigned i = 0; i < TRIES; i++) {
		unsigned failures = t->failures;
		struct pmu_sample sample;

		if (!comes(t, what)) {
			t->pmu->sampler->disarm(t->pmu);
			continue;
		}
		sample = own_take(t);
		check_load(t, &sample);
		CHECK_IS(t, sample.latency, >=, latency);
		own_describe(t, failures);
		records++;
	}
	return records;
}

static const char *not_by_misses_of_ops(const struct pmu *pmu, unsigned ctr)
{
	const char *why = not_of_ops(pmu, ctr);

	return why ? why : not_by_misses(pmu, ctr);
}

FILTER_TEST(misses, "a load from memory leaves a record that says so where misses alone leave some",
	    not_by_misses_of_ops)
{
	CHECK_IS(t, judge_loads(t, 0), >, 0);
}

/* The shortest latency that can be asked for is a fraction of what memory takes; of longer ones
 * there may be none. */
FILTER_TEST(latency, "no record is of a load that took less time than was asked for",
	    not_by_latency)
{
	const struct pmu_sampler *sampler = t->pmu->sampler;

	check_none(t, (struct pmu_sampling){.latency = sampler->latency_step});
	CHECK_IS(t, judge_loads(t, sampler->latency_step), >, 0);
	for (unsigned latency = 2 * sampler->latency_step; latency <= sampler->latency_most;
	     latency += sampler->latency_step)
		judge_loads(t, latency);
}
