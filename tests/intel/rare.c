/* SPDX-License-Identifier: BSD-2-Clause */
/* Rare defects of what comes with an overflow: records, and freezes. */
#include "sampled.h"

#define GROUP "rare", "interrupt"

/* ---- records ---- */

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
     .clause = "Intel SDM vol. 3B, 17.4.7: FREEZE_PERFMON_ON_PMI",
     .needs = PMU_FREEZE | PMU_INTERRUPT, .counts = EV_INSTRUCTIONS, .rare = true)
{
	unsigned frozen = 0;

	wrmsr(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	for (unsigned i = 0; i < due_freezes(); i++)
		frozen += is_frozen_by_overflow(t);
	wrmsr(MSR_IA32_DEBUGCTL, 0);
	CHECK_EQ(t, frozen, due_freezes());
}
