/* SPDX-License-Identifier: BSD-2-Clause */
/* What Intel's manual says of single bits of IA32_PERFEVTSEL, and of writes and reads of counters
 * that other makers do not have. */
#include "intel.h"

#define GROUP      "select"
#define PERFEVTSEL "Intel SDM vol. 3B, 20.2.1.1: IA32_PERFEVTSELx"

/* The counter under test with the select value a, and the next general one with b. */
static void measure_pair(struct run *t, uint64_t a, uint64_t b, uint64_t out[2])
{
	unsigned next = (t->counter + 1) % intel_general(t->pmu);
	struct window w = {.ops = &intel_selects,
			   .n = 2,
			   .c = {{.ctr = t->counter, .select = a}, {.ctr = next, .select = b}},
			   .work = in_ring0(&payload_bursts, 4)};

	window_run(t, &w);
	out[0] = w.c[0].out;
	out[1] = w.c[1].out;
}

static uint64_t cmask(uint64_t threshold)
{
	return field_put(PERFEVTSEL_CMASK, threshold);
}

static void check_same(struct run *t, uint64_t a, uint64_t b)
{
	uint64_t out[2];

	measure_pair(t, a, b, out);
	CHECK(t, out[1] > 0);
	CHECK_EQ(t, out[0], out[1]);
}

static void check_nothing(struct run *t, uint64_t ctl)
{
	uint64_t out[2];

	measure_pair(t, ctl, 0, out);
	CHECK_EQ(t, out[0], 0);
}

INTEL_TEST(inv_without_cmask, "INV without CMASK has no effect", .clause = PERFEVTSEL,
	   .needs = PMU_SELECT | PMU_ATOMIC_START, .min_counters = 2, .per_counter = true,
	   .counts = EV_INSTRUCTIONS)
{
	uint64_t instructions = select_of(t->pmu, EV_INSTRUCTIONS);

	check_same(t, instructions | PERFEVTSEL_INV, instructions);
}

INTEL_TEST(cmask_maximum, "no clock has 32, 64, 128 or 255 occurrences, and every clock has fewer",
	   .clause = PERFEVTSEL, .needs = PMU_SELECT | PMU_ATOMIC_START, .min_counters = 2,
	   .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	uint64_t most = select_of(t->pmu, EV_INSTRUCTIONS) | cmask(field_max(PERFEVTSEL_CMASK));

	/* One bit each: a bit that is not compared leaves the plain count. */
	for (uint64_t threshold = 32; threshold <= 128; threshold *= 2)
		check_nothing(t, select_of(t->pmu, EV_INSTRUCTIONS) | cmask(threshold));
	check_nothing(t, most);
	if (can_count(t, EV_CYCLES))
		check_same(t, most | PERFEVTSEL_INV, select_of(t->pmu, EV_CYCLES));
}

INTEL_TEST(one_per_clock, "the clock event occurs once in every clock, never twice",
	   .clause = PERFEVTSEL, .needs = PMU_SELECT | PMU_ATOMIC_START, .min_counters = 2,
	   .per_counter = true, .counts = EV_CYCLES)
{
	uint64_t clocks = select_of(t->pmu, EV_CYCLES);

	check_same(t, clocks | cmask(1), clocks);
	check_nothing(t, clocks | cmask(2));
	check_same(t, clocks | cmask(2) | PERFEVTSEL_INV, clocks);
	check_nothing(t, clocks | cmask(1) | PERFEVTSEL_INV);
}

/* Not of instructions: erratum BJ091.  In both rings: BDD059. */
INTEL_TEST(any_thread, "ANY counts no fewer clocks than this thread alone has",
	   .clause = "Intel SDM vol. 3B, 20.2.3: AnyThread", .needs = PMU_SELECT | PMU_ANY_THREAD,
	   .min_counters = 2, .per_counter = true, .counts = EV_CYCLES)
{
	uint64_t clocks = select_of(t->pmu, EV_CYCLES), out[2];

	measure_pair(t, clocks | PERFEVTSEL_ANY, clocks, out);
	CHECK(t, out[1] > 0);
	CHECK(t, out[0] >= out[1]);
}

