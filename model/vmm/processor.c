/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other processors of the modelled machine than the first: the real one is that one, from its entry
 * until it is left.  One that halts with interrupts off would never come back: then the state of
 * the machine's real processor is as it was at the entry.
 */
#include "vmm.h"

enum { STACK_ALIGNMENT = 16 };

static struct kept kept;
static uint64_t lost; /* where the guest goes on if the processor halts */
bool processor_entered;

void processor_enter(struct guest *g, const struct processor_entry *entry)
{
	keep_state(g, &kept);
	lost = (uint64_t)(uintptr_t)entry->lost;
	processor_entered = true;
}

void processor_leave(struct guest *g)
{
	processor_entered = false;
	g->vmcb->intercept &= ~INTERCEPT_HLT;
}

/* Goes back to the entry, as if lost() had been called there. */
static void go_back(struct guest *g)
{
	keep_restore(g, &kept);
	g->vmcb->rip = lost;
	g->vmcb->rsp = g->vmcb->rsp / STACK_ALIGNMENT * STACK_ALIGNMENT - sizeof(uint64_t);
}

void processor_prepare(struct guest *g)
{
	g->vmcb->intercept |= INTERCEPT_HLT;
}

bool processor_halts(struct guest *g)
{
	if (!processor_entered || g->stepping)
		return false;
	if (g->vmcb->rflags & RFLAGS_IF) /* it waits; then whether it halts for good is not seen */
		processor_leave(g);
	else
		go_back(g);
	return true;
}
