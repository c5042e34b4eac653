/* SPDX-License-Identifier: BSD-2-Clause */
/* Performance-monitoring interrupts: counted, explained, and ended when they do not end. */
#include "kernel/apic.h"
#include "kernel/cpu.h"
#include "kernel/lib/bits.h"
#include "kernel/machine.h"
#include "kernel/trap.h"
#include "test.h"

/* How long after a counter has stopped its interrupt may still be on the way: Linux polls 50 times
 * for 1 us (914123fa3904). */
#define LATE_US 50

static const char storm[] = "PMI storm: more interrupts than any test can cause";

static struct {
	const struct pmu *pmu; /* NULL: nothing armed since the last clean-up */
	uint32_t lvt; /* the entry as armed */
	struct pmi_log *log; /* NULL: swallow what still comes */
	uint64_t seen; /* counters found overflowed and not armed again since */
	uint64_t total;
} pmi;

static void note_overflow(struct pmi_log *log, unsigned ctr)
{
	const struct pmu *pmu = pmi.pmu;
	uint64_t value = pmu_read(pmu, ctr);

	if (!log->per_counter[ctr]++)
		log->value_at_pmi[ctr] = value;
	if (log->rearm_by[ctr])
		pmu_write(pmu, ctr, (value - log->rearm_by[ctr]) & pmu_mask(pmu, ctr));
	else if (log->rearm_from[ctr])
		pmu_write(pmu, ctr, log->rearm_from[ctr]);
	else
		pmi.seen |= BIT(ctr);
}

static void note_interrupt(struct pmi_log *log, const struct trap_frame *frame)
{
	uint64_t all = pmu_overflowed(pmi.pmu, log->armed), over = all & ~pmi.seen;

	log->count++;
	log->rip = frame->ip;
	if (!over)
		log->unexplained++;
	for (unsigned i = 0; i < pmi.pmu->counters; i++)
		if (over & BIT(i))
			note_overflow(log, i);
	pmu_acknowledge(pmi.pmu, all);
	/* After the acknowledgement: a request that still stands would come again. */
	if (pmi.pmu->features & PMU_LVT_MASKS)
		apic_write_lvtpc(pmi.lvt);
}

static bool handle(struct trap_frame *frame, void *arg)
{
	(void)arg;
	/* Nothing here asked for one. */
	if (frame->vector == VECTOR_NMI && !(pmi.lvt & APIC_LVT_MODE_NMI))
		return false;
	if (++pmi.total > PMI_STORM) {
		apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
		pmu_reset(pmi.pmu);
		/* Once: the guard is gone when a last one comes after this. */
		if (pmi.log)
			guard_abort_frame(frame, storm);
		pmi.log = NULL;
	} else if (pmi.log) {
		note_interrupt(pmi.log, frame);
	}
	return true;
}

void pmi_arm(struct run *t, struct pmi_log *log, uint32_t lvt)
{
	pmi.pmu = t->pmu;
	pmi.log = log;
	pmi.lvt = lvt;
	pmi.seen = 0;
	pmi.total = 0;
	trap_set_handler(VECTOR_PMI, handle, NULL);
	trap_set_handler(VECTOR_NMI, handle, NULL);
	apic_write_lvtpc(lvt);
}

void pmi_disarm(void)
{
	machine_delay_us(LATE_US);
	apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
	pmi.log = NULL;
}

/* A vector that was accepted while interrupts were off would else hit the next test. */
void pmi_clean_up(void)
{
	if (!pmi.pmu)
		return;
	pmi.log = NULL;
	irq_enable();
	machine_delay_us(LATE_US);
	irq_disable();
	trap_set_handler(VECTOR_PMI, NULL, NULL);
	trap_set_handler(VECTOR_NMI, NULL, NULL);
	pmi.pmu = NULL;
}
