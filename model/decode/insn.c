/* SPDX-License-Identifier: BSD-2-Clause */
/* An instruction, by its bytes: its class and the facts that the pipeline needs. */
#include "decode.h"

/*
 * Accesses to memory, sixteen opcodes per row: l load, s store, x both, 2 two loads, . none.  An
 * opcode with a ModRM byte makes them in its memory form only.
 */
static const char one_byte_access[] = "xxll..slxxll..s." /* 0 */
				      "xxll..slxxll..sl" /* 1 */
				      "xxll....xxll...." /* 2 */
				      "xxll....llll...." /* 3 */
				      "................" /* 4 */
				      "ssssssssllllllll" /* 5 */
				      "sl2l....slslssll" /* 6 */
				      "................" /* 7 */
				      "xx.xllxxsslls.lx" /* 8 */
				      "..........s.sl.." /* 9 */
				      "llssxx22..ssllll" /* A */
				      "................" /* B */
				      "xxllllssslll...l" /* C */
				      "xxxx...lllllllll" /* D */
				      "........s......." /* E */
				      "......xx......xx"; /* F */

static const char two_byte_access[] = "..ll...........l" /* 0 */
				      "lslsllls........" /* 1 */
				      "........lslsllll" /* 2 */
				      "................" /* 3 */
				      "llllllllllllllll" /* 4 */
				      "llllllllllllllll" /* 5 */
				      "llllllllllllllll" /* 6 */
				      "lllllll.llllllss" /* 7 */
				      "................" /* 8 */
				      "ssssssssssssssss" /* 9 */
				      "sl.lxx..sl.xxxll" /* A */
				      "xxlxllllllxxllll" /* B */
				      "xxlsl.lx........" /* C */
				      "llllllslllllllll" /* D */
				      "lllllllsllllllll" /* E */
				      "llllllllllllllll"; /* F */

/* ModRM.reg of the groups, where it says more than the opcode: stores of the x87 opcodes D8-DF. */
static const uint8_t x87_stores[8] = {0x00, 0xcc, 0x00, 0x8e, 0x00, 0xce, 0x00, 0xce};

static char access_of_group(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	switch (d->opcode) {
	case 0x80:
	case 0x81:
	case 0x82:
	case 0x83:
		return reg == 7 ? 'l' : 'x';
	case 0xf6:
	case 0xf7:
		return reg == 2 || reg == 3 ? 'x' : 'l';
	case 0xff: /* INC, DEC, CALL and PUSH store too; JMP only loads */
		return reg == 4 || reg == 5 ? 'l' : 'x';
	default:
		return one_byte_access[d->opcode];
	}
}

static char access_of_two_byte(const struct decoder *d)
{
	if (d->has_modrm && !d->memory)
		return '.';
	if (d->opcode == 0x7e && d->f3) /* MOVQ to an XMM register */
		return 'l';
	if (d->opcode == 0xba && (d->reg & 7) == 4) /* BT: BTS, BTR and BTC store */
		return 'l';
	return two_byte_access[d->opcode];
}

static char access_of(const struct decoder *d)
{
	if (d->map == MAP_0F38 || d->map == MAP_0F3A)
		return d->memory ? 'l' : '.';
	if (d->map == MAP_TWO)
		return access_of_two_byte(d);
	/* CALL r, PUSH r and POP r by ModRM still use the stack. */
	if (d->has_modrm && !d->memory) {
		if (d->opcode == 0xff && ((d->reg & 7) == 2 || (d->reg & 7) == 6))
			return 's';
		return d->opcode == 0x8f ? 'l' : '.';
	}
	if (d->opcode >= 0xd8 && d->opcode <= 0xdf)
		return x87_stores[d->opcode - 0xd8] >> (d->reg & 7) & 1 ? 's' : 'l';
	return access_of_group(d);
}

static void find_accesses(const struct decoder *d, struct insn *insn)
{
	char access = access_of(d);

	insn->loads = access == '2' ? 2 : access == 'l' || access == 'x';
	insn->stores = access == 's' || access == 'x';
	/* A read-modify-write and what moves memory to memory take one micro-op for each. */
	insn->uops = insn->loads + insn->stores > 1 ? 2 : 1;
}

/* ---- classes ---- */

static enum insn_class class_of_ff(unsigned reg)
{
	static const enum insn_class classes[8] = {
		INSN_PLAIN, INSN_PLAIN, INSN_CALL,  INSN_FAR,
		INSN_JMP,   INSN_FAR,   INSN_PLAIN, INSN_PLAIN,
	};

	return classes[reg];
}

static enum insn_class class_of_one_byte(const struct decoder *d)
{
	uint8_t op = d->opcode;

