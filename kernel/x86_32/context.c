/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what the firmware has in a processor's registers, and loads ours. */
#include "x86_32.h"

#include "kernel/control.h"

static bool has_fxsave(void)
{
	return (cpuid(1, 0).edx & CPUID_1_EDX_FXSR) != 0;
}

/* Bits of CR4 that our page tables need, and SSE where there is any.  With PAE silicon ignores PSE,
 * but v86 takes no large page without it.  Intel SDM vol. 3A, 4.1.1 and 4.4. */
static uintptr_t cr4_needed(void)
{
	const struct page_format *format = &page_tables.format;
	uint64_t needed = has_fxsave() ? CR4_OSFXSR : 0;

	if (format->levels == 3)
		needed |= CR4_PAE;
	if ((cpuid(1, 0).edx & CPUID_1_EDX_PSE) != 0)
		needed |= CR4_PSE;
	return (uintptr_t)needed;
}

/* Keeps the firmware's control bits, except those that would change the meaning of our pages. */
static void control_load(struct context *c)
{
	c->cr0 = read_cr0();
	c->cr3 = read_cr3();
	c->cr4 = read_cr4();
	if (page_tables.format.no_execute) {
		c->efer = rdmsr(MSR_EFER);
		wrmsr(MSR_EFER, c->efer | EFER_NXE);
	}
	write_cr4((c->cr4 & (uintptr_t)~CR4_UNWANTED) | cr4_needed());
	write_cr3((uintptr_t)page_tables.root);
	write_cr0((uintptr_t)((c->cr0 & ~(CR0_EM | CR0_TS | CR0_AM)) | CR0_MP | CR0_NE | CR0_WP |
			      CR0_PG));
}

/* Paging goes off first: other control bits decide how our page tables are read. */
static void control_restore(const struct context *c)
{
	write_cr0(c->cr0);
	write_cr3(c->cr3);
	write_cr4(c->cr4);
	if (page_tables.format.no_execute)
		wrmsr(MSR_EFER, c->efer);
}

static void fpu_save(struct context *c)
{
	if (has_fxsave())
		__asm__ volatile("fxsave %0\nfninit" : "=m"(c->fpu));
	else
		__asm__ volatile("fnsave %0" : "=m"(c->fpu));
}

static void fpu_restore(struct context *c)
{
	if (has_fxsave())
		__asm__ volatile("fxrstor %0" : : "m"(c->fpu));
	else
		__asm__ volatile("frstor %0" : : "m"(c->fpu));
}

void context_take_over(struct processor *processor)
{
	struct context *c = processor->context;

	descriptors_save(c);
	control_load(c);
	descriptors_load(c);
	fpu_save(c);
}

void context_give_back(struct processor *processor)
{
	struct context *c = processor->context;

	fpu_restore(c);
	control_restore(c);
	descriptors_restore(c);
}

void context_enter(struct processor *processor)
{
	struct context *c = processor->context;

	if (page_tables.format.no_execute)
		wrmsr(MSR_EFER, c->efer);
	write_cr4(c->cr4);
	write_cr3(c->cr3);
	write_cr0(c->cr0);
	descriptors_load(c);
}
