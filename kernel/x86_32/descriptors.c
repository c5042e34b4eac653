/* SPDX-License-Identifier: BSD-2-Clause */
/* Our GDT, IDT and TSS, and the firmware's, which are kept and restored. */
#include "x86_32.h"

#define SEGMENT_CODE_32   (SEGMENT_CODE | BIT(54) /* D */)

#define GATE_TASK         0x8500u

#define VECTOR_DF         8u
#define FAULT_STACK_PAGES 4u

_Static_assert(sizeof(struct tss) == 104, "hardware layout");
_Static_assert(offsetof(struct tss, ring) == 4, "hardware layout");
_Static_assert(offsetof(struct tss, cr3) == 28, "hardware layout");
_Static_assert(offsetof(struct tss, es) == 72, "hardware layout");
_Static_assert(offsetof(struct tss, io_map) == 102, "hardware layout");
_Static_assert(sizeof(struct gate) == 8, "hardware layout");

void load_cs(uint16_t selector)
{
	__asm__ volatile("push %0\n"
			 "push $1f\n"
			 "lret\n"
			 "1:\n"
			 :
			 : "r"((uintptr_t)selector)
			 : "memory");
}

struct processor *this_processor(void)
{
	struct table_pointer gdt;

	__asm__ volatile("sgdt %0" : "=m"(gdt));
	return ((const struct context *)gdt.base)->processor;
}

static struct gate gate_to(const char *target, unsigned type)
{
	uintptr_t address = (uintptr_t)target;

	return (struct gate){
		.offset_low = (uint16_t)address,
		.offset_high = (uint16_t)(address >> 16),
		.selector = KERNEL_CODE,
		.type = (uint16_t)type,
	};
}

void gate_set(struct context *context, unsigned vector, const char *target, unsigned type)
{
	context->idt[vector] = gate_to(target, type);
}

void call_gate_set(struct context *context, const char *target)
{
	const struct gate gate =
		target ? gate_to(target, GATE_CALL | GATE_DPL_3) : (struct gate){0};

	memcpy(&context->gdt[ENTRANCE_CALL_GATE / 8], &gate, sizeof(gate));
}

unsigned gate_type(const struct context *context, unsigned vector)
{
	return context->idt[vector].type;
}

static void gdt_build(struct context *c)
{
	segments_build(c->gdt, SEGMENT_CODE_32);
	c->gdt[TASK / 8] = task_descriptor(&c->tss, sizeof(c->tss));
	c->gdt[FAULT_TASK / 8] = task_descriptor(&c->fault, sizeof(c->fault));
}

/* NMI and #MC come on the stack in use: in ring 0 it is always usable, for nothing here enters ring
 * 0 with another ring's stack, as SYSCALL does. */
bool context_build(struct processor *processor)
{
	struct context *c = machine_pages((sizeof(*c) + PAGE_SIZE - 1) / PAGE_SIZE);

	if (c == NULL)
		return false;
	processor->context = c;
	c->processor = processor;
	c->tss.io_map = sizeof(struct tss);
	c->tss.ring[0].ss = KERNEL_DATA;
	gates_build(c);

	c->idt[VECTOR_DF] = (struct gate){.selector = FAULT_TASK, .type = GATE_TASK};
	c->fault_stack = machine_stack(FAULT_STACK_PAGES);
	return c->fault_stack != NULL;
}

void *context_entry_stack(struct context *context)
{
	return &context->tss.ring[0].sp;
}

void descriptors_save(struct context *c)
{
	tables_save(&c->firmware);
}

void descriptors_load(struct context *c)
{
	/* User segments in ring 0, too: IRET to ring 3 would clear others. */
	const struct tables ours = {
		.gdt = {sizeof(c->gdt) - 1, (uintptr_t)c->gdt},
		.idt = {sizeof(c->idt) - 1, (uintptr_t)c->idt},
		.in = {.cs = KERNEL_CODE, .ss = KERNEL_DATA, .ds = USER_DATA, .es = USER_DATA},
	};

	/* Built each time, because LTR marks the TSS as busy and refuses a busy one. */
	gdt_build(c);
	fault_build(c);
	tables_load(&ours);
	__asm__ volatile("ltr %0" : : "r"((uint16_t)TASK) : "memory");
}

/* The loader has no task register worth keeping: Multiboot says nothing of it. */
void descriptors_restore(struct context *c)
{
	tables_load(&c->firmware);
}
