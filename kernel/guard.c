/* SPDX-License-Identifier: BSD-2-Clause */
/* Guards: running code that may never come back by itself. */
#include "state.h"

struct guard {
	uint64_t rsp; /* where guard_enter() goes on; this and active are known to trap.asm */
	uint32_t active;
	const char *reason;
	struct guard *outer;
};
_Static_assert(offsetof(struct guard, rsp) == 0 && offsetof(struct guard, active) == 8,
	       "known to trap.asm");

void guard_enter(struct guard *guard, void (*body)(void *arg), void *arg, void *stack);
extern const char guard_exit[] __attribute__((visibility("hidden")));

static struct guard *innermost;

static struct guard *guard_current(void)
{
	struct guard *guard = innermost;

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
	innermost = NULL;
}

const char *guard_run(void (*body)(void *arg), void *arg, unsigned timeout_ms)
{
	struct guard guard = {.outer = innermost};
	uint64_t flags = read_rflags();
	uint64_t outer_deadline;

	irq_disable();
	/* An aborted body may have left MMX registers in use. */
	__asm__ volatile("fninit");
	innermost = &guard;
	outer_deadline = watchdog_set(rdtsc() + timeout_ms * machine_tsc_per_ms());
	guard_enter(&guard, body, arg, guard.outer == NULL ? machine->processor.stack : NULL);
	innermost = guard.outer;
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
	frame->rip = (uint64_t)(uintptr_t)guard_exit;
	frame->cs = KERNEL_CODE;
	frame->rflags = BIT(1);
	frame->rsp = guard->rsp;
	frame->ss = KERNEL_DATA;
	frame->rdi = (uint64_t)(uintptr_t)guard;
}

/* By way of IRET even from plain code: it may be an NMI handler that gives up, and nothing else
 * lets the next NMI in. */
void guard_abort(const char *reason)
{
	struct trap_frame frame = {0};

	irq_disable();
	guard_abort_frame(&frame, reason);
	trap_resume(&frame);
}
