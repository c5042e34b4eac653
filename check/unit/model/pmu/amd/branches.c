/* SPDX-License-Identifier: BSD-2-Clause */
/* The stack of branch records, by the worked values of its manual, and freezing. */
#include "model/pmu/amd/amd.h"
#include "model/profiles/profiles.h"

#include "check/unit/tap.h"

#define SELECT UINT32_C(0xc000010e)
#define CONFIG UINT32_C(0xc000010f)
#define FROM   UINT32_C(0xc0010300)
#define TO     UINT32_C(0xc0010301)
#define STATUS UINT32_C(0xc0000300)
#define VALID  BIT(63)

static struct pmu_amd pmu;

static void write(uint32_t msr, uint64_t value)
{
	pmu_amd_ops.wrmsr(&pmu, msr, value);
}

static uint64_t read(uint32_t msr)
{
	uint64_t value = ~UINT64_C(0);

	return pmu_amd_ops.rdmsr(&pmu, msr, &value) == ACCESS_DONE ? value : ~UINT64_C(0);
}

static void begin(const char *model)
{
	pmu_amd_ops.reset(&pmu, profile_find(model)->pmus[0].traits, NULL);
	write(CONFIG, LBR_ENABLE);
}

static void branch(enum insn_class class, uint64_t from, uint64_t to, unsigned cpl)
{
	struct branch b = {.class = class, .vector = -1, .from = from, .to = to, .cpl = cpl};

	pmu_amd_ops.core->branched(&pmu, &b);
}

static bool is(unsigned entry, uint64_t from, uint64_t to)
{
	return read(FROM + 2 * entry) == from && read(TO + 2 * entry) == (to | VALID);
}

/* 10h to 20h, 28h to 40h, 48h to 10h. */
static void three(void)
{
	branch(INSN_JMP, 0x10, 0x20, 0);
	branch(INSN_JCC, 0x28, 0x40, 0);
	branch(INSN_RET, 0x48, 0x10, 3);
}

static void test_order(void)
{
	begin("zen4");
	three();
	OK(is(0, 0x48, 0x10) && is(1, 0x28, 0x40) && is(2, 0x10, 0x20));
	OK(!read(FROM + 6) && !read(TO + 6));
	write(CONFIG, 0);
	three();
	OK(is(0, 0x48, 0x10) && is(2, 0x10, 0x20));
	write(TO, 0);
	OK(read(TO) == 0 && is(1, 0x28, 0x40));
}

static void test_depth(void)
{
	begin("zen5");
	for (unsigned i = 1; i <= AMD_LBR_DEPTH + 3; i++)
		branch(INSN_JMP, i, 0x100 + i, 0);
	OK(is(0, AMD_LBR_DEPTH + 3, 0x100 + AMD_LBR_DEPTH + 3));
	OK(is(AMD_LBR_DEPTH - 1, 4, 0x104));
	OK(read(FROM + 2 * AMD_LBR_DEPTH) == ~UINT64_C(0));
}

static unsigned kept(uint64_t select)
{
	unsigned n = 0;

	begin("zen4");
	write(SELECT, select);
	three();
	for (unsigned i = 0; i < AMD_LBR_DEPTH; i++)
		n += read(TO + 2 * i) != 0;
	return n;
}

static void test_filter(void)
{
	OK(kept(0) == 3 && kept(0x1ff) == 0);
	OK(kept(0x1f8) == 1 && is(0, 0x28, 0x40));
	OK(kept(0x1dc) == 1 && is(0, 0x48, 0x10));
	OK(kept(0x002) == 2 && kept(0x001) == 1);
	OK(read(SELECT) == 0x001 && kept(~UINT64_C(0)) == 0 && read(SELECT) == 0x1ff);
}

static void test_address(void)
{
	begin("zen4");
	branch(INSN_JMP, UINT64_C(0xffffffff81000010), 0x401020, 0);
	OK(is(0, UINT64_C(0x01ffffff81000010), 0x401020));
}

/* #DB ends it. */
static void test_debug_exception(void)
{
	struct branch b = {.vector = 1, .from = 1, .to = 2};

	begin("zen4");
	pmu_amd_ops.core->branched(&pmu, &b);
	OK(read(CONFIG) == 0 && read(TO) == 0);
}

/* ---- the pair ---- */

static void deliver(int vector, uint64_t from, uint64_t to)
{
	struct branch b = {.class = INSN_INT, .vector = vector, .from = from, .to = to};

	pmu_amd_ops.core->branched(&pmu, &b);
}

static bool pair_is(uint64_t from, uint64_t to, uint64_t exception_from, uint64_t exception_to)
{
	return read(0x1db) == from && read(0x1dc) == to && read(0x1dd) == exception_from &&
	       read(0x1de) == exception_to;
}

