/* SPDX-License-Identifier: BSD-2-Clause */
/* Precise event-based sampling: one record per overflow, in memory, of the state of the machine. */
#include "samples.h"

#define GROUP "pebs", "overflow"

#define SAMPLE_TEST(name, claim)                                                                   \
	TEST(name, claim, .clause = PEBS, .needs = PMU_SAMPLER, .counts = EV_INSTRUCTIONS,         \
	     .absent = not_of_counters)

struct sampled {
	unsigned size; /* of a record */
	uint64_t written; /* bytes */
	uint64_t counter; /* its value at the end */
};

static struct window window_for(struct run *t, unsigned records)
{
	const struct pmu_sampler *sampler = sampler_of(t);

	return (struct window){.n = 1,
			       .c = {sampled_slot(t, lowest_bit(sampler->counters), 0)},
			       .work = sampled_loop(sampler->event, EVENTS_FOR(records))};
}

/* Events of a window for so many records. */
static uint64_t events_in(struct run *t, unsigned records)
{
	struct window w = window_for(t, records);

	sampled_run(t, &w, &(struct pmu_sampling){.room = records});
	return w.c[0].out;
}

/* A window for so many records, with room for so many, and an interrupt at the last or none. */
static void sample(struct run *t, unsigned records, unsigned room, bool interrupts,
		   struct sampled *s)
{
	struct window w = window_for(t, records);
	const unsigned ctr = w.c[0].ctr;
	struct pmu_sampling what = {
		.counters = BIT(ctr), .room = room, .interrupt_at = interrupts ? records : 0};

	what.preset[ctr] = (uint64_t) - (int64_t)PERIOD;
	w.c[0].from = preset_for(t, PERIOD);
	s->size = t->pmu->sampler->size;
	s->written = sampled_run(t, &w, &what);
	s->counter = w.c[0].out;
	/* Without a record there is nothing to judge. */
	REQUIRE_IS(t, s->written, >, 0);
}

SAMPLE_TEST(record_count, "each overflow writes one record and no interrupt")
{
	struct sampled s;

	sample(t, RECORDS, ROOM, false, &s);
	CHECK_EQ(t, s.written, RECORDS * s.size);
	/* The counter's own bit may be set (Linux, handle_pmi_common()). */
	CHECK(t, !t->pmu->sampler->acknowledge(t->pmu));
}

/* How many of its events an iteration of the loop has. */
static uint64_t events_each(const struct run *t)
{
	const struct payload_counts *each = &payload_precise.per_iteration;

	return (uint64_t)(t->pmu->sampler->event == EV_BRANCHES ? each->branches
								: each->instructions);
}

/* Many in one buffer, of which each is of the next overflow: what the loop has still to do tells
 * how many events have come since the one before. */
SAMPLE_TEST(record_contents,
	    "a record says where in the payload it was taken, with which registers")
{
	struct sampled s;
	uint64_t counters, left, now;

	/* Skipped where no counter is known to write records. */
	sample(t, IN_A_ROW, IN_A_ROW + 2, false, &s);
	counters = pmu_global_bit(t->pmu, lowest_bit(t->pmu->sampler->counters));
	left = sampled_loop(t->pmu->sampler->event, EVENTS_FOR(IN_A_ROW)).iterations;
	for (unsigned i = 0; i < s.written / s.size && i < IN_A_ROW && !t->failed; i++) {
		check_record(t, i, counters);
		now = t->pmu->sampler->take(t->pmu, i).gpr[SAMPLE_RDI];
		CHECK_IS(t, (left - now) * events_each(t), <, PERIOD + 2 * ARMING);
		left = now;
	}
	CHECK_IS(t, left * events_each(t), <, 2 * PERIOD);
}

/* A record takes the period and one event more at least, as it is of an event after the overflow,
 * but perhaps the period alone where the part may arm counters ahead of their overflows.  More
 * events than there were cannot be used up. */
static uint64_t events_per_record(const struct pmu *pmu)
{
	return pmu->sampler->late ? PERIOD + 1 : PERIOD;
}

SAMPLE_TEST(reset_value, "each record puts the reset value of its counter back")
{
	struct sampled s;
	uint64_t total = events_in(t, RECORDS), records, since;

	sample(t, RECORDS, ROOM, false, &s);
	records = s.written / s.size;
	since = (s.counter + PERIOD) & pmu_mask(t->pmu, t->counter);
	CHECK_IS(t, since, <=, PERIOD);
	CHECK_IS(t, records * events_per_record(t->pmu) + since, <=, total);
	CHECK_IS(t, records * (PERIOD + ARMING) + since, >=, total);
}

TEST(threshold, "the record that fills the buffer up to its threshold interrupts, and it alone",
     .clause = PEBS, .needs = PMU_SAMPLER | PMU_INTERRUPT, .counts = EV_INSTRUCTIONS,
     .absent = not_of_counters)
{
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD);
	struct sampled s;

	pmi_arm(t, VECTOR_PMI, 0);
	t->log.samples = true;
	/* No overflow comes when there is no room any more: by BJ101 and BV051 it may interrupt. */
	sample(t, 3, 3, true, &s);
	pmi_disarm(t);
	CHECK_EQ(t, s.written, 3 * s.size);
	CHECK_EQ(t, t->log.full, 1);
	/* The interrupt may repeat until the bit is clear. */
	if (t->log.count == 2 && erratum)
		test_known(t, erratum->id);
	CHECK_EQ(t, t->log.count, 1);
}
