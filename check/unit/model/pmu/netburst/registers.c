/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the NetBurst PMU: which there are, what they keep, and RDPMC. */
#include "bench.h"

#include "check/unit/tap.h"

static unsigned escrs_of(const char *model)
{
	unsigned count = 0;
	uint64_t value;

	begin(model);
	for (uint32_t msr = 0x3a0; msr <= 0x3ef; msr++)
		count += pmu_netburst_ops.rdmsr(&pmu, msr, &value) == ACCESS_DONE;
	return count;
}

static void test_registers(void)
{
	OK(escrs_of("willamette") == 45 && escrs_of("northwood") == 45);
	OK(escrs_of("prescott") == 43);
	OK(wr(0x3ba, 0) == ACCESS_NOT_MINE && wr(0x3bb, 0) == ACCESS_NOT_MINE);
	OK(wr(0x3bf, 0) == ACCESS_NOT_MINE && wr(0x312, 0) == ACCESS_NOT_MINE);
	OK(stored(CCCR(12), ~UINT64_C(0)) == 0xc7fff800 &&
	   stored(CCCR(13), ~UINT64_C(0)) == 0xc7fff000);
	OK(stored(CRU_ESCR0, ~UINT64_C(0)) == 0x7ffffffc);
	begin("willamette");
	OK(stored(CCCR(12), ~UINT64_C(0)) == 0xc7fff000);
	begin("northwood");
	OK(stored(CCCR(17), ~UINT64_C(0)) == 0xcffff800);
	OK(stored(CRU_ESCR0, ~UINT64_C(0)) == 0x7fffffff);
	for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
		OK(stored(COUNTER(i), ~UINT64_C(0) - i) == NETBURST_MASK - i);
	OK(stored(COUNTER(0), UINT64_C(0xfffff000)) == UINT64_C(0x00fffff000));
	OK(rd(0x1a0) == (BIT(7) | BIT(11)) && rd(0x3f0) == 0xfc00);
	OK(stored(0x3f1, 0x01018000) == 0x01018000 && stored(0x3f2, 0x13) == 0x13);
	OK(stored(0x1a0, 0) & BIT(7) && stored(0x600, 0x12345678) == 0x12345678);
}

static bool rdpmc_is(uint32_t index, uint64_t want)
{
	uint64_t value;

	return pmu_netburst_ops.rdpmc(&pmu, index, 0, false, &value) == ACCESS_DONE &&
	       value == want;
}

static bool rdpmc_faults(uint32_t index, unsigned cpl, bool pce)
{
	uint64_t value;

	return pmu_netburst_ops.rdpmc(&pmu, index, cpl, pce, &value) == ACCESS_GP;
}

static void test_rdpmc(void)
{
	begin("willamette");
	wr(COUNTER(12), NEGATIVE(99));
	wr(COUNTER(17), UINT64_C(0x0123456789));
	OK(rdpmc_is(0x0000000c, UINT64_C(0xffffffff9d)));
	OK(rdpmc_is(0x8000000c, 0xffffff9d));
	OK(rdpmc_is(0x00000011, UINT64_C(0x0123456789)));
	OK(rdpmc_faults(0x12, 0, true) && rdpmc_faults(0x80000012, 0, true));
	OK(rdpmc_faults(0x4000000c, 0, true));
	OK(rdpmc_faults(0, 3, false) && !rdpmc_faults(0, 3, true));
}

int main(void)
{
	test_registers();
	test_rdpmc();
	return tap_end();
}
