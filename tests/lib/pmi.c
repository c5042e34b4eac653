/* SPDX-License-Identifier: BSD-2-Clause */
/* Performance-monitoring interrupts. */
#include "test.h"

/* Linux polls 50 times for 1 us (914123fa3904). */
#define LATE_US 50

static const char storm[] = "PMI storm: more interrupts than any test can cause";

static void note_overflow(struct run *t, unsigned ctr)
{
	struct pmi_log *log = &t->log;
	uint64_t value = pmu_read(t->pmu, ctr);

	if (!log->per_counter[ctr]++)
		log->value_at_pmi[ctr] = value;
	if (value > log->latest)
		log->latest = value;
	if (log->rearm_by[ctr])
		pmu_write(t->pmu, ctr, (value - log->rearm_by[ctr]) & pmu_mask(t->pmu, ctr));
	else if (log->rearm_from[ctr])
		pmu_write(t->pmu, ctr, log->rearm_from[ctr]);
	else
		log->seen |= BIT(ctr);
}

static void note_interrupt(struct run *t, const struct trap_frame *frame)
{
	struct pmi_log *log = &t->log;
	uint64_t all = pmu_overflowed(t->pmu, log->armed), over = all & ~log->seen;

	log->count++;
	log->rip = frame->ip;
	log->lvt = apic_read_lvtpc();
	if (!over)
		log->unexplained++;
	for (uint64_t left = over; left; left &= left - 1)
		note_overflow(t, lowest_bit(left));
	pmu_acknowledge(t->pmu, all);
	if (log->samples)
		log->full += t->pmu->sampler->acknowledge(t->pmu);
	/* After the acknowledgement: a request that still stands would come again. */
	if (log->most && log->count >= log->most)
		pmu_stop(t->pmu, log->armed);
	else if (t->pmu->features & PMU_LVT_MASKS && !log->leaves_masked)
		apic_write_lvtpc(log->asked);
}

static bool handle(struct trap_frame *frame, void *arg)
{
	struct run *t = arg;
	struct pmi_log *log = &t->log;

	/* Nothing here asked for one. */
	if (frame->vector == VECTOR_NMI && !(log->asked & APIC_LVT_MODE_NMI))
		return false;
	if (++log->total > log->due + PMI_STORM) {
		apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
		pmu_reset(t->pmu);
		/* Once: the guard is gone when a last one comes after this. */
		if (log->on)
			guard_abort_frame(frame, storm);
		log->on = false;
	} else if (log->on) {
		note_interrupt(t, frame);
	}
	return true;
}

void pmi_arm(struct run *t, uint32_t lvt, uint64_t armed)
{
	if (!(t->pmu->features & PMU_INTERRUPT))
		test_refused(t, "interrupts without a local APIC");
	t->log = (struct pmi_log){.armed = armed, .asked = lvt, .on = true};
	trap_set_handler(VECTOR_PMI, handle, t);
	trap_set_handler(VECTOR_NMI, handle, t);
	apic_write_lvtpc(lvt);
}

void pmi_settle(void)
{
	machine_delay_us(LATE_US);
}

void pmi_disarm(struct run *t)
{
	pmi_settle();
	apic_write_lvtpc(APIC_LVT_MASKED | VECTOR_PMI);
	t->log.on = false;
}

/* A vector that was accepted while interrupts were off would else hit the next test. */
void pmi_clean_up(struct run *t)
{
	if (!t->log.asked)
		return;
	t->log.on = false;
	irq_enable();
	pmi_settle();
	irq_disable();
	msr_switch_by_trap(VECTOR_PMI, NULL);
	msr_switch_by_trap(VECTOR_NMI, NULL);
	trap_set_handler(VECTOR_PMI, NULL, NULL);
	trap_set_handler(VECTOR_NMI, NULL, NULL);
}
