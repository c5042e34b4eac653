/* SPDX-License-Identifier: BSD-2-Clause */
/* Performance-monitoring interrupts. */
#include "test.h"

/* Linux polls 50 times for 1 us (914123fa3904). */
#define LATE_US 50

enum { CLEAN_UP_MS = 1000, STRAYS_MOST = 8 };

static const uint8_t vectors[] = {VECTOR_PMI, VECTOR_OTHER, VECTOR_NMI};

static const char storm[] = "PMI storm: more interrupts than any test can cause";

static uint32_t read_entry(const struct pmi_log *log)
{
	return log->entry ? apic_read_extended(log->entry - 1) : apic_read_lvtpc();
}

static void write_entry(const struct pmi_log *log, uint32_t value)
{
	if (log->entry)
		apic_write_extended(log->entry - 1, value);
	else
		apic_write_lvtpc(value);
}

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

static void note_overflows(struct run *t)
{
	struct pmi_log *log = &t->log;
	uint64_t all = pmu_overflowed(t->pmu, log->armed), over = all & ~log->seen;

	if (!over)
		log->unexplained++;
	for (uint64_t left = over; left; left &= left - 1)
		note_overflow(t, lowest_bit(left));
	pmu_acknowledge(t->pmu, all);
}

static void note_interrupt(struct run *t, const struct trap_frame *frame)
{
	struct pmi_log *log = &t->log;

	log->count++;
	log->rip = frame->ip;
	log->lvt = read_entry(log);
	if (!log->entry)
		note_overflows(t);
	if (log->samples)
		log->full += t->pmu->sampler->acknowledge(t->pmu);
	/* After the acknowledgement: a request that still stands would come again. */
	if (log->most && log->count >= log->most)
		pmu_stop(t->pmu, log->armed);
	else if (t->pmu->features & PMU_LVT_MASKS && !log->leaves_masked)
		write_entry(log, log->asked);
}

/* One by a vector that was asked for before may be late. */
static bool is_asked_for(const struct pmi_log *log, unsigned vector)
{
	const bool nmi = log->asked & APIC_LVT_MODE_NMI;

	if (vector == VECTOR_NMI)
		return nmi;
	return nmi || !log->on || vector == (log->asked & APIC_LVT_VECTOR);
}

static bool handle(struct trap_frame *frame, void *arg)
{
	struct run *t = arg;
	struct pmi_log *log = &t->log;

	if (!is_asked_for(log, (unsigned)frame->vector))
		return false;
	if (++log->total > log->due + PMI_STORM) {
		write_entry(log, APIC_LVT_MASKED | VECTOR_PMI);
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

uint32_t interrupt_traits(const struct pmi_log *log)
{
	return trait_if(log->on, TRAIT_INTERRUPT) |
	       trait_if(log->on && log->asked & APIC_LVT_MODE_NMI, TRAIT_NMI);
}

static void begin(struct run *t, const struct pmi_log *log)
{
	t->log = *log;
	t->log.on = true;
	t->last.modes |= interrupt_traits(&t->log);
	traits_add(&t->used, &t->last);
	for (unsigned i = 0; i < ARRAY_SIZE(vectors); i++)
		trap_set_handler(vectors[i], handle, t);
	write_entry(log, log->asked);
}

void pmi_arm(struct run *t, uint32_t lvt, uint64_t armed)
{
	if (!(t->pmu->features & PMU_INTERRUPT))
		test_refused(t, "interrupts without a local APIC");
	begin(t, &(struct pmi_log){.armed = armed, .asked = lvt});
}

void pmi_arm_sampler(struct run *t, uint32_t lvt)
{
	begin(t, &(struct pmi_log){.entry = t->pmu->sampler->entry, .asked = lvt, .samples = true});
}

void pmi_settle(void)
{
	machine_delay_us(LATE_US);
}

uint64_t pmi_disarm(struct run *t)
{
	struct pmi_log *log = &t->log;
	uint64_t untold = 0;

	pmi_settle();
	if (log->armed && !(read_entry(log) & APIC_LVT_MASKED))
		untold = pmu_overflowed(t->pmu, log->armed) & ~log->seen;
	write_entry(log, APIC_LVT_MASKED | VECTOR_PMI);
	log->on = false;
	return untold;
}

static void take_what_is_left(void *arg)
{
	(void)arg;
	pmi_settle();
}

/* A vector that was accepted while interrupts were off would else hit the next test.  One that
 * nobody asked for ends the guard, and others may stand behind it. */
const char *pmi_clean_up(struct run *t)
{
	const char *stray = NULL, *why;
	unsigned n = 0;

	if (!t->log.asked)
		return NULL;
	t->log.on = false;
	do {
		why = guard_run(take_what_is_left, NULL, CLEAN_UP_MS);
		stray = why ? why : stray;
	} while (why && ++n < STRAYS_MOST);
	for (unsigned i = 0; i < ARRAY_SIZE(vectors); i++) {
		msr_switch_by_trap(vectors[i], NULL);
		trap_set_handler(vectors[i], NULL, NULL);
	}
	return stray;
}
