/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine as its software sees it: control registers, tables, interrupt controllers. */
#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "launch.h"
#include "model/vmm/apic/apic.h"

#define APIC_BASE_ADDRESS FIELD(51, 12)

/* Intel 82093AA data sheet, where every machine of QEMU has it. */
#define IO_APIC 0xfec00000u
enum { IO_APIC_DATA = 0x10 };
#define ENTRY_STATUS                                                                               \
	(uint32_t)(BIT(12) | BIT(14)) /* delivery and remote IRR, which software does not set */

/* The vector of the firmware's clock, which comes and goes. */
enum { TIMER = 32 };

/* This runs in the guest, which must not use the VMM's function. */
static uint64_t read_msr(uint32_t msr)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return (uint64_t)high << 32 | low;
}

static uint64_t apic_base(void)
{
	return read_msr(MSR_APIC_BASE) & APIC_BASE_ADDRESS;
}

uint32_t apic_read(uint32_t reg)
{
	return mmio_read32(apic_base() + reg);
}

void apic_write(uint32_t reg, uint32_t value)
{
	mmio_write32(apic_base() + reg, value);
}

/* Registers that software sets, in an order in which they may be written. */
static const struct {
	uint32_t reg;
	const char *name;
} settings[APIC_REGISTERS] = {
	{APIC_SVR, "svr"},        {APIC_TPR, "tpr"},    {0x320, "lvt timer"},
	{0x330, "lvt thermal"},   {0x340, "lvt pmi"},   {0x350, "lvt lint0"},
	{0x360, "lvt lint1"},     {0x370, "lvt error"}, {0x3e0, "timer divide"},
	{0x380, "timer initial"},
};

void apic_take(struct apic_state *state)
{
	for (unsigned i = 0; i < APIC_REGISTERS; i++)
		state->value[i] = apic_read(settings[i].reg);
}

void apic_put(const struct apic_state *state)
{
	for (unsigned i = 0; i < APIC_REGISTERS; i++)
		apic_write(settings[i].reg, state->value[i]);
}

/* ---- all controllers ---- */

uint32_t io_apic_read(unsigned reg)
{
	mmio_write32(IO_APIC, reg);
	return mmio_read32(IO_APIC + IO_APIC_DATA);
}

void io_apic_write(unsigned reg, uint32_t value)
{
	mmio_write32(IO_APIC, reg);
	mmio_write32(IO_APIC + IO_APIC_DATA, value);
}

void controllers_take(struct controllers *c)
{
	apic_take(&c->apic);
	c->io_apic_index = mmio_read32(IO_APIC);
	for (unsigned i = 0; i < IO_APIC_PINS; i++)
		c->io_apic[i] = (io_apic_read(IO_APIC_ENTRIES + 2 * i) & ~ENTRY_STATUS) |
				(uint64_t)io_apic_read(IO_APIC_ENTRIES + 2 * i + 1) << 32;
	mmio_write32(IO_APIC, c->io_apic_index);
	c->pic_mask[0] = inb(PIC_MASK_1);
	c->pic_mask[1] = inb(PIC_MASK_2);
}

/* ---- what there is to compare ---- */

__attribute__((format(printf, 3, 4))) static void add(struct machine_state *state, uint64_t value,
						      const char *format, ...)
{
	va_list args;

	if (state->count == STATE_MAX)
		return;
	va_start(args, format);
	fmt_vprint(state->entry[state->count].name, STATE_NAME, format, args);
	va_end(args);
	state->entry[state->count++].value = value;
}

#define ADD_REGISTER(state, name)                                                                  \
	do {                                                                                       \
		uint64_t value;                                                                    \
                                                                                                   \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(value));                             \
		add(state, value, #name);                                                          \
	} while (0)

static void add_control(struct machine_state *state)
{
	ADD_REGISTER(state, cr0);
	ADD_REGISTER(state, cr3);
	ADD_REGISTER(state, cr4);
	ADD_REGISTER(state, dr7);
	ADD_REGISTER(state, cs);
	ADD_REGISTER(state, ds);
	ADD_REGISTER(state, es);
	ADD_REGISTER(state, fs);
	ADD_REGISTER(state, gs);
	ADD_REGISTER(state, ss);
	add(state, read_msr(MSR_EFER), "efer");
}

