/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine around the modelled processor. */
#ifndef MODEL_SIGNALS_MACHINE_H
#define MODEL_SIGNALS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "insn.h"

struct registers {
	uint64_t ip, flags, gpr[GPRS];
};

/* The machine after an instruction, for what the processor does to memory by itself. */
struct machine {
	void *arg; /* of read and write; false: not mapped */
	bool (*read)(void *arg, uint64_t linear, void *to, size_t size);
	bool (*write)(void *arg, uint64_t linear, const void *from, size_t size);
	/* Around the instruction: before.ip is its own, after.ip that of the next one.  The rest of
	 * before is stale unless silicon_precise() was true then. */
	struct registers before, after;
	uint64_t tsc;
};

#endif
