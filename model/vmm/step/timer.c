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

/* The rest is at least 1 until the timer has interrupted. */
uint32_t timer_count(const struct guest *g)
{
	uint64_t now = time_tsc(g);
	uint32_t left = timer.due > now ? time_to_apic(timer.due - now) : 0;

	return !timer.runs ? 0 : left ? left : 1;
}

/* Starts the timer: with initial, of which left is left. */
static void start(const struct guest *g, uint32_t initial, uint32_t left)
{
	timer.runs = true;
	timer.initial = get(APIC_LVT_TIMER) & LVT_TIMER_PERIODIC ? initial : 0;
	timer.due = time_tsc(g) + time_of_apic(left);
}

static bool is_pending(unsigned vector)
{
	return get(APIC_IRR + vector / 32 * 0x10) >> vector % 32 & 1;
}

static void raise(struct guest *g, uint32_t entry)
{
	if (!(entry & LVT_MASKED))
		apic_send_message(entry & LVT_VECTOR);
	g->look = true;
}

/* Takes over the rest of the machine's timer, so that its interrupt comes once: one that has run
 * out interrupts by itself; one that runs out meanwhile, while it is masked, has interrupted
 * before, or does so here.  anew: it was started in the guest's time, of which nothing has passed.
 */
static void take_over(struct guest *g, bool anew)
{
	uint32_t entry = get(APIC_LVT_TIMER), initial = get(APIC_TIMER_INITIAL), left;

	if (!initial || !get(APIC_TIMER_COUNT))
		return;
	set(APIC_LVT_TIMER, entry | LVT_MASKED);
	left = get(APIC_TIMER_COUNT);
	set(APIC_TIMER_INITIAL, 0);
	set(APIC_LVT_TIMER, entry);
	if (left)
		start(g, initial, anew ? initial : left);
	else if (!is_pending(entry & LVT_VECTOR))
		raise(g, entry);
}

void timer_take(struct guest *g)
{
	if (!g->system || timer.taken)
		return;
	timer.taken = true;
	timer.runs = false;
	take_over(g, false);
	if (timer.runs && timer.initial)
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
	raise(g, get(APIC_LVT_TIMER));
	timer.runs = timer.initial;
	timer.due += time_of_apic(timer.initial);
}

void timer_look(struct guest *g)
{
	if (!timer.taken)
		return;
	take_over(g, true);
	if (timer.runs && time_tsc(g) >= timer.due)
		interrupt(g);
}