	if ((op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3))
		return INSN_JCC;
	if ((op >= 0x6c && op <= 0x6f) || (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf))
		return d->f2 || d->f3 ? INSN_REP_STRING : INSN_PLAIN;
	switch (op) {
	case 0x17: /* POP SS */
		return INSN_MOV_SS;
	case 0x8e:
		return (d->reg & 7) == 2 ? INSN_MOV_SS : INSN_PLAIN;
	case 0x9a: /* far CALL and JMP */
	case 0xea:
		return INSN_FAR;
	case 0x9c:
		return INSN_PUSHF;
	case 0x9d:
		return INSN_POPF;
	case 0xc2:
	case 0xc3:
		return INSN_RET;
	case 0xca:
	case 0xcb:
	case 0xcf:
		return INSN_FAR;
	case 0xcc:
	case 0xcd:
	case 0xf1:
		return INSN_INT;
	case 0xe8:
		return INSN_CALL;
	case 0xe9:
	case 0xeb:
		return INSN_JMP;
	case 0xf4:
		return INSN_HLT;
	case 0xfb:
		return INSN_STI;
	case 0xff:
		return class_of_ff(d->reg & 7);
	default:
		return INSN_PLAIN;
	}
}

static enum insn_class class_of(const struct decoder *d)
{
	if (d->vex || d->map == MAP_0F38 || d->map == MAP_0F3A)
		return INSN_PLAIN;
	if (d->map == MAP_ONE)
		return class_of_one_byte(d);
	if (d->opcode >= 0x80 && d->opcode <= 0x8f)
		return INSN_JCC;
	if (d->opcode == 0x05 || d->opcode == 0x34) /* SYSCALL, SYSENTER */
		return INSN_SYSCALL;
	if (d->opcode == 0x07 || d->opcode == 0x35)
		return INSN_SYSRET;
	return INSN_PLAIN;
}

static bool is_serializing(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	if (d->vex || d->map != MAP_TWO)
		return d->map == MAP_ONE && d->opcode == 0xcf; /* IRET */
	switch (d->opcode) {
	case 0x01: /* LGDT, LIDT, LMSW, INVLPG */
		return d->memory && (reg == 2 || reg == 3 || reg == 6 || reg == 7);
	case 0x08: /* INVD, WBINVD, WRMSR, CPUID, RSM */
	case 0x09:
	case 0x30:
	case 0xa2:
	case 0xaa:
		return true;
	case 0x22: /* MOV to CR, to DR */
	case 0x23:
		return true;
	case 0xae: /* LFENCE, MFENCE */
		return !d->memory && (reg == 5 || reg == 6);
	default:
		return false;
	}
}

static bool is_long(const struct decoder *d)
{
	if (d->vex)
		return false;
	if (d->map == MAP_TWO)
		return d->opcode == 0xaf;
	if (d->map != MAP_ONE)
		return false;
	if (d->opcode == 0xf6 || d->opcode == 0xf7)
		return (d->reg & 7) >= 4;
	return d->opcode == 0x69 || d->opcode == 0x6b;
}

/* ---- sub-events ---- */

bool decode_is_mmx(const struct decoder *d)
{
	uint8_t op = d->opcode;

	if (d->vex || d->map != MAP_TWO)
		return false;
	if (op == 0x0e || op == 0x0f)
		return true;
	if (d->operand16 || d->f2 || d->f3)
		return false;
	return (op >= 0x60 && op <= 0x77 && op != 0x6c && op != 0x6d) || op == 0x7e || op == 0x7f ||
	       (op >= 0xd1 && op <= 0xfe && op != 0xd6 && op != 0xe6 && op != 0xf0);
}

