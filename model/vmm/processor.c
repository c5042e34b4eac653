/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other processors of the modelled machine than the first: the real one is that one, from its entry
 * until it is left.  One that halts with interrupts off would never come back: then the state of
 * the machine's real processor is as it was at the entry.
 */
#include "kernel/lib/string.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

enum { FPU_STATE = 512, TLB_FLUSH_ALL = 1, STACK_ALIGNMENT = 16 };

/* At the entry. */
static struct {
	struct vmcb vmcb, extra;
	uint64_t gpr[GPRS];
	uint8_t fpu[FPU_STATE] __attribute__((aligned(16)));
	uint64_t lost; /* where the guest goes on if the processor halts */
} kept __attribute__((aligned(4096)));

bool processor_entered;

void processor_enter(struct guest *g, const struct processor_entry *entry)
{
	kept.vmcb = *g->vmcb;
	memcpy(kept.gpr, vmm_gpr, sizeof(kept.gpr));
	__asm__ volatile("fxsave64 %0" : "=m"(kept.fpu));
	__asm__ volatile("vmsave" : : "a"(&kept.extra) : "memory");
	kept.lost = (uint64_t)(uintptr_t)entry->lost;
	processor_entered = true;
}

void processor_leave(struct guest *g)
{
	processor_entered = false;
	g->vmcb->intercept &= ~INTERCEPT_HLT;
}

/* As if it had called lost() at the entry. */
static void go_back(struct guest *g)
{
	*g->vmcb = kept.vmcb;
	memcpy(vmm_gpr, kept.gpr, sizeof(kept.gpr));
	__asm__ volatile("fxrstor64 %0" : : "m"(kept.fpu));
	__asm__ volatile("vmload" : : "a"(&kept.extra) : "memory");
	g->vmcb->rip = kept.lost;
	g->vmcb->rsp = g->vmcb->rsp / STACK_ALIGNMENT * STACK_ALIGNMENT - sizeof(uint64_t);
	g->vmcb->tlb_control = TLB_FLUSH_ALL;
	guest_forget_pages();
	step_restart(g);
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
