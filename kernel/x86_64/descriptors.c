/* SPDX-License-Identifier: BSD-2-Clause */
/* GDT, IDT and TSS: ours, and how the firmware's are kept and come back. */
#include "kernel/state.h"

#define STUB_SPACING        16u

#define SEGMENT_KERNEL_CODE UINT64_C(0x00AF9B000000FFFF) /* L, present, accessed */
#define SEGMENT_KERNEL_DATA UINT64_C(0x00CF93000000FFFF)
#define SEGMENT_USER_DATA   UINT64_C(0x00CFF3000000FFFF)
#define SEGMENT_USER_CODE   UINT64_C(0x00AFFB000000FFFF)

#define TSS_TYPE            FIELD(43, 40)
#define TSS_AVAILABLE       9u
#define TSS_BUSY            11u
#define TSS_PRESENT         BIT(47)
#define SYSTEM_BIT          BIT(44) /* clear in system descriptors */

#define GATE_INTERRUPT      0x8E00u
#define GATE_DPL_3          0x6000u

/* A stack of their own for what may find RSP unusable, or may come at any instant. */
enum { IST_DF = 1, IST_NMI, IST_MC, IST_COUNT = IST_MC };
#define IST_PAGES   4u
#define STACK_PAGES 16u

_Static_assert(sizeof(struct tss) == 104, "hardware layout");
_Static_assert(offsetof(struct tss, rsp) == 4, "hardware layout");
_Static_assert(offsetof(struct tss, ist) == 36, "hardware layout");
_Static_assert(offsetof(struct tss, io_map) == 102, "hardware layout");
_Static_assert(sizeof(struct gate) == 16, "hardware layout");
_Static_assert(VECTORS * sizeof(struct gate) == PAGE_SIZE, "the IDT is one page");

extern const char trap_stubs[] __attribute__((visibility("hidden")));
extern const char user_gate[] __attribute__((visibility("hidden")));

static void gate_set(unsigned vector, const char *target, unsigned flags, unsigned ist)
{
	uint64_t address = (uint64_t)(uintptr_t)target;
	struct gate *gate = &machine->idt[vector];

	gate->offset_low = (uint16_t)address;
	gate->offset_mid = (uint16_t)(address >> 16);
	gate->offset_high = (uint32_t)(address >> 32);
	gate->selector = KERNEL_CODE;
	gate->type = (uint16_t)(flags | ist);
}

static void gdt_build(struct processor *processor)
{
	uint64_t tss = (uint64_t)(uintptr_t)&processor->tss;
	uint64_t *gdt = processor->gdt;

	gdt[KERNEL_CODE / 8] = SEGMENT_KERNEL_CODE;
	gdt[KERNEL_DATA / 8] = SEGMENT_KERNEL_DATA;
	gdt[USER_DATA / 8] = SEGMENT_USER_DATA;
	gdt[USER_CODE / 8] = SEGMENT_USER_CODE;
	gdt[TSS / 8] = field_put(FIELD(15, 0), sizeof(struct tss) - 1) |
		       field_put(FIELD(39, 16), tss & 0xFFFFFFu) |
		       field_put(TSS_TYPE, TSS_AVAILABLE) | TSS_PRESENT |
		       field_put(FIELD(63, 56), tss >> 24 & 0xFFu);
	gdt[TSS / 8 + 1] = tss >> 32;
}

bool processor_build(struct processor *processor)
{
	processor->low = machine->next;
	processor->stack = machine_stack(STACK_PAGES);
	processor->user_stack = machine_stack(1);
	if (processor->stack == NULL || processor->user_stack == NULL)
		return false;
	for (unsigned i = 0; i < IST_COUNT; i++) {
		uint8_t *stack = machine_stack(IST_PAGES);

		if (stack == NULL)
			return false;
		processor->tss.ist[i] = (uint64_t)(uintptr_t)stack;
	}
	processor->high = machine->next;
	processor->tss.io_map = sizeof(struct tss);
	return true;
}

