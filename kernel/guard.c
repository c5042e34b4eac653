/* SPDX-License-Identifier: BSD-2-Clause */
/* Guards: they run code that may never come back by itself. */
#include "state.h"

_Static_assert(offsetof(struct guard, sp) == 0 && offsetof(struct guard, active) == sizeof(void *),
	       "known to trap.asm");

static struct guard *guard_current(void)
{
	struct guard *guard = this_processor()->guard;

	while (guard != NULL && guard->active == 0)
		guard = guard->outer;
	return guard;
}

bool guard_active(void)
{
	return guard_current() != NULL;
}

void guard_forget(void)
{
	struct processor *p = this_processor();

	p->guard = NULL;
	p->dumping = false;
}

/* The outermost guard leaves the firmware's stack, which may be small.  A processor that we started
 * is on its own stack already. */
static void *stack_for(const struct processor *p, const struct guard *guard)
{
	bool ours = (uintptr_t)(p->stack - (const uint8_t *)guard) < STACK_PAGES * PAGE_SIZE;

	return guard->outer != NULL || ours ? NULL : p->stack;
}

const char *guard_run(void (*body)(void *arg), void *arg, unsigned timeout_ms)
{
	struct processor *p = this_processor();
	struct guard guard = {.outer = p->guard};
	uintptr_t flags = read_rflags();
	uint64_t outer_deadline;

	irq_disable();
	/* An aborted body may have left MMX registers in use. */
	__asm__ volatile("fninit");
	p->guard = &guard;
	outer_deadline = watchdog_set(rdtsc() + timeout_ms * machine_tsc_per_ms());
	guard_enter(&guard, body, arg, stack_for(p, &guard));
	p->guard = guard.outer;
	if (guard.reason != NULL)
		apic_end_in_service();
	watchdog_set(outer_deadline);
	if ((flags & RFLAGS_IF) != 0)
		irq_enable();
	return guard.reason;
}

void guard_abort_frame(struct trap_frame *frame, const char *reason)
{
	struct guard *guard = guard_current();

	if (guard == NULL)
		panic("no guard to end: %s", reason);
	guard->reason = reason;
	frame->ip = (uintptr_t)guard_exit;
	frame->cs = KERNEL_CODE;
	frame->flags = BIT(1);
	frame->sp = guard->sp;
	frame->ss = KERNEL_DATA;
	frame->di = (uintptr_t)guard;
}

/* Leaves by IRET even if plain code calls it: the caller may be an NMI handler, and nothing but
 * IRET lets the next NMI in. */
void guard_abort(const char *reason)
{
	struct trap_frame frame = {0};

	irq_disable();
	guard_abort_frame(&frame, reason);
	trap_resume(&frame);
}
