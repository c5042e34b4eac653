/* SPDX-License-Identifier: BSD-2-Clause */
/* Instruction-based sampling: what a sample says of its instruction. */
#include "amd.h"

/* Clocks from completion to retirement. */
enum { COMPLETED = 9 };

static bool is_nop(const struct insn *insn)
{
	return insn->class == INSN_PLAIN && !insn->reads && !insn->writes && !insn->loads &&
	       !insn->stores;
}

static bool branches(const struct insn *insn)
{
	return insn->class >= INSN_JCC && insn->class <= INSN_SYSRET;
}

static void fill_branch(uint64_t *record, const struct machine *machine)
{
	const struct insn *insn = machine->insn;
	bool taken =
		insn->class != INSN_JCC || machine->after.ip != machine->before.ip + insn->length;

	record[OP_DATA] |= DATA_BRANCH | (taken ? DATA_TAKEN : 0);
	if (insn->class == INSN_RET)
		record[OP_DATA] |= DATA_RETURN;
	record[OP_TARGET] = machine->after.ip;
}

/* Addresses that nothing vouches for are those of an older sample. */
static void fill_operand(uint64_t *record, const struct machine *machine)
{
	struct memory_access access;

	record[OP_DATA3] |= DATA3_LINEAR;
	record[OP_LINEAR] = machine->operand;
	if (!machine->locate(machine->arg, machine->operand, &access))
		return;
	record[OP_DATA3] |= DATA3_PHYSICAL | (access.type == MEMORY_UNCACHEABLE ? DATA3_UC : 0);
	record[OP_PHYSICAL] = access.physical;
}

static void fill_miss(uint64_t *record, uint32_t latency)
{
	record[OP_DATA2] = DATA2_FROM_MEMORY;
	record[OP_DATA3] |= DATA3_DC_MISS | DATA3_L2_MISS | field_put(DATA3_LATENCY, latency);
}

void ibs_fill_op(uint64_t *record, const struct machine *machine, uint32_t latency)
{
	const struct insn *insn = machine->insn;

	record[OP_RIP] = machine->before.ip;
	record[OP_DATA] = field_put(DATA_TAG_TO_RET, IBS_IN_FLIGHT) |
			  field_put(DATA_COMP_TO_RET, is_nop(insn) ? IBS_IN_FLIGHT : COMPLETED);
	record[OP_DATA2] = 0;
	record[OP_DATA3] = (insn->loads ? DATA3_LOAD : 0) | (insn->stores ? DATA3_STORE : 0) |
			   (insn->locked ? DATA3_LOCKED : 0);
	if (latency)
		fill_miss(record, latency);
	if (branches(insn))
		fill_branch(record, machine);
	if (!machine->has_operand)
		return;
	record[OP_DATA3] |= field_put(DATA3_WIDTH, (uint64_t)__builtin_ctz(insn->width) + 1);
	fill_operand(record, machine);
}

/* The page tables are right next to it, so that there is always a translation. */
void ibs_fill_fetch(uint64_t *record, const struct machine *machine)
{
	struct memory_access access;

	record[FETCH_STATUS] = FETCH_COMP | field_put(FIELD(47, 32), COMPLETED);
	record[FETCH_LINEAR] = machine->before.ip;
	record[FETCH_EXTD] = 0;
	if (!machine->locate(machine->arg, machine->before.ip, &access))
		return;
	record[FETCH_STATUS] |= FETCH_PHYSICAL;
	record[FETCH_ADDRESS] = access.physical;
}
