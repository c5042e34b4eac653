/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts, in a guest of the silicon model like an operating system: each is counted where it is
 * asked for and in its handler, while counters of clocks, of instructions, or of both in turn are
 * enabled.  Says on the serial line how many of each kind came.
 */
#include <efi.h>

#include "model/vmm/machine/machine.h"
#include "msr.h"

/* Intel SDM vol. 3A, table 10-1. */
#define APIC               UINT64_C(0xfee00000)
#define APIC_EOI           (APIC + 0xb0)
#define APIC_SVR           (APIC + 0xf0)
#define APIC_IRR           (APIC + 0x200)
#define APIC_ICR           (APIC + 0x300)
#define APIC_LVT_TIMER     (APIC + 0x320)
#define APIC_TIMER_INITIAL (APIC + 0x380)
#define APIC_TIMER_DIVIDE  (APIC + 0x3e0)
#define SVR_ENABLE         UINT32_C(0x1ff)
#define ICR_SELF           UINT32_C(0x44000)
#define ICR_NMI            UINT32_C(0x400)
#define LVT_MASKED         UINT32_C(0x10000)
#define DIVIDE_BY_1        UINT32_C(0xb)

/* Intel 8259A: the masks. */
enum { PIC_1_MASK = 0x21, PIC_2_MASK = 0xa1 };

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table);

/* ---- interrupts ---- */

enum kind { NMI, MESSAGE, TIMER, KINDS };
static const uint8_t vectors[KINDS] = {2, 0x50, 0x60};
static const char *const kinds[KINDS] = {"nmi", "message", "timer"};
static volatile uint32_t asked[KINDS], came[KINDS];

struct frame;

static bool is_pending(enum kind kind)
{
	return mmio_read32(APIC_IRR + vectors[kind] / 32 * 0x10) >> vectors[kind] % 32 & 1;
}

static void ask_for(enum kind kind)
{
	asked[kind]++;
	if (kind == TIMER)
		mmio_write32(APIC_TIMER_INITIAL, asked[TIMER] * 7919 % 512 + 1);
	else
		mmio_write32(APIC_ICR, ICR_SELF | vectors[kind] | (kind == NMI ? ICR_NMI : 0));
}

enum { A_WHILE = 20000, SPINS = 30000, SETTLES = 100000, HALTS = 5 };

static unsigned
	spins; /* of each handler: while it is at it, QEMU's processor is interrupted, too */

/* A message's handler asks for the timer's interrupt, and is not over before that waits. */
__attribute__((no_caller_saved_registers)) static void handle(enum kind kind)
{
	came[kind]++;
	for (unsigned i = 0; i < spins; i++)
		__asm__ volatile("");
	if (kind == MESSAGE) {
		ask_for(TIMER);
		for (unsigned i = 0; i < A_WHILE && !is_pending(TIMER); i++)
			;
	}
	if (kind != NMI)
		mmio_write32(APIC_EOI, 0);
}

__attribute__((interrupt)) static void on_nmi(struct frame *frame)
{
	(void)frame;
	handle(NMI);
}

__attribute__((interrupt)) static void on_message(struct frame *frame)
{
	(void)frame;
	handle(MESSAGE);
}

__attribute__((interrupt)) static void on_timer(struct frame *frame)
{
	(void)frame;
	handle(TIMER);
}

static void (*const handlers[KINDS])(struct frame *) = {on_nmi, on_message, on_timer};

/* The firmware's exceptions stay its own, and so do its segments. */
static uint64_t idt[256][2];

static void load_idt(const struct table_register *firmware)
{
	struct table_register table = {sizeof(idt) - 1, (uint64_t)(uintptr_t)idt};
	const uint64_t *old = (const uint64_t *)(uintptr_t)firmware->base;

	for (unsigned i = 0; i < (firmware->limit + 1u) / 8; i++)
		idt[i / 2][i % 2] = old[i];
	for (unsigned i = 0; i < KINDS; i++) {
		uint64_t to = (uint64_t)(uintptr_t)handlers[i];
		uint64_t *gate = idt[vectors[i]];

		gate[0] = (old[0] & UINT64_C(0xffff0000)) | UINT64_C(0x8e00) << 32 | (to & 0xffff) |
			  (to >> 16 & 0xffff) << 48;
		gate[1] = to >> 32;
	}
	__asm__ volatile("lidt %0" : : "m"(table));
}

/* ---- counters ---- */

/* The first counter, and the events: EN, OS, USR, and the code. */
struct pmu {
	uint32_t select, counter;
	uint64_t clocks, instructions;
};
static const struct pmu amd = {0xc0010200, 0xc0010201, 0x430076, 0x4300c0};
static const struct pmu intel = {0x186, 0xc1, 0x43003c, 0x4300c0};
#define IA32_PERF_GLOBAL_CTRL UINT32_C(0x38f)
#define VENDOR_INTEL          UINT32_C(0x756e6547) /* EBX of leaf 0: "Genu" */

