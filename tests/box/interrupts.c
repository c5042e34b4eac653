/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts of AMD's northbridges, each to one core of the node. */
#include "box.h"

#define GROUP "interrupt", "overflow"
#define ON_NB                                                                                      \
	.clause = "AMD BKDG 42301 and 48751, 3.24: IntCoreSel, IntCoreEn, Int",                    \
	.kinds = BOX_NORTHBRIDGE, .needs = PMU_INTERRUPT, .per_counter = true

/* The local APIC takes them as it takes those of the core's own counters.  Other cores have their
 * entry masked, as it is after reset: what goes to one of them comes nowhere. */
enum { OWN_CORE = 0, FROM_END = MEMORY_LINES / 2, BITS_OF_CORE = 4 };

static const char *why_not(const struct pmu *pmu, unsigned ctr)
{
	(void)ctr;
	return box_of(pmu)->kind->select->interrupt
		       ? NULL
		       : "counters of this northbridge are the core's, and interrupt by its rules";
}

/* The counter overflows once, while memory is read, with interrupts to this core, but without the
 * bits off of its control. */
static void overflow(struct run *t, unsigned core, uint64_t off, uint32_t lvt)
{
	const struct box_config cfg = {.event = NODE_DRAM, .interrupts = (uint8_t)(core + 1)};
	const struct pmu_counter *counter = &t->pmu->counter[t->counter];
	const uint64_t on = box_encode(kind_of(t), &cfg) & ~off;
	const uint64_t mask = pmu_mask(t->pmu, t->counter);

	box_reset(t->pmu);
	pmu_put(t->pmu, counter->ctl, on & ~counter->enable);
	pmu_write(t->pmu, t->counter, mask - FROM_END);
	memory_clean();
	pmi_arm(t, lvt, BIT(t->counter));
	pmu_put(t->pmu, counter->ctl, on);
	irq_enable();
	memory_load();
	pmi_settle();
	irq_disable();
	pmu_put(t->pmu, counter->ctl, on & ~counter->enable);
	pmi_disarm(t);
	SKIP_IF(t, pmu_read(t->pmu, t->counter) > mask / 2,
		"half of what is read from memory is not counted: the counter does not overflow");
}

static void skip_if_unknown(struct run *t)
{
	struct cpu_seat here;

	seat_find(&here);
	SKIP_IF(t, here.core != OWN_CORE, "this is not core 0 of its node, whose number is known");
}

BOX_TEST(to_this_core, "an overflow interrupts the core that is chosen, once", ON_NB,
	 .absent = why_not)
{
	static const uint32_t lvt[] = {VECTOR_PMI, APIC_LVT_MODE_NMI};

	skip_if_unknown(t);
	for (unsigned i = 0; i < ARRAY_SIZE(lvt); i++) {
		overflow(t, OWN_CORE, 0, lvt[i]);
		CHECK_EQ(t, t->log.count, 1);
		CHECK_EQ(t, t->log.per_counter[t->counter], 1);
	}
}

BOX_TEST(to_other_cores, "an overflow that interrupts another core does not interrupt this one",
	 ON_NB, .absent = why_not)
{
	skip_if_unknown(t);
	for (unsigned bit = 0; bit < BITS_OF_CORE; bit++) {
		overflow(t, 1u << bit, 0, VECTOR_PMI);
		CHECK_EQ(t, t->log.count, 0);
	}
}

BOX_TEST(to_nobody, "without Int an overflow interrupts nobody", ON_NB, .absent = why_not)
{
	skip_if_unknown(t);
	overflow(t, OWN_CORE, kind_of(t)->select->interrupt, VECTOR_PMI);
	CHECK_EQ(t, t->log.count, 0);
}
