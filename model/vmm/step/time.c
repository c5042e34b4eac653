/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guest's clocks.  While a counter counts ticks of the TSC, time goes by the clocks of the
 * model, which are slower than the machine's: the TSC, the ACPI power management timer and the
 * count of the local APIC's timer fall behind alike.  The interrupt of that timer still comes by
 * the machine's time: it is what ends a test in which nothing retires any more.
 */
#include "model/vmm/apic/apic.h"
#include "stepping.h"

/* ACPI specification 6.4, 4.8.3.3; the upper 8 bits may not be there. */
#define PM_TIMER_HZ   UINT64_C(3579545)
#define PM_TIMER_MASK UINT32_C(0xffffff)

#define APIC_TIMER_HZ UINT64_C(1000000000) /* QEMU's, before it is divided */

static struct {
	bool own; /* by the clocks of the model, since these: */
	uint64_t tsc, first_tick, lag;
} now;
static uint64_t tsc_hz;

void time_start(struct guest *g, uint64_t tsc_hz_)
{
	time_stop(g);
	tsc_hz = tsc_hz_;
}

uint64_t time_tsc(const struct guest *g)
{
	if (!now.own)
		return read_tsc() + g->vmcb->tsc_offset;
	return now.tsc + silicon_tsc_ticks(&silicon_cpu) - now.first_tick;
}

/* How far the guest is behind the machine, in ticks of the TSC. */
static uint64_t lag(const struct guest *g)
{
	return now.own ? read_tsc() - time_tsc(g) : -g->vmcb->tsc_offset;
}

void time_stop(struct guest *g)
{
	if (!now.own)
		return;
	g->vmcb->tsc_offset = -lag(g);
	g->vmcb->intercept &= ~INTERCEPT_RDTSC;
	now.own = false;
}

void time_update(struct guest *g)
{
	if (!g->stepping || !silicon_counts_tsc(&silicon_cpu)) {
		time_stop(g);
	} else if (!now.own) {
		now.lag = lag(g);
		now.tsc = time_tsc(g);
		now.first_tick = silicon_tsc_ticks(&silicon_cpu);
		g->vmcb->intercept |= INTERCEPT_RDTSC;
		now.own = true;
	}
}

/* So many of a clock of that rate. */
static uint32_t ticks_of(uint64_t tsc, uint64_t hz)
{
	return (uint32_t)(tsc / tsc_hz * hz + tsc % tsc_hz * hz / tsc_hz);
}

uint32_t time_pm_timer(const struct guest *g, uint32_t machine)
{
	return (machine - ticks_of(lag(g), PM_TIMER_HZ)) & PM_TIMER_MASK;
}

bool time_is_own(void)
{
	return now.own;
}

/* The divide configuration register: Intel SDM vol. 3A, 11.5.4. */
static unsigned divisor(uint32_t bits)
{
	return 1u << (((bits & 3) + (bits & 8 ? 4 : 0) + 1) % 8);
}

/* One that has run out stands still. */
uint32_t time_apic_count(const struct guest *g, uint64_t apic)
{
	uint32_t machine = mmio_read32(apic + APIC_TIMER_COUNT);
	unsigned by = divisor(mmio_read32(apic + APIC_TIMER_DIVIDE));

	return machine ? machine + ticks_of(lag(g) - now.lag, APIC_TIMER_HZ / by) : 0;
}
