/* SPDX-License-Identifier: BSD-2-Clause */
/* The kept state of the processor, to which the guest would not come back by itself. */
#include "kernel/lib/string.h"
#include "model/vmm/step/step.h"
#include "vmm.h"

enum { TLB_FLUSH_ALL = 1 };

void keep_state(const struct guest *g, struct kept *kept)
{
	kept->vmcb = *g->vmcb;
	memcpy(kept->gpr, vmm_gpr, sizeof(kept->gpr));
	__asm__ volatile("fxsave64 %0" : "=m"(kept->fpu));
	__asm__ volatile("vmsave" : : "a"(&kept->extra) : "memory");
}

/* How the VMM controls the guest is not part of it: that goes by what counts now. */
void keep_restore(struct guest *g, const struct kept *kept)
{
	struct vmcb *v = g->vmcb;
	const size_t state = offsetof(struct vmcb, es);

	memcpy((uint8_t *)v + state, (const uint8_t *)&kept->vmcb + state, sizeof(*v) - state);
	v->int_state = kept->vmcb.int_state;
	v->event_inject = 0;
	v->tlb_control = TLB_FLUSH_ALL;
	memcpy(vmm_gpr, kept->gpr, sizeof(kept->gpr));
	__asm__ volatile("fxrstor64 %0" : : "m"(kept->fpu));
	__asm__ volatile("vmload" : : "a"(&kept->extra) : "memory");
	guest_forget_pages();
	step_restart(g);
}
