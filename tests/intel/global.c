/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's global enable register: one bit per counter, one write for all. */
#include "intel.h"

#define GROUP       "global", "fixed"
#define GLOBAL_CTRL "SDM vol. 3B, 20.2.2: IA32_PERF_GLOBAL_CTRL"

static void run_enabled(uint64_t global_ctrl)
{
	wrmsr(MSR_GLOBAL_CTRL, global_ctrl);
	kernel_call(payload_chain.entry, 100, user_buffer());
	wrmsr(MSR_GLOBAL_CTRL, 0);
}

/* Not by what an event select reads as: errata BV080, BV086. */
static void disable(const struct pmu *pmu, const struct slot *slot)
{
	uint64_t field;

	if (!pmu->counter[slot->ctr].fixed) {
		wrmsr(pmu_number(pmu->counter[slot->ctr].ctl), select_of(pmu, slot->cfg.event));
		return;
	}
	field = FIXED_CTRL_FIELD(intel_fixed_index(pmu, slot->ctr));
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, rdmsr(MSR_IA32_FIXED_CTR_CTRL) & ~field);
}

/* From 0, with these global bits and these counters disabled by themselves: who counts? */
static uint64_t counting(struct run *t, uint64_t global_ctrl, uint64_t disabled)
{
	struct window w = window_of_each(t);

	window_program(t, &w);
	for (unsigned c = 0; c < w.n; c++)
		if (disabled & BIT(c))
			disable(t->pmu, &w.c[c]);
	run_enabled(global_ctrl);
	return counters_not_zero(t);
}

INTEL_TEST(gates_each,
	   "a counter counts if it is enabled by itself and by its global bit, and alone",
	   .clause = GLOBAL_CTRL, .needs = PMU_GLOBAL)
{
	const struct pmu *pmu = t->pmu;
	uint64_t all = all_counters(pmu);

	CHECK_EQ(t, counting(t, 0, 0), 0);
	for (unsigned c = 0; c < pmu->counters; c++) {
		CHECK_EQ(t, counting(t, pmu_global_bit(pmu, c), 0), BIT(c));
		CHECK_EQ(t, counting(t, pmu_global_bits(pmu, all), BIT(c)), all & ~BIT(c));
	}
}

/* Which counters go on counting, as the register now is? */
static uint64_t moving(struct run *t)
{
	/* Some clocks of the bus, with which the reference clock ticks. */
	const struct work work = in_ring0(&payload_chain, 30);

	return counters_moving(t, &work);
}

INTEL_TEST(each_bit,
	   "while all count, a bit cleared stops its counter alone; while none do, a bit set "
	   "starts it alone",
	   .clause = GLOBAL_CTRL, .needs = PMU_GLOBAL)
{
	const uint64_t all = all_counters(t->pmu), enables = pmu_global_bits(t->pmu, all);
	struct window w = window_of_each(t);

	window_program(t, &w);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		wrmsr(MSR_GLOBAL_CTRL, enables);
		wrmsr(MSR_GLOBAL_CTRL, enables & ~pmu_global_bit(t->pmu, c));
		CHECK_EQ(t, moving(t), all & ~BIT(c));
		wrmsr(MSR_GLOBAL_CTRL, 0);
		wrmsr(MSR_GLOBAL_CTRL, pmu_global_bit(t->pmu, c));
		CHECK_EQ(t, moving(t), BIT(c));
	}
	wrmsr(MSR_GLOBAL_CTRL, 0);
}

/* Nothing but the two writes opens and closes the window, in which both rings count. */
static void check_spread(struct run *t, unsigned event)
{
	struct window w = window_of_all(t, in_all_rings(event));

	w.work = in_ring0(&payload_mix, 10);
	check_at_once(t, &w);
}

INTEL_TEST(same_clock,
	   "one write of the register opens the window of all counters in the same clock",
	   .clause = GLOBAL_CTRL, .needs = PMU_GLOBAL)
{
	check_spread(t, EV_INSTRUCTIONS);
	check_spread(t, EV_CYCLES);
}

/* A write of one bit at a time: what these registers read as has no part in it. */
static void check_commands_fault(struct run *t, uint32_t msr, uint64_t bits)
{
	for (; bits; bits &= bits - 1)
		if (!CHECK_WRMSR(t, msr, bits & -bits, FAULT_GP))
			report_diag("of bit %u alone", (unsigned)__builtin_ctzll(bits));
}

/* ANY may be ignored where it is not in use. */
static void check_own_registers(struct run *t, uint64_t absent)
{
	uint64_t fields = 0;

	for (unsigned c = 0; c < intel_general(t->pmu); c++)
		check_bits_fault(t, pmu_number(t->pmu->counter[c].ctl),
				 t->pmu->ctl_reserved & ~PERFEVTSEL_ANY);
	/* Which bits a fixed counter has differs from version to version. */
	for (unsigned i = 0; i < 8; i++)
		if (absent & GLOBAL_FIXED(i))
			fields |= FIXED_CTRL_FIELD(i);
	if (intel_general(t->pmu) < t->pmu->counters)
		check_bits_fault(t, MSR_IA32_FIXED_CTR_CTRL, fields);
}

/* The bits by which status registers say that something is frozen, where they are reserved.  KVM's
 * mediated PMU shows version 2, and hands over these registers of a host of version 4 or later if
 * the guest has all of its counters: Linux, kvm_need_perf_global_ctrl_intercept(). */
static uint64_t no_freeze_bits(const struct run *t)
{
	return t->pmu->features & PMU_STATUS_SET || test_in_kvm() ? 0
								  : GLOBAL_LBR_FRZ | GLOBAL_CTR_FRZ;
}

/* The reserved bits of counters are those of counters that this core has not: it may have more than
 * CPUID 0AH shows.  PERF_METRICS may be there where its capability bit is not. */
INTEL_TEST(reserved_faults, "a reserved bit, and a write to what is read-only, raises #GP",
	   .clause = ARCHITECTURAL, .needs = PMU_GLOBAL, .absent = intel_alone)
{
	uint64_t absent = intel(t->pmu)->cpu.absent, metrics = GLOBAL_PERF_METRICS;
	uint64_t commands = absent | no_freeze_bits(t) | FIELD(53, 49) | FIELD(57, 56);

	if (intel_may_have_metrics(&intel(t->pmu)->cpu))
		metrics = 0;
	check_own_registers(t, absent);
	check_bits_fault(t, MSR_GLOBAL_CTRL, absent | metrics | FIELD(63, 49));
	check_commands_fault(t, MSR_GLOBAL_OVF_CTRL, commands);
	check_commands_fault(t, MSR_GLOBAL_STATUS, 1);
	if (!(t->pmu->features & PMU_STATUS_SET))
		return;
	check_commands_fault(t, MSR_GLOBAL_STATUS_SET, commands);
	check_commands_fault(t, MSR_GLOBAL_INUSE, 1);
}
