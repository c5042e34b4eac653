/* SPDX-License-Identifier: BSD-2-Clause */
/* What a program must leave as it was, besides the PMU. */
#pragma once

#include "model/vmm/apic/apic.h"

/* Registers of the local APIC.  QEMU's is in memory and enabled, even where the model makes it look
 * otherwise. */
uint32_t apic_read(uint32_t reg);
void apic_write(uint32_t reg, uint32_t value);

enum { STATE_MAX = 192, STATE_NAME = 24 };

struct machine_state {
	unsigned count;
	struct {
		char name[STATE_NAME];
		uint64_t value;
	} entry[STATE_MAX];
};

/* Ring 0, at the firmware's task priority level. */
void state_take(struct machine_state *state);
