/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps: where every vector comes in, and who is asked. */
#include "state.h"

#define EXCEPTIONS      32u

#define AT(field, slot) (offsetof(struct trap_frame, field) == 8 * (slot))
_Static_assert(AT(r15, 0) && AT(r14, 1) && AT(r13, 2) && AT(r12, 3) && AT(r11, 4) && AT(r10, 5) &&
		       AT(r9, 6) && AT(r8, 7),
	       "push order of trap.asm");
_Static_assert(AT(rbp, 8) && AT(rdi, 9) && AT(rsi, 10) && AT(rdx, 11) && AT(rcx, 12) &&
		       AT(rbx, 13) && AT(rax, 14),
	       "push order of trap.asm");
_Static_assert(AT(vector, 15) && AT(error, 16) && AT(rip, 17) && AT(cs, 18) && AT(rflags, 19) &&
		       AT(rsp, 20) && AT(ss, 21),
	       "push order of trap.asm and the CPU");
_Static_assert(sizeof(struct trap_frame) % 16 == 0, "trap.asm calls trap() with RSP aligned");

/* Faults, whose RIP is that of the instruction: of these alone the table below can tell. */
#define FAULT_VECTORS                                                                              \
	(BIT(0) | BIT(5) | BIT(6) | BIT(7) | FIELD(14, 10) | BIT(16) | BIT(17) | BIT(19))

static bool draining;
static unsigned stray_nmis;

void trap(struct trap_frame *frame); /* called by trap.asm */

void trap_set_handler(unsigned vector, trap_handler *handler, void *arg)
{
	struct trap_taker *taker = &machine->takers[vector];

	if (vector >= VECTORS)
		panic("no vector %u", vector);
	/* An NMI between the two writes must not see the new handler with the old argument. */
	taker->handler = NULL;
	__asm__ volatile("" ::: "memory");
	taker->arg = arg;
	__asm__ volatile("" ::: "memory");
	taker->handler = handler;
}

static uint64_t extable_address(const int32_t *offset)
{
	return (uint64_t)((intptr_t)offset + *offset);
}

/* Resumes behind an instruction that was allowed to fault: see CATCH() in fault.h. */
static bool fault_caught(struct trap_frame *frame)
{
	const struct extable_entry *e;

	if (frame->vector >= EXCEPTIONS || (FAULT_VECTORS >> frame->vector & 1) == 0)
		return false;
	for (e = extable_start; e < extable_end; e++) {
		if (extable_address(&e->insn) != frame->rip)
			continue;
		frame->rsi = frame->vector;
		frame->rip = extable_address(&e->resume);
		return true;
	}
	return false;
}

static void trap_unexpected(struct trap_frame *frame)
{
	static bool dumping;

	stray_nmis += frame->vector == VECTOR_NMI;
	/* The watchdog or a button of the platform: between tests it disturbs nothing. */
	if (frame->vector == VECTOR_NMI && !guard_active())
		return;
	if (!guard_active())
		panic("trap %s at %s, nobody to take it", dump_vector_name(frame->vector),
		      machine_symbol(frame->rip));
	if (dumping) {
		dumping = false;
		guard_abort_frame(frame, "trap while a trap was being reported");
		return;
	}
	dumping = true;
	guard_abort_frame(frame, dump_trap(frame, "unexpected trap", true));
	dumping = false;
}

static bool trap_handled(struct trap_frame *frame)
{
	const struct trap_taker *taker = &machine->takers[frame->vector];

	if (draining && frame->vector >= EXCEPTIONS)
		return true;
	return fault_caught(frame) || (taker->handler != NULL && taker->handler(frame, taker->arg));
}

void trap(struct trap_frame *frame)
{
	unsigned vector = (unsigned)frame->vector;

	/* Nothing is in service for it: an EOI would end some other interrupt. */
	if (vector == VECTOR_SPURIOUS)
		return;
	/* Guards, handlers and what reports are the other processor's. */
	if (sibling_owns(frame)) {
		if (!fault_caught(frame))
			sibling_trap(frame);
		return;
	}
	if (!trap_handled(frame))
		trap_unexpected(frame);
	if (vector >= EXCEPTIONS && apic_in_service(vector))
		apic_eoi();
}

unsigned trap_stray_nmis(void)
{
	return stray_nmis;
}

void trap_drain(void)
{
	draining = true;
	/* Each round takes the pending vectors in; more rounds than vectors would be a storm. */
	for (unsigned i = 0; i < EXCEPTIONS && apic_pending(); i++) {
		irq_enable();
		irq_disable();
	}
	draining = false;
}
