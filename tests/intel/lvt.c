/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's LVT entry for performance counters masks itself when it delivers. */
#include "kernel/apic.h"
#include "kernel/machine.h"
#include "kernel/trap.h"
#include "window.h"

#define GROUP "lvt"
#define LVT   "Intel SDM vol. 3A, 10.5.1: LVT performance counter register"

/* Late interrupts come within it. */
#define LATE_US 50

static unsigned taken;
static uint32_t reopen; /* the handler unmasks the entry with it; 0: leaves it masked */

static bool take(struct trap_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	/* An entry that delivers without end is seen soon enough. */
	if (++taken < 5 && reopen)
		apic_write_lvtpc(reopen);
	return true;
}

static void overflow(struct run *t)
{
	struct pmu_config cfg = gated(EV_INSTRUCTIONS);
	uint64_t from = minus(t, 40), out;

	cfg.interrupt = true;
	measure(t, 1, &t->counter, &cfg, &from, &payload_straight, 10, RING_3, &out);
	machine_delay_us(LATE_US);
}

/* What pmi_arm() has set up is cleaned up after the test; our handlers only count. */
static void arm(struct run *t, struct pmi_log *log, uint32_t lvt)
{
	pmi_arm(t, log, lvt);
	trap_set_handler(VECTOR_PMI, take, NULL);
	trap_set_handler(VECTOR_NMI, take, NULL);
	taken = 0;
	reopen = 0;
}

static void check_masked_by_delivery(struct run *t, uint32_t lvt)
{
	struct pmi_log log = {0};

	arm(t, &log, lvt);
	CHECK_EQ(t, apic_read_lvtpc() & APIC_LVT_MASKED, 0);
	overflow(t);
	CHECK_EQ(t, taken, 1);
	CHECK_EQ(t, apic_read_lvtpc(), lvt | APIC_LVT_MASKED);
	pmi_disarm();
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
	struct pmi_log log = {0};

	arm(t, &log, VECTOR_PMI);
	/* With its status bit still set: errata HSD091, BDM038 repeat the interrupt until it is
	 * not. */
	reopen = VECTOR_PMI;
	overflow(t);
	CHECK_EQ(t, taken, 1);
	reopen = 0;
	overflow(t);
	CHECK_EQ(t, taken, 2);
	overflow(t);
	overflow(t);
	CHECK_EQ(t, taken, 2);
	/* Whether one of the two was held is not documented; a new one comes. */
	pmu_acknowledge(t->pmu, BIT(t->counter));
	apic_write_lvtpc(VECTOR_PMI);
	overflow(t);
	CHECK(t, taken >= 3);
	pmi_disarm();
}
