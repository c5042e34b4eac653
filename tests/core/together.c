/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow interrupts of all counters together, behind a masked one, and after a long period. */
#include "core.h"

#define GROUP "interrupt", "overflow"
#define LVT                                                                                        \
	"AMD64 APM vol. 2, 13.2.1: INT; 16.4: LVT performance counter entry; SDM vol. 3A: "        \
	"LVT"

#define TOGETHER_TEST(name, claim)                                                                 \
	TEST(name, claim, .clause = LVT, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2)

#define PERIOD 40

static struct pmu_config in_kernel(void)
{
	return (struct pmu_config){.event = EV_INSTRUCTIONS, .kernel = true, .interrupt = true};
}

/* Requests that meet a pending one merge with it: fewer interrupts than counters are allowed, a
 * counter that no handler found overflowed is not. */
static void check_found(struct run *t, const struct window *w)
{
	CHECK_IS(t, t->log.count, >=, 1);
	CHECK_IS(t, t->log.count, <=, w->n);
	for (unsigned i = 0; i < w->n; i++)
		OF_COUNTER(t, w->c[i].ctr, CHECK_EQ(t, t->log.per_counter[w->c[i].ctr], 1));
}

/* Counter i after first + i * gap events. */
static struct window preset_all(struct run *t, struct pmu_config cfg, uint64_t first, uint64_t gap)
{
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, LOSES_INTERRUPTS);
	struct window w = window_of_all(t, cfg);

	if (erratum)
		test_known(t, erratum->id);
	for (unsigned i = 0; i < w.n; i++)
		w.c[i].from = preset_for(t, first + i * gap);
	return w;
}

static uint64_t slots(const struct window *w)
{
	uint64_t ctrs = 0;

	for (unsigned i = 0; i < w->n; i++)
		ctrs |= BIT(w->c[i].ctr);
	return ctrs;
}

TOGETHER_TEST(while_off, "overflows of all counters while IF is clear are all found when it is set")
{
	struct window w = preset_all(t, in_kernel(), PERIOD, 7);

	w.work = in_ring0(&payload_mix, 3 * PERIOD);
	irq_disable();
	pmi_arm(t, VECTOR_PMI, slots(&w));
	window_run(t, &w);
	pmi_settle();
	CHECK_EQ(t, t->log.count, 0);
	irq_enable();
	pmi_disarm(t);
	check_found(t, &w);
}

/* An overflow in the handler of another meets the masked entry. */
ABSENT_IF(answered_late, (pmu->features & (PMU_LVT_MASKS | PMU_ATOMIC_START)) == PMU_LVT_MASKS,
	  "counters start one after the other, and delivery masks the LVT entry")

TEST(while_on, "overflows of all counters at once in ring 0 with IF set are all found",
     .clause = LVT, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .min_counters = 2,
     .absent = answered_late)
{
	struct window w = preset_all(t, in_kernel(), PERIOD, 0);

	w.work = in_ring0(&payload_mix, PERIOD);
	w.lvt = VECTOR_PMI;
	window_run(t, &w);
	check_found(t, &w);
}

TOGETHER_TEST(long_period, "all counters interrupt after a period of 100,000 events")
{
	struct pmu_config cfg = gated(EV_INSTRUCTIONS);
	struct window w;

	cfg.interrupt = true;
	w = preset_all(t, cfg, 100000, 61);
	w.work = work_for(&payload_mix, 100000 + 61 * w.n);
	w.lvt = VECTOR_PMI;
	window_run(t, &w);
	check_found(t, &w);
	for (unsigned i = 1; i < w.n; i++)
		OF_COUNTER(t, w.c[i].ctr, CHECK_COUNT(t, w.c[i].out + 61 * i, w.c[0].out));
}

/* NMIs do not ask for IF. */
TEST(nmi_after_masked, "behind an overflow that the LVT entry has masked the next one comes as NMI",
     .clause = LVT, .needs = PMU_INTERRUPT | PMU_PRIVILEGE, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	const struct work work = in_ring0(&payload_mix, PERIOD);

	irq_disable();
	count_overflows(t, in_kernel(), preset_for(t, PERIOD), work,
			APIC_LVT_MODE_NMI | APIC_LVT_MASKED);
	CHECK_EQ(t, t->log.count, 0);
	/* Whether the held one comes on unmasking is left open. */
	pmu_reset(t->pmu);
	count_overflows(t, in_kernel(), preset_for(t, PERIOD), work, APIC_LVT_MODE_NMI);
	CHECK_IS(t, t->log.count, >=, 1);
	CHECK_IS(t, t->log.count, <=, 2);
	CHECK_EQ(t, t->log.per_counter[t->counter], 1);
	irq_enable();
}
