/* SPDX-License-Identifier: BSD-2-Clause */
/* Periods: a handler that moves the counter back by N loses no event, however late it comes. */
#include "kernel/trap.h"
#include "tests/lib/laws.h"

#define GROUP "overflow"
#define SWEEP                                                                                      \
	"AMD64 APM vol. 2, 13.2.3; Intel SDM vol. 3B: programming the counters for overflow "      \
	"interrupts"

/* What one window of the counter under test, beside a counter of the same that does not overflow,
 * says of a period. */
struct sweep {
	uint64_t period, total, rest;
	struct pmi_log log;
};

static bool measure_sweep(struct run *t, struct sweep *s)
{
	struct pmu_config cfg[] = {gated(EV_INSTRUCTIONS), gated(EV_INSTRUCTIONS)};
	uint64_t from[] = {minus(t, s->period), 0}, out[2];
	unsigned ctr[2];

	cfg[0].interrupt = true;
	if (!roles_assign(t, 2, 0, cfg, ctr))
		return false;
	s->log = (struct pmi_log){.armed = BIT(t->counter)};
	s->log.rearm_by[t->counter] = s->period;
	pmi_arm(t, &s->log, VECTOR_PMI);
	measure(t, 2, ctr, cfg, from, &payload_mix, iterations_for(&payload_mix, 6 * s->period),
		RING_3, out);
	pmi_disarm();
	s->rest = out[0];
	s->total = out[1];
	return true;
}

/* Every N events of the total were answered by one interrupt, and what is left is what is left; the
 * answer to the last may have come behind the window. */
static void check_sweep(struct run *t, const struct sweep *s)
{
	uint64_t mask = pmu_mask(t->pmu, t->counter), count = s->log.count,
		 due = s->total / s->period;
	uint64_t all_answered = (minus(t, s->period) + s->total - count * s->period) & mask;
	bool overflowed = !(s->rest >> (t->pmu->counter[t->counter].width - 1));

	CHECK(t, s->rest == all_answered || s->rest == ((all_answered + s->period) & mask));
	CHECK(t, !overflowed || s->rest < s->period);
	CHECK(t, count == due || (overflowed && count + 1 == due));
}

TEST(period_sweep, "a counter moved back by N at each interrupt interrupts once every N events",
     .clause = SWEEP, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2,
     .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	unsigned judged = 0;

	for (uint64_t n = 61; n < 1u << 16 && judged < 3; n = 2 * n - 7) {
		struct sweep s = {.period = n};

		if (!measure_sweep(t, &s))
			return;
		/* A handler that comes later than the next period is due cannot keep up. */
		if (s.log.count && s.log.value_at_pmi[t->counter] >= n / 2)
			continue;
		check_sweep(t, &s);
		judged++;
	}
	CHECK(t, judged > 0);
}
