/* SPDX-License-Identifier: BSD-2-Clause */
/* #DF: what it interrupts may have no usable stack, so that it comes by a task switch, which has
 * one.  Intel SDM vol. 3A, 7.3. */
#include "x86_32.h"

#define VECTOR_DF 8u

void trap(struct trap_frame *frame); /* trap.c */

/* The interrupted code's registers, which the task switch has stored, as a trap's stub would have
 * pushed them. */
static struct registers interrupted(const struct tss *tss, uint32_t error)
{
	return (struct registers){
		.dx = tss->dx,
		.cx = tss->cx,
		.bx = tss->bx,
		.frame = {.bp = tss->bp,
			  .di = tss->di,
			  .si = tss->si,
			  .ax = tss->ax,
			  .vector = VECTOR_DF,
			  .error = error,
			  .ip = tss->ip,
			  .cs = tss->cs,
			  .flags = tss->flags,
			  .sp = tss->sp,
			  .ss = tss->ss},
	};
}

/* Entered like a function, in the place of whose return address the CPU has pushed the error code.
 */
_Noreturn void fault_task(void);

_Noreturn void fault_task(void)
{
	struct context *c = this_processor()->context;
	struct registers r = interrupted(&c->tss, (uint32_t)(uintptr_t)__builtin_return_address(0));

	/* The switch has set TS in CR0, and NT, by which an IRET would switch back.  The
	 * descriptors are built anew, because both tasks are marked as busy. */
	__asm__ volatile("clts\n\tpush $2\n\tpopf" : : : "memory", "cc");
	descriptors_load(c);
	trap(&r.frame);
	trap_resume(&r.frame);
}

void fault_build(struct context *c)
{
	c->fault = (struct tss){
		.cr3 = (uintptr_t)page_tables.root,
		.ip = (uintptr_t)fault_task,
		.flags = (uint32_t)BIT(1),
		.sp = (uintptr_t)c->fault_stack,
		.es = USER_DATA,
		.cs = KERNEL_CODE,
		.ss = KERNEL_DATA,
		.ds = USER_DATA,
		.io_map = sizeof(struct tss),
	};
}
