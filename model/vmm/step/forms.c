/* SPDX-License-Identifier: BSD-2-Clause */
/* Which instructions the VMM can execute itself: by opcode, and what else of them matters. */
#include "native.h"

/* n: native; r: native if its operand is a register; 1: if ModRM.reg is 0 or 1; 6: below 6; 0: 0;
 * s and p: native, pushes or pops; l: LEAVE; f: a fence or CLFLUSH; t: native with REP; x: x87,
 * if is_x87(); m: of MMX registers; i: of MMX or SSE registers; v and V: of SSE
 * registers, v with any prefix, V with 66h or none.
 */
static const char one_byte[] = "nnnnnn..nnnnnn.." /* 0 */
			       "nnnnnn..nnnnnn.." /* 1 */
			       "nnnnnn..nnnnnn.." /* 2 */
			       "nnnnnn..nnnnnn.." /* 3 */
			       "................" /* 4 */
			       "sssssssspppppppp" /* 5 */
			       "...n....snsn...." /* 6 */
			       "................" /* 7 */
			       "nn.nnnnnnnnn.n.." /* 8 */
			       "nnnnnnnnnn......" /* 9 */
			       "....tt..nntt...." /* A */
			       "nnnnnnnnnnnnnnnn" /* B */
			       "nn....00.l......" /* C */
			       "nnnn....xx.xx..." /* D */
			       "................" /* E */
			       ".....n66nn..nn11"; /* F */

static const char two_byte[] = "................" /* 0 */
			       "...............n" /* 1 */
			       "................" /* 2 */
			       "................" /* 3 */
			       "nnnnnnnnnnnnnnnn" /* 4 */
			       ".v..VVVVvvv.vvvv" /* 5 */
			       "................" /* 6 */
			       ".......m........" /* 7 */
			       "................" /* 8 */
			       "nnnnnnnnnnnnnnnn" /* 9 */
			       "...r.......r..fn" /* A */
			       "...r..nn..rrrrnn" /* B */
			       "...n....nnnnnnnn" /* C */
			       "...........m...." /* D */
			       "................" /* E */
			       "............iii."; /* F */

char form_of(const struct decoder *d)
{
	if (d->vex || d->map > MAP_TWO)
		return '.';
	return d->map == MAP_ONE ? one_byte[d->opcode] : two_byte[d->opcode];
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
	case '0':
		return reg == 0;
	case '1':
		return reg <= 1;
	case '6': /* DIV may fault */
		return reg < 6;
	case 'x':
		return is_x87(d);
	case 'm':
	case 'i':
		return !d->memory && !d->operand16;
	case 'f':
		return (d->memory ? reg == 7 : reg >= 5) && !d->operand16;
	default:
		return false;
	}
}
