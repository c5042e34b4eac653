/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the types in which the parts of the model tell each other what happens: instructions,
 * clocks, accesses to memory and to registers.  No code.
 */
#pragma once

#include <stddef.h>

/* Executed with each instruction that is counted, */
#define HOT __attribute__((hot))
/* or each time that the guest exits, such as for an access to a register. */
#define AT_EXIT __attribute__((hot, section(".text.hot.exit")))
/* A jump to another page costs QEMU as much as dozens of instructions.  Hot code of less than a
 * page lies in one, */
#define PAGED __attribute__((aligned(4096)))
/* and does not grow by functions that are APART, or COLD, which are seldom called. */
#define APART __attribute__((noinline))
#define COLD  __attribute__((cold, noinline))
/* Behind all else, so that the small things that are always needed share a few pages: each entry of
 * the guest makes QEMU forget where they are, and to find a page costs it as much as a hundred
 * instructions. */
#define LARGE __attribute__((section(".bss..large")))

#include "clock.h"
#include "insn.h"
#include "memory.h"

/* ---- accesses to registers ---- */

/* ACCESS_NOT_MINE: let the processor underneath do it.  ACCESS_GP: raise #GP(0). */
enum access { ACCESS_DONE, ACCESS_GP, ACCESS_NOT_MINE };

/* An access to the configuration space, within one dword. */
struct pci_access {
	uint8_t bus, df; /* device << 3 | function */
	uint16_t offset;
	unsigned size; /* 1, 2, 4 */
};

/* ---- the machine around the modelled processor ---- */

struct registers {
	uint64_t ip, flags, gpr[GPRS];
};

/* The machine after an instruction, for what the processor does to memory by itself. */
struct machine {
	void *arg; /* of read and write; false: not mapped */
	bool (*read)(void *arg, uint64_t linear, void *to, size_t size);
	bool (*write)(void *arg, uint64_t linear, const void *from, size_t size);
	/* The same by physical address; nothing happens where there is no memory. */
	void (*write_physical)(void *arg, uint64_t physical, const void *from, size_t size);
	/* Where it is in physical memory, and of which type that is. */
	bool (*locate)(void *arg, uint64_t linear, struct memory_access *access);
	/* Around the instruction: before.ip points to it, after.ip to the next one.  The rest of
	 * before is stale unless silicon_precise() was true then. */
	struct registers before, after;
	/* The instruction; NULL: before is of the one before it, as no trap came between them. */
	const struct insn *insn;
	/* Of its memory operand, where has_operand. */
	uint64_t operand;
	bool has_operand;
	/* XMM0 to XMM15, behind one another, and the upper halves of YMM0 to YMM15; NULL: not
	 * known, or not in use. */
	const uint8_t *xmm, *upper;
	bool legacy; /* IA-32e mode is not active */
	uint64_t tsc;
};
