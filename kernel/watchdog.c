/* SPDX-License-Identifier: BSD-2-Clause */
/* The watchdog: the local APIC's timer ends a guard that overruns. */
#include "state.h"

#define CALIBRATE_US    1000u
#define CALIBRATE_TRIES 3u

/* Sets the timer to the time that is left, or to its longest.  The TSC decides when time is up. */
static void watchdog_arm(const struct processor *p)
{
	uint64_t now = rdtsc();
	uint64_t ms = p->deadline > now ? (p->deadline - now) / machine_tsc_per_ms() : 0;
	uint64_t ticks = (ms + 1) * p->ticks_per_ms;

	apic_timer_start(ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX);
}

static bool watchdog_expired(struct trap_frame *frame, void *arg)
{
	struct processor *p = arg;

	/* The guard ended while this interrupt was on its way. */
	if (p->deadline == 0 || !guard_active())
		return true;
	if (rdtsc() < p->deadline) {
		watchdog_arm(p);
		return true;
	}
	p->deadline = 0;
	guard_abort_frame(frame, dump_trap(frame, "time is up", false));
	return true;
}

uint64_t watchdog_set(uint64_t deadline)
{
	struct processor *p = this_processor();
	uint64_t old = p->deadline;

	p->deadline = deadline;
	if (p->ticks_per_ms == 0)
		return old;
	if (deadline != 0)
		watchdog_arm(p);
	else
		apic_timer_stop();
	return old;
}

/* A delay between two reads can only add ticks, so the smallest of some tries is the best.  Too few
 * ticks do no harm, because the handler arms the timer again. */
void watchdog_calibrate(void)
{
	struct processor *p = this_processor();

	if (!apic_present())
		return;
	for (unsigned i = 0; i < CALIBRATE_TRIES; i++) {
		uint64_t start, cycles, ticks;

		apic_timer_start(UINT32_MAX);
		start = rdtsc();
		machine_delay_us(CALIBRATE_US);
		cycles = rdtsc() - start;
		ticks = (UINT32_MAX - apic_timer_current()) * machine_tsc_per_ms() / cycles;
		if (p->ticks_per_ms == 0 || ticks < p->ticks_per_ms)
			p->ticks_per_ms = ticks > 0 ? ticks : 1;
	}
	apic_timer_stop();
	trap_set_handler(VECTOR_WATCHDOG, watchdog_expired, p);
}
