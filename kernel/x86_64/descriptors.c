/* SPDX-License-Identifier: BSD-2-Clause */
/* Our GDT, IDT and TSS, and the firmware's, which are kept and restored. */
#include "x86_64.h"

#define STUB_SPACING        16u

#define SEGMENT_KERNEL_CODE UINT64_C(0x00AF9B000000FFFF) /* L, present, accessed */
#define SEGMENT_KERNEL_DATA UINT64_C(0x00CF93000000FFFF)
#define SEGMENT_USER_DATA   UINT64_C(0x00CFF3000000FFFF)
#define SEGMENT_USER_CODE   UINT64_C(0x00AFFB000000FFFF)
#define SEGMENT_DPL(ring)   field_put(FIELD(46, 45), ring)

#define TSS_TYPE            FIELD(43, 40)
#define TSS_AVAILABLE       9u
#define TSS_BUSY            11u
#define TSS_PRESENT         BIT(47)
#define SYSTEM_BIT          BIT(44) /* clear in system descriptors */

#define GATE_INTERRUPT      0x8E00u
#define GATE_DPL_3          0x6000u

#define MSR_FS_BASE         0xC0000100u
#define MSR_GS_BASE         0xC0000101u

/* Traps that may come at any instant, or when RSP is unusable, have a stack each. */
static const uint8_t own_stack[] = {8 /* #DF */, VECTOR_NMI, 18 /* #MC */};
#define OWN_STACK_PAGES 4u

_Static_assert(sizeof(struct tss) == 104, "hardware layout");
_Static_assert(offsetof(struct tss, rsp) == 4, "hardware layout");
_Static_assert(offsetof(struct tss, ist) == 36, "hardware layout");
_Static_assert(offsetof(struct tss, io_map) == 102, "hardware layout");
_Static_assert(sizeof(struct gate) == 16, "hardware layout");

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

/* By a far return: every CPU can load CS so in 64-bit mode. */
static void write_cs(uint64_t v)
{
	uint64_t target;

	__asm__ volatile("lea 1f(%%rip), %0\n"
			 "push %1\n"
			 "push %0\n"
			 "lretq\n"
			 "1:\n"
			 : "=&r"(target)
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
		.offset_mid = (uint16_t)(address >> 16),
		.offset_high = (uint32_t)(address >> 32),
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

/*
 * Behind the limit of the firmware's GDT, if there is room: what EDK2 finds in TR at the end of a
 * processor's work it loads when it wakes that processor up again, if its own GDT has such an
 * entry, whatever that is (MpInitLib, RestoreVolatileRegisters()).
 */
static uint16_t task_selector(const struct context *c)
{
	unsigned behind = (c->firmware_gdt.limit + 8u) & ~7u;
	bool fits = behind > TASK_FIRST && behind / 8 + 2 <= GDT_ENTRIES;

	return (uint16_t)(fits ? behind : TASK_FIRST);
}

static void gdt_build(struct context *c)
{
	uint64_t tss = (uintptr_t)&c->tss;

	c->task = task_selector(c);
	c->gdt[KERNEL_CODE / 8] = SEGMENT_KERNEL_CODE;
	c->gdt[KERNEL_DATA / 8] = SEGMENT_KERNEL_DATA;
	c->gdt[USER_DATA / 8] = SEGMENT_USER_DATA;
	c->gdt[USER_CODE / 8] = SEGMENT_USER_CODE;
	c->gdt[RING_1_DATA / 8] = SEGMENT_KERNEL_DATA | SEGMENT_DPL(1);
	c->gdt[RING_1_CODE / 8] = SEGMENT_KERNEL_CODE | SEGMENT_DPL(1);
	c->gdt[RING_2_DATA / 8] = SEGMENT_KERNEL_DATA | SEGMENT_DPL(2);
	c->gdt[RING_2_CODE / 8] = SEGMENT_KERNEL_CODE | SEGMENT_DPL(2);
	c->gdt[c->task / 8] = field_put(FIELD(15, 0), sizeof(struct tss) - 1) |
			      field_put(FIELD(39, 16), tss & 0xFFFFFFu) |
			      field_put(TSS_TYPE, TSS_AVAILABLE) | TSS_PRESENT |
			      field_put(FIELD(63, 56), tss >> 24 & 0xFFu);
	c->gdt[c->task / 8 + 1] = tss >> 32;
}

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
	for (unsigned v = 0; v < VECTORS; v++)
		gate_set(&c->idt[v], stub_of(v), GATE_INTERRUPT);
	gate_set(&c->idt[VECTOR_USER], user_gate, GATE_INTERRUPT | GATE_DPL_3);
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
	__asm__ volatile("sgdt %0" : "=m"(c->firmware_gdt));
	__asm__ volatile("sidt %0" : "=m"(c->firmware_idt));
	__asm__ volatile("str %0" : "=r"(c->tr));
	__asm__ volatile("mov %%cs, %0" : "=r"(c->cs));
	c->ds = read_ds();
	c->es = read_es();
	c->fs = read_fs();
	c->gs = read_gs();
	c->ss = read_ss();
	c->fs_base = rdmsr(MSR_FS_BASE);
	c->gs_base = rdmsr(MSR_GS_BASE);
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
	tables_load(&gdt, &idt);
	write_cs(KERNEL_CODE);
	write_ss(KERNEL_DATA);
	/* User segments in ring 0, too: IRET to ring 3 would clear others. */
	write_ds(USER_DATA);
	write_es(USER_DATA);
	write_fs(0);
	write_gs(0);
	__asm__ volatile("ltr %0" : : "r"(c->task) : "memory");
}

/*
 * Loads the firmware's task register again.  If firmware had none, ours stays, because a null
 * selector cannot be loaded; firmware does not use it, for it neither changes rings nor has IST
 * stacks.  A selector that names no TSS is not loaded either: it may be ours of an earlier run.
 */
static void task_restore(const struct context *c)
{
	uint64_t *descriptor = (uint64_t *)(c->firmware_gdt.base + (c->tr & ~7u));
	uint64_t type;

	if ((c->tr & ~7u) == 0 || (c->tr | 7u) + 8 > c->firmware_gdt.limit)
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
	tables_load(&c->firmware_gdt, &c->firmware_idt);
	write_cs(c->cs);
	write_ss(c->ss);
	write_ds(c->ds);
	write_es(c->es);
	write_fs(c->fs);
	write_gs(c->gs);
	wrmsr(MSR_FS_BASE, c->fs_base);
	wrmsr(MSR_GS_BASE, c->gs_base);
	task_restore(c);
}
