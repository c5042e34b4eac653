/* SPDX-License-Identifier: BSD-2-Clause */
/* Rare defects of freezes. */
#include "intel.h"

#define GROUP "rare", "interrupt"

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

	intel_freeze_on_interrupt(true);
	for (unsigned i = 0; i < due_freezes(); i++)
		frozen += is_frozen_by_overflow(t);
	intel_freeze_on_interrupt(false);
	CHECK_EQ(t, frozen, due_freezes());
}