/* ---- vector registers ---- */

/* CPUID 1 ECX, CR4, XCR0, and an image of XSAVE. */
#define HAS_XSAVE   (uint32_t)(BIT(26) | BIT(28)) /* and AVX */
#define CR4_OSXSAVE BIT(18)
#define XCR0_AVX    (uint32_t)(BIT(1) | BIT(2))
enum { IMAGE_UPPER = 576, IMAGE = 832 };

static bool has_upper_halves(void)
{
	uint32_t eax = 1, ebx, ecx = 0, edx;

	__asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
	return (ecx & HAS_XSAVE) == HAS_XSAVE;
}

static void put_xcr0(uint32_t low, uint32_t high)
{
	__asm__ volatile("xsetbv" : : "a"(low), "d"(high), "c"(0));
}

/* FNV-1a. */
static uint64_t sum_of(const uint8_t *bytes, size_t count)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	while (count--)
		sum = (sum ^ *bytes++) * UINT64_C(0x100000001b3);
	return sum;
}

/* What the registers hold is there while it is switched off, too. */
static void add_vectors(struct machine_state *state)
{
	static uint8_t image[IMAGE] __attribute__((aligned(64)));
	uint32_t low, high;
	uint64_t cr4;

	if (!has_upper_halves())
		return;
	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	__asm__ volatile("mov %0, %%cr4" : : "r"(cr4 | CR4_OSXSAVE));
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	put_xcr0(low | XCR0_AVX, high);
	__asm__ volatile("xsave64 %0" : "+m"(image) : "a"(XCR0_AVX), "d"(0));
	put_xcr0(low, high);
	__asm__ volatile("mov %0, %%cr4" : : "r"(cr4));
	add(state, (uint64_t)high << 32 | low, "xcr0");
	add(state, sum_of(image + IMAGE_UPPER, IMAGE - IMAGE_UPPER), "upper halves of ymm");
}

static void add_tables(struct machine_state *state)
{
	struct table_register table;
	uint16_t tr;

	__asm__ volatile("sgdt %0" : "=m"(table));
	add(state, table.base, "gdtr base");
	add(state, table.limit, "gdtr limit");
	__asm__ volatile("sidt %0" : "=m"(table));
	add(state, table.base, "idtr base");
	add(state, table.limit, "idtr limit");
	__asm__ volatile("str %0" : "=r"(tr));
	add(state, tr, "tr");
}

static void add_apic(struct machine_state *state)
{
	for (unsigned i = 0; i < APIC_REGISTERS; i++)
		add(state, apic_read(settings[i].reg), "apic %s", settings[i].name);
	for (unsigned i = 0; i < 8; i++)
		add(state, apic_read(APIC_IRR + 16 * i) & ~(i == TIMER / 32 ? 1u << TIMER % 32 : 0),
		    "apic irr[%u]", i);
	for (unsigned i = 0; i < 8; i++)
		add(state, apic_read(APIC_ISR + 16 * i), "apic isr[%u]", i);
	for (unsigned i = 0; apic_read(APIC_VERSION) & APIC_EXTENDED && i < APIC_EXTENDED_ENTRIES;
	     i++)
		add(state, apic_read(APIC_EXTENDED_LVT + 16 * i), "apic extended lvt[%u]", i);
}

static void add_controllers(struct machine_state *state)
{
	struct controllers c;

	controllers_take(&c);
	add(state, c.io_apic_index, "io apic index");
	for (unsigned i = 0; i < IO_APIC_PINS; i++)
		add(state, c.io_apic[i], "io apic[%u]", i);
	add(state, c.pic_mask[0], "pic mask 1");
	add(state, c.pic_mask[1], "pic mask 2");
}

void state_take(struct machine_state *state)
{
	state->count = 0;
	add_control(state);
	add_vectors(state);
	add_tables(state);
	add_apic(state);
	add_controllers(state);
}
