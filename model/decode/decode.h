/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: decoding of one instruction of 64-bit, 32-bit or 16-bit code: where its parts lie, and what
 * it is.
 * Uses: model/signals, kernel/lib
 */
#pragma once

#include "model/signals/signals.h"

enum map { MAP_ONE, MAP_TWO, MAP_0F38, MAP_0F3A };

struct decoder {
	const uint8_t *bytes;
	enum code_size size;
	unsigned at, available;
	bool cut; /* ran past the end */
	bool valid; /* an opcode that exists in code of this size */
	bool f2, f3, lock;
	/* Operands of 16 bits; addresses of 32 bits in 64-bit code, of 16 bits in other code.  In
	 * 16-bit code they are, unless a prefix says otherwise. */
	bool operand16, address_prefix;
	uint8_t segment; /* the prefix of FS or GS, 64h or 65h; 0: neither */
	unsigned ignored; /* prefixes of other segments, of no effect in 64-bit code */
	uint8_t rex;
	bool vex;
	enum map map;
	uint8_t opcode;
	unsigned opcode_at; /* where it is among bytes */
	bool has_modrm, memory;
	unsigned mod, reg, rm; /* reg and rm with their REX bits */
	int base, index; /* of a memory operand, or -1 */
};

/* On return d->at is the length unless d->cut. */
void decode_raw(struct decoder *d, const uint8_t *bytes, unsigned available, enum code_size size);

/* MMX and 3DNow! are the two-byte opcodes that no prefix turns into SSE. */
bool decode_is_mmx(const struct decoder *d);

/* compute.c */
enum compute compute_of(const struct decoder *d);
unsigned additions_of(const struct decoder *d); /* as struct insn has them */

/* memory.c: fills in what insn does to memory, by loads and stores, which are known. */
void insn_find_memory(const struct decoder *d, struct insn *insn);

/* registers.c: fills in which general registers it reads and writes. */
void insn_find_registers(const struct decoder *d, struct insn *insn);

/* insn.c; bytes: up to 15 at the instruction pointer. */
void insn_decode(const uint8_t *bytes, unsigned available, enum code_size size, struct insn *insn);
