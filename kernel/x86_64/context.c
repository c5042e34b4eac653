/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what the firmware has in a processor's registers, and loads ours. */
#include "x86_64.h"

#include "kernel/control.h"

/* Keeps the firmware's control bits, except those that would change the meaning of our pages. */
static void control_load(struct context *c)
{
	c->cr0 = read_cr0();
	c->cr3 = read_cr3();
	c->cr4 = read_cr4();
	c->efer = rdmsr(MSR_EFER);
	if (page_tables.format.no_execute)
		wrmsr(MSR_EFER, c->efer | EFER_NXE);
	/* PGE off first, or firmware's global pages would stay in the TLB. */
	write_cr4((c->cr4 & ~CR4_UNWANTED) | CR4_OSFXSR);
	write_cr3((uintptr_t)page_tables.root);
	write_cr0((c->cr0 & ~(CR0_EM | CR0_TS | CR0_AM)) | CR0_MP | CR0_NE | CR0_WP);
}

static void control_restore(const struct context *c)
{
	write_cr3(c->cr3);
	write_cr0(c->cr0);
	write_cr4(c->cr4);
	/* Last, because our page tables have no-execute bits. */
	wrmsr(MSR_EFER, c->efer);
}

void context_take_over(struct processor *processor)
{
	struct context *c = processor->context;

	descriptors_save(c);
	control_load(c);
	descriptors_load(c);
	__asm__ volatile("fxsave64 %0\nfninit" : "=m"(c->fpu));
}

void context_give_back(struct processor *processor)
{
	struct context *c = processor->context;

	__asm__ volatile("fxrstor64 %0" : : "m"(c->fpu));
	control_restore(c);
	descriptors_restore(c);
}

void context_enter(struct processor *processor)
{
	write_cr4(processor->context->cr4);
	write_cr0(processor->context->cr0);
	descriptors_load(processor->context);
}
