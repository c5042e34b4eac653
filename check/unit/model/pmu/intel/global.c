/* SPDX-License-Identifier: BSD-2-Clause */
/* The Intel model against the fact sheet: fixed counters, global registers, freezing, CPUID. */
#include "bench.h"

#include "model/cpu/cpu.h"
#include "model/faults/faults.h"
#include "model/profiles/profiles.h"

#define FREEZE_PERFMON UINT64_C(0x1000)
#define FREEZE_BOTH    UINT64_C(0x1800)
#define ALL_OF_IT      UINT64_C(0x200000003)

/* The configuration of the freeze sequences: two instructions in each clock. */
static void configure(const char *model, uint64_t debugctl)
{
	begin(model, NULL);
	wr(MSR_DEBUGCTL, debugctl);
	wr(MSR_PMC, (uint32_t)-4);
	wr(MSR_EVTSEL, 0x5300c0);
	wr(MSR_EVTSEL + 1, 0x4300c0);
	wr(MSR_FIXED_CTRL, 0x30);
	wr(MSR_GLOBAL_CTRL, ALL_OF_IT);
}

static bool counted(uint64_t pmc0, uint64_t pmc1, uint64_t fixed1)
{
	return rd(MSR_PMC) == pmc0 && rd(MSR_PMC + 1) == pmc1 && rd(MSR_FIXED + 1) == fixed1;
}

#define MSR_SMI_COUNT UINT32_C(0x034)

static void test_no_freeze(void)
{
	configure("skylake", 0);
	OK(rd(MSR_INUSE) == UINT64_C(0x8000000200000003));
	OK(ticks(1, 2) == 0 && counted(UINT64_C(0xfffffffffffe), 2, 1));
	OK(ticks(1, 2) == 1 && counted(0, 4, 2) && rd(MSR_STATUS) == 1);
	OK(ticks(4, 2) == 0 && counted(8, 12, 6) && rd(MSR_STATUS) == 1);
}

static void test_legacy_freeze(void)
{
	configure("sandybridge", FREEZE_PERFMON);
	OK(ticks(2, 2) == 1 && counted(0, 4, 2));
	OK(rd(MSR_STATUS) == 1 && rd(MSR_GLOBAL_CTRL) == 0 && !pmu_intel_ops.core->counting(&pmu));
	OK(ticks(2, 2) == 0 && counted(0, 4, 2));
	OK(wr(MSR_RESET, 1) && wr(MSR_GLOBAL_CTRL, ALL_OF_IT));
	OK(ticks(2, 2) == 0 && counted(4, 8, 4) && rd(MSR_STATUS) == 0);
	OK(!wr(MSR_RESET, BIT(58)));
	/* The last branch records stop with it. */
	configure("nehalem", FREEZE_BOTH | 1);
	OK(ticks(2, 2) == 1 && rd(MSR_DEBUGCTL) == FREEZE_BOTH);
}

static void test_streamlined_freeze(void)
{
	configure("skylake", FREEZE_PERFMON);
	OK(ticks(2, 2) == 1 && counted(0, 4, 2));
	OK(rd(MSR_STATUS) == UINT64_C(0x0800000000000001) && rd(MSR_GLOBAL_CTRL) == ALL_OF_IT);
	OK(ticks(2, 2) == 0 && counted(0, 4, 2));
	OK(wr(MSR_RESET, 1) && rd(MSR_STATUS) == STATUS_CTR_FRZ);
	OK(ticks(1, 2) == 0 && counted(0, 4, 2));
	OK(wr(MSR_RESET, STATUS_CTR_FRZ));
	OK(ticks(2, 2) == 0 && counted(4, 8, 4) && rd(MSR_STATUS) == 0);
	OK(wr(MSR_SET, STATUS_CTR_FRZ) && ticks(3, 2) == 0 && counted(4, 8, 4));

	configure("skylake", FREEZE_BOTH | 1);
	OK(ticks(2, 2) == 1 && rd(MSR_DEBUGCTL) == (FREEZE_BOTH | 1));
	OK(rd(MSR_STATUS) == UINT64_C(0x0c00000000000001) && !intel_runs(&pmu, INTEL_LBR));
	OK(wr(MSR_RESET, STATUS_LBR_FRZ) && intel_runs(&pmu, INTEL_LBR));

	/* Without INT nothing freezes. */
	configure("skylake", FREEZE_PERFMON);
	wr(MSR_EVTSEL, 0x4300c0);
	OK(ticks(4, 2) == 0 && rd(MSR_STATUS) == 1 && counted(4, 8, 4));
}

