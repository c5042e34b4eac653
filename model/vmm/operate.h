/* SPDX-License-Identifier: BSD-2-Clause */
/* What an instruction makes of a register of 32 bits that is in memory, and that the VMM reads and
 * writes in its place: MOV, XCHG, TEST, and ADD to CMP; and MOV of two of them at once.  AMD64 APM
 * vol. 3. */
#pragma once

#include "model/decode/decode.h"
#include "model/vmm/guest/guest.h"

struct operation {
	/* ADD to CMP have the numbers that they have in the opcode. */
	enum operate {
		OPERATE_ADD,
		OPERATE_OR,
		OPERATE_ADC,
		OPERATE_SBB,
		OPERATE_AND,
		OPERATE_SUB,
		OPERATE_XOR,
		OPERATE_CMP,
		OPERATE_TEST,
		OPERATE_MOV,
		OPERATE_XCHG
	} what;
	bool to_register; /* is that its destination? */
	bool wide; /* MOV of 64 bits */
	unsigned reg; /* by its number in ModRM; with XCHG the other destination */
	uint32_t operand; /* that is not in memory: an immediate, or what the register holds */
};

/* False: it is none of them, or not of 32 bits.  d: as decode_raw() has left it. */
bool operation_of(const struct guest *g, const struct decoder *d, struct operation *op);

/* Does it read what is in memory; does it write there? */
bool operation_reads(const struct operation *op);
bool operation_writes(const struct operation *op);
/* Sets the flags and registers of the guest; returns what is written to memory, if anything is.
 * value: what has been read there. */
uint32_t operation_do(const struct operation *op, struct guest *g, uint32_t value);