bool descriptors_build(void)
{
	machine->idt = machine_pages(1);
	if (machine->idt == NULL)
		return false;
	for (unsigned v = 0; v < VECTORS; v++)
		gate_set(v, trap_stubs + v * STUB_SPACING, GATE_INTERRUPT, 0);
	gate_set(8, trap_stubs + 8 * STUB_SPACING, GATE_INTERRUPT, IST_DF);
	gate_set(VECTOR_NMI, trap_stubs + VECTOR_NMI * STUB_SPACING, GATE_INTERRUPT, IST_NMI);
	gate_set(18, trap_stubs + 18 * STUB_SPACING, GATE_INTERRUPT, IST_MC);
	gate_set(VECTOR_USER, user_gate, GATE_INTERRUPT | GATE_DPL_3, 0);
	return true;
}

void descriptors_save(void)
{
	struct segments *s = &machine->segments;

	__asm__ volatile("sgdt %0" : "=m"(s->gdt));
	__asm__ volatile("sidt %0" : "=m"(s->idt));
	__asm__ volatile("str %0" : "=r"(s->tr));
	s->cs = read_cs();
	s->ds = read_ds();
	s->es = read_es();
	s->fs = read_fs();
	s->gs = read_gs();
	s->ss = read_ss();
	s->fs_base = rdmsr(MSR_FS_BASE);
	s->gs_base = rdmsr(MSR_GS_BASE);
}

static void tables_load(const struct table_pointer *gdt, const struct table_pointer *idt)
{
	__asm__ volatile("lgdt %0" : : "m"(*gdt) : "memory");
	__asm__ volatile("lidt %0" : : "m"(*idt) : "memory");
}

void descriptors_load(struct processor *processor)
{
	struct table_pointer gdt = {sizeof(processor->gdt) - 1,
				    (uint64_t)(uintptr_t)processor->gdt};
	struct table_pointer idt = {PAGE_SIZE - 1, (uint64_t)(uintptr_t)machine->idt};

	/* Each time: LTR marks the TSS as busy, and takes none that is. */
	gdt_build(processor);
	tables_load(&gdt, &idt);
	write_cs(KERNEL_CODE);
	write_ss(KERNEL_DATA);
	/* The same in both rings: IRET to ring 3 would clear selectors that ring 3 may not have. */
	write_ds(USER_DATA);
	write_es(USER_DATA);
	write_fs(0);
	write_gs(0);
	__asm__ volatile("ltr %0" : : "r"((uint16_t)TSS) : "memory");
}

/*
 * Loads the firmware's task register again.  A null selector cannot be loaded, so firmware that
 * had none is left with ours, which nobody reads there: it is used to change rings and for IST
 * stacks only.  Nor is a selector believed that names no TSS: it may be ours of an earlier time.
 */
static void task_restore(const struct segments *s)
{
	uint64_t *descriptor = (uint64_t *)(uintptr_t)(s->gdt.base + (s->tr & ~7u));
	uint64_t type;

	if ((s->tr & ~7u) == 0 || (s->tr | 7u) + 8 > s->gdt.limit)
		return;
	type = field_get(TSS_TYPE, *descriptor);
	if ((*descriptor & SYSTEM_BIT) != 0 || (*descriptor & TSS_PRESENT) == 0 ||
	    (type != TSS_AVAILABLE && type != TSS_BUSY))
		return;
	*descriptor = (*descriptor & ~TSS_TYPE) | field_put(TSS_TYPE, TSS_AVAILABLE);
	__asm__ volatile("ltr %0" : : "r"(s->tr) : "memory");
}

void descriptors_restore(void)
{
	const struct segments *s = &machine->segments;

	tables_load(&s->gdt, &s->idt);
	write_cs(s->cs);
	write_ss(s->ss);
	write_ds(s->ds);
	write_es(s->es);
	write_fs(s->fs);
	write_gs(s->gs);
	wrmsr(MSR_FS_BASE, s->fs_base);
	wrmsr(MSR_GS_BASE, s->gs_base);
	task_restore(s);
}
