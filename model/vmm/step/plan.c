/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: how the VMM executes an instruction itself, found out once for each that it meets. */
#include "kernel/lib/string.h"
#include "native.h"

/* A little-endian signed number of size bytes. */
static int64_t immediate(const uint8_t *at, unsigned size)
{
	int32_t wide;

	if (size == 1)
		return (int8_t)*at;
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

/* Offset of ModRM, 0: prefixes that the plan does not know. */
static unsigned modrm_offset(const struct decoder *d)
{
	unsigned segments = d->size == CODE_64 ? d->ignored + (d->segment != 0) : 0;
	unsigned at =
		(unsigned)d->operand16 + d->lock + segments + (d->rex != 0) + (d->map == MAP_TWO);

	if (d->f2 || d->f3 || d->address_prefix || (d->lock && !is_lockable(d)) ||
	    d->opcode_at != at)
		return 0;
	return at + 1;
}

static bool is_rip_relative(const struct decoder *d)
{
	return d->size == CODE_64 && d->memory && d->mod == 0 && (d->rm & 7) == 5;
}

static void plan_memory(struct plan *plan, const struct decoder *d, unsigned modrm, uint64_t rip)
{
	bool sib = d->has_modrm && (d->rm & 7) == 4;
	unsigned at = modrm + (sib ? 2 : d->has_modrm);

	plan->operand = true;
	plan->segment = d->size == CODE_64 ? d->segment : 0;
	plan->base = d->base;
	plan->index = d->index;
	plan->scale = sib ? d->bytes[modrm + 1] >> 6 : 0;
	if (d->mod == 1)
		plan->displacement = immediate(d->bytes + at, 1);
	else if (d->mod == 2 || d->base < 0)
		plan->displacement = immediate(d->bytes + at, 4);
	if (is_rip_relative(d))
		plan->displacement += (int64_t)(rip + d->at);
}

void native_end(uint8_t *behind)
{
	int32_t distance = (int32_t)(native_exit - (behind + NATIVE_END));

	*behind = 0xe9; /* JMP */
	memcpy(behind + 1, &distance, sizeof(distance));
}

/* Copies the instruction to its slot, with a jump back to the VMM behind it. */
static void fill_slot(struct plan *plan, enum plan_kind kind, const struct insn *insn,
		      const struct decoder *d)
{
	plan->slot_length = (uint8_t)native_translate(d, plan->slot);
	if (!plan->slot_length)
		return;
	plan->kind = kind;
	native_end(plan->slot + plan->slot_length);
	plan->reads = insn->loads;
	plan->writes = insn->stores;
}

/* Names the operand by its address alone, in a SIB byte without base and index, of which REX.X
 * would make one. */
static void name_operand(struct plan *plan, const struct decoder *d, unsigned modrm)
{
	enum { RM_SIB = 4, SIB_NEITHER = 0x25, REX_X = 2 };
	int32_t address = (int32_t)plan->displacement;
	uint8_t *at = plan->slot + modrm;

	if (d->rex)
		plan->slot[d->opcode_at - (d->map == MAP_TWO) - 1] &= (uint8_t)~REX_X;
	*at = (uint8_t)((*at & ~7) | RM_SIB);
	*++at = SIB_NEITHER;
	memcpy(++at, &address, sizeof(address));
	memcpy(at + sizeof(address), d->bytes + modrm + 1 + sizeof(address),
	       d->at - modrm - 1 - sizeof(address));
	native_end(plan->slot + ++plan->slot_length);
}

/* From the slot a RIP-relative operand is at another distance.  If neither this distance nor the
 * address itself has room in 32 bits (a kernel's address has), only guest mode can execute the
 * instruction: LEA takes any address, RAM or not. */
static void move_operand(struct plan *plan, const struct decoder *d, unsigned modrm)
{
	int64_t distance = plan->displacement - (int64_t)(uintptr_t)(plan->slot + d->at);
	int32_t moved = (int32_t)distance;

	memcpy(plan->slot + modrm + 1, &moved, sizeof(moved));
	if (moved == distance)
		return;
	if ((int32_t)plan->displacement == plan->displacement)
		name_operand(plan, d, modrm);
	else
		plan->kind = PLAN_STEP;
}

static void plan_string(struct plan *plan, const struct insn *insn, const struct decoder *d)
{
	bool wide = d->rex & 8;

	/* F3 and perhaps 66 and REX; with a segment prefix it would be longer. */
	if (!d->f3 || d->f2 || d->address_prefix ||
	    insn->length != 2 + (unsigned)d->operand16 + (d->rex != 0))
		return;
	fill_slot(plan, PLAN_STRING, insn, d);
	plan->scale = !(d->opcode & 1) ? 0 : wide ? 3 : d->operand16 ? 1 : 2;
}

/* The prefix 66h, F2h or F3h is part of the opcode; no other is known. */
static bool is_sse(const struct decoder *d)
{
	unsigned prefixes = (unsigned)d->operand16 + d->f2 + d->f3;
	char form = form_of(d);

	if (d->memory || prefixes > 1 || d->opcode_at != prefixes + (d->rex != 0) + 1)
		return false;
	return form == 'v' || (form == 'V' && !d->f2 && !d->f3) || (form == 'i' && d->operand16);
}

/* DIV: only of 32 and 64 bits, by a register. */
static void plan_divide(struct plan *plan, const struct insn *insn, const struct decoder *d)
{
	if (d->memory || d->operand16 || !modrm_offset(d))
		return;
	fill_slot(plan, PLAN_DIVIDE, insn, d);
	plan->base = (int)d->rm;
	plan->scale = d->rex & 8 ? 3 : 2;
}

/* MOV from a register to ES, which is segment register 0, or DS, which is 3. */
static void plan_segment(struct plan *plan, const struct decoder *d)
{
	if (d->memory || (d->reg != 0 && d->reg != 3) || !modrm_offset(d))
		return;
	plan->kind = PLAN_SEGMENT;
	plan->base = (int)d->rm;
	plan->index = (int)d->reg;
}

/* 89h and 8Bh: MOV between a register and memory. */
static void plan_move(struct plan *plan, const struct decoder *d)
{
	if (d->map != MAP_ONE || (d->opcode != 0x8b && d->opcode != 0x89) || d->operand16)
		return;
	plan->kind = d->opcode == 0x8b ? PLAN_LOAD : PLAN_STORE;
	plan->reg = (uint8_t)d->reg;
	plan->wide = d->rex & 8;
}

/* 50h to 5Fh: PUSH and POP of a register. */
static void plan_register(struct plan *plan, const struct decoder *d)
{
	plan->kind = d->opcode < 0x58 ? PLAN_PUSH : PLAN_POP;
	plan->base = (d->opcode & 7) | (d->rex & 1) << 3;
}

static bool is_of_fpu(char form)
{
	return form == 'x' || form == 'm' || form == 'h' || form == 'i';
}

static void plan_native(struct plan *plan, const struct insn *insn, const struct decoder *d,
			uint64_t rip)
{
	unsigned modrm = modrm_offset(d);
	int word = d->size == CODE_64 ? 8 : 4;
	char form = form_of(d);

	if (!modrm || !is_native(d))
		return;
	fill_slot(plan, is_of_fpu(form) ? PLAN_FPU : PLAN_NATIVE, insn, d);
	if (form == 's' || form == 'p' || form == 'l') {
		plan->base = form == 'l' ? RBP : RSP;
		plan->displacement = form == 's' ? -word : 0;
	} else if (d->memory) {
		plan_memory(plan, d, modrm, rip);
		plan_move(plan, d);
		if (is_rip_relative(d) && plan->kind == PLAN_NATIVE)
			move_operand(plan, d, modrm);
	}
}

static void plan_branch(struct plan *plan, enum plan_kind kind, const struct decoder *d,
			uint64_t rip)
{
	bool is_short = d->map == MAP_ONE && (d->opcode == 0xeb || d->opcode < 0x80);
	unsigned size = is_short ? 1 : 4;

	if (d->operand16 || !modrm_offset(d))
		return;
	plan->kind = kind;
	plan->condition = d->opcode & 0xf;
	plan->displacement = (int64_t)rip + d->at + immediate(d->bytes + d->at - size, size);
	if (d->size == CODE_32)
		plan->displacement = (uint32_t)plan->displacement;
}

/* FF /2, /4 and /6. */
static void plan_indirect(struct plan *plan, enum plan_kind kind, const struct decoder *d,
			  uint64_t rip)
{
	unsigned modrm = modrm_offset(d);

	if (d->operand16 || !modrm)
		return;
	plan->kind = kind;
	plan->base = (int)d->rm;
	plan->reads = d->memory;
	if (d->memory)
		plan_memory(plan, d, modrm, rip);
}

/* 0F 01 with a memory operand. */
static void plan_group_7(struct plan *plan, const struct decoder *d, uint64_t rip)
{
	static const enum plan_kind kinds[8] = {[0] = PLAN_SGDT, [7] = PLAN_INVLPG};

	plan->kind = kinds[d->reg & 7];
	plan->writes = plan->kind == PLAN_SGDT;
	plan_memory(plan, d, modrm_offset(d), rip);
}

/* EC to EF: IN and OUT with the port in DX. */
static void plan_port(struct plan *plan, const struct decoder *d)
{
	unsigned size = !(d->opcode & 1) ? 1 : d->operand16 ? 2 : 4;

	if (!modrm_offset(d))
		return;
	plan->kind = PLAN_PORT;
	plan->port = (uint32_t)(field_put(IOIO_SIZE, size) | (d->opcode & 2 ? 0 : IOIO_IN));
}

static void plan_one_byte(struct plan *plan, const struct insn *insn, const struct decoder *d,
			  uint64_t rip)
{
	if (d->opcode >= 0x70 && d->opcode <= 0x7f)
		plan_branch(plan, PLAN_JCC, d, rip);
	else if ((d->opcode & 0xf0) == 0x50 && !d->operand16 && modrm_offset(d))
		plan_register(plan, d);
	else if (d->opcode == 0xe8)
		plan_branch(plan, PLAN_CALL, d, rip);
	else if (d->opcode == 0xe9 || d->opcode == 0xeb)
		plan_branch(plan, PLAN_JMP, d, rip);
	else if (d->opcode == 0xc3 && !d->operand16 && modrm_offset(d))
		plan->kind = PLAN_RET;
	else if (d->opcode == 0xff && (d->reg & 7) == 2)
		plan_indirect(plan, PLAN_CALL_TO, d, rip);
	else if (d->opcode == 0xff && (d->reg & 7) == 4)
		plan_indirect(plan, PLAN_JMP_TO, d, rip);
	else if (d->opcode == 0xff && (d->reg & 7) == 6)
		plan_indirect(plan, PLAN_PUSH, d, rip);
	else if (d->opcode == 0xf7 && (d->reg & 7) == 6)
		plan_divide(plan, insn, d);
	else if (d->opcode == 0x8e)
		plan_segment(plan, d);
	else if (d->opcode == 0x9c && !d->operand16 && modrm_offset(d))
		plan->kind = PLAN_PUSHF;
	else if (d->opcode == 0x9d && !d->operand16 && modrm_offset(d))
		plan->kind = PLAN_POPF;
	else if (d->opcode == 0xcd && modrm_offset(d))
		plan->kind = PLAN_INT;
	else if (d->opcode == 0x90 && d->f3 && insn->length == 2)
		plan->kind = PLAN_PAUSE;
	else if (d->opcode == 0xfa && modrm_offset(d))
		plan->kind = PLAN_CLI;
	else if (d->opcode == 0xfb && modrm_offset(d))
		plan->kind = PLAN_STI;
	else if (d->opcode >= 0xec && d->opcode <= 0xef)
		plan_port(plan, d);
	else if (form_of(d) == 't')
		plan_string(plan, insn, d);
	else
		plan_native(plan, insn, d, rip);
}

/* ENDBR32 and ENDBR64, which are NOPs, and TZCNT of registers: what libgcc has with F3h. */
static bool is_native_with_f3(const struct decoder *d)
{
	return d->f3 && !d->memory && (d->opcode == 0x1e || d->opcode == 0xbc) &&
	       d->opcode_at == 2u + (d->rex != 0);
}

static void plan_two_byte(struct plan *plan, const struct insn *insn, const struct decoder *d,
			  uint64_t rip)
{
	if (is_sse(d))
		fill_slot(plan, PLAN_SSE, insn, d);
	else if (is_native_with_f3(d))
		fill_slot(plan, PLAN_NATIVE, insn, d);
	if (!modrm_offset(d) || is_sse(d))
		return;
	if (d->opcode >= 0x80 && d->opcode <= 0x8f)
		plan_branch(plan, PLAN_JCC, d, rip);
	else if (d->opcode == 0x01 && d->memory)
		plan_group_7(plan, d, rip);
	else if (d->opcode == 0x05 && d->size == CODE_64)
		plan->kind = PLAN_SYSCALL;
	else if (d->opcode == 0x07 && d->rex & 8)
		plan->kind = PLAN_SYSRET;
	else if (d->opcode == 0x34 && d->size == CODE_64)
		plan->kind = PLAN_SYSENTER;
	else if (d->opcode == 0x35 && d->rex & 8)
		plan->kind = PLAN_SYSEXIT;
	else if (d->opcode == 0x30)
		plan->kind = PLAN_WRMSR;
	else if (d->opcode == 0x31)
		plan->kind = PLAN_RDTSC;
	else if (d->opcode == 0x32)
		plan->kind = PLAN_RDMSR;
	else if (d->opcode == 0x33)
		plan->kind = PLAN_RDPMC;
	else if (d->opcode == 0xa2)
		plan->kind = PLAN_CPUID;
	else
		plan_native(plan, insn, d, rip);
}

void native_plan(struct plan *plan, const struct insn *insn, const uint8_t *code, uint64_t rip,
		 enum code_size size)
{
	struct decoder d;

	*plan = (struct plan){.base = -1, .index = -1, .slot = plan->slot};
	if (size == CODE_16)
		return;
	decode_raw(&d, code, insn->length, size);
	if (insn->length && d.valid && !silicon_executes(&silicon_cpu, &d))
		plan->kind = PLAN_UNDEFINED;
	if (!insn->length || !d.valid || d.vex || plan->kind == PLAN_UNDEFINED)
		return;
	if (d.map == MAP_ONE)
		plan_one_byte(plan, insn, &d, rip);
	else if (d.map == MAP_TWO)
		plan_two_byte(plan, insn, &d, rip);
	plan->straight = (plan->kind == PLAN_NATIVE || plan->kind == PLAN_FPU) &&
			 insn->memory == MEMORY_NONE && !plan->reads && !plan->writes &&
			 !is_rip_relative(&d);
	/* Where the operand is, may be asked even if only the guest mode can execute it. */
	if (plan->kind == PLAN_STEP && d.memory && modrm_offset(&d))
		plan_memory(plan, &d, modrm_offset(&d), rip);
}
