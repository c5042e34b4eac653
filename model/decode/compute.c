/* SPDX-License-Identifier: BSD-2-Clause */
/* Execution units: which one's work an instruction does: x87, MMX or SSE arithmetic, and moves. */
#include "decode.h"

/* Opcodes D8-DF: bit ModRM.reg is set for arithmetic.  Loads, stores and moves are none. */
static const uint8_t x87_memory[8] = {0xff, 0x00, 0xff, 0x00, 0xff, 0x00, 0xff, 0x00};
static const uint8_t x87_register[8] = {0xff, 0xd0, 0x20, 0x60, 0xff, 0x30, 0xff, 0x60};

static bool is_x87(const struct decoder *d)
{
	const uint8_t *table = d->memory ? x87_memory : x87_register;

	return table[d->opcode & 7] >> (d->reg & 7) & 1;
}

/* FLD, and FST and FSTP, of 4, 8 and 10 bytes. */
static bool is_x87_move(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	if (d->opcode == 0xd9 || d->opcode == 0xdd)
		return reg == 0 || reg == 2 || reg == 3;
	return d->opcode == 0xdb && d->memory && (reg == 5 || reg == 7);
}

static enum compute x87_move(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	return d->memory && (reg == 0 || reg == 5) ? COMPUTE_VECTOR_LOAD : COMPUTE_VECTOR_MOVE;
}

/* MOVD and MOVQ, MOVAPS and MOVUPS, MOVNTQ and MOVNTPS, and those like them. */
static bool is_vector_move(uint8_t op)
{
	return op == 0x10 || op == 0x11 || op == 0x28 || op == 0x29 || op == 0x2b || op == 0x6e ||
	       op == 0x6f || op == 0x7e || op == 0x7f || op == 0xd6 || op == 0xe7;
}

static enum compute vector_move(const struct decoder *d)
{
	bool load = d->opcode == 0x10 || d->opcode == 0x28 || d->opcode == 0x6e ||
		    d->opcode == 0x6f || (d->opcode == 0x7e && d->f3);

	return d->memory && load ? COMPUTE_VECTOR_LOAD : COMPUTE_VECTOR_MOVE;
}

static enum compute compute_of_x87(const struct decoder *d)
{
	if (is_x87(d))
		return COMPUTE_X87;
	return is_x87_move(d) ? x87_move(d) : COMPUTE_OTHER;
}

static bool is_integer_vector(uint8_t op)
{
	return (op >= 0x60 && op <= 0x76 && op != 0x6e && op != 0x6f) ||
	       (op >= 0xd1 && op <= 0xfe && op != 0xd6 && op != 0xe6 && op != 0xe7 && op != 0xf0);
}

static bool is_float_vector(uint8_t op)
{
	return op == 0x14 || op == 0x15 || (op >= 0x51 && op <= 0x5f && op != 0x5a && op != 0x5b) ||
	       op == 0xc2 || op == 0xc6;
}

enum compute compute_of(const struct decoder *d)
{
	if (d->vex || d->map > MAP_TWO)
		return COMPUTE_OTHER;
	if (d->map == MAP_ONE)
		return (d->opcode & 0xf8) == 0xd8 ? compute_of_x87(d) : COMPUTE_OTHER;
	if (is_vector_move(d->opcode))
		return vector_move(d);
	if (is_float_vector(d->opcode))
		return d->f2          ? COMPUTE_SCALAR_DP
		       : d->f3        ? COMPUTE_SCALAR_SP
		       : d->operand16 ? COMPUTE_PACKED_DP
				      : COMPUTE_PACKED_SP;
	if (is_integer_vector(d->opcode) && !d->f2 && !d->f3)
		return d->operand16 ? COMPUTE_INTEGER_128 : COMPUTE_MMX;
	return COMPUTE_OTHER;
}

/* ADD and SUB: AMD64 APM vol. 4. */
unsigned additions_of(const struct decoder *d)
{
	static const uint8_t lanes[COMPUTES] = {
		[COMPUTE_PACKED_SP] = 4,
		[COMPUTE_PACKED_DP] = 2,
		[COMPUTE_SCALAR_SP] = 1,
		[COMPUTE_SCALAR_DP] = 1,
	};

	return d->map == MAP_TWO && (d->opcode == 0x58 || d->opcode == 0x5c) ? lanes[compute_of(d)]
									     : 0;
}
