/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel model against the fact sheet's worked examples: last branch records and PEBS. */
#include "bench.h"
#include "check/unit/model/memory_bench.h"

#define MSR_LBR_SELECT  UINT32_C(0x1c8)
#define MSR_LBR_TOS     UINT32_C(0x1c9)
#define MSR_FROM        UINT32_C(0x680)
#define MSR_TO          UINT32_C(0x6c0)
#define MSR_PEBS_ENABLE UINT32_C(0x3f1)
#define MSR_DATA_CFG    UINT32_C(0x3f2)
#define MSR_DS_AREA     UINT32_C(0x600)

/* ---- last branch records ---- */

static void branch_to(enum insn_class class, bool indirect, int vector, uint64_t from, uint64_t to,
		      unsigned cpl)
{
	struct branch branch = {.class = class,
				.indirect = indirect,
				.vector = vector,
				.from = from,
				.to = to,
				.cpl = cpl,
				.before = cpl};

	pmu_intel_ops.core->branched(&pmu, &branch);
}

static void jump(unsigned n)
{
	branch_to(INSN_JMP, false, -1, 0x1000 * n, 0x1000 * n + 0x100, 0);
}

static void test_ring(void)
{
	begin("core2", NULL);
	jump(9); /* not enabled */
	wr(MSR_DEBUGCTL, 1);
	OK(pmu_intel_ops.core->counting(&pmu));
	pmu.lbr_tos = 3;
	for (unsigned n = 1; n <= 6; n++)
		jump(n);
	OK(rd(0x40) == 0x5000 && rd(0x41) == 0x6000 && rd(0x42) == 0x3000 && rd(0x43) == 0x4000);
	OK(rd(0x60) == 0x5100 && rd(MSR_LBR_TOS) == 1 && !wr(MSR_LBR_TOS, 0));
	OK(rd(0x44) == ~UINT64_C(0) && rd(MSR_LBR_SELECT) == ~UINT64_C(0));

	begin("nehalem", NULL);
	wr(MSR_DEBUGCTL, 1);
	OK(wr(MSR_LBR_TOS, 15));
	jump(1);
	OK(rd(MSR_FROM) == 0x1000 && rd(MSR_TO) == 0x1100 && rd(MSR_LBR_TOS) == 0);
	OK(!wr(MSR_FROM, BIT(50)) && !wr(MSR_LBR_TOS, 16) && !wr(MSR_LBR_SELECT, BIT(9)));

	begin("p6", NULL);
	wr(MSR_DEBUGCTL, 1);
	jump(1);
	branch_to(INSN_INT, false, 14, 0x77, 0x88, 0);
	OK(rd(0x1db) == 0x77 && rd(0x1dc) == 0x88 && rd(0x1dd) == 0x77 && rd(0x1de) == 0x88);
	/* A debug exception is not recorded, and ends recording. */
	branch_to(INSN_INT, false, 1, 0x99, 0xaa, 0);
	OK(rd(0x1db) == 0x77 && rd(MSR_DEBUGCTL) == 0);
}

/* Is a branch of this kind recorded with that filter? */
static bool records(const char *model, uint64_t filter, enum insn_class class, bool indirect,
		    unsigned cpl)
{
	begin(model, NULL);
	wr(MSR_DEBUGCTL, 1);
	wr(MSR_LBR_SELECT, filter);
	branch_to(class, indirect, -1, 0x1000, 0x2000, cpl);
	return rd(MSR_LBR_TOS) == 1;
}

static void test_filter(void)
{
	OK(records("skylake", 0, INSN_JMP, false, 0) && !records("skylake", 1, INSN_JMP, false, 0));
	OK(records("skylake", 1, INSN_JMP, false, 3) && !records("skylake", 2, INSN_JMP, false, 3));
	OK(!records("skylake", BIT(2), INSN_JCC, false, 0));
	OK(!records("skylake", BIT(3), INSN_CALL, false, 0));
	OK(records("skylake", BIT(3), INSN_CALL, true, 0));
	OK(!records("skylake", BIT(4), INSN_CALL, true, 0));
	OK(!records("skylake", BIT(5), INSN_RET, false, 0));
	OK(!records("skylake", BIT(6), INSN_JMP, true, 0));
	OK(!records("skylake", BIT(7), INSN_JMP, false, 0));
	OK(!records("skylake", BIT(8), INSN_SYSCALL, false, 0));
	/* Calls and returns pass the filter of jumps, but not on Nehalem. */
	OK(records("sandybridge", BIT(7), INSN_CALL, false, 0));
	OK(!records("nehalem", BIT(7), INSN_CALL, false, 0));
	OK(!records("nehalem", BIT(6), INSN_RET, false, 0));
}

