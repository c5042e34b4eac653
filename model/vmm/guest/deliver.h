/* SPDX-License-Identifier: BSD-2-Clause */
/* Entering a handler through the tables of the guest, for deliver*.c. */
#pragma once

#include "guest.h"

/* Fields of a gate. */
#define GATE_PRESENT BIT(7)
#define GATE_DPL     FIELD(6, 5)
#define GATE_TYPE    FIELD(4, 0)

enum { GATE_TASK = 5, GATE_INTERRUPT = 14, GATE_TRAP = 15 };

#define DESCRIPTOR_PRESENT    BIT(47)
#define DESCRIPTOR_DPL        FIELD(46, 45)
#define DESCRIPTOR_CONFORMING BIT(42)
#define DESCRIPTOR_LONG       BIT(53)
#define DESCRIPTOR_BIG        BIT(54)

#define SELECTOR_INDEX        (uint16_t) FIELD(15, 3)

/* A gate, of either size, taken apart. */
struct gate {
	uint64_t offset;
	uint16_t selector;
	uint8_t type; /* present, DPL, system type */
	uint8_t ist; /* 64-bit mode; 0: the stack of the level */
};

/* Where an event goes. */
struct entry {
	struct gate gate;
	unsigned cpl;
	uint64_t descriptor; /* of CS */
	uint64_t rsp; /* before the frame */
	struct vmcb_segment ss;
};

/* How the tables and frames of a mode are laid out. */
struct mode_layout {
	uint64_t code; /* bit that the descriptor of a handler's CS has */
	unsigned word; /* bytes of each value in the frame */
	bool pushes_stack; /* always; else only if the level changes */
	/* False: the table has none. */
	bool (*read_gate)(const struct guest *g, unsigned vector, struct gate *gate);
	/* RSP and SS, which are the guest's own before.  False: there is no such stack. */
	bool (*find_stack)(struct guest *g, struct entry *to);
};
extern const struct mode_layout deliver_64, deliver_32;

/* ---- deliver_real.c ---- */

/* In real mode, where an event has no error code; false: no handler. */
bool deliver_real(struct guest *g, unsigned vector);

/* ---- deliver_tables.c ---- */

/* Reads a gate of size bytes from the IDT. */
bool deliver_read_gate(const struct guest *g, unsigned vector, void *gate, size_t size);
/* Reads size bytes of the task-state segment. */
bool deliver_read_task(struct guest *g, unsigned offset, void *to, size_t size);
/* The descriptor of selector in the GDT; false: there is none, or it is not present. */
bool deliver_descriptor(const struct guest *g, uint16_t selector, uint64_t *descriptor);
