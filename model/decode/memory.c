/* SPDX-License-Identifier: BSD-2-Clause */
/* Which memory an instruction accesses, and how, by its bytes. */
#include "decode.h"

/* Opcodes of the one-byte and two-byte maps whose operand is a byte. */
static bool is_byte(const struct decoder *d)
{
	uint8_t op = d->opcode;

	if (d->map == MAP_TWO)
		return (op & 0xf0) == 0x90 || op == 0xb0 || op == 0xb6 || op == 0xbe || op == 0xc0;
	return !(op & 1) && (op < 0x40 || (op >= 0x80 && op <= 0x8a) || (op & 0xf0) == 0xa0 ||
			     op == 0xc0 || op == 0xc6 || op >= 0xd0);
}

static bool is_vector(const struct decoder *d)
{
	uint8_t op = d->opcode;

	return d->map == MAP_TWO && ((op >= 0x10 && op <= 0x2f) || (op >= 0x50 && op <= 0x7f) ||
				     op == 0xc2 || op == 0xc6 || op >= 0xd0);
}

/* NTA, T0, T1 and T2: of the line that has this byte. */
static bool is_prefetch(const struct decoder *d)
{
	return d->map == MAP_TWO && d->opcode == 0x18 && d->memory && (d->reg & 7) < 4;
}

static unsigned width_of(const struct decoder *d)
{
	if (is_prefetch(d))
		return 1;
	if (is_vector(d))
		return decode_is_mmx(d) ? 8 : 16;
	return is_byte(d) ? 1 : d->rex & 8 ? 8 : d->operand16 ? 2 : 4;
}

static bool is_non_temporal(const struct decoder *d)
{
	return d->memory && (d->opcode == 0xc3 || d->opcode == 0xe7 || d->opcode == 0x2b);
}

static enum memory_kind kind_of_two_byte(const struct decoder *d, const struct insn *insn)
{
	unsigned reg = d->reg & 7;

	if (d->opcode == 0xae && reg == 7)
		return d->memory ? MEMORY_FLUSH : MEMORY_FENCE;
	if (d->opcode == 0xae && reg == 6 && !d->memory)
		return MEMORY_FENCE;
	if (is_prefetch(d))
		return MEMORY_PREFETCH;
	if (d->opcode == 0x01 && reg == 7 && d->memory)
		return MEMORY_FORGET;
	if (is_non_temporal(d))
		return MEMORY_STREAM;
	return insn->stores ? MEMORY_STORE : insn->loads ? MEMORY_LOAD : MEMORY_NONE;
}

static enum forgets forgets_of(const struct decoder *d)
{
	if (d->vex || d->map != MAP_TWO)
		return FORGETS_NOTHING;
	if (d->opcode == 0x08 || d->opcode == 0x09) /* INVD, WBINVD */
		return FORGETS_LINES;
	return d->opcode == 0x22 && (d->reg & 7) == 3 ? FORGETS_PAGES /* MOV CR3 */
						      : FORGETS_NOTHING;
}

/* Strings too.  VEX and what only uses the stack are left out. */
void insn_find_memory(const struct decoder *d, struct insn *insn)
{
	bool hints = d->map == MAP_TWO && d->opcode >= 0x18 && d->opcode <= 0x1f && !is_prefetch(d);
	bool string = d->map == MAP_ONE && d->opcode >= 0xa4 && d->opcode <= 0xaf && !d->has_modrm;

	insn->memory = MEMORY_NONE;
	insn->forgets = forgets_of(d);
	if (d->vex || d->map > MAP_TWO || hints)
		return;
	if (d->map == MAP_TWO)
		insn->memory = kind_of_two_byte(d, insn);
	else if (d->memory || string)
		insn->memory = insn->stores  ? MEMORY_STORE
			       : insn->loads ? MEMORY_LOAD
					     : MEMORY_NONE;
	insn->string = string;
	insn->width = (uint8_t)width_of(d);
	/* XCHG locks by itself. */
	insn->locked = insn->memory == MEMORY_STORE &&
		       (d->lock || (d->map == MAP_ONE && (d->opcode | 1) == 0x87));
}
