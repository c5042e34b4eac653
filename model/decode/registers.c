/* SPDX-License-Identifier: BSD-2-Clause */
/* Which general registers an instruction reads and writes, by its bytes. */
#include "decode.h"

static uint16_t bit_of(int number)
{
	return (uint16_t)(number >= 0 ? 1u << number : 0);
}

/* -1: none. */
static void read(struct insn *insn, int number)
{
	insn->reads = (uint16_t)(insn->reads | bit_of(number));
}

static void written(struct insn *insn, int number)
{
	insn->writes = bit_of(number);
}

static void rm_written(const struct decoder *d, struct insn *insn)
{
	if (!d->memory)
		written(insn, (int)d->rm);
}

/* Arithmetic of rows 0-3 and what shares its operand order. */
static void find_two_operands(const struct decoder *d, struct insn *insn, bool to_rm, bool writes)
{
	read(insn, (int)d->reg);
	read(insn, d->memory ? d->base : (int)d->rm);
	if (writes && to_rm)
		rm_written(d, insn);
	else if (writes)
		written(insn, (int)d->reg);
}

/* Opcodes with ModRM and one general operand: r/m only, ModRM.reg is a part of the opcode. */
static void find_group(const struct decoder *d, struct insn *insn)
{
	unsigned reg = d->reg & 7;
	bool f6_f7 = d->opcode == 0xf6 || d->opcode == 0xf7;
	bool compares = f6_f7 ? reg < 2 : d->opcode <= 0x83 && reg == 7;

	read(insn, d->memory ? d->base : (int)d->rm);
	read(insn, d->index);
	if (f6_f7 && reg >= 4)
		written(insn, 0); /* MUL, DIV: RAX */
	else if (!compares && (d->opcode < 0xfe || reg < 2))
		rm_written(d, insn);
}

/* Loads of a register from r/m: MOV, MOVSXD, LEA, IMUL with immediate. */
static void find_load(const struct decoder *d, struct insn *insn)
{
	read(insn, d->memory ? d->base : (int)d->rm);
	read(insn, d->index);
	written(insn, (int)d->reg);
}

static void find_registers_one_byte(const struct decoder *d, struct insn *insn)
{
	uint8_t op = d->opcode;
	int low = (op & 7) | (d->rex & 1) << 3;

	if (op < 0x40 && (op & 7) < 4)
		find_two_operands(d, insn, (op & 7) < 2, op < 0x38);
	else if ((op < 0x40 && (op & 7) < 6) || op == 0xa8 || op == 0xa9) {
		read(insn, 0);
		written(insn, op < 0x38 ? 0 : -1);
	} else if ((op & 0xf0) == 0x40) { /* INC, DEC */
		read(insn, low);
		written(insn, low);
	} else if (op >= 0x50 && op <= 0x57)
		read(insn, low);
	else if ((op >= 0x58 && op <= 0x5f) || (op >= 0xb0 && op <= 0xbf))
		written(insn, low);
	else if (op >= 0x84 && op <= 0x87)
		find_two_operands(d, insn, false, op >= 0x86);
	else if (op == 0x88 || op == 0x89) {
		read(insn, (int)d->reg);
		read(insn, d->memory ? d->base : -1);
		rm_written(d, insn);
	} else if (op == 0x63 || op == 0x69 || op == 0x6b || op == 0x8a || op == 0x8b || op == 0x8d)
		find_load(d, insn);
	else if (op == 0xc6 || op == 0xc7) {
		read(insn, d->memory ? d->base : -1);
		rm_written(d, insn);
	} else if ((op >= 0x80 && op <= 0x83) || op == 0xc0 || op == 0xc1 ||
		   (op >= 0xd0 && op <= 0xd3) || op == 0xf6 || op == 0xf7 || op >= 0xfe)
		find_group(d, insn);
}

void insn_find_registers(const struct decoder *d, struct insn *insn)
{
	uint8_t op = d->opcode;

	if (d->vex)
		return;
	if (d->map == MAP_ONE)
		find_registers_one_byte(d, insn);
	else if (d->map == MAP_TWO && ((op >= 0x40 && op <= 0x4f) || op == 0xaf))
		find_two_operands(d, insn, false, true);
	else if (d->map == MAP_TWO && (op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf))
		find_load(d, insn);
	else if (d->map == MAP_TWO && op >= 0x90 && op <= 0x9f)
		rm_written(d, insn);
}
