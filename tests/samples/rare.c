/* SPDX-License-Identifier: BSD-2-Clause */
/* Rare defects of records. */
#include "samples.h"

#define GROUP "rare", "interrupt"

/* A hundred at the default length: each takes a period, and where branches are recorded, each event
 * has many instructions. */
static unsigned due_records(void)
{
	return rare_events() / 30000;
}

/* A window; returns how many records it has left. */
static uint64_t write_records(struct run *t, const struct intel_precise *event)
{
	struct pmu_sampling what = {.counters = BIT(event->ctr), .room = ROOM};
	struct window w = {
		.n = 1,
		.c = {{.ctr = event->ctr,
		       .from = preset_for(t, PERIOD),
		       .select = event->select | PERFEVTSEL_USR | PERFEVTSEL_EN |
				 (is_adaptive(t->pmu) ? PERFEVTSEL_ADAPTIVE : 0)}},
		.work = sampled_loop(event->branches, EVENTS_FOR(RECORDS)),
	};

	what.preset[event->ctr] = (uint64_t) - (int64_t)PERIOD;
	return sampled_run(t, &w, &what) / t->pmu->sampler->layout->size;
}

TEST(records, "each of hundreds of records is written, and gets its counter's reset value",
     .driver = &pmu_intel, .clause = PEBS, .needs = PMU_SAMPLER, .counts = EV_INSTRUCTIONS,
     .rare = true)
{
	const struct intel_precise *event = sampled_event(t);

	for (unsigned written = 0; written < due_records() && !t->failed; written += RECORDS)
		CHECK_EQ(t, write_records(t, event), RECORDS);
}