static void test_status_set(void)
{
	configure("skylake", 0);
	OK(wr(MSR_SET, UINT64_C(0x100000002)) && rd(MSR_STATUS) == UINT64_C(0x100000002));
	OK(counted(UINT64_C(0xfffffffffffc), 0, 0) && ticks(1, 0) == 0);
	OK(!wr(MSR_SET, BIT(63)) && wr(MSR_RESET, BIT(63)));
	OK(!wr(MSR_STATUS, 0) && !wr(MSR_INUSE, 0));
	OK(rd(MSR_SET) == 0 && rd(MSR_RESET) == 0);
	begin("sandybridge", NULL);
	OK(!wr(MSR_SET, 1) && rd(MSR_INUSE) == ~UINT64_C(0));
}

static void test_reserved_bits(void)
{
	begin("core2", NULL);
	OK(!wr(MSR_EVTSEL, SELECT_ANY) && !wr(MSR_FIXED_CTRL, FIXED_ANY));
	OK(wr(MSR_FIXED_CTRL, 0xbbb) && !wr(MSR_FIXED_CTRL, 0x1000));
	OK(!wr(MSR_GLOBAL_CTRL, 4) && wr(MSR_GLOBAL_CTRL, UINT64_C(0x700000003)));
	OK(!wr(MSR_GLOBAL_CTRL, BIT(35)) && rd(MSR_GLOBAL_CTRL) == UINT64_C(0x700000003));
	OK(!wr(MSR_PMC + 2, 0) && !wr(MSR_EVTSEL + 2, 0) && !wr(MSR_FIXED + 3, 0));
	begin("nehalem", NULL);
	OK(wr(MSR_EVTSEL, SELECT_ANY) && wr(MSR_FIXED_CTRL, 0xfff) && !wr(MSR_EVTSEL, BIT(32)));
	begin("icelake", NULL);
	OK(!wr(MSR_EVTSEL, SELECT_ANY) && wr(MSR_EVTSEL, SELECT_ADAPTIVE));
	OK(wr(MSR_FIXED_CTRL, UINT64_C(0x11110000bbbb)) && !wr(MSR_FIXED_CTRL, FIXED_ANY));
	OK(wr(MSR_GLOBAL_CTRL, UINT64_C(0x1000f000000ff)) && !wr(MSR_GLOBAL_CTRL, BIT(49)));
}

static uint64_t after_reset(const char *model)
{
	begin(model, NULL);
	return rd(MSR_GLOBAL_CTRL);
}

static void test_reset_values(void)
{
	OK(after_reset("core2") == 0 && after_reset("nehalem") == 0);
	OK(after_reset("skylake") == 0xf && after_reset("icelake") == 0xff);
	OK(rd(MSR_STATUS) == 0 && rd(MSR_DEBUGCTL) == 0 && rd(MSR_FIXED_CTRL) == 0);
	OK((rd(0x1a0) & (MISC_PERFMON | MISC_PEBS_UNAVAILABLE)) == MISC_PERFMON);
	OK(wr(0x1a0, 0) && rd(0x1a0) & MISC_PERFMON);
}

/* ---- fixed counters ---- */

static void test_fixed(void)
{
	static const uint64_t want[4] = {0, 9, 4, 13}; /* off, OS, USR, both */

	for (unsigned enable = 0; enable < 4; enable++) {
		begin("core2", NULL);
		wr(MSR_FIXED_CTRL, enable);
		wr(MSR_GLOBAL_CTRL, BIT(32));
		for (unsigned i = 0; i < 3; i++)
			tick(0, 3);
		tick(3, 4);
		OK(rd(MSR_FIXED) == want[enable] && rd(MSR_FIXED + 1) == 0);
	}
	begin("skylake", NULL);
	wr(MSR_FIXED, (uint64_t)-2 & FIELD(47, 0));
	wr(MSR_FIXED_CTRL, 0x00b);
	wr(MSR_GLOBAL_CTRL, BIT(32));
	OK(ticks(1, 3) == 1 && rd(MSR_STATUS) == BIT(32) && rd(MSR_FIXED) == 1);
	OK(rd(MSR_INUSE) == (BIT(63) | BIT(32)));
}

