/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions with a register of 32 bits in memory. */
#include "operate.h"

/* ---- which one ---- */

/* Of four bytes, or of one. */
static uint32_t immediate(const struct decoder *d, unsigned size)
{
	const uint8_t *at = d->bytes + d->at - size;

	if (size == 1)
		return (uint32_t)(int8_t)at[0];
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool with_immediate(const struct decoder *d, enum operate what, unsigned size,
			   struct operation *op)
{
	*op = (struct operation){.what = what, .operand = immediate(d, size)};
	return true;
}

static bool with_register(const struct guest *g, unsigned reg, enum operate what, bool to_register,
			  struct operation *op)
{
	*op = (struct operation){.what = what,
				 .to_register = to_register,
				 .reg = reg,
				 .operand = (uint32_t)guest_gpr(g, reg)};
	return true;
}

static bool is_wide(const struct decoder *d)
{
	return d->rex & 8 && (d->opcode == 0x89 || d->opcode == 0x8b);
}

bool operation_of(const struct guest *g, const struct decoder *d, struct operation *op)
{
	const enum operate group = d->reg & 7, row = d->opcode >> 3 & 7;

	if (d->cut || !d->valid || d->vex || d->map != MAP_ONE || d->operand16 ||
	    (d->rex & 8 && !is_wide(d)))
		return false;
	if (d->opcode < 0x40 && ((d->opcode & 7) == 1 || (d->opcode & 7) == 3))
		return with_register(g, d->reg, row, d->opcode & 2, op);
	switch (d->opcode) {
	case 0x81:
		return with_immediate(d, group, 4, op);
	case 0x83:
		return with_immediate(d, group, 1, op);
	case 0x85:
		return with_register(g, d->reg, OPERATE_TEST, false, op);
	case 0x87:
		return with_register(g, d->reg, OPERATE_XCHG, false, op);
	case 0x89:
	case 0x8b:
		with_register(g, d->reg, OPERATE_MOV, d->opcode & 2, op);
		op->wide = is_wide(d);
		return true;
	case 0xa1:
	case 0xa3:
		return with_register(g, RAX, OPERATE_MOV, !(d->opcode & 2), op);
	case 0xc7:
		return with_immediate(d, OPERATE_MOV, 4, op);
	case 0xf7: /* /1 is its other name */
		return group < 2 && with_immediate(d, OPERATE_TEST, 4, op);
	default:
		return false;
	}
}

bool operation_reads(const struct operation *op)
{
	return op->what != OPERATE_MOV || op->to_register;
}

bool operation_writes(const struct operation *op)
{
	return !op->to_register && op->what != OPERATE_CMP && op->what != OPERATE_TEST;
}

/* ---- what it does ---- */

/* CF, PF, AF, ZF, SF, OF. */
#define COMPUTED (BIT(0) | BIT(2) | BIT(4) | BIT(6) | BIT(7) | BIT(11))

/* CF of flags goes in, all flags come out. */
#define COMPUTE(instruction_)                                                                      \
	__asm__("bt $0, %1\n\t" instruction_ " %2, %0\n\tpushf\n\tpop %1"                          \
		: "+r"(to), "+r"(flags)                                                            \
		: "r"(from)                                                                        \
		: "cc");                                                                           \
	break

static uint32_t compute(enum operate what, uint32_t to, uint32_t from, uint64_t *rflags)
{
	uint64_t flags = *rflags;

	switch (what) {
	case OPERATE_ADD:
		COMPUTE("addl");
	case OPERATE_OR:
		COMPUTE("orl");
	case OPERATE_ADC:
		COMPUTE("adcl");
	case OPERATE_SBB:
		COMPUTE("sbbl");
	case OPERATE_AND:
		COMPUTE("andl");
	case OPERATE_SUB:
		COMPUTE("subl");
	case OPERATE_XOR:
		COMPUTE("xorl");
	case OPERATE_CMP:
		COMPUTE("cmpl");
	case OPERATE_TEST:
		COMPUTE("testl");
	default: /* MOV, XCHG: no flags */
		return from;
	}
	*rflags = (*rflags & ~COMPUTED) | (flags & COMPUTED);
	return to;
}

uint32_t operation_do(const struct operation *op, struct guest *g, uint32_t value)
{
	uint32_t to = op->to_register ? op->operand : value;
	uint32_t from = op->to_register ? value : op->operand;
	uint32_t result = compute(op->what, to, from, &g->vmcb->rflags);

	if (op->to_register && op->what != OPERATE_CMP)
		guest_set_gpr(g, op->reg, result);
	if (op->what == OPERATE_XCHG)
		guest_set_gpr(g, op->reg, value);
	return result;
}
