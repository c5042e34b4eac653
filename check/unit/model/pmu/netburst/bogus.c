/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst events on what lay on a mispredicted path: ready register values, the discarding rules.
 */
#include "processor.h"

static const uint8_t load[] = {0x48, 0x8b, 0x03}; /* mov rax, [rbx] */
static const uint8_t jnz[] = {0x75, 0xfe};
static const uint8_t jump[] = {0xeb, 0};

static bool discard(const uint8_t *code, unsigned size)
{
	struct insn insn;

	insn_decode(code, size, CODE_64, &insn);
	return silicon_discard(cpu, &insn);
}

#define DISCARD(code) discard(code, sizeof(code))

/* A first branch is predicted not to be taken. */
static void mispredict(void)
{
	OK(!silicon_mispredicted(cpu));
	RUN(jnz);
	OK(silicon_mispredicted(cpu));
}

static void test_asked_for(void)
{
	reset("willamette");
	use(12, CRU_ESCR0, 0x0400020c, 0x00039000); /* instr_retired NBOGUSNTAG */
	RUN(jnz);
	OK(!silicon_mispredicted(cpu));
	reset("willamette");
	use(12, CRU_ESCR0, 0x0400080c, 0x00039000); /* BOGUSNTAG */
	mispredict();
	RUN(nop);
	OK(!silicon_mispredicted(cpu));
	RUN(jnz); /* predicted: taken as before */
	OK(!silicon_mispredicted(cpu));
}

static void test_end_of_path(void)
{
	reset("willamette");
	use(12, CRU_ESCR0, 0x0400080c, 0x00039000);
	mispredict();
	OK(DISCARD(nop) && DISCARD(load));
	OK(!DISCARD(jump) && !DISCARD(cpuid) && !discard(load, 1));
	OK(count(12) == 2);
}

static void test_instructions(void)
{
	reset("prescott");
	use(12, CRU_ESCR0, 0x04001e0c, 0x00039000); /* instr_retired, all four */
	use(14, CRU_ESCR1, 0x0400060c, 0x00039000); /* those that retire */
	write(RAT_ESCR0, 0x0400040c); /* uop_type TAGLOADS */
	mispredict();
	DISCARD(nop);
	DISCARD(load);
	RUN(load);
	OK(count(12) == 4 && count(14) == 2);
	write(CRU_ESCR0, 0x0400080c); /* BOGUSNTAG */
	write(CRU_ESCR1, 0x0400100c); /* BOGUSTAG */
	DISCARD(load);
	DISCARD(nop);
	DISCARD(load);
	OK(count(12) == 5 && count(14) == 4);
	write(CRU_ESCR0, 0x0e00040c); /* instr_completed BOGUS */
	write(CRU_ESCR1, 0x0200040c); /* uops_retired BOGUS */
	DISCARD(load);
	RUN(load);
	OK(count(12) == 6 && count(14) == 6);
}

static void test_tags(void)
{
	reset("northwood");
	use(12, CRU_ESCR2, 0x1000040c, 0x0003b000); /* front_end_event BOGUS */
	use(14, CRU_ESCR3, 0x1800800c, 0x0003b000); /* execution_event BOGUS2 */
	write(RAT_ESCR0, 0x0400040c);
	use(8, FIRM_ESCR0, 0x0501009c, 0x00033000); /* 64bit_MMX_uop, tag value 4 */
	DISCARD(load);
	DISCARD(paddb);
	RUN(load);
	RUN(paddb);
	OK(count(12) == 1 && count(14) == 1);
	write(CRU_ESCR3, 0x1801000c); /* BOGUS3 */
	DISCARD(paddb);
	OK(count(14) == 1);
}

/* Clocks pass, and nothing else counts. */
static void test_clocks(void)
{
	reset("willamette");
	use(12, CRU_ESCR0, 0x0400080c, 0x00039000);
	use(14, CRU_ESCR1, UOPS_RETIRED, 0x00039000);
	use(0, FSB_ESCR0, RUNNING, COUNT_FSB);
	use(8, FIRM_ESCR0, 0x0501000c, 0x00033000); /* 64bit_MMX_uop */
	DISCARD(paddb);
	DISCARD(nop);
	OK(count(12) == 2 && count(14) == 0 && count(0) == 2 && count(8) == 0);
}

int main(void)
{
	test_asked_for();
	test_end_of_path();
	test_instructions();
	test_tags();
	test_clocks();
	return tap_end();
}
