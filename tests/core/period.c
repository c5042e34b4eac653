/* SPDX-License-Identifier: BSD-2-Clause */
/* Periods: a handler that moves the counter back by N loses no event, however late it comes. */
#include "core.h"

#define GROUP "overflow", "edge"
#define SWEEP                                                                                      \
	"AMD64 APM vol. 2, 13.2.3; SDM vol. 3B: programming the counters for overflow "            \
	"interrupts"

/* The counter under test, beside a counter of the same that does not overflow. */
static struct window measure_sweep(struct run *t, uint64_t period)
{
	struct window w = {.n = 2,
			   .c = {{.cfg = gated(EV_INSTRUCTIONS),
				  .from = preset_for(t, period),
				  .rearm_by = period},
				 {.cfg = gated(EV_INSTRUCTIONS)}},
			   .work = work_for(&payload_mix, 6 * period),
			   .lvt = VECTOR_PMI};

	w.c[0].cfg.interrupt = true;
	window_assign(t, &w, 0);
	window_run(t, &w);
	return w;
}

/* One interrupt answered every N events of the total, and the counter holds the rest; the answer to
 * the last may have come behind the window. */
static void check_sweep(struct run *t, uint64_t period, uint64_t rest, uint64_t total)
{
	uint64_t mask = pmu_mask(t->pmu, t->counter), interrupts = t->log.count,
		 due = total / period;
	uint64_t all_answered = (preset_for(t, period) + total - interrupts * period) & mask;
	bool overflowed = !(rest >> (t->pmu->counter[t->counter].width - 1));

	if (rest != ((all_answered + period) & mask))
		CHECK_EQ(t, rest, all_answered);
	if (overflowed)
		CHECK_IS(t, rest, <, period);
	if (!overflowed || interrupts + 1 != due)
		CHECK_EQ(t, interrupts, due);
}

TEST(period_sweep, "a counter moved back by N at each interrupt interrupts once every N events",
     .clause = SWEEP, .needs = PMU_INTERRUPT | PMU_PRIVILEGE | PMU_USER_ALONE, .min_counters = 2,
     .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	unsigned judged = 0;

	for (uint64_t n = 61; n < 1u << 16 && judged < 3; n = 2 * n - 7) {
		struct window w = measure_sweep(t, n);

		/* A handler that comes later than the next period is due cannot keep up. */
		if (t->log.count && t->log.value_at_pmi[t->counter] >= n / 2)
			continue;
		check_sweep(t, n, w.c[0].out, w.c[1].out);
		judged++;
	}
	CHECK_IS(t, judged, >, 0);
}
