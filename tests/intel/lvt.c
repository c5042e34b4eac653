/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's LVT entry for performance counters masks itself when it delivers. */
#include "intel.h"

#define GROUP "lvt", "overflow"
#define LVT   "SDM vol. 3A, 10.5.1: LVT performance counter register"

static void overflow(struct run *t)
{
	struct window w = {.n = 1,
			   .c = {{.cfg = gated(EV_INSTRUCTIONS), .from = preset_for(t, 40)}},
			   .work = in_ring3(&payload_straight, 10)};

	w.c[0].cfg.interrupt = true;
	window_run(t, &w);
	pmi_settle();
}

/* The handler acknowledges nothing, but where an interrupt comes again until its status bit is
 * cleared.  An entry that delivers without end is seen soon enough. */
static void arm(struct run *t, uint32_t lvt, bool leaves_masked)
{
	pmu_acknowledge(t->pmu, BIT(t->counter));
	pmi_arm(t, lvt, pmu_effect(t->pmu, INTERRUPTS_TWICE_WHILE_HELD) ? BIT(t->counter) : 0);
	t->log.leaves_masked = leaves_masked;
	t->log.most = 5;
}

static bool is_left_by_kvm(struct run *t, uint32_t lvt)
{
	return apic_read_lvtpc() == lvt &&
	       test_known_of_kvm(t, "KVM does not mask the entry: Linux a16eb25b09c0, in 6.6");
}

static void check_masked_by_delivery(struct run *t, uint32_t lvt)
{
	arm(t, lvt, true);
	CHECK_EQ(t, apic_read_lvtpc() & APIC_LVT_MASKED, 0);
	overflow(t);
	CHECK_EQ(t, t->log.count, 1);
	if (!is_left_by_kvm(t, lvt))
		CHECK_EQ(t, apic_read_lvtpc(), lvt | APIC_LVT_MASKED);
	pmi_disarm(t);
}

INTEL_TEST(masked_by_delivery, "delivery, as a vector or as NMI, sets the mask bit of the entry",
	   .clause = LVT, .needs = PMU_INTERRUPT | PMU_LVT_MASKS, .counts = EV_INSTRUCTIONS)
{
	check_masked_by_delivery(t, VECTOR_PMI);
	check_masked_by_delivery(t, APIC_LVT_MODE_NMI);
}

INTEL_TEST(two_while_masked,
	   "an overflow interrupts once, and not while delivery has masked the entry",
	   .clause = LVT, .needs = PMU_INTERRUPT | PMU_LVT_MASKS, .counts = EV_INSTRUCTIONS)
{
	arm(t, VECTOR_PMI, false);
	overflow(t);
	CHECK_EQ(t, t->log.count, 1);
	t->log.leaves_masked = true;
	overflow(t);
	CHECK_EQ(t, t->log.count, 2);
	if (is_left_by_kvm(t, VECTOR_PMI))
		test_end();
	overflow(t);
	overflow(t);
	CHECK_EQ(t, t->log.count, 2);
	/* Whether one of the two was held is not documented; a new one comes. */
	pmu_acknowledge(t->pmu, BIT(t->counter));
	apic_write_lvtpc(VECTOR_PMI);
	overflow(t);
	CHECK_IS(t, t->log.count, >=, 3);
	pmi_disarm(t);
}
