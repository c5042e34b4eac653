/* SPDX-License-Identifier: BSD-2-Clause */
/* Our GDT, IDT and TSS, and the firmware's, which are kept and restored. */
#include "x86_32.h"

#define STUB_SPACING        16u

#define SEGMENT_KERNEL_CODE UINT64_C(0x00CF9B000000FFFF) /* present, accessed, 32 bits */
#define SEGMENT_KERNEL_DATA UINT64_C(0x00CF93000000FFFF)
#define SEGMENT_DPL(ring)   field_put(FIELD(46, 45), ring)

#define TSS_AVAILABLE       field_put(FIELD(43, 40), 9)
#define TSS_PRESENT         BIT(47)

#define GATE_INTERRUPT      0x8E00u
#define GATE_TASK           0x8500u
#define GATE_DPL_3          0x6000u

#define VECTOR_DF           8u
#define FAULT_STACK_PAGES   4u

_Static_assert(sizeof(struct tss) == 104, "hardware layout");
_Static_assert(offsetof(struct tss, ring) == 4, "hardware layout");
_Static_assert(offsetof(struct tss, cr3) == 28, "hardware layout");
_Static_assert(offsetof(struct tss, es) == 72, "hardware layout");
_Static_assert(offsetof(struct tss, io_map) == 102, "hardware layout");
_Static_assert(sizeof(struct gate) == 8, "hardware layout");

extern const char trap_stubs[] __attribute__((visibility("hidden")));
extern const char user_gate[] __attribute__((visibility("hidden")));
extern const char msr_switch_trap[] __attribute__((visibility("hidden")));
extern const struct msr_switch *msr_switch_trapped __attribute__((visibility("hidden")));
extern const char *msr_switch_stub __attribute__((visibility("hidden")));

