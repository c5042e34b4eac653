/* SPDX-License-Identifier: BSD-2-Clause */
/* Precise event-based sampling by all counters that can: each for itself, and all at once. */
#include "samples.h"

#define GROUP "pebs", "overflow"

/* More than what a record may be late by tells the counters' reset values apart; their low six bits
 * are zero, as those of PERIOD. */
#define APART 128u
_Static_assert(APART > ARMING, "reset values are told apart");

/* Overflows come one after the other, so that no two counters wait for the same event. */
struct order {
	unsigned first, counters; /* so many, from this one on */
	unsigned apart;
};

static unsigned first_of(const struct order *o, unsigned ctr)
{
	return (ctr - o->first + 1) * o->apart;
}

static unsigned reset_of(unsigned ctr)
{
	return 2 * PERIOD + ctr * APART;
}

/* Well after the last counter's record, and long before the first counter would overflow again. */
static unsigned events_of(const struct order *o)
{
	return first_of(o, o->first + o->counters - 1) + 2 * ARMING;
}

static struct order order_of(struct run *t)
{
	const uint64_t all = sampler_of(t)->counters;
	struct order o = {.first = lowest_bit(all)};

	o.counters = lowest_bit(~(all >> o.first));
	o.apart = PERIOD / o.counters / 64 * 64;
	return o;
}

/* Records of all counters, in any order: nobody says how late each is. */
static void check_records(struct run *t, unsigned records, uint64_t expected)
{
	uint64_t left = expected;

	for (unsigned i = 0; i < records; i++) {
		uint64_t counters = t->pmu->sampler->take(t->pmu, i).counters;

		/* Where a record tells. */
		check_record(t, i, counters);
		CHECK_EQ(t, counters & ~left, 0);
		left &= ~counters;
	}
	if (t->pmu->sampler->has & SAMPLE_COUNTERS)
		CHECK_EQ(t, left, 0);
}

/* The gate may count as one event, or as two. */
static void check_reset(struct run *t, const struct order *o, const struct slot *slot,
			uint64_t total)
{
	uint64_t since = (slot->out + reset_of(slot->ctr)) & pmu_mask(t->pmu, slot->ctr);
	uint64_t left = total - first_of(o, slot->ctr);

	if (!CHECK_IS(t, since, <=, left + 2) || !CHECK_IS(t, since + ARMING, >=, left))
		report_diag("counter %u", slot->ctr);
}

TEST(each_counter,
     "counters that record at once write a record each, and each gets its own reset value",
     .clause = PEBS, .needs = PMU_SAMPLER, .counts = EV_INSTRUCTIONS, .absent = not_of_counters)
{
	const struct pmu_sampler *sampler = sampler_of(t);
	const struct order o = order_of(t);
	struct pmu_sampling what = {.room = o.counters + 1};
	struct window w = {.n = o.counters};
	struct payload_counts total;
	uint64_t written;

	for (unsigned i = 0; i < w.n; i++) {
		unsigned c = o.first + i;

		what.counters |= BIT(c);
		w.c[i] = sampled_slot(t, c, preset_for(t, first_of(&o, c)));
		what.preset[c] = (uint64_t) - (int64_t)reset_of(c);
	}
	w.work = sampled_loop(sampler->event, events_of(&o));
	total = payload_total(w.work.payload, w.work.iterations);
	written = sampled_run(t, &w, &what);
	CHECK_EQ(t, written, o.counters * sampler->size);
	check_records(t, (unsigned)(written / sampler->size),
		      pmu_global_bits(t->pmu, what.counters));
	for (unsigned c = 0; c < w.n; c++)
		check_reset(t, &o, &w.c[c],
			    (uint64_t)(sampler->event == EV_BRANCHES ? total.branches
								     : total.instructions));
}
