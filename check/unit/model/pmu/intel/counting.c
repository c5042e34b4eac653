/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel model against the fact sheet's worked examples: increments, overflow, reads, writes. */
#include "bench.h"

enum { CLOCKS = 10 };
static const uint8_t S[CLOCKS] = {0, 1, 3, 4, 2, 0, 0, 4, 4, 1};
static const uint8_t P[CLOCKS] = {0, 0, 0, 3, 3, 3, 3, 0, 0, 0};
static const uint8_t NONE[CLOCKS] = {0};

#define INSTRUCTIONS UINT64_C(0xc0)

static uint64_t count(const uint8_t *levels, uint64_t settings)
{
	begin("skylake", NULL);
	wr(MSR_EVTSEL, SELECT_EN | INSTRUCTIONS | settings);
	wr(MSR_GLOBAL_CTRL, 1);
	for (unsigned i = 0; i < CLOCKS; i++)
		tick(levels[i], S[i]);
	return rd(MSR_PMC);
}

#define BOTH (SELECT_OS | SELECT_USR)

static const struct {
	const uint8_t *levels;
	unsigned cmask;
	uint64_t flags;
	uint64_t want;
} rows[] = {
	{NONE, 0, BOTH, 19},
	{NONE, 0, BOTH | SELECT_INV, 19},
	{NONE, 1, BOTH, 7},
	{NONE, 2, BOTH, 5},
	{NONE, 3, BOTH, 4},
	{NONE, 4, BOTH, 3},
	{NONE, 5, BOTH, 0},
	{NONE, 16, BOTH, 0},
	{NONE, 1, BOTH | SELECT_INV, 3},
	{NONE, 2, BOTH | SELECT_INV, 5},
	{NONE, 4, BOTH | SELECT_INV, 7},
	{NONE, 16, BOTH | SELECT_INV, 10},
	{NONE, 1, BOTH | SELECT_EDGE, 2},
	{NONE, 2, BOTH | SELECT_EDGE, 2},
	{NONE, 3, BOTH | SELECT_EDGE, 2},
	{NONE, 4, BOTH | SELECT_EDGE, 2},
	{NONE, 5, BOTH | SELECT_EDGE, 0},
	{NONE, 1, BOTH | SELECT_EDGE | SELECT_INV, 2},
	{NONE, 2, BOTH | SELECT_EDGE | SELECT_INV, 3},
	{NONE, 4, BOTH | SELECT_EDGE | SELECT_INV, 3},
	{NONE, 16, BOTH | SELECT_EDGE | SELECT_INV, 1},
	{NONE, 0, BOTH | SELECT_EDGE, 2},
	{P, 0, BOTH, 19},
	{P, 0, SELECT_OS, 13},
	{P, 0, SELECT_USR, 6},
	{P, 0, 0, 0},
	{P, 16, SELECT_INV, 0},
	{P, 2, SELECT_OS, 3},
	{P, 2, SELECT_USR, 2},
	{P, 16, SELECT_OS | SELECT_INV, 6},
	{P, 16, SELECT_USR | SELECT_INV, 4},
	{P, 1, SELECT_OS | SELECT_EDGE, 2},
	{P, 1, SELECT_USR | SELECT_EDGE, 1},
};

static void test_increments(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t got = count(rows[i].levels, rows[i].flags | (uint64_t)rows[i].cmask << 24);

		if (!OK(got == rows[i].want))
			printf("#   row %zu: %llu\n", i, (unsigned long long)got);
	}
	/* Neither ANY nor PC changes a count. */
	OK(count(NONE, BOTH | SELECT_ANY) == 19 && count(NONE, BOTH | SELECT_PC) == 19);
	/* One per clock, in ring 0 only: the start and one return. */
	begin("skylake", NULL);
	wr(MSR_EVTSEL, SELECT_EN | SELECT_OS | SELECT_EDGE | 0x0100003c);
	wr(MSR_GLOBAL_CTRL, 1);
	for (unsigned i = 0; i < CLOCKS; i++)
		tick(P[i], S[i]);
	OK(rd(MSR_PMC) == 2);
}

/* ---- writes and reads ---- */

static uint64_t written(const char *model, uint32_t msr, uint64_t value)
{
	begin(model, NULL);
	return wr(msr, value) ? rd(MSR_PMC) : ~UINT64_C(0);
}

static void test_writes(void)
{
	uint64_t value;

	OK(written("skylake", MSR_PMC, UINT64_C(0x123456787fffffff)) == 0x7fffffff);
	OK(written("skylake", MSR_PMC, 0x80000000) == UINT64_C(0xffff80000000));
	OK(written("skylake", MSR_PMC, 0xfffffff6) == UINT64_C(0xfffffffffff6));
	OK(written("core2", MSR_PMC, 0x80000000) == UINT64_C(0xff80000000));
	OK(written("core2", MSR_PMC, 0xfffffff6) == UINT64_C(0xfffffffff6));
	OK(written("p6", MSR_PMC, UINT64_C(0xfffffffffffffff0)) == UINT64_C(0xfffffffff0));
	OK(written("skylake", MSR_A_PMC, UINT64_C(0xff0123456789)) == UINT64_C(0xff0123456789));
	OK(!wr(MSR_A_PMC, BIT(48)) && !wr(MSR_A_PMC, UINT64_C(0xfffffffffffffff6)));
	OK(rd(MSR_PMC) == UINT64_C(0xff0123456789));
	OK(written("skylake", MSR_PMC, UINT64_C(0xff0123456789)) == 0x23456789);
	OK(pmu_intel_ops.rdpmc(&pmu, 0, 0, false, &value) == ACCESS_DONE && value == 0x23456789);
	OK(wr(MSR_FIXED, FIELD(47, 0)) && rd(MSR_FIXED) == FIELD(47, 0));
	OK(!wr(MSR_FIXED, BIT(48)) && rd(MSR_FIXED) == FIELD(47, 0));
	/* Where there is no full-width write, the registers are absent. */
	OK(written("nehalem", MSR_A_PMC, 0) == ~UINT64_C(0) && rd(MSR_A_PMC) == ~UINT64_C(0));
}