static void test_call_stack(void)
{
	begin("skylake", NULL);
	wr(MSR_DEBUGCTL, 1);
	OK(wr(MSR_LBR_SELECT, BIT(9) | FIELD(8, 6) | BIT(2)));
	branch_to(INSN_CALL, false, -1, 0x1000, 0x2000, 0);
	branch_to(INSN_CALL, false, -1, 0x2000, 0x3000, 0);
	branch_to(INSN_CALL, false, -1, 0x3000, 0x3005, 0);
	branch_to(INSN_RET, false, -1, 0x3000, 0x2005, 0);
	OK(rd(MSR_LBR_TOS) == 1 && rd(MSR_FROM + 1) == 0x1000 && rd(MSR_FROM + 2) == 0);
}

/* ---- PEBS ---- */

/* n branches at 0x1000, 0x1001, ..., one in a clock; returns the interrupt requests. */
static unsigned instructions(unsigned n)
{
	static uint8_t vectors[256];
	struct machine machine = {
		.read = read_memory,
		.write = write_memory,
		.after.flags = 0x202,
		.operand = 0xabcd,
		.has_operand = true,
		.xmm = vectors,
		.tsc = 99,
	};
	struct clock clock = {
		.n = {[SIGNAL_CYCLES] = 1, [SIGNAL_INSTRUCTIONS] = 1, [SIGNAL_BRANCHES] = 1}};
	unsigned requests = 0;
	static uint64_t ip;

	for (unsigned i = 0; i < 16; i++)
		machine.after.gpr[i] = 0x100 + i;
	for (unsigned i = 0; i < sizeof(vectors); i++)
		vectors[i] = (uint8_t)i;
	for (ip = n ? ip : 0x1000; n; n--, ip++) {
		requests += pmu_intel_ops.core->clock(&pmu, &clock);
		machine.before.ip = ip;
		machine.after.ip = ip + 1;
		if (((const struct core_pmu *)&pmu)->wants_assist)
			requests += pmu_intel_ops.core->assist(&pmu, &machine);
	}
	return requests;
}

static void sample(const char *model, unsigned ctr, uint64_t select, uint64_t size)
{
	begin(model, NULL);
	fill_area(BUFFER + 2 * size, BUFFER + 4 * size, (uint64_t)-5);
	instructions(0);
	wr(MSR_DS_AREA, BASE);
	wr(MSR_PMC + ctr, (uint32_t)-5);
	wr(MSR_EVTSEL + ctr, select);
	wr(MSR_PEBS_ENABLE, BIT(ctr));
	wr(MSR_GLOBAL_CTRL, BIT(ctr));
}

static void test_period(void)
{
	const uint64_t size = 0xb0, minus5 = UINT64_C(0xfffffffffffb);

	sample("sandybridge", 0, 0x4300c0, size);
	OK(instructions(5) == 0 && INDEX == BUFFER && rd(MSR_PMC) == 0);
	OK(instructions(1) == 0 && INDEX == BUFFER + size && rd(MSR_PMC) == minus5);
	OK(rd(MSR_STATUS) == 0 && word_at(BUFFER + 8) == 0x1006);
	OK(word_at(BUFFER + 0x90) == 1);
	OK(instructions(5) == 0 && instructions(1) == 1 && rd(MSR_STATUS) == STATUS_OVF_BUFFER);
	OK(INDEX == BUFFER + 2 * size && instructions(12) == 2 && INDEX == BUFFER + 4 * size);
	OK(instructions(6) == 0 && INDEX == BUFFER + 4 * size);
}

static void test_precise_distribution(void)
{
	const uint64_t size = 0xc8, minus4 = UINT64_C(0xfffffffffffc);

	sample("skylake", 1, 0x4301c0, size);
	OK(instructions(5) == 0 && INDEX == BUFFER + size);
	OK(word_at(BUFFER + 0xb0) == 0x1004 && word_at(BUFFER + 8) == 0x1005);
	OK(word_at(BUFFER + 0x90) == 2 && word_at(BUFFER + 0xc0) == 99);
	OK(word_at(BUFFER) == 0x202 && word_at(BUFFER + 0x10) == 0x100);
	OK(word_at(BUFFER + 0x18) == 0x103 && word_at(BUFFER + 0x48) == 0x104);
	OK(instructions(1) == 0 && rd(MSR_PMC + 1) == minus4);
	OK(instructions(4) == 1 && instructions(5) == 1 && instructions(5) == 1);
	OK(INDEX == BUFFER + 4 * size && instructions(5) == 0 && INDEX == BUFFER + 4 * size);
}

