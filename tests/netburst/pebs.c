/* SPDX-License-Identifier: BSD-2-Clause */
/* PEBS: overflows write records of the registers to memory instead of interrupting. */
#include "tag.h"

#define GROUP "tag", "power"

/* Events in a window, and from preset to overflow. */
#define EVENTS   UINT64_C(66)
#define PERIOD   3u
#define CAPACITY 24u /* records */

static unsigned sampled(const struct run *t)
{
	return netburst(t->pmu)->thread ? 17 : 16;
}

/* One window; the record after which an interrupt is due; returns how many there are. */
static unsigned window(struct run *t, unsigned interrupt_at)
{
	const struct netburst_config upstream = nb_tagger(NB_64BIT_MMX_UOP, 1);
	const struct pmu_sampler *sampler = t->pmu->sampler;
	struct window w =
		nb_window(sampled(t), nb_user(NB_EXECUTION_EVENT, NBOGUS0),
			  in_ring3(&payload_spaced, EVENTS / payload_does(&payload_spaced, "mmx")));
	struct pmu_sampling what = {
		.counters = BIT(w.c[0].ctr), .room = CAPACITY, .interrupt_at = interrupt_at};
	uint64_t written;

	what.preset[w.c[0].ctr] = nb_before_overflow(t, PERIOD);
	nb_feed(&w, NB_FEEDER);
	w.c[0].from = 0 - (uint64_t)PERIOD;
	nb_upstream(t, 0, &upstream);
	sampler->arm(t->pmu, &what);
	window_run(t, &w);
	written = sampler->disarm(t->pmu);
	pmi_settle();
	/* Preset again by each record: never far from its preset, nor past 0. */
	CHECK_IS(t, ((w.c[0].out + PERIOD) & pmu_mask(t->pmu, w.c[0].ctr)), <=, PERIOD);
	return (unsigned)(written / sampler->size);
}

/* Each of the next overflow: an iteration has one event. */
static void check_records(struct run *t, unsigned n)
{
	uint64_t left = EVENTS + 1;

	for (unsigned i = 0; i < n && i < CAPACITY; i++) {
		struct pmu_sample r = t->pmu->sampler->take(t->pmu, i);

		CHECK_IS(t, r.ip, >=, (uintptr_t)user_text_start);
		CHECK_IS(t, r.ip, <, (uintptr_t)user_text_end);
		/* The payload keeps the one and counts the other down to 0. */
		CHECK_EQ(t, r.gpr[SAMPLE_RSI], (uintptr_t)user_buffer());
		CHECK_IS(t, r.gpr[SAMPLE_RDI], <, left);
		CHECK_IS(t, left - r.gpr[SAMPLE_RDI], <, 2 * PERIOD);
		left = r.gpr[SAMPLE_RDI];
	}
	CHECK_IS(t, left, <, 2 * PERIOD);
}

NB_TEST(pebs, "overflows write records and preset the counter; the one at the threshold interrupts",
	.clause = "SDM vol. 3B, 18.15: Precise Event-Based Sampling (PEBS)",
	.needs = PMU_INTERRUPT | PMU_SAMPLER)
{
	unsigned n;

	pmi_arm(t, VECTOR_PMI, BIT(sampled(t)));
	t->log.leaves_masked = true;
	n = window(t, CAPACITY - 1);
	/* A record comes with the event after the overflow; whether that one counts for the next
	 * period is not documented. */
	CHECK_IS(t, n, >=, EVENTS / (PERIOD + 1));
	CHECK_IS(t, n, <=, EVENTS / PERIOD);
	check_records(t, n);
	CHECK_EQ(t, t->log.count, 0);
	window(t, 2);
	pmi_disarm(t);
	CHECK_EQ(t, t->log.count, 1);
}

#undef GROUP
#define GROUP "rare", "interrupt"

NB_TEST(records, "each of hundreds of records is written, and presets its counter",
	.clause = "SDM vol. 3B, 18.15: Precise Event-Based Sampling (PEBS)", .needs = PMU_SAMPLER,
	.rare = true)
{
	for (unsigned written = 0; written < rare_events() / 30000 && !t->failed;) {
		unsigned n = window(t, CAPACITY - 1);

		CHECK_IS(t, n, >=, EVENTS / (PERIOD + 1));
		written += EVENTS / PERIOD;
	}
}
