/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptor tables and selectors, in what they are alike in both sizes of a word. */
#include "descriptors.h"

#define STUB_SPACING      16u

#define SEGMENT_DPL(ring) field_put(FIELD(46, 45), ring)

/* The upper half of a descriptor, as LAR gives it. */
#define RIGHTS_READABLE BIT(9)
#define RIGHTS_CODE     BIT(11)
#define RIGHTS_SEGMENT  BIT(12) /* and no system descriptor */
#define RIGHTS_PRESENT  BIT(15)

#pragma GCC visibility push(hidden)
extern const char trap_stubs[], user_gate[];
extern const struct msr_switch *msr_switch_trapped;
extern const char *msr_switch_stub;
#pragma GCC visibility pop

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

void tables_save(struct tables *tables)
{
	struct selectors *in = &tables->in;

	__asm__ volatile("sgdt %0" : "=m"(tables->gdt));
	__asm__ volatile("sidt %0" : "=m"(tables->idt));
	__asm__ volatile("mov %%cs, %0" : "=r"(in->cs));
	*in = (struct selectors){in->cs, read_ds(), read_es(), read_fs(), read_gs(), read_ss()};
}

/* The selector if DS, ES, FS and GS take it from the GDT in force, else 0: U-Boot runs with an FS
 * that its GDT has no segment for.  Intel SDM vol. 2A, LAR: what is visible; MOV: what faults. */
static uint16_t loadable(uint16_t selector)
{
	uint32_t rights;
	bool visible;

	__asm__ volatile("lar %2, %0" : "=r"(rights), "=@ccz"(visible) : "r"((uint32_t)selector));
	if (!visible || !(rights & RIGHTS_PRESENT) || !(rights & RIGHTS_SEGMENT))
		return 0;
	return (rights & RIGHTS_CODE) && !(rights & RIGHTS_READABLE) ? 0 : selector;
}

/* CS and SS are loaded as they are: each interrupt that returns to the firmware loads them, too. */
void tables_load(const struct tables *tables)
{
	const struct selectors *in = &tables->in;

	__asm__ volatile("lgdt %0" : : "m"(tables->gdt) : "memory");
	__asm__ volatile("lidt %0" : : "m"(tables->idt) : "memory");
	load_cs(in->cs);
	write_ss(in->ss);
	write_ds(loadable(in->ds));
	write_es(loadable(in->es));
	write_fs(loadable(in->fs));
	write_gs(loadable(in->gs));
}

void segments_build(uint64_t *gdt, uint64_t code)
{
	gdt[KERNEL_CODE / 8] = code;
	gdt[KERNEL_DATA / 8] = SEGMENT_DATA;
	gdt[USER_DATA / 8] = gdt[SYSEXIT_DATA / 8] = SEGMENT_DATA | SEGMENT_DPL(3);
	gdt[USER_CODE / 8] = gdt[SYSEXIT_CODE / 8] = code | SEGMENT_DPL(3);
	gdt[RING_1_DATA / 8] = SEGMENT_DATA | SEGMENT_DPL(1);
	gdt[RING_1_CODE / 8] = code | SEGMENT_DPL(1);
	gdt[RING_2_DATA / 8] = SEGMENT_DATA | SEGMENT_DPL(2);
	gdt[RING_2_CODE / 8] = code | SEGMENT_DPL(2);
}

uint64_t task_descriptor(const void *tss, size_t size)
{
	uintptr_t address = (uintptr_t)tss;

	return field_put(FIELD(15, 0), size - 1) | field_put(FIELD(39, 16), address & 0xFFFFFFu) |
	       field_put(TSS_TYPE, TSS_AVAILABLE) | TSS_PRESENT |
	       field_put(FIELD(63, 56), address >> 24 & 0xFFu);
}

const char *stub_of(unsigned vector)
{
	return trap_stubs + vector * STUB_SPACING;
}

void gates_build(struct context *context)
{
	/* The byte after the opcode of INT. */
	if ((uint8_t)user_return[1] != VECTOR_USER)
		panic("user.asm returns by vector %x", (unsigned)(uint8_t)user_return[1]);
	for (unsigned v = 0; v < VECTORS; v++)
		gate_set(context, v, stub_of(v), GATE_INTERRUPT);
	gate_set(context, VECTOR_USER, user_gate, GATE_INTERRUPT | GATE_DPL_3);
}

_Static_assert(offsetof(struct msr_switch, off) == 8 && offsetof(struct msr_switch, msr) == 16,
	       "as in switch.inc");

void msr_switch_by_trap(unsigned vector, const struct msr_switch *s)
{
	struct context *context = this_processor()->context;

	if (s) {
		msr_switch_trapped = s;
		msr_switch_stub = stub_of(vector);
	}
	gate_set(context, vector, s ? msr_switch_trap : stub_of(vector),
		 gate_type(context, vector));
}
