/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawn programs and configurations of the PMU, for memo.c. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "check/unit/tap.h"
#include "model/cpu/cpu.h"
#include "model/cpu/state.h"
#include "model/profiles/profiles.h"

static struct silicon *const cpu = &silicon_cpu;

/* ---- chance ---- */

static uint32_t chance;

static uint32_t draw(uint32_t limit)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return (uint32_t)((uint64_t)chance * limit >> 32);
}

/* ---- a program ---- */

enum { BLOCKS = 96, CODE = 10 };

/* In 64-bit mode; the last ones are branches, ahead of them one that shall be rare. */
static const uint8_t codes[][CODE] = {
	{1, 0x90}, /* NOP */
	{3, 0x48, 0x01, 0xd8}, /* ADD RAX, RBX */
	{3, 0x48, 0xff, 0xc1}, /* INC RCX */
	{3, 0x48, 0x89, 0xc2}, /* MOV RDX, RAX */
	{4, 0x48, 0x8b, 0x46, 0x08}, /* MOV RAX, [RSI + 8] */
	{4, 0x48, 0x89, 0x47, 0x08}, /* MOV [RDI + 8], RAX */
	{4, 0x48, 0x01, 0x47, 0x10}, /* ADD [RDI + 16], RAX */
	{1, 0x50}, /* PUSH RAX */
	{1, 0x5b}, /* POP RBX */
	{4, 0x48, 0x0f, 0xaf, 0xc3}, /* IMUL RAX, RBX */
	{2, 0xf7, 0xf3}, /* DIV EBX */
	{3, 0x0f, 0xfc, 0xc1}, /* PADDB MM0, MM1 */
	{3, 0x0f, 0x58, 0xc1}, /* ADDPS XMM0, XMM1 */
	{2, 0xd9, 0xc0}, /* FLD ST0 */
	{3, 0x0f, 0xae, 0xe8}, /* LFENCE */
	{3, 0xf3, 0x48, 0xab}, /* REP STOSQ */
	{2, 0x75, 0x02}, /* JNE */
	{2, 0x74, 0x02}, /* JE */
	{2, 0xeb, 0x02}, /* JMP */
	{5, 0xe8, 0x10, 0x00, 0x00, 0x00}, /* CALL */
	{1, 0xc3}, /* RET */
	{2, 0xff, 0xe0}, /* JMP RAX */
};
enum { ALL = sizeof(codes) / sizeof(codes[0]), BRANCHES = 6 };

static struct insn insns[BLOCKS][BLOCK_MOST];
static struct block blocks[BLOCKS];
static void (*spoil)(struct block *b); /* by a seeded fault; NULL: healthy */

static void draw_insn(struct insn *insn, unsigned first, unsigned count, uint64_t *address)
{
	const uint8_t *code = codes[first + draw(count)];

	insn_decode(code + 1, code[0], CODE_64, insn);
	insn->address = *address;
	*address += insn->length;
}

static void draw_block(struct block *b, struct insn *insn, uint64_t *address)
{
	b->count = 1 + draw(BLOCK_MOST - 3);
	for (unsigned i = 0; i < b->count; i++) {
		draw_insn(insn + i, 0, ALL - BRANCHES - (draw(16) != 0), address);
		b->insn[i] = insn + i;
	}
	if (draw(8))
		draw_insn(insn + b->count - 1, ALL - BRANCHES, BRANCHES, address);
	silicon_block(b);
	if (spoil)
		spoil(b);
}

static void draw_program(void)
{
	uint64_t address = 0x401000;

	for (unsigned i = 0; i < BLOCKS; i++)
		draw_block(&blocks[i], insns[i], &address);
}

/* ---- what the program does to the PMU ---- */

/* One of bits, by chance; 0: there is none. */
static uint64_t draw_bit(uint64_t bits)
{
	unsigned count = 0;

	for (uint64_t left = bits; left; left &= left - 1)
		count++;
	for (unsigned n = count ? draw(count) : 0; n; n--)
		bits &= bits - 1;
	return bits & -bits;
}

static unsigned wildness; /* of a specimen's configurations, 0 to 3 */

/* Bits of a select register by which it looks at edges: of a CCCR, or of all others. */
static uint64_t draw_edge(void)
{
	if (cpu->profile->bit & MODEL_NETBURST)
		return BIT(24) | BIT(18) | draw(3) << 20 | draw(2) << 19;
	return BIT(18) | draw(3) << 24 | draw(2) << 23;
}

/* A register's usual setting, perhaps with some bits of chance. */
static uint64_t draw_control(const struct pmu_register *reg)
{
	uint64_t value = reg->runs | (reg->counter >= 0 && draw(2) ? reg->interrupts : 0);

	if (reg->reg.kind == CORE_SELECT && !draw(8))
		value |= draw_edge();
	if (draw(64) < wildness * 12)
		for (unsigned n = 1 + draw(3); n; n--)
			value ^= draw_bit(reg->bits);
	return draw(16) ? value : 0;
}

static uint64_t draw_count(const struct pmu_register *reg)
{
	uint64_t before = draw(2) ? draw(300) : draw(20000);

	return draw(4) ? before : -before & reg->bits;
}

static bool watches; /* the specimen's configurations may watch the hierarchy, as TC_ESCRs do */

static void write_one(const struct pmu_register *reg)
{
	if (!watches && (reg->address & ~1u) == 0x3c0)
		return;
	silicon_wrmsr(cpu, reg->address, reg->cells ? draw_count(reg) : draw_control(reg));
}

static void configure(void)
{
	struct pmu_register reg;

	for (unsigned i = 0; cpu->ops->register_at(cpu->settled.pmu, i, &reg); i++)
		if (draw(4))
			write_one(&reg);
}

static void write_some(void)
{
	struct pmu_register reg;
	unsigned count = 0;

	while (cpu->ops->register_at(cpu->settled.pmu, count, &reg))
		count++;
	cpu->ops->register_at(cpu->settled.pmu, draw(count), &reg);
	write_one(&reg);
}

/* Records of events and of branches, and freezing, as far as there is any. */
static void write_special(void)
{
	static const struct {
		uint32_t msr;
		uint64_t bits;
	} specials[] = {{0x3f1, 0xf}, {0x3f1, UINT64_C(0x3000001)}, {0x1d9, 1}, {0x1d9, 0x1800}};
	unsigned i = draw(4);

	silicon_wrmsr(cpu, specials[i].msr, draw(2) ? specials[i].bits : 0);
}

static void read_some(void)
{
	static const uint32_t msrs[] = {0xc1,  0x309, 0x38e,      0x300,
					0x30c, 0x36c, 0xc0010004, 0xc0000300};
	uint64_t value;

	silicon_rdmsr(cpu, msrs[draw(sizeof(msrs) / sizeof(msrs[0]))], &value);
	silicon_rdpmc(cpu, draw(18), 0, true, &value);
}
