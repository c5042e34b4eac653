/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptor tables and selectors, in what they are alike in both sizes of a word.  Intel SDM vol.
 * 3A, 3.4.5, 6.11 and 7.2.2. */
#pragma once

#include "state.h"

#define SEGMENT_DATA   UINT64_C(0x00CF93000000FFFF) /* present, accessed, of all 4 GiB */
#define SEGMENT_CODE   UINT64_C(0x008F9B000000FFFF) /* of a size yet to be said */

#define TSS_TYPE       FIELD(43, 40)
#define TSS_AVAILABLE  9u
#define TSS_BUSY       11u
#define TSS_PRESENT    BIT(47)

#define GATE_INTERRUPT 0x8E00u
#define GATE_CALL      0x8C00u
#define GATE_DPL_3     0x6000u

struct selectors {
	uint16_t cs, ds, es, fs, gs, ss;
};

/* The tables that are in force, and where the segment registers lead in them. */
struct tables {
	struct table_pointer gdt, idt;
	struct selectors in;
};

void tables_save(struct tables *tables);
void tables_load(const struct tables *tables);

/* Segments of all rings in our GDT; code: SEGMENT_CODE with its size. */
void segments_build(uint64_t *gdt, uint64_t code);
/* The lower eight bytes of the descriptor of a task state segment. */
uint64_t task_descriptor(const void *tss, size_t size);
/* All gates of context lead to the stubs of trap.asm, and VECTOR_USER out of ring 3. */
void gates_build(struct context *context);

/* Of trap.asm. */
const char *stub_of(unsigned vector);

/* ---- kernel/x86_64 or x86_32 ---- */

void load_cs(uint16_t selector);
void gate_set(struct context *context, unsigned vector, const char *target, unsigned type);
/* ENTRANCE_CALL_GATE of our GDT leads there from ring 3; NULL: nowhere. */
void call_gate_set(struct context *context, const char *target);
/* As it was set, and what may have been added to it. */
unsigned gate_type(const struct context *context, unsigned vector);
