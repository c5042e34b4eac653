/* SPDX-License-Identifier: BSD-2-Clause */
/* Rare defects of what comes with an overflow: records, and freezes. */
#include "intel.h"
#include "tests/samples/samples.h"

#define GROUP "rare", "interrupt"

/* ---- records ---- */

/* A hundred at the default length: each takes a period, and where branches are recorded, each event
 * has many instructions. */
static unsigned due_records(void)
{
	return rare_events() / 30000;
}

/* A window; returns how many records it has left. */
static uint64_t write_records(struct run *t)
{
	const struct pmu_sampler *sampler = sampler_of(t);
	unsigned ctr = lowest_bit(sampler->counters);
	struct pmu_sampling what = {.counters = BIT(ctr), .room = ROOM};
	struct window w = {
		.n = 1,
		.c = {sampled_slot(t, ctr, preset_for(t, PERIOD))},
		.work = sampled_loop(sampler->event, EVENTS_FOR(RECORDS)),
	};

	what.preset[ctr] = (uint64_t) - (int64_t)PERIOD;
	return sampled_run(t, &w, &what) / sampler->size;
}

INTEL_TEST(records, "each of hundreds of records is written, and gets its counter's reset value",
	   .clause = PEBS, .needs = PMU_SAMPLER, .counts = EV_INSTRUCTIONS, .rare = true)
{
	for (unsigned written = 0; written < due_records() && !t->failed; written += RECORDS)
		CHECK_EQ(t, write_records(t), RECORDS);
}

/* ---- freezes ---- */

/* A thousand at the default length. */
static unsigned due_freezes(void)
{
	return rare_events() / 3000;
}

/* An overflow in the middle of a window, and in its end nothing may count any more. */
static bool is_frozen_by_overflow(struct run *t)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter,
				  .from = preset_for(t, 100),
				  .cfg = gated(EV_INSTRUCTIONS)}},
			   .work = work_for(&payload_mix, 200),
			   .lvt = VECTOR_PMI};
	bool by_status = t->pmu->features & PMU_STATUS_SET, frozen;

	w.c[0].cfg.interrupt = true;
	window_program(t, &w);
	pmi_arm(t, w.lvt, BIT(t->counter));
	window_open(t, &w);
	work_do(&w.work);
	frozen = by_status ? rdmsr(MSR_GLOBAL_STATUS) & GLOBAL_CTR_FRZ : !rdmsr(MSR_GLOBAL_CTRL);
	pmi_disarm(t);
	window_close(t, &w);
	wrmsr(MSR_GLOBAL_OVF_CTRL, by_status ? GLOBAL_CTR_FRZ : 0);
	return frozen;
}

TEST(freezes, "each of a thousand overflow interrupts freezes the counters", .driver = &pmu_intel,
     .clause = "SDM vol. 3B, 17.4.7: FREEZE_PERFMON_ON_PMI", .needs = PMU_FREEZE | PMU_INTERRUPT,
     .counts = EV_INSTRUCTIONS, .rare = true)
{
	unsigned frozen = 0;

	intel_freeze_on_interrupt(true);
	for (unsigned i = 0; i < due_freezes(); i++)
		frozen += is_frozen_by_overflow(t);
	intel_freeze_on_interrupt(false);
	CHECK_EQ(t, frozen, due_freezes());
}