static void test_adaptive(void)
{
	const uint64_t gprs = 32 + 144, lbrs = 32 + 24 * 4;

	sample("icelake", 2, 0x4300c0 | SELECT_ADAPTIVE, gprs);
	OK(wr(MSR_DATA_CFG, 2) && instructions(6) == 0 && INDEX == BUFFER + gprs);
	OK(word_at(BUFFER) == (gprs << 48 | 2) && word_at(BUFFER + 8) == 0x1005);
	OK(word_at(BUFFER + 0x10) == 4 && word_at(BUFFER + 0x20) == 0x202);
	OK(word_at(BUFFER + 0x28) == 0x1006 && word_at(BUFFER + 0x38) == 0x101);
	sample("icelake", 2, 0x4300c0 | SELECT_ADAPTIVE, lbrs);
	wr(MSR_DEBUGCTL, 1);
	jump(1);
	OK(wr(MSR_DATA_CFG, 0x03000008) && instructions(6) == 0 && INDEX == BUFFER + lbrs);
	OK(word_at(BUFFER + 0x20) == 0x1000 && word_at(BUFFER + 0x28) == 0x1100);
	/* Memory, general and vector registers. */
	sample("icelake", 2, 0x4300c0 | SELECT_ADAPTIVE, 464);
	OK(wr(MSR_DATA_CFG, 7) && instructions(6) == 0 && INDEX == BUFFER + 464);
	OK(word_at(BUFFER) == (UINT64_C(464) << 48 | 7) && word_at(BUFFER + 0x20) == 0xabcd);
	OK(word_at(BUFFER + 0x40) == 0x202 && word_at(BUFFER + 0xd0) == 0x0706050403020100);
	OK(word_at(BUFFER + 0x1c8) == 0xfffefdfcfbfaf9f8);
	/* Not adaptive: the basic group alone. */
	sample("icelake", 2, 0x4300c0, 32);
	OK(wr(MSR_DATA_CFG, 2) && instructions(6) == 0 && INDEX == BUFFER + 32);
	OK(word_at(BUFFER) == UINT64_C(32) << 48);
}

static void test_golden_cove(void)
{
	/* Counter 0 records no instructions, and the branch that overflows it. */
	sample("goldencove", 0, 0x4300c0, 32);
	OK(instructions(20) == 0 && INDEX == BUFFER);
	sample("goldencove", 0, 0x4300c4, 32);
	OK(instructions(4) == 0 && INDEX == BUFFER);
	OK(instructions(1) == 0 && INDEX == BUFFER + 32 && word_at(BUFFER + 8) == 0x1004);
	/* Clocks are not precise; and others are late on other counters. */
	sample("goldencove", 0, 0x43003c, 32);
	OK(instructions(5) == 0 && INDEX == BUFFER);
	OK(instructions(1) == 0 && INDEX == BUFFER + 32);
	sample("goldencove", 1, 0x4300c0, 32);
	OK(instructions(5) == 0 && INDEX == BUFFER);
	OK(instructions(1) == 0 && INDEX == BUFFER + 32 && word_at(BUFFER + 8) == 0x1005);
	/* The group of branch records is of architectural ones. */
	OK(wr(MSR_DATA_CFG, 0x1f00000f) && rd(MSR_FROM) == ~UINT64_C(0) && rd(0x1500) == 0);
}

/* Is that the size of a record with these groups, of five instructions? */
static bool has_size(const char *model, uint64_t data_cfg, uint64_t size)
{
	sample(model, 2, 0x4300c0 | SELECT_ADAPTIVE, 128);
	return wr(MSR_DATA_CFG, data_cfg) && instructions(6) == 0 && INDEX == BUFFER + size &&
	       word_at(BUFFER) == (size << 48 | (data_cfg & UINT32_MAX));
}

static bool takes_groups(const char *model, uint64_t data_cfg)
{
	begin(model, NULL);
	return wr(MSR_DATA_CFG, data_cfg);
}

