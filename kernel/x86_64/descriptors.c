/* SPDX-License-Identifier: BSD-2-Clause */
/* Our GDT, IDT and TSS, and the firmware's, which are kept and restored. */
#include "x86_64.h"

#define SEGMENT_CODE_64 (SEGMENT_CODE | BIT(53) /* L */)

#define SYSTEM_BIT      BIT(44) /* clear in system descriptors */

#define MSR_FS_BASE     0xC0000100u
#define MSR_GS_BASE     0xC0000101u

/* Traps that may come at any instant, or when RSP is unusable, have a stack each. */
static const uint8_t own_stack[] = {8 /* #DF */, VECTOR_NMI, 18 /* #MC */};
#define OWN_STACK_PAGES 4u

_Static_assert(sizeof(struct tss) == 104, "hardware layout");
_Static_assert(offsetof(struct tss, rsp) == 4, "hardware layout");
_Static_assert(offsetof(struct tss, ist) == 36, "hardware layout");
_Static_assert(offsetof(struct tss, io_map) == 102, "hardware layout");
_Static_assert(sizeof(struct gate) == 16, "hardware layout");

/* By a far return: every CPU can load CS so in 64-bit mode. */
void load_cs(uint16_t selector)
{
	uint64_t target;

	__asm__ volatile("lea 1f(%%rip), %0\n"
			 "push %1\n"
			 "push %0\n"
			 "lretq\n"
			 "1:\n"
			 : "=&r"(target)
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
		.offset_mid = (uint16_t)(address >> 16),
		.offset_high = (uint32_t)(address >> 32),
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

/*
 * Behind the limit of the firmware's GDT, if there is room: what EDK2 finds in TR at the end of a
 * processor's work it loads when it wakes that processor up again, if its own GDT has such an
 * entry, whatever that is (MpInitLib, RestoreVolatileRegisters()).
 */
static uint16_t task_selector(const struct context *c)
{
	unsigned behind = (c->firmware.gdt.limit + 8u) & ~7u;
	bool fits = behind > TASK_FIRST && behind / 8 + 2 <= GDT_ENTRIES;

	return (uint16_t)(fits ? behind : TASK_FIRST);
}

static void gdt_build(struct context *c)
{
	c->task = task_selector(c);
	segments_build(c->gdt, SEGMENT_CODE_64);
	c->gdt[c->task / 8] = task_descriptor(&c->tss, sizeof(c->tss));
	c->gdt[c->task / 8 + 1] = (uint64_t)(uintptr_t)&c->tss >> 32;
}

bool context_build(struct processor *processor)
{
	struct context *c = machine_pages((sizeof(*c) + PAGE_SIZE - 1) / PAGE_SIZE);

	if (c == NULL)
		return false;
	processor->context = c;
	c->processor = processor;
	c->tss.io_map = sizeof(struct tss);
	gates_build(c);

	for (unsigned i = 0; i < ARRAY_SIZE(own_stack); i++) {
		c->tss.ist[i] = (uintptr_t)machine_stack(OWN_STACK_PAGES);
		if (c->tss.ist[i] == 0)
			return false;
		c->idt[own_stack[i]].type |= (uint16_t)(i + 1);
	}
	return true;
}

void *context_entry_stack(struct context *context)
{
	return (uint8_t *)&context->tss + offsetof(struct tss, rsp);
}

void descriptors_save(struct context *c)
{
	tables_save(&c->firmware);
	__asm__ volatile("str %0" : "=r"(c->tr));
	c->fs_base = rdmsr(MSR_FS_BASE);
	c->gs_base = rdmsr(MSR_GS_BASE);
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
	tables_load(&ours);
	__asm__ volatile("ltr %0" : : "r"(c->task) : "memory");
}

/*
 * Loads the firmware's task register again.  If firmware had none, ours stays, because a null
 * selector cannot be loaded; firmware does not use it, for it neither changes rings nor has IST
 * stacks.  A selector that names no TSS is not loaded either: it may be ours of an earlier run.
 */
static void task_restore(const struct context *c)
{
	uint64_t *descriptor = (uint64_t *)(c->firmware.gdt.base + (c->tr & ~7u));
	uint64_t type;

	if ((c->tr & ~7u) == 0 || (c->tr | 7u) + 8 > c->firmware.gdt.limit)
		return;
	type = field_get(TSS_TYPE, *descriptor);
	if ((*descriptor & SYSTEM_BIT) != 0 || (*descriptor & TSS_PRESENT) == 0 ||
	    (type != TSS_AVAILABLE && type != TSS_BUSY))
		return;
	*descriptor = (*descriptor & ~TSS_TYPE) | field_put(TSS_TYPE, TSS_AVAILABLE);
	__asm__ volatile("ltr %0" : : "r"(c->tr) : "memory");
}

void descriptors_restore(struct context *c)
{
	tables_load(&c->firmware);
	wrmsr(MSR_FS_BASE, c->fs_base);
	wrmsr(MSR_GS_BASE, c->gs_base);
	task_restore(c);
}