/* Comparisons and moves are of no type. */
static unsigned mmx_type(uint8_t op)
{
	static const struct {
		uint8_t first, last, type;
	} types[] = {
		{0xd5, 0xd5, MMX_MULTIPLY},   {0xe5, 0xe5, MMX_MULTIPLY},
		{0xf5, 0xf5, MMX_MULTIPLY},   {0x71, 0x73, MMX_SHIFT},
		{0xd1, 0xd3, MMX_SHIFT},      {0xe1, 0xe2, MMX_SHIFT},
		{0xf1, 0xf3, MMX_SHIFT},      {0x63, 0x63, MMX_PACK},
		{0x67, 0x67, MMX_PACK},       {0x6b, 0x6b, MMX_PACK},
		{0x60, 0x62, MMX_UNPACK},     {0x68, 0x6a, MMX_UNPACK},
		{0xdb, 0xdb, MMX_LOGICAL},    {0xdf, 0xdf, MMX_LOGICAL},
		{0xeb, 0xeb, MMX_LOGICAL},    {0xef, 0xef, MMX_LOGICAL},
		{0xd8, 0xd9, MMX_ARITHMETIC}, {0xdc, 0xdd, MMX_ARITHMETIC},
		{0xe8, 0xe9, MMX_ARITHMETIC}, {0xec, 0xed, MMX_ARITHMETIC},
		{0xf8, 0xfa, MMX_ARITHMETIC}, {0xfc, 0xfe, MMX_ARITHMETIC},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (op >= types[i].first && op <= types[i].last)
			return SUB_MMX_TYPE(types[i].type);
	return 0;
}

/* The rest of the two-byte opcodes on XMM registers, without those that have a VEX prefix. */
static bool is_sse(const struct decoder *d)
{
	uint8_t op = d->opcode;

	return (op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) ||
	       (op >= 0x50 && op <= 0x7f) || op == 0xc2 || (op >= 0xc4 && op <= 0xc6) ||
	       (op >= 0xd0 && op <= 0xfe);
}

static unsigned sub_event_of_one_byte(const struct decoder *d)
{
	switch (d->opcode) {
	case 0x07: /* POP ES, LES */
	case 0xc4:
		return SUB_SEGMENT(0);
	case 0x17: /* POP SS */
		return SUB_SEGMENT(2);
	case 0x1f: /* POP DS, LDS */
	case 0xc5:
		return SUB_SEGMENT(3);
	case 0x8e:
		return SUB_SEGMENT(d->reg & 7);
	case 0x9a: /* far CALL, JMP and RET */
	case 0xea:
	case 0xca:
	case 0xcb:
		return SUB_SEGMENT(1);
	case 0xcf: /* IRET */
		return SUB_SEGMENT(1) | SUB_SEGMENT(2);
	case 0xff:
		return class_of_ff(d->reg & 7) == INSN_FAR ? SUB_SEGMENT(1) : 0;
	default:
		return d->opcode >= 0xd8 && d->opcode <= 0xdf ? SUB_X87 : 0;
	}
}

static unsigned sub_event_of(const struct decoder *d)
{
	if (decode_is_mmx(d))
		return SUB_MMX | mmx_type(d->opcode);
	if (d->vex || d->map > MAP_TWO)
		return 0;
	if (d->map == MAP_ONE)
		return sub_event_of_one_byte(d);
	if (is_sse(d))
		return SUB_SSE;
	switch (d->opcode) {
	case 0xb2: /* LSS */
		return SUB_SEGMENT(2);
	case 0xa1: /* POP FS, LFS */
	case 0xb4:
		return SUB_SEGMENT(4);
	case 0xa9: /* POP GS, LGS */
	case 0xb5:
		return SUB_SEGMENT(5);
	default:
		return 0;
	}
}

/* V. Weaver, D. Terpstra, S. Moore, "Non-determinism and overcount on modern hardware performance
 * counter implementations", ISPASS 2013, and its longer version: Retired Instruction Overcount. */
static bool counts_twice(const struct decoder *d)
{
	unsigned reg = d->reg & 7;

	if (d->vex || d->map > MAP_TWO)
		return false;
	if (d->map == MAP_ONE) /* FLDENV, FLDCW; FRSTOR */
		return d->memory && ((d->opcode == 0xd9 && (reg == 4 || reg == 5)) ||
				     (d->opcode == 0xdd && reg == 4));
	switch (d->opcode) {
	case 0x2c: /* CVTTPD2PI, CVTPD2PI */
	case 0x2d:
		return d->operand16 && d->memory && !d->f2 && !d->f3;
	case 0x77: /* EMMS */
		return true;
	case 0xae: /* MFENCE, SFENCE */
		return !d->memory && (reg == 6 || reg == 7);
	case 0xf7: /* MASKMOVQ */
		return decode_is_mmx(d);
	default:
		return false;
	}
}

/* ADD, OR, AND, SUB, XOR, CMP, TEST, INC and DEC. */
static bool sets_flags(const struct decoder *d)
{
	const unsigned reg = d->reg & 7;

	if (d->map != MAP_ONE)
		return false;
	switch (d->opcode) {
	case 0x80 ... 0x83:
		return reg != 2 && reg != 3; /* ADC, SBB */
	case 0x84:
	case 0x85:
	case 0xa8:
	case 0xa9:
		return true;
	case 0xf6:
	case 0xf7:
	case 0xfe:
	case 0xff:
		return reg < 2;
	case 0x40 ... 0x4f:
		return d->size != CODE_64;
	default:
		return d->opcode < 0x40 && (d->opcode & 7) < 6 && d->opcode >> 3 != 2 &&
		       d->opcode >> 3 != 3;
	}
}

void insn_decode(const uint8_t *bytes, unsigned available, enum code_size size, struct insn *insn)
{
	struct decoder d;

	*insn = (struct insn){.uops = 1};
	decode_raw(&d, bytes, available, size);
	if (d.cut || !d.valid)
		return;
	insn->length = (uint8_t)d.at;
	insn->class = class_of(&d);
	insn->address_prefix = d.address_prefix;
	insn->serializing = is_serializing(&d);
	insn->long_latency = is_long(&d);
	insn->sub_event = sub_event_of(&d) | (counts_twice(&d) ? SUB_TWICE : 0);
	insn->compute = compute_of(&d);
	insn->additions = (uint8_t)additions_of(&d);
	insn->fuses = sets_flags(&d);
	insn->indirect = d.opcode == 0xff && (insn->class == INSN_CALL || insn->class == INSN_JMP);
	find_accesses(&d, insn);
	insn_find_memory(&d, insn);
	insn_find_registers(&d, insn);
}
