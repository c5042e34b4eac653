/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that depends on the size of a word: this is 64-bit mode.
 *
 * Room: descriptors, paging, trap and user entry, dump of registers, start of another processor
 * Uses: kernel
 */
#pragma once

#include "kernel/descriptors.h"

#define TASK_FIRST  0x68u /* the lowest that the TSS may have; its descriptor takes two entries */
#define GDT_ENTRIES 512u

/* AMD64 APM vol. 2, 12.2.5: the 64-bit task state segment. */
struct tss {
	uint32_t reserved0;
	uint64_t rsp[3];
	uint64_t reserved1;
	uint64_t ist[7];
	uint64_t reserved2;
	uint16_t reserved3;
	uint16_t io_map;
} __attribute__((packed));

struct gate {
	uint16_t offset_low, selector, type, offset_mid;
	uint32_t offset_high, reserved;
};

/* One per processor. */
struct context {
	uint64_t gdt[GDT_ENTRIES]; /* at its start: SGDT tells where the context is */
	struct processor *processor;
	uint16_t task; /* selector of tss */
	struct tss tss;
	struct gate idt[VECTORS];
	uint64_t cr0, cr3, cr4, efer; /* of the firmware, and all that follows */
	uint8_t fpu[512] __attribute__((aligned(16)));
	struct tables firmware;
	uint16_t tr;
	uint64_t fs_base, gs_base;
};

/* Keeps the firmware's tables and selectors; loads ours; loads the firmware's again. */
void descriptors_save(struct context *context);
void descriptors_load(struct context *context);
void descriptors_restore(struct context *context);
