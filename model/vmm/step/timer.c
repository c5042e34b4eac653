/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC's timer of an operating system that is stepped through.  The machine's would
 * interrupt the system by the machine's time, in which that does next to nothing: it would never
 * come to anything but its ticks, and take its other clocks for wrong.  So meanwhile the machine's
 * timer stands still, and the guest's TSC says when the time has come.
 */
#include "model/vmm/apic/apic.h"
#include "stepping.h"

static struct {
	bool taken, runs;
	uint32_t initial; /* of a periodic one; 0: it interrupts once */
	uint64_t due; /* the guest's TSC then */
	uint64_t passed; /* of a period, when it was given back */
} timer;

static uint32_t get(uint32_t reg)
{
	return mmio_read32(apic_find_base() + reg);
}

static void set(uint32_t reg, uint32_t value)
{
	mmio_write32(apic_find_base() + reg, value);
}

/* At least 1 until it has interrupted. */
uint32_t timer_count(const struct guest *g)
{
	uint64_t now = time_tsc(g);
	uint32_t left = timer.due > now ? time_to_apic(timer.due - now) : 0;

	return !timer.runs ? 0 : left ? left : 1;
}

/* It was started with initial, of which so much is left. */
static void start(const struct guest *g, uint32_t initial, uint32_t left)
{
	timer.runs = true;
	timer.initial = get(APIC_LVT_TIMER) & LVT_TIMER_PERIODIC ? initial : 0;
	timer.due = time_tsc(g) + time_of_apic(left);
	set(APIC_TIMER_INITIAL, 0);
}

void timer_take(struct guest *g)
{
	uint32_t left;

	if (!g->system || timer.taken)
		return;
	left = get(APIC_TIMER_COUNT);
	timer.taken = true;
	timer.runs = false;
	if (!left)
		return;
	start(g, get(APIC_TIMER_INITIAL), left);
	if (timer.initial)
		timer.due -= timer.passed;
	timer.passed = 0;
}

/* The machine begins a period anew, so what has passed of it is remembered: it may be taken and
 * given back many times in each. */
void timer_give(struct guest *g)
{
	uint32_t left;

	if (!timer.taken)
		return;
	timer_look(g);
	timer.taken = false;
	if (!timer.runs)
		return;
	left = timer_count(g);
	if (timer.initial)
		timer.passed = time_of_apic(timer.initial - left);
	set(APIC_TIMER_INITIAL, timer.initial ? timer.initial : left);
}

static void interrupt(struct guest *g)
{
	uint32_t entry = get(APIC_LVT_TIMER);

	if (!(entry & LVT_MASKED))
		apic_send_message(entry & LVT_VECTOR);
	timer.runs = timer.initial;
	timer.due += time_of_apic(timer.initial);
	g->look = true;
}

void timer_look(struct guest *g)
{
	uint32_t initial;

	if (!timer.taken)
		return;
	initial = get(APIC_TIMER_INITIAL);
	if (initial)
		start(g, initial, initial);
	if (timer.runs && time_tsc(g) >= timer.due)
		interrupt(g);
}
