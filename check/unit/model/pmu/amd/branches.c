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

	pmu_amd_ops.branched(&pmu, &b);
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
	pmu_amd_ops.branched(&pmu, &b);
	OK(read(CONFIG) == 0 && read(TO) == 0);
}

static void overflow(uint64_t debugctl, bool interrupt)
{
	struct clock clock = {.cpl = 0};

	begin("zen4");
	write(0x1d9, debugctl);
	write(0xc0010203, BIT(48) - 1);
	write(0xc0010202, 0x4300c0 | (interrupt ? BIT(20) : 0));
	clock.n[SIGNAL_CYCLES] = clock.n[SIGNAL_INSTRUCTIONS] = 1;
	pmu_amd_ops.clock(&pmu, &clock);
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
	OK(read(0x1d9) == ~UINT64_C(0));
}

int main(void)
{
	test_order();
	test_depth();
	test_filter();
	test_address();
	test_debug_exception();
	test_freezing();
	test_absent();
	return tap_end();
}