/* ---- P6: one enable bit ---- */

static bool counts(struct run *t, unsigned ctr, uint64_t ctl_0, uint64_t ctl_1)
{
	wrmsr(MSR_IA32_PERFEVTSEL(0), 0);
	wrmsr(MSR_IA32_PMC(ctr), 0);
	wrmsr(MSR_IA32_PERFEVTSEL(1), ctl_1);
	wrmsr(MSR_IA32_PERFEVTSEL(0), ctl_0);
	payload_bursts.entry(4, user_buffer());
	wrmsr(MSR_IA32_PERFEVTSEL(0), 0);
	return pmu_read(t->pmu, ctr) > 0;
}

INTEL_TEST(single_enable, "EN of counter 0 is for both counters, and USR and OS are for each alone",
	   .clause = "Intel SDM vol. 3B, 20.6.8: P6 family performance monitoring",
	   .needs = PMU_SINGLE_ENABLE)
{
	uint64_t select = select_of(t->pmu, EV_INSTRUCTIONS), on = select | PERFEVTSEL_EN;
	uint64_t nothing = PERFEVTSEL_EN;

	t->programmed = 3;
	CHECK(t, counts(t, 0, on, 0));
	CHECK(t, counts(t, 1, on, select));
	CHECK(t, counts(t, 1, nothing, select));
	CHECK(t, !counts(t, 0, nothing, select));
	CHECK(t, !counts(t, 1, on, 0));
	CHECK(t, !counts(t, 0, select, select));
	CHECK(t, !counts(t, 1, select, select));
}

/* ---- counters ---- */

#undef GROUP
#define GROUP "access"

INTEL_TEST(legacy_write,
	   "a write by the old name loads 32 bits and extends bit 31 to the full width",
	   .clause = "Intel SDM vol. 3B, 20.2.5: full-width writes", .needs = PMU_SELECT,
	   .per_counter = true)
{
	const uint64_t values[] = {
		UINT64_C(0x123456787fffffff), 0x80000000, 0xfffffff6, UINT64_C(0x0000ff0123456789),
		UINT64_C(0xffffffff00000000),
	};
	uint32_t msr = MSR_IA32_PMC(t->counter);

	for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
		uint64_t extended =
			(uint64_t)(int32_t)(uint32_t)values[i] & pmu_mask(t->pmu, t->counter);

		CHECK_EQ(t, (uint64_t)wrmsr_safe(msr, values[i]), (uint64_t)FAULT_NONE);
		CHECK_EQ(t, rdmsr(msr), extended);
		CHECK_EQ(t, pmu_read(t->pmu, t->counter), extended);
	}
}

static void check_no_counter(struct run *t, uint32_t index)
{
	uint64_t value;

	CHECK_EQ(t, (uint64_t)rdpmc_safe(index, &value), FAULT_GP);
}

/* Not above the counters of a part whose CPUID tells more of them elsewhere. */
INTEL_TEST(rdpmc_forms,
	   "RDPMC takes the indices of counters that exist, and raises #GP for all others",
	   .clause = "Intel SDM vol. 2: RDPMC", .min_counters = 1)
{
	const struct intel_cpu *cpu = &intel(t->pmu)->cpu;
	uint64_t value;

	/* Xeon 7400: what follows are counters of the uncore. */
	if (!cpu->perfmon_ext && cpu->model != 0x1d)
		check_no_counter(t, cpu->general_promised);
	check_no_counter(t, RDPMC_FAST);
	for (unsigned i = 0; i < 16; i++)
		if (!(cpu->fixed_promised >> i & 1) && cpu->version <= 5)
			check_no_counter(t, RDPMC_FIXED | i);
	if (intel(t->pmu)->capabilities & PERF_CAPABILITIES_PERF_METRICS)
		CHECK_EQ(t, (uint64_t)rdpmc_safe(RDPMC_METRICS, &value), (uint64_t)FAULT_NONE);
	else if (cpu->version < 5)
		check_no_counter(t, RDPMC_METRICS);
}
