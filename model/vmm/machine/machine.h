/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the machine underneath the VMM: its instructions, the entry to the guest, the serial line.
 * Uses: kernel/lib
 * Uses: model/signals
 */
#pragma once

#include "kernel/lib/ports.h"
#include "model/signals/signals.h"
#include "svm.h"

/* ---- instructions that C has no words for ---- */

static inline uint64_t read_tsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* r: EAX, EBX, ECX, EDX. */
static inline void cpu_id(uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	__asm__ volatile("cpuid"
			 : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3])
			 : "a"(leaf), "c"(subleaf));
}

static inline uint32_t mmio_read32(uint64_t address)
{
	return *(volatile uint32_t *)(uintptr_t)address;
}

static inline void mmio_write32(uint64_t address, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)address = value;
}

/* ---- serial.c ---- */

void serial_init(void);
void serial_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "silicon: error: ..." and ends the machine. */
_Noreturn void panic(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Tells QEMU's debug-exit device; returns where there is none. */
void machine_debug_exit(uint32_t code);

enum { DEBUG_EXIT_DONE = 0x10, DEBUG_EXIT_ERROR = 0x11 };

/* ---- entry.asm ---- */

struct guest;

/* Runs the guest until it exits.  open: with the VMM's RFLAGS.IF set, which is what lets an
 * interrupt in where INT_MASKING is. */
void vmm_enter(uint64_t vmcb, bool open);
/* Behind a change of the VMM's own page tables. */
void vmm_flush_translations(void);
/* The guest's general registers by their number in ModRM; RAX and RSP live in the VMCB. */
extern uint64_t vmm_gpr[GPRS] __attribute__((visibility("hidden")));

/* Lets one pending interrupt reach the VMM's own IDT, which acknowledges it: its vector, or -1. */
enum wait { WAIT_NMI = 0, WAIT_INTR = 1, WAIT_HALTED = 2 };
int vmm_take_interrupt(unsigned wait);

/* Leaves the caller behind in the guest and calls loop(g), which never returns, on the VMM's own
 * stack. */
void vmm_launch(struct guest *g, struct vmcb *vmcb, uint64_t cr3, void *stack_top,
		void (*loop)(struct guest *g));

/* Makes the processor forget what it knows of the guest's page at this address. */
void invlpga(uint64_t address, uint32_t asid);

/* -1, or the vector that the access raised. */
int msr_read(uint32_t msr, uint64_t *value);
int msr_write(uint32_t msr, uint64_t value);

void vmm_hypercall(uint64_t number, const void *rbx);

/* Entry n of the VMM's IDT is at vmm_stubs + 16 * n. */
extern const uint8_t vmm_stubs[];
/* serial.c: what the stubs call for an exception in the VMM itself. */
_Noreturn void vmm_host_exception(unsigned vector, const uint64_t *frame);

/* Operands of LGDT and LIDT. */
struct table_register {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));
extern struct table_register vmm_gdtr, vmm_idtr;