/* ---- CPUID ---- */

static void identify(const char *model, uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
	silicon_reset(&silicon_cpu, profile_find(model), NULL);
	silicon_cpuid(&silicon_cpu, leaf, subleaf, r);
}

static void test_cpuid(void)
{
	uint32_t r[4] = {0};

	identify("core2", 0xa, 0, r);
	OK(r[0] == 0x07280202 && r[1] == 0 && r[3] == 0x503);
	identify("icelake", 0xa, 0, r);
	OK(r[0] == 0x08300805 && r[2] == 0xf && r[3] == 0x8604);
	identify("gracemont", 0xa, 0, r);
	OK(r[0] == 0x07300605 && r[2] == 7 && r[3] == 0x8603);
	r[0] = r[1] = r[2] = r[3] = 0xffffffff;
	identify("gracemont", 0x1a, 0, r);
	OK(r[0] == 0x20000001 && !r[1] && !r[2] && !r[3]);
	identify("gracemont", 0x21, 0, r);
	OK(!r[0] && !r[1] && !r[2] && !r[3]);
	identify("goldencove", 0xa, 0, r);
	OK(r[0] == 0x08300805 && r[1] == 0 && r[2] == 0xf && r[3] == 0x8604);
	/* With the E-cores on. */
	identify("alderlake", 0xa, 0, r);
	OK(r[0] == 0x07300605 && r[1] == 0 && r[2] == 7 && r[3] == 0x8603);
	identify("goldencove", 0x1a, 0, r);
	OK(r[0] == 0x40000001 && !r[1] && !r[2] && !r[3]);
	/* The flags are hybrid's, where there is one, and architectural LBRs'. */
	r[3] = 0xffffffff;
	identify("goldencove", 7, 0, r);
	OK(r[3] & BIT(15) && r[3] & BIT(19));
	identify("goldencove", 7, 1, r);
	OK(!(r[3] & BIT(15)));
	r[3] = 0xffffffff;
	identify("gracemont", 7, 0, r);
	OK(!(r[3] & BIT(15)) && r[3] & BIT(19));
	r[3] = 0xffffffff;
	identify("icelake", 7, 0, r);
	OK(!(r[3] & BIT(19)));
	identify("goldencove", 0x1c, 0, r);
	OK(r[0] == 0x4000000b && r[1] == 7 && r[2] == 7 && !r[3]);
	identify("p6", 0, 0, r);
	OK(r[0] == 2 && r[1] == 0x756e6547 && r[3] == 0x49656e69 && r[2] == 0x6c65746e);
	r[0] = r[1] = r[2] = r[3] = 0xffffffff;
	identify("p6", 1, 0, r);
	OK(r[0] == 0x6b1 && !(r[2] & BIT(15)) && !(r[3] & BIT(21)));
	r[0] = r[1] = r[2] = r[3] = 0;
	identify("skylake", 1, 0, r);
	OK(r[2] & BIT(15) && r[2] & BIT(2) && r[3] & BIT(21));
}

static void test_smi_count(void)
{
	begin("core2", NULL);
	OK(rd(MSR_SMI_COUNT) == ~UINT64_C(0));
	begin("p6", NULL);
	OK(rd(MSR_SMI_COUNT) == ~UINT64_C(0));
	begin("nehalem", NULL);
	OK(rd(MSR_SMI_COUNT) == 0 && !wr(MSR_SMI_COUNT, 0) && rd(MSR_SMI_COUNT) == 0);

	/* The clock that counts first is lost. */
	begin("icelake", "smi_steals_once");
	wr(MSR_EVTSEL, 0x4300c0);
	OK(rd(MSR_SMI_COUNT) == 0);
	ticks(3, 2);
	OK(rd(MSR_SMI_COUNT) == 1 && rd(MSR_PMC) == 4);
	begin("icelake", "smi_always_steals");
	wr(MSR_EVTSEL, 0x4300c0);
	ticks(32, 1);
	OK(rd(MSR_SMI_COUNT) == 2 && rd(MSR_PMC) == 30);
}

int main(void)
{
	test_smi_count();
	test_no_freeze();
	test_legacy_freeze();
	test_streamlined_freeze();
	test_status_set();
	test_reserved_bits();
	test_reset_values();
	test_fixed();
	test_cpuid();
	return tap_end();
}
