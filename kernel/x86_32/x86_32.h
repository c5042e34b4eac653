/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that depends on the size of a word: this is protected mode of 32 bits.  Whoever starts us
 * leaves paging off, so it is off again whenever the machine is given back.
 *
 * Room: descriptors, paging, trap and user entry, dump of registers, start of another processor
 * Uses: kernel
 */
#pragma once

#include "kernel/descriptors.h"

#define CPUID_1_EDX_PSE  BIT(3)
#define CPUID_1_EDX_PAE  BIT(6)
#define CPUID_1_EDX_FXSR BIT(24)

#define TASK             0x60u /* selectors of task state segments */
#define FAULT_TASK       0x68u
#define GDT_ENTRIES      14u

/* Intel SDM vol. 3A, 7.2.1: the 32-bit task state segment; ESP and SS of rings 0 to 2 in turn. */
struct tss {
	uint32_t link;
	struct {
		uint32_t sp, ss;
	} ring[3];
	uint32_t cr3, ip, flags, ax, cx, dx, bx, sp, bp, si, di, es, cs, ss, ds, fs, gs, ldt;
	uint16_t debug, io_map;
};

struct gate {
	uint16_t offset_low, selector, type, offset_high;
};

/* One per processor. */
struct context {
	uint64_t gdt[GDT_ENTRIES]; /* at its start: SGDT tells where the context is */
	struct processor *processor;
	struct tss tss;
	struct tss fault; /* the task of #DF */
	uint8_t *fault_stack; /* its top */
	struct gate idt[VECTORS];
	uintptr_t cr0, cr3, cr4; /* of the firmware, and all that follows */
	uint64_t efer; /* where there is one */
	uint8_t fpu[512] __attribute__((aligned(16)));
	struct tables firmware;
};

/* As trap.asm pushes them. */
struct registers {
	uint32_t dx, cx, bx;
	struct trap_frame frame;
};

/* Keeps the firmware's tables and selectors; loads ours; loads the firmware's again. */
void descriptors_save(struct context *context);
void descriptors_load(struct context *context);
void descriptors_restore(struct context *context);

/* The task of #DF, in our page tables. */
void fault_build(struct context *context);