/* #UD saves the branch before it; #MC does not, and #DB ends it. */
static void test_pair(void)
{
	begin("k10");
	branch(INSN_JMP, 0x10, 0x20, 0);
	OK(pair_is(0, 0, 0, 0));
	write(0x1d9, 1);
	branch(INSN_JMP, 0x10, 0x20, 0);
	OK(pair_is(0x10, 0x20, 0, 0));
	deliver(6, 0x28, 0x100);
	OK(pair_is(0x28, 0x100, 0x10, 0x20));
	deliver(18, 0x108, 0x200);
	OK(pair_is(0x108, 0x200, 0x10, 0x20));
	deliver(1, 0x208, 0x300);
	OK(pair_is(0x108, 0x200, 0x10, 0x20) && read(0x1d9) == 0);
	OK(pmu_amd_ops.wrmsr(&pmu, 0x1db, 0) == ACCESS_GP);
	OK(pmu_amd_ops.wrmsr(&pmu, 0x1d9, BIT(6)) == ACCESS_GP);
}

/* No part before K8 is known to have it. */
static void test_no_pair(void)
{
	begin("k7");
	OK(read(0x1d9) == ~UINT64_C(0) && read(0x1db) == ~UINT64_C(0));
}

/* ---- branch sampling ---- */

/* A taken branch, behind what it tells; returns the requests. */
static unsigned taken(uint64_t from)
{
	struct clock clock = {.cpl = 0};

	branch(INSN_JMP, from, from + 0x10, 0);
	clock.n[SIGNAL_CYCLES] = clock.n[SIGNAL_TAKEN] = 1;
	return pmu_amd_ops.core->clock(&pmu, &clock);
}

/* Armed, and overflowed by its first branch, which is not recorded. */
static void sample(void)
{
	pmu_amd_ops.reset(&pmu, profile_find("zen3")->pmus[0].traits, NULL);
	OK(read(CONFIG) == 0x18);
	write(CONFIG, 0x1c);
	write(0xc0010201, BIT(48) - 1);
	write(0xc0010200, 0x5300c4);
	OK(taken(1) == 0 && read(CONFIG) == 0x1c);
}

static void test_sampling(void)
{
	unsigned requests = 0;

	sample();
	for (unsigned i = 0; i < 5; i++)
		requests += taken(0x20 + i);
	OK(read(CONFIG) == 0x5003c && !requests);
	for (unsigned i = 5; i < 15; i++)
		requests += taken(0x20 + i);
	OK(!requests && taken(0x2f) == 1 && read(CONFIG) == 0x38);
	OK(taken(0x30) == 0 && read(FROM) == 0x20 && read(TO) == 0x30);
	OK(read(FROM + 30) == 0x2f && read(TO + 30) == 0x3f);
}

static void test_sampling_stopped(void)
{
	sample();
	taken(0x20);
	write(CONFIG, read(CONFIG) & ~BRS_ENABLE);
	OK(read(CONFIG) == 0x10038 && taken(0x21) == 1 && read(CONFIG) == 0x10038);
	OK(pmu_amd_ops.wrmsr(&pmu, CONFIG, 0) == ACCESS_GP);
}

/* ---- freezing ---- */

static void overflow(uint64_t debugctl, bool interrupt)
{
	struct clock clock = {.cpl = 0};

	begin("zen4");
	write(0x1d9, debugctl);
	write(0xc0010203, BIT(48) - 1);
	write(0xc0010202, 0x4300c0 | (interrupt ? BIT(20) : 0));
	clock.n[SIGNAL_CYCLES] = clock.n[SIGNAL_INSTRUCTIONS] = 1;
	pmu_amd_ops.core->clock(&pmu, &clock);
}

static void test_freezing(void)
{
	overflow(0x1800, true);
	OK(read(STATUS) == UINT64_C(0x0c00000000000002));
	branch(INSN_JMP, 1, 2, 0);
	OK(read(TO) == 0 && !core_enabled(&pmu, 1));
	write(0xc0000302, BIT(58));
	branch(INSN_JMP, 1, 2, 0);
	OK(is(0, 1, 2) && !core_enabled(&pmu, 1));
	write(0xc0000302, BIT(59));
	OK(core_enabled(&pmu, 1) && read(STATUS) == 2);
	overflow(0x1800, false);
	OK(read(STATUS) == 2 && core_enabled(&pmu, 1));
	overflow(0x800, true);
	OK(read(STATUS) == (BIT(58) | 2) && core_enabled(&pmu, 1));
}

static void test_absent(void)
{
	pmu_amd_ops.reset(&pmu, profile_find("zen2")->pmus[0].traits, NULL);
	OK(read(CONFIG) == ~UINT64_C(0) && read(FROM) == ~UINT64_C(0));
	OK(read(0x1d9) == 0);
}

int main(void)
{
	test_order();
	test_depth();
	test_filter();
	test_address();
	test_debug_exception();
	test_pair();
	test_no_pair();
	test_sampling();
	test_sampling_stopped();
	test_freezing();
	test_absent();
	return tap_end();
}