static const struct pmu *find_pmu(void)
{
	uint32_t r[4];

	cpu_id(0, 0, r);
	if (r[1] != VENDOR_INTEL)
		return &amd;
	write_msr(IA32_PERF_GLOBAL_CTRL, 1);
	return &intel;
}

/* ---- the runs ---- */

enum mode { COASTING, STEPPING, BOTH, MODES };
static const char *const names[MODES] = {"clocks", "instructions", "both"};

static bool all_came(void)
{
	for (unsigned i = 0; i < KINDS; i++)
		if (came[i] < asked[i])
			return false;
	return true;
}

/* If one is lost, for ever. */
static void await(bool halt)
{
	for (;;) {
		__asm__ volatile("cli" : : : "memory");
		if (all_came())
			return;
		if (halt)
			__asm__ volatile("sti\nhlt" : : : "memory");
		else
			__asm__ volatile("sti\nnop" : : : "memory");
	}
}

/* Interrupts are off. */
static void one_of_each(unsigned i)
{
	if (i & 1)
		__asm__ volatile("sti");
	if (i & 2)
		ask_for(NMI);
	ask_for(MESSAGE);
	await(i & 4);
}

static void select(const struct pmu *pmu, bool clocks)
{
	write_msr(pmu->select, clocks ? pmu->clocks : pmu->instructions);
	spins = clocks ? SPINS : 0;
}

static void run(const struct pmu *pmu, enum mode mode, unsigned times)
{
	unsigned i;

	for (i = 0; i < KINDS; i++)
		asked[i] = came[i] = 0;
	for (i = 0; i < times; i++) {
		bool clocks = mode == COASTING || (mode == BOTH && i & 8);

		if (i % 8 == 0)
			select(pmu, clocks);
		one_of_each(i);
	}
	write_msr(pmu->select, 0);
	serial_print("interrupts: %s:", names[mode]);
	for (i = 0; i < KINDS; i++)
		serial_print(" %s %u/%u", kinds[i], came[i], asked[i]);
	serial_print("\n");
}

/* Clocks that pass while the processor halts for 20 ms of QEMU's, in per cent of the ticks of the
 * TSC: from another event to clocks without a stop. */
static int halt(const struct pmu *pmu)
{
	uint64_t began, passed, counted;

	select(pmu, false);
	select(pmu, true);
	for (unsigned i = 0; i < SETTLES; i++)
		__asm__ volatile("");
	write_msr(pmu->counter, 0);
	began = read_tsc();
	asked[TIMER]++;
	mmio_write32(APIC_TIMER_INITIAL, 20000000);
	await(true);
	passed = read_tsc() - began;
	counted = read_msr(pmu->counter);
	write_msr(pmu->select, 0);
	return (int)(100 - 100 * counted / passed);
}

/* The best of some: a busy computer has the processor begin and end a halt late, which only adds
 * clocks. */
static void halt_again(const struct pmu *pmu)
{
	int best = 0;

	for (unsigned i = 0; i < HALTS; i++) {
		int share = halt(pmu);

		best = share > best ? share : best;
	}
	serial_print("interrupts: halted for %d %% of the clocks\n", best);
}

static void run_all(unsigned times)
{
	const struct pmu *pmu = find_pmu();

	outb(PIC_1_MASK, 0xff);
	outb(PIC_2_MASK, 0xff);
	mmio_write32(APIC_SVR, SVR_ENABLE);
	mmio_write32(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
	mmio_write32(APIC_LVT_TIMER, vectors[TIMER]);
	for (enum mode mode = 0; mode < MODES; mode++)
		run(pmu, mode, times);
	halt_again(pmu);
	mmio_write32(APIC_LVT_TIMER, LVT_MASKED);
}

/* The number in the options. */
static unsigned find_times(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	EFI_GUID guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
	EFI_LOADED_IMAGE *loaded;
	const CHAR16 *c;
	unsigned times = 0;

	if (table->BootServices->HandleProtocol(image, &guid, (void **)&loaded))
		return 0;
	for (c = loaded->LoadOptions; c && *c >= '0' && *c <= '9'; c++)
		times = 10 * times + (unsigned)(*c - '0');
	return times;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	struct table_register firmware;
	unsigned times = find_times(image, table);

	serial_init();
	__asm__ volatile("cli\nsidt %0" : "=m"(firmware));
	load_idt(&firmware);
	run_all(times);
	machine_debug_exit(DEBUG_EXIT_DONE);
	return EFI_SUCCESS;
}
