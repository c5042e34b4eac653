/* SPDX-License-Identifier: BSD-2-Clause */
/* Forms of instructions: by opcode and the rest, can the VMM execute one itself? */
#include "native.h"

/* n: native; r: native if its operand is a register; a: if it is in memory; w: and has
 * 32 or 64 bits; 1: if ModRM.reg is 0 or
 * 1; 4: from 4 on; 6: below 6; 0: 0; s and p: native, pushes or pops; l: LEAVE; f: a fence or
 * CLFLUSH; t: native with REP; x: x87, if is_x87(); m: of MMX registers; h: of these a shift; i: of
 * MMX or SSE registers; v and V: of SSE registers, v with any prefix, V with 66h or none.
 */
static const char one_byte[] = "nnnnnn..nnnnnn.." /* 0 */
			       "nnnnnn..nnnnnn.." /* 1 */
			       "nnnnnn..nnnnnn.." /* 2 */
			       "nnnnnn..nnnnnn.." /* 3 */
			       "................" /* 4 */
			       "sssssssspppppppp" /* 5 */
			       "...n....snsn...." /* 6 */
			       "................" /* 7 */
			       "nn.nnnnnnnnn.a.." /* 8 */
			       "nnnnnnnnnn......" /* 9 */
			       "....tt..nntt...." /* A */
			       "nnnnnnnnnnnnnnnn" /* B */
			       "nn....00.l......" /* C */
			       "nnnn....xx.xx..." /* D */
			       "................" /* E */
			       ".....n66nn..nn11"; /* F */

static const char two_byte[] = ".............a.." /* 0 */
			       "........n......n" /* 1 */
			       "................" /* 2 */
			       "................" /* 3 */
			       "nnnnnnnnnnnnnnnn" /* 4 */
			       ".v..VVVVvvv.vvvv" /* 5 */
			       "iiiiiiiiiiii...." /* 6 */
			       ".hhhiiim........" /* 7 */
			       "................" /* 8 */
			       "nnnnnnnnnnnnnnnn" /* 9 */
			       "...rnn.....rnnfn" /* A */
			       "nn.r..nn..4rrrnn" /* B */
			       "nn.w....nnnnnnnn" /* C */
			       ".iiiii..iiiiiiii" /* D */
			       "iiiiii..iiiiiiii" /* E */
			       ".iiiiii.iiiiiii."; /* F */

/* In 32-bit code ARPL stands for MOVSXD, INC and DEC for REX, and moves by address are short
 * enough.
 */
static char form_of_32(uint8_t opcode)
{
	if (opcode == 0x63)
		return '.';
	return (opcode & 0xf0) == 0x40 || (opcode & 0xfc) == 0xa0 ? 'n' : one_byte[opcode];
}

char form_of(const struct decoder *d)
{
	if (d->vex || d->map > MAP_TWO)
		return '.';
	if (d->map == MAP_TWO)
		return two_byte[d->opcode];
	return d->size == CODE_64 ? one_byte[d->opcode] : form_of_32(d->opcode);
}

/* Instructions without an operand in memory: FNOP, FLDZ and other constants, FNINIT, arithmetic. */
static bool is_x87(const struct decoder *d)
{
	unsigned reg = d->reg & 7, rm = d->rm & 7;

	if (d->memory || d->operand16)
		return false;
	switch (d->opcode) {
	case 0xd9:
		return reg == 5 ? rm < 7 : reg == 2 && rm == 0;
	case 0xdb:
		return reg == 4 && rm == 3;
	default:
		return reg < 2 || reg > 3;
	}
}

/* Shifts by an immediate number of bits: to the right, arithmetically to the right but for
 * quadwords, to the left. */
static bool is_mmx_shift(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	return reg == 2 || reg == 6 || (reg == 4 && d->opcode != 0x73);
}

bool is_native(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	switch (form_of(d)) {
	case 'n':
	case 's':
	case 'p':
	case 'l':
		return true;
	case 'r':
		return !d->memory;
	case 'a':
		return d->memory;
	case 'w':
		return d->memory && !d->operand16;
	case '0':
		return reg == 0;
	case '1':
		return reg <= 1;
	case '4':
		return reg >= 4;
	case '6': /* DIV may fault */
		return reg < 6;
	case 'x':
		return is_x87(d);
	case 'h':
		return !d->memory && !d->operand16 && is_mmx_shift(d);
	case 'm':
	case 'i':
		return !d->memory && !d->operand16;
	case 'f':
		return (d->memory ? reg == 7 : reg >= 5) && !d->operand16;
	default:
		return false;
	}
}

static bool is_lockable_of_two(uint8_t opcode, unsigned reg)
{
	switch (opcode) {
	case 0xab: /* BTS, BTR, BTC */
	case 0xb3:
	case 0xbb:
	case 0xb0: /* CMPXCHG, XADD */
	case 0xb1:
	case 0xc0:
	case 0xc1:
		return true;
	case 0xba:
		return reg >= 5;
	default:
		return false;
	}
}

bool is_lockable(const struct decoder *d)
{
	uint8_t opcode = d->opcode;
	unsigned reg = d->reg & 7;

	if (!d->memory)
		return false;
	if (d->map == MAP_TWO)
		return is_lockable_of_two(opcode, reg);
	if (opcode < 0x38) /* arithmetic but for CMP, to memory */
		return (opcode & 7) < 2;
	if (opcode >= 0x80 && opcode <= 0x83)
		return reg < 7;
	if (opcode == 0xf6 || opcode == 0xf7) /* NOT, NEG */
		return reg == 2 || reg == 3;
	if (opcode == 0xfe || opcode == 0xff) /* INC, DEC */
		return reg < 2;
	return opcode == 0x86 || opcode == 0x87; /* XCHG */
}
