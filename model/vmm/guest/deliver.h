/* SPDX-License-Identifier: BSD-2-Clause */
/* Entering a handler through the tables of the guest, for deliver*.c. */
#pragma once

#include "guest.h"

/* Of a gate. */
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

/* ---- deliver.c ---- */

/* The descriptor of selector in the GDT; false: there is none, or it is not present. */
bool deliver_descriptor(const struct guest *g, uint16_t selector, uint64_t *descriptor);
/* Where to load a code segment with this descriptor leads; false: not to this level or below. */
bool deliver_level(const struct guest *g, uint64_t descriptor, unsigned *cpl);
/* CS, CPL and flags become those of the handler, which type of gate has led to. */
void deliver_enter(struct guest *g, uint16_t selector, uint64_t descriptor, unsigned cpl,
		   uint64_t type);

/* ---- deliver_64.c, deliver_32.c ---- */

/* By vector; error: NULL: there is none.  False: the guest's tables do not lead to a handler;
 * nothing has changed. */
bool deliver_64(struct guest *g, unsigned vector, const uint32_t *error);
bool deliver_32(struct guest *g, unsigned vector, const uint32_t *error);
/* The lowest level that may call the gate of vector by INT; false: there is no such gate. */
bool deliver_64_caller(struct guest *g, unsigned vector, unsigned *cpl);
bool deliver_32_caller(struct guest *g, unsigned vector, unsigned *cpl);