/* ---- overflow ---- */

static void test_overflow(void)
{
	static const uint8_t n[6] = {1, 3, 4, 2, 0, 4};
	static const uint64_t want[6] = {
		UINT64_C(0xfffffffffffa), UINT64_C(0xfffffffffffd), 1, 3, 3, 7};

	begin("skylake", NULL);
	wr(MSR_PMC, (uint32_t)-7);
	wr(MSR_EVTSEL, 0x4300c0);
	wr(MSR_GLOBAL_CTRL, 1);
	for (unsigned i = 0; i < 6; i++) {
		OK(tick(0, n[i]) == 0);
		OK(rd(MSR_PMC) == want[i] && rd(MSR_STATUS) == (i >= 2));
	}
	wr(MSR_PMC, 0);
	wr(MSR_EVTSEL, 0);
	OK(rd(MSR_STATUS) == 1 && wr(MSR_RESET, 2) && rd(MSR_STATUS) == 1);
	OK(wr(MSR_RESET, 1) && rd(MSR_STATUS) == 0);
}

static unsigned overflow_after(uint64_t select, uint32_t from, unsigned count)
{
	begin("skylake", NULL);
	wr(MSR_PMC, from);
	wr(MSR_EVTSEL, select);
	wr(MSR_GLOBAL_CTRL, 1);
	return ticks(count, 1);
}

static void test_presets(void)
{
	OK(overflow_after(0x5300c0, (uint32_t)-9, 9) == 1 && rd(MSR_PMC) == 0);
	OK(overflow_after(0x5300c0, 1 - 9u, 9) == 1 && rd(MSR_PMC) == 1 && rd(MSR_STATUS) == 1);
	OK(overflow_after(0x5300c0, (uint32_t)-9, 8) == 0 && rd(MSR_STATUS) == 0);
	OK(rd(MSR_PMC) == FIELD(47, 0));
	OK(overflow_after(0x4300c0, (uint32_t)-9, 20) == 0 && rd(MSR_STATUS) == 1);
}

/* ---- RDPMC ---- */

static bool reads(uint32_t index, unsigned cpl, bool pce)
{
	uint64_t value;

	return pmu_intel_ops.rdpmc(&pmu, index, cpl, pce, &value) == ACCESS_DONE;
}

static void test_rdpmc(void)
{
	begin("skylake", NULL);
	OK(reads(0, 0, false) && reads(3, 0, false) && !reads(4, 0, false));
	OK(reads(0x40000000, 0, false) && reads(0x40000002, 0, false));
	OK(!reads(0x40000003, 0, false) && !reads(0x20000000, 0, false));
	OK(!reads(0x80000000, 0, false) && !reads(64, 0, false));
	OK(!reads(0, 3, false) && reads(0, 3, true) && reads(0x40000001, 3, true));
	begin("icelake", NULL);
	OK(reads(7, 0, false) && !reads(8, 0, false));
	OK(reads(0x40000003, 0, false) && !reads(0x40000004, 0, false));
	begin("p6", NULL);
	OK(reads(1, 0, false) && !reads(2, 0, false) && !reads(0x40000000, 0, false));
}

/* ---- gating ---- */

static void test_gating(void)
{
	begin("core2", NULL);
	wr(MSR_EVTSEL, 0x4300c0);
	ticks(5, 1);
	OK(rd(MSR_PMC) == 0 && !pmu_intel_ops.core->counting(&pmu));
	wr(MSR_EVTSEL, 0x0300c0);
	wr(MSR_GLOBAL_CTRL, 1);
	ticks(5, 1);
	OK(rd(MSR_PMC) == 0);
	wr(MSR_EVTSEL, 0x4300c0);
	OK(pmu_intel_ops.core->counting(&pmu));
	ticks(5, 1);
	OK(rd(MSR_PMC) == 5);
}

static void test_p6(void)
{
	begin("p6", NULL);
	wr(MSR_EVTSEL, 0x4300c0);
	wr(MSR_EVTSEL + 1, 0x0300c0);
	ticks(5, 2);
	OK(rd(MSR_PMC) == 10 && rd(MSR_PMC + 1) == 10);
	wr(MSR_EVTSEL, 0x0300c0);
	ticks(5, 2);
	OK(rd(MSR_PMC) == 10 && rd(MSR_PMC + 1) == 10);
	wr(MSR_EVTSEL, 0x43002e);
	ticks(5, 2);
	OK(rd(MSR_PMC) == 10 && rd(MSR_PMC + 1) == 20);
	wr(MSR_EVTSEL + 1, 0);
	ticks(5, 2);
	OK(rd(MSR_PMC + 1) == 20);
	/* No enable bit of its own, no register of a later version. */
	OK(wr(MSR_EVTSEL + 1, 0x4300c0) && rd(MSR_EVTSEL + 1) == 0x0300c0);
	OK(!wr(MSR_EVTSEL, BIT(21)) && !wr(MSR_EVTSEL, BIT(32)));
	OK(!wr(MSR_GLOBAL_CTRL, 0) && !wr(MSR_FIXED, 0) && rd(0x345) == ~UINT64_C(0));
}

int main(void)
{
	test_increments();
	test_writes();
	test_overflow();
	test_presets();
	test_rdpmc();
	test_gating();
	test_p6();
	return tap_end();
}
