/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of the Intel model do what they say: some of each part of the catalogue. */
#include "bench.h"

#include "model/cpu/cpu.h"
#include "model/faults/faults.h"
#include "model/profiles/profiles.h"

/* Five clocks of n instructions each in ring 0, from a counter that starts at from. */
static uint64_t counted(const char *fault, uint64_t select, uint32_t from, uint8_t n)
{
	begin("skylake", fault);
	wr(MSR_PMC, from);
	wr(MSR_EVTSEL, select);
	wr(MSR_GLOBAL_CTRL, 1);
	ticks(5, n);
	return rd(MSR_PMC);
}

static void test_counting(void)
{
	OK(counted("cmask_off_by_one", 0x034300c0, 0, 3) == 0);
	OK(counted("cmask_bit1_dead", 0x034300c0, 0, 2) == 5);
	OK(counted("cmask_all_ones_is_0", 0xff4300c0, 0, 2) == 10);
	OK(counted("inv_is_at_most", 0x02c300c0, 0, 2) == 5);
	OK(counted("inv_acts_without_cmask", 0x00c300c0, 0, 2) == 0);
	OK(counted("inv_acts_without_cmask", 0x00c300c0, 0, 0) == 5);
	OK(counted("hsd073_inv_counts_other_cpl", 0x02c100c0, 0, 1) == 5);
	OK(counted("hsd073_inv_counts_other_cpl", 0x004100c0, 0, 1) == 0);
	OK(counted("e_counts_falling_edges", 0x014700c0, 0, 1) == 0);
	OK(counted("no_level_is_both", 0x004000c0, 0, 2) == 10);
	OK(counted("pc_stops_counting", 0x004b00c0, 0, 2) == 0);
	OK(counted("any_stops_counting", 0x006300c0, 0, 2) == 0);
	OK(counted("events_are_clocks", 0x004300c0, 0, 2) == 5);
	OK(counted("en_ignored", 0x000300c0, 0, 2) == 10);
}

static void test_overflow(void)
{
	OK(counted("overflow_loses_events", 0x4300c0, (uint32_t)-3, 2) == 6);
	OK(counted("overflow_counts_twice", 0x4300c0, (uint32_t)-3, 1) == 3);
	OK(counted("overflow_at_one", 0x4300c0, (uint32_t)-5, 1) == 0 && rd(MSR_STATUS) == 0);
	OK(counted("overflow_at_all_ones", 0x4300c0, (uint32_t)-6, 1) == FIELD(47, 0));
	OK(rd(MSR_STATUS) == 1);
	OK(counted("status_of_neighbour", 0x4300c0, (uint32_t)-5, 1) == 0);
	OK(rd(MSR_STATUS) == 2);
	OK(counted("status_needs_int", 0x4300c0, (uint32_t)-5, 1) == 0 && rd(MSR_STATUS) == 0);
	begin("skylake", "delivery_leaves_lvt_open");
	OK(!pmu_intel_ops.core->masks_lvt(&pmu));
	begin("skylake", NULL);
	OK(pmu_intel_ops.core->masks_lvt(&pmu));
}

static void test_registers(void)
{
	uint64_t value;

	begin("skylake", "legacy_write_zero_extends");
	OK(wr(MSR_PMC, 0x80000000) && rd(MSR_PMC) == 0x80000000);
	begin("skylake", "legacy_write_takes_edx");
	OK(wr(MSR_PMC, UINT64_C(0x1280000000)) && rd(MSR_PMC) == UINT64_C(0x1280000000));
	begin("skylake", "over_wide_accepted");
	OK(wr(MSR_A_PMC, BIT(48) | 5) && rd(MSR_PMC) == 5 && !wr(MSR_FIXED, BIT(48)));
	begin("skylake", "fixed_over_wide_accepted");
	OK(wr(MSR_FIXED, BIT(48) | 5) && rd(MSR_FIXED) == 5 && !wr(MSR_A_PMC, BIT(48)));
	begin("skylake", "global_ctrl_takes_reserved");
	OK(wr(MSR_GLOBAL_CTRL, BIT(40) | 1) && rd(MSR_GLOBAL_CTRL) == 1);
	begin("skylake", "pmc_1_is_pmc_0");
	OK(wr(MSR_PMC + 1, 7) && rd(MSR_PMC) == 7);
	begin("skylake", "evtsel_1_missing");
	OK(!wr(MSR_EVTSEL + 1, 0) && wr(MSR_EVTSEL, 0));
	begin("skylake", "rdpmc_fast_accepted");
	OK(pmu_intel_ops.rdpmc(&pmu, 0x80000001, 0, false, &value) == ACCESS_DONE);
	begin("p6", "p6_en0_only_counter0");
	wr(MSR_EVTSEL, 0x4300c0);
	wr(MSR_EVTSEL + 1, 0x0300c0);
	ticks(3, 1);
	OK(rd(MSR_PMC) == 3 && rd(MSR_PMC + 1) == 0);
}

/* An overflow of counter 0 beside fixed counter 1, with freezing; clocks that the latter counts. */
static uint64_t frozen_after(const char *model, const char *fault, uint64_t select)
{
	begin(model, fault);
	wr(MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	wr(MSR_PMC, (uint32_t)-2);
	wr(MSR_EVTSEL, select);
	wr(MSR_FIXED_CTRL, 0x30);
	wr(MSR_GLOBAL_CTRL, UINT64_C(0x200000001));
	ticks(9, 1);
	return rd(MSR_FIXED + 1);
}

static void test_freezing(void)
{
	OK(frozen_after("skylake", NULL, 0x5300c0) == 2);
	OK(frozen_after("skylake", "streamlined_freeze_dead", 0x5300c0) == 9);
	OK(frozen_after("skylake", "streamlined_freeze_misses_fixed", 0x5300c0) == 9);
	OK(frozen_after("skylake", "streamlined_freeze_without_pmi", 0x4300c0) == 2);
	OK(frozen_after("skylake", "streamlined_freeze_is_legacy", 0x5300c0) == 2);
	OK(rd(MSR_GLOBAL_CTRL) == 0 && rd(MSR_STATUS) == 1);
	OK(frozen_after("nehalem", NULL, 0x5300c0) == 2 && rd(MSR_GLOBAL_CTRL) == 0);
	OK(frozen_after("nehalem", "legacy_freeze_misses_fixed", 0x5300c0) == 9);
	OK(frozen_after("nehalem", "legacy_freeze_without_pmi", 0x4300c0) == 2);
}

static uint32_t leaf_0a(const char *fault, unsigned number)
{
	uint32_t r[4] = {0};

	silicon_reset(&silicon_cpu, profile_find("skylake"), fault_find(fault));
	silicon_cpuid(&silicon_cpu, 0xa, 0, r);
	return r[number];
}

static void test_cpuid(void)
{
	OK(leaf_0a("cpuid_0a_0_counters", 0) == 0x07300004);
	OK(leaf_0a("cpuid_0a_255_counters", 0) == 0x0730ff04);
	OK(leaf_0a("cpuid_0a_width_64", 0) == 0x07400404);
	OK(leaf_0a("cpuid_0a_no_events", 1) == 0xffffffff);
	OK(leaf_0a("cpuid_0a_31_fixed", 3) == 0x0000061f);
	OK(leaf_0a("cpuid_0a_all_ones", 2) == 0xffffffff);
	begin("skylake", "misc_enable_no_perfmon");
	OK(!(rd(0x1a0) & MISC_PERFMON));
}

int main(void)
{
	test_counting();
	test_overflow();
	test_registers();
	test_freezing();
	test_cpuid();
	return tap_end();
}
