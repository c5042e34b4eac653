/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guest's clocks.  While a counter counts ticks of the TSC, and in an operating system while
 * any counter runs, time goes by the clocks of the model, which are slower than the machine's: the
 * TSC, the ACPI power management timer and the count of the local APIC's timer fall behind alike.
 * The interrupt of that timer still comes by the machine's time: it is what ends a test in which
 * nothing retires any more.  A system's timer interrupts by the guest's time: timer.c.
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
	bool by_clocks; /* or by instructions, where no counter of ticks tells how long they took */
} now;
static uint64_t tsc_hz;

void time_start(struct guest *g, uint64_t tsc_hz_)
{
	time_stop(g);
	tsc_hz = tsc_hz_;
}

static uint64_t ticks(void)
{
	return now.by_clocks ? silicon_tsc_ticks(&silicon_cpu)
			     : silicon_tally(&silicon_cpu).retired;
}

/* To the machine's, of the guest's own clocks, whatever those of an inner guest show. */
static uint64_t offset(const struct guest *g)
{
	return g->vmcb->tsc_offset - g->nest.ahead;
}

uint64_t time_tsc(const struct guest *g)
{
	if (!now.own)
		return read_tsc() + offset(g);
	return now.tsc + ticks() - now.first_tick;
}

/* How far the guest is behind the machine, in ticks of the TSC. */
static uint64_t lag(const struct guest *g)
{
	return now.own ? read_tsc() - time_tsc(g) : -offset(g);
}

void time_stop(struct guest *g)
{
	if (!now.own)
		return;
	g->vmcb->tsc_offset = g->nest.ahead - lag(g);
	g->vmcb->intercept &= ~INTERCEPT_RDTSC;
	now.own = false;
}

static void begin(struct guest *g, bool by_clocks)
{
	now.lag = lag(g);
	now.tsc = time_tsc(g);
	now.by_clocks = by_clocks;
	now.first_tick = ticks();
	g->vmcb->intercept |= INTERCEPT_RDTSC;
	now.own = true;
}

void time_update(struct guest *g)
{
	bool by_clocks = silicon_counts_tsc(&silicon_cpu);

	if (!g->stepping || (!by_clocks && !g->system))
		time_stop(g);
	else if (!now.own || by_clocks != now.by_clocks)
		begin(g, by_clocks);
}

void time_waited(uint64_t machine)
{
	if (now.own)
		now.tsc += machine;
}

uint64_t time_of_boxes(const struct guest *g)
{
	return g->system ? time_tsc(g) : read_tsc();
}

void time_await(const struct guest *g, uint64_t tsc)
{
	uint64_t from = time_of_boxes(g);

	if (g->system && now.own)
		now.tsc += tsc > from ? tsc - from : 0;
	while (time_of_boxes(g) < tsc)
		;
}

/* Ticks of the TSC as ticks of a clock of that rate. */
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

static uint64_t apic_hz(void)
{
	return APIC_TIMER_HZ / divisor(mmio_read32(apic_find_base() + APIC_TIMER_DIVIDE));
}

uint32_t time_to_apic(uint64_t tsc)
{
	return ticks_of(tsc, apic_hz());
}

uint64_t time_of_apic(uint32_t count)
{
	uint64_t hz = apic_hz();

	return count / hz * tsc_hz + count % hz * tsc_hz / hz;
}

/* A timer that has run out stands still. */
uint32_t time_apic_count(const struct guest *g)
{
	uint32_t machine;

	if (g->system)
		return timer_count(g);
	machine = mmio_read32(apic_find_base() + APIC_TIMER_COUNT);
	return machine ? machine + time_to_apic(lag(g) - now.lag) : 0;
}