static void test_values(void)
{
	const uint64_t some = UINT64_C(0x0001000500000010);

	OK(has_size("lioncove", some | BIT(5), 88));
	OK(word_at(BUFFER + 0x20) == (BIT(32) | 5) && word_at(BUFFER + 0x28) == 3);
	/* Counter 2 is the one that has overflowed, and is reset afterwards. */
	OK(word_at(BUFFER + 0x30) == 0 && word_at(BUFFER + 0x38) == 1 && rd(MSR_PMC + 2) != 1);
	OK(has_size("skymont", some, 72) && has_size("lioncove", BIT(5), 64));
	sample("lioncove", 2, 0x4300c0 | SELECT_ADAPTIVE, 128);
	wr(MSR_A_PMC, UINT64_C(0x123456789abc));
	wr(MSR_FIXED, UINT64_C(0xcba987654321));
	wr(MSR_FIXED + 3, 51000);
	wr(0x329, 0x40404040);
	OK(wr(MSR_DATA_CFG, some | BIT(5)) && instructions(6) == 0);
	OK(word_at(BUFFER + 0x30) == UINT64_C(0x123456789abc));
	OK(word_at(BUFFER + 0x40) == UINT64_C(0xcba987654321));
	OK(word_at(BUFFER + 0x48) == 51000 && word_at(BUFFER + 0x50) == 0x40404040);
	/* Counters that are not there, PERF_METRICS without them, and format 4. */
	OK(takes_groups("lioncove", UINT64_C(0x000f03ff1f00003f)));
	OK(!takes_groups("lioncove", BIT(42)) && !takes_groups("lioncove", BIT(6)));
	OK(takes_groups("skymont", UINT64_C(0x007700ff1f00001f)));
	OK(!takes_groups("skymont", BIT(5)) && !takes_groups("skymont", BIT(51)));
	OK(!takes_groups("goldencove", BIT(4)) && !takes_groups("goldencove", BIT(32)));
}

/* Reset values of fixed counters lie behind 32 others. */
static void test_slots(void)
{
	const uint64_t minus9 = (uint64_t)-9;

	begin("skymont", NULL);
	fill_area(BUFFER + 128, BUFFER + 128, (uint64_t)-5);
	write_memory(NULL, BASE + 0x140, &minus9, sizeof(minus9));
	instructions(0);
	wr(MSR_DS_AREA, BASE);
	wr(MSR_FIXED, FIELD(47, 2));
	wr(MSR_FIXED_CTRL, 3);
	wr(MSR_PEBS_ENABLE, BIT(32));
	wr(MSR_GLOBAL_CTRL, BIT(32));
	OK(instructions(4) == 0 && INDEX == BUFFER + 32);
	OK(rd(MSR_FIXED) == (minus9 & FIELD(47, 0)));
}

static void test_freeze(void)
{
	sample("skylake", 0, 0x4300c0, 0xc8);
	wr(MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	OK(instructions(20) == 1 && INDEX == BUFFER + 2 * 0xc8);
	OK(rd(MSR_STATUS) == (STATUS_OVF_BUFFER | STATUS_CTR_FRZ));
	/* An event that PEBS does not take makes no record. */
	sample("skylake", 0, 0x43003c, 0xc8);
	OK(instructions(20) == 0 && INDEX == BUFFER);
	OK(!wr(MSR_PEBS_ENABLE, BIT(4)) && wr(MSR_PEBS_ENABLE, BIT(32)) &&
	   !wr(MSR_DS_AREA, BIT(50)));
}

/* Without PEBS_BASELINE its register is not there, though PEBS is. */
static void test_data_cfg(void)
{
	static const char *const without[] = {"core2",   "nehalem",   "sandybridge",
					      "haswell", "broadwell", "skylake"};

	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		begin(without[i], NULL);
		OK(wr(MSR_PEBS_ENABLE, 0) && !wr(MSR_DATA_CFG, 0));
		OK(rd(MSR_DATA_CFG) == ~UINT64_C(0));
	}
	begin("icelake", NULL);
	OK(wr(MSR_DATA_CFG, 2) && rd(MSR_DATA_CFG) == 2);
}

int main(void)
{
	test_ring();
	test_filter();
	test_call_stack();
	test_period();
	test_precise_distribution();
	test_adaptive();
	test_golden_cove();
	test_values();
	test_slots();
	test_freeze();
	test_data_cfg();
	return tap_end();
}
