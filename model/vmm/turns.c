/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other processors than the first that run together.  The machine has one real processor: they
 * take turns on it, and who waits, with PAUSE or HLT, lets the next one go on.  Each has registers,
 * a PMU and a local APIC of its own; memory and boxes outside of the cores they have in common.
 */
#include "model/vmm/apic/apic.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

enum { FIRST = 0 }; /* it waits until all others are over */

static struct seat_of {
	struct kept kept;
	struct apic_aside apic;
	uint64_t since; /* when its turn ended, by the machine's TSC */
} seats[PROCESSORS_MAX] LARGE;

static struct together *running;
static uint64_t ready; /* as bits */
static bool fresh; /* the guest has not been entered since */
bool turns_on;

/* ---- from one to the next ---- */

static void set_aside(struct guest *g)
{
	struct seat_of *seat = &seats[running->now];

	keep_state(g, &seat->kept);
	apic_set_aside(&seat->apic);
	silicon_set_aside(&silicon_cpu, running->now);
	seat->since = read_tsc();
}

/* The timer of the one whose turn it is has gone on, as its clock has; at most up to its end, which
 * is seen now. */
static void let_timer_pass(uint64_t since)
{
	uint64_t base = apic_find_base();
	uint32_t count = mmio_read32(base + APIC_TIMER_COUNT);
	uint32_t passed = time_to_apic(read_tsc() - since);

	if (count && !(mmio_read32(base + APIC_LVT_TIMER) & LVT_TIMER_PERIODIC))
		mmio_write32(base + APIC_TIMER_INITIAL, count > passed ? count - passed : 1);
}

static void bring_back(struct guest *g, unsigned number)
{
	const struct seat_of *seat = &seats[number];

	running->now = number;
	silicon_bring_back(&silicon_cpu, number);
	apic_bring_back(&seat->apic);
	let_timer_pass(seat->since);
	keep_restore(g, &seat->kept);
	fresh = true;
	step_update(g);
}

/* The next one that is ready, in a circle; FIRST: there is none. */
static unsigned next(void)
{
	for (unsigned i = 1; i <= running->count; i++) {
		unsigned number = (running->now + i) % running->count;

		if (ready >> number & 1)
			return number;
	}
	return FIRST;
}

/* What has come for the one that runs is not for the next: it is taken before. */
static bool interrupted(struct guest *g)
{
	bool iflag = g->vmcb->rflags & RFLAGS_IF;
	int vector = vmm_take_interrupt(iflag ? WAIT_INTR : WAIT_NMI);

	if (vector < 0)
		return false;
	deliver(g, (unsigned)vector, 0, DELIVERY_HARDWARE);
	return true;
}

static void pass(struct guest *g)
{
	step_suspend(g);
	if (interrupted(g) || next() == running->now) {
		step_update(g);
		return;
	}
	set_aside(g);
	bring_back(g, next());
}

/* ---- begin and end ---- */

/* All of them are as the first one is, but for where they go on. */
static void prepare(unsigned number)
{
	struct vmcb *v = &seats[number].kept.vmcb;

	seats[number] = seats[FIRST];
	v->rip = (uint64_t)(uintptr_t)running->entry;
	/* As behind a call. */
	v->rsp = (uint64_t)(uintptr_t)(running->stacks + (number + 1) * running->stack_size) -
		 sizeof(uint64_t);
}

void turns_begin(struct guest *g, struct together *together)
{
	running = together;
	running->now = FIRST;
	running->lost = 0;
	ready = together->start;
	if (!ready)
		return;
	step_suspend(g);
	set_aside(g);
	for (unsigned n = 1; n < running->count; n++)
		if (ready >> n & 1)
			prepare(n);
	turns_on = true;
	g->vmcb->intercept |= INTERCEPT_PAUSE;
	bring_back(g, next());
}

bool turns_over(struct guest *g)
{
	ready &= ~BIT(running->now);
	step_suspend(g);
	set_aside(g);
	turns_on = ready;
	if (!turns_on)
		silicon_meet(false);
	bring_back(g, next());
	return !turns_on;
}

/* ---- waiting ---- */

static enum turns_result lose(void)
{
	running->lost |= BIT(running->now);
	return TURNS_LOST;
}

enum turns_result turns_pause(struct guest *g)
{
	if (running->halts >> running->now & 1)
		return lose();
	pass(g);
	return TURNS_DONE;
}

enum turns_result turns_halt(struct guest *g)
{
	if (!(g->vmcb->rflags & RFLAGS_IF))
		return lose();
	if (g->stepping)
		return TURNS_NOTHING;
	g->vmcb->rip++; /* HLT has one byte: it wakes up when it is its turn again */
	pass(g);
	return TURNS_DONE;
}

void turns_prepare(struct guest *g)
{
	enum { TLB_FLUSH_ALL = 1 };

	g->vmcb->intercept |= INTERCEPT_HLT;
	g->vmcb->tlb_control = fresh ? TLB_FLUSH_ALL : 0;
	fresh = false;
}
