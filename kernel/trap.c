/* SPDX-License-Identifier: BSD-2-Clause */
/* Every vector comes in here, and its handler is called. */
#include "state.h"

#define EXCEPTIONS      32u

#define AT(field, slot) (offsetof(struct trap_frame, field) == sizeof(uintptr_t) * (slot))
_Static_assert(AT(bp, 0) && AT(di, 1) && AT(si, 2) && AT(ax, 3), "push order of trap.asm");
_Static_assert(AT(vector, 4) && AT(error, 5) && AT(ip, 6) && AT(cs, 7) && AT(flags, 8) &&
		       AT(sp, 9) && AT(ss, 10),
	       "push order of trap.asm and the CPU");

/* Faults leave IP at the instruction, where the table of CATCH() finds it; traps do not. */
#define FAULT_VECTORS                                                                              \
	(BIT(0) | BIT(5) | BIT(6) | BIT(7) | FIELD(14, 10) | BIT(16) | BIT(17) | BIT(19))

/* On all processors, and across take-overs. */
static unsigned stray_nmis;

void trap(struct trap_frame *frame); /* called by trap.asm */

void trap_set_handler(unsigned vector, trap_handler *handler, void *arg)
{
	struct trap_taker *taker = &this_processor()->takers[vector];

	if (vector >= VECTORS)
		panic("no vector %u", vector);
	/* An NMI between these writes must not find the new handler with the old argument. */
	taker->handler = NULL;
	__asm__ volatile("" ::: "memory");
	taker->arg = arg;
	__asm__ volatile("" ::: "memory");
	taker->handler = handler;
}

void traps_restore(void)
{
	msr_switch_by_trap(FAULT_UD, NULL);
	for (unsigned vector = 0; vector < EXCEPTIONS; vector++)
		trap_set_handler(vector, NULL, NULL);
}

static uintptr_t extable_address(const int32_t *offset)
{
	return (uintptr_t)((intptr_t)offset + *offset);
}

/* Resumes behind an instruction that was allowed to fault: see CATCH() in cpu.h. */
static bool fault_caught(struct trap_frame *frame)
{
	const struct extable_entry *e;

	if (frame->vector >= EXCEPTIONS || (FAULT_VECTORS >> frame->vector & 1) == 0)
		return false;
	for (e = extable_start; e < extable_end; e++) {
		if (extable_address(&e->insn) != frame->ip)
			continue;
		frame->si = frame->vector;
		frame->ip = extable_address(&e->resume);
		return true;
	}
	return false;
}

static void trap_unexpected(struct processor *p, struct trap_frame *frame)
{
	bool again = p->dumping;

	if (frame->vector == VECTOR_NMI)
		__atomic_add_fetch(&stray_nmis, 1, __ATOMIC_RELAXED);
	/* The platform's watchdog or a button sent it: between tests it disturbs nothing. */
	if (frame->vector == VECTOR_NMI && !guard_active())
		return;
	p->dumping = !again;
	guard_abort_frame(frame, again ? "trap while a trap was being reported"
				       : dump_trap(frame, "unexpected trap", true));
	p->dumping = false;
}

static bool trap_handled(const struct processor *p, struct trap_frame *frame)
{
	const struct trap_taker *taker = &p->takers[frame->vector];

	if (p->draining && frame->vector >= EXCEPTIONS)
		return true;
	return fault_caught(frame) || (taker->handler != NULL && taker->handler(frame, taker->arg));
}

void trap(struct trap_frame *frame)
{
	struct processor *p = this_processor();
	unsigned vector = (unsigned)frame->vector;

	/* A spurious interrupt is not in service: an EOI would end another interrupt. */
	if (vector == VECTOR_SPURIOUS)
		return;
	if (!trap_handled(p, frame))
		trap_unexpected(p, frame);
	if (vector >= EXCEPTIONS && apic_in_service(vector))
		apic_eoi();
}

unsigned trap_stray_nmis(void)
{
	return stray_nmis;
}

void trap_drain(void)
{
	struct processor *p = this_processor();

	p->draining = true;
	/* A round takes in what is pending; if many rounds are not enough, it is a storm. */
	for (unsigned i = 0; i < EXCEPTIONS && apic_pending(); i++) {
		irq_enable();
		irq_disable();
	}
	p->draining = false;
}