#define SEGMENT_REGISTER(name)                                                                     \
	static uint16_t read_##name(void)                                                          \
	{                                                                                          \
		uint16_t v;                                                                        \
                                                                                                   \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(v));                                 \
		return v;                                                                          \
	}                                                                                          \
	static void write_##name(uint16_t v)                                                       \
	{                                                                                          \
		__asm__ volatile("mov %0, %%" #name : : "r"(v) : "memory");                        \
	}
SEGMENT_REGISTER(ds)
SEGMENT_REGISTER(es)
SEGMENT_REGISTER(fs)
SEGMENT_REGISTER(gs)
SEGMENT_REGISTER(ss)

static void write_cs(uint32_t v)
{
	__asm__ volatile("push %0\n"
			 "push $1f\n"
			 "lret\n"
			 "1:\n"
			 :
			 : "r"(v)
			 : "memory");
}

struct processor *this_processor(void)
{
	struct table_pointer gdt;

	__asm__ volatile("sgdt %0" : "=m"(gdt));
	return ((const struct context *)gdt.base)->processor;
}

static const char *stub_of(unsigned vector)
{
	return trap_stubs + vector * STUB_SPACING;
}

static void gate_set(struct gate *gate, const char *target, unsigned type)
{
	uintptr_t address = (uintptr_t)target;

	*gate = (struct gate){
		.offset_low = (uint16_t)address,
		.offset_high = (uint16_t)(address >> 16),
		.selector = KERNEL_CODE,
		.type = (uint16_t)type,
	};
}

void msr_switch_by_trap(unsigned vector, const struct msr_switch *s)
{
	struct gate *gate = &this_processor()->context->idt[vector];

	if (s) {
		msr_switch_trapped = s;
		msr_switch_stub = stub_of(vector);
	}
	gate_set(gate, s ? msr_switch_trap : stub_of(vector), gate->type);
}

static uint64_t task_descriptor(const struct tss *tss)
{
	uintptr_t address = (uintptr_t)tss;

	return field_put(FIELD(15, 0), sizeof(*tss) - 1) |
	       field_put(FIELD(39, 16), address & 0xFFFFFFu) | TSS_AVAILABLE | TSS_PRESENT |
	       field_put(FIELD(63, 56), address >> 24);
}

static void gdt_build(struct context *c)
{
	c->gdt[KERNEL_CODE / 8] = SEGMENT_KERNEL_CODE;
	c->gdt[KERNEL_DATA / 8] = SEGMENT_KERNEL_DATA;
	c->gdt[USER_DATA / 8] = SEGMENT_KERNEL_DATA | SEGMENT_DPL(3);
	c->gdt[USER_CODE / 8] = SEGMENT_KERNEL_CODE | SEGMENT_DPL(3);
	c->gdt[RING_1_DATA / 8] = SEGMENT_KERNEL_DATA | SEGMENT_DPL(1);
	c->gdt[RING_1_CODE / 8] = SEGMENT_KERNEL_CODE | SEGMENT_DPL(1);
	c->gdt[RING_2_DATA / 8] = SEGMENT_KERNEL_DATA | SEGMENT_DPL(2);
	c->gdt[RING_2_CODE / 8] = SEGMENT_KERNEL_CODE | SEGMENT_DPL(2);
	c->gdt[TASK / 8] = task_descriptor(&c->tss);
	c->gdt[FAULT_TASK / 8] = task_descriptor(&c->fault);
}

/* NMI and #MC come on the stack in use: in ring 0 it is always usable, for nothing here enters ring
 * 0 with another ring's stack, as SYSCALL does. */
bool context_build(struct processor *processor)
{
	struct context *c = machine_pages((sizeof(*c) + PAGE_SIZE - 1) / PAGE_SIZE);

	if (c == NULL)
		return false;
	/* The byte after the opcode of INT. */
	if ((uint8_t)user_return[1] != VECTOR_USER)
		panic("user.asm returns by vector %x", (unsigned)(uint8_t)user_return[1]);
	processor->context = c;
	c->processor = processor;
	c->tss.io_map = sizeof(struct tss);
	c->tss.ring[0].ss = KERNEL_DATA;
	for (unsigned v = 0; v < VECTORS; v++)
		gate_set(&c->idt[v], stub_of(v), GATE_INTERRUPT);
	gate_set(&c->idt[VECTOR_USER], user_gate, GATE_INTERRUPT | GATE_DPL_3);
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
	__asm__ volatile("sgdt %0" : "=m"(c->firmware_gdt));
	__asm__ volatile("sidt %0" : "=m"(c->firmware_idt));
	__asm__ volatile("mov %%cs, %0" : "=r"(c->cs));
	c->ds = read_ds();
	c->es = read_es();
	c->fs = read_fs();
	c->gs = read_gs();
	c->ss = read_ss();
}

static void tables_load(const struct table_pointer *gdt, const struct table_pointer *idt)
{
	__asm__ volatile("lgdt %0" : : "m"(*gdt) : "memory");
	__asm__ volatile("lidt %0" : : "m"(*idt) : "memory");
}

void descriptors_load(struct context *c)
{
	struct table_pointer gdt = {sizeof(c->gdt) - 1, (uintptr_t)c->gdt};
	struct table_pointer idt = {sizeof(c->idt) - 1, (uintptr_t)c->idt};

	/* Built each time, because LTR marks the TSS as busy and refuses a busy one. */
	gdt_build(c);
	fault_build(c);
	tables_load(&gdt, &idt);
	write_cs(KERNEL_CODE);
	write_ss(KERNEL_DATA);
	/* User segments in ring 0, too: IRET to ring 3 would clear others. */
	write_ds(USER_DATA);
	write_es(USER_DATA);
	write_fs(0);
	write_gs(0);
	__asm__ volatile("ltr %0" : : "r"((uint16_t)TASK) : "memory");
}

/* The loader has no task register worth keeping: Multiboot says nothing of it. */
void descriptors_restore(struct context *c)
{
	tables_load(&c->firmware_gdt, &c->firmware_idt);
	write_cs(c->cs);
	write_ss(c->ss);
	write_ds(c->ds);
	write_es(c->es);
	write_fs(c->fs);
	write_gs(c->gs);
}
