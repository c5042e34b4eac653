/* SPDX-License-Identifier: BSD-2-Clause */
/* Single bits of IA32_PERFEVTSEL, as Intel's manual has them, and writes and reads of counters that
 * other makers do not have. */
#include "intel.h"

#define GROUP      "select", "count"
#define PERFEVTSEL "SDM vol. 3B, 20.2.1.1: IA32_PERFEVTSELx"

/* Two counters at the same time: the one under test with these bits beside the event, and the next
 * general one without them. */
struct pair {
	uint64_t bits;
	enum { NOTHING, THE_SAME, NO_FEWER } counts; /* than the next one */
};

static void check_pair(struct run *t, const struct pair *p, uint64_t select, uint64_t plain)
{
	struct select_pair pair = {.next = (t->counter + 1) % intel_general(t->pmu),
				   .select = {select | p->bits, plain}};
	const struct work work = in_ring0(&payload_bursts, 4);

	select_pair_run(t, &pair, &work);
	CHECK_IS(t, pair.out[1], >, 0);
	if (p->counts == NO_FEWER)
		CHECK_IS(t, pair.out[0], >=, pair.out[1]);
	else
		CHECK_EQ(t, pair.out[0], p->counts == NOTHING ? 0 : pair.out[1]);
}

static void check_pairs(struct run *t, const struct pair *rows, unsigned n)
{
	uint64_t plain = select_of(t->pmu, t->test->counts);

	for (unsigned i = 0; i < n; i++)
		check_pair(t, &rows[i], plain, plain);
}

#define CMASK(threshold) field_put(PERFEVTSEL_CMASK, threshold)

/* Rows of struct pair, for one event. */
#define PAIRS_TEST(name, claim, clause_, feature, event, ...)                                      \
	INTEL_TEST(name, claim, .clause = clause_, .needs = PMU_SELECT | (feature),                \
		   .min_counters = 2, .per_counter = true, .counts = event)                        \
	{                                                                                          \
		const struct pair rows[] = {__VA_ARGS__};                                          \
                                                                                                   \
		check_pairs(t, rows, ARRAY_SIZE(rows));                                            \
	}

PAIRS_TEST(inv_without_cmask, "INV without CMASK has no effect", PERFEVTSEL,
	   PMU_ATOMIC_START | PMU_THRESHOLD, EV_INSTRUCTIONS, {PERFEVTSEL_INV, THE_SAME})

PAIRS_TEST(one_per_clock, "the clock event occurs once in every clock, never twice", PERFEVTSEL,
	   PMU_ATOMIC_START | PMU_THRESHOLD, EV_CYCLES, {CMASK(1), THE_SAME}, {CMASK(2), NOTHING},
	   {CMASK(2) | PERFEVTSEL_INV, THE_SAME}, {CMASK(1) | PERFEVTSEL_INV, NOTHING})

/* Not of instructions: erratum BJ091.  In both rings: BDD059. */
PAIRS_TEST(any_thread, "ANY counts no fewer clocks than this thread alone has",
	   "SDM vol. 3B, 20.2.3: AnyThread", PMU_ANY_THREAD, EV_CYCLES, {PERFEVTSEL_ANY, NO_FEWER})

ABSENT_UNLESS(no_transactions, intel(pmu)->cpu.tsx, "it has no transactions")

/* Counter 2 alone has IN_TXCP. */
INTEL_TEST(outside_transactions, "IN_TX counts nothing outside of transactions, IN_TXCP all",
	   .clause = "SDM vol. 3B, 20.3.6.5: IN_TX", .needs = PMU_SELECT | PMU_ATOMIC_START,
	   .min_counters = 3, .per_counter = true, .counts = EV_INSTRUCTIONS,
	   .absent = no_transactions)
{
	static const struct pair rows[] = {{PERFEVTSEL_IN_TX, NOTHING},
					   {PERFEVTSEL_IN_TXCP, THE_SAME},
					   {PERFEVTSEL_IN_TX | PERFEVTSEL_IN_TXCP, NOTHING}};

	check_pairs(t, rows, t->counter == 2 ? ARRAY_SIZE(rows) : 1);
}

INTEL_TEST(cmask_maximum, "no clock has 32, 64, 128 or 255 occurrences, and every clock has fewer",
	   .clause = PERFEVTSEL, .needs = PMU_SELECT | PMU_ATOMIC_START | PMU_THRESHOLD,
	   .min_counters = 2, .per_counter = true, .counts = EV_INSTRUCTIONS)
{
	/* One bit each: a bit that is not compared leaves the plain count. */
	const struct pair rows[] = {{CMASK(32), NOTHING},
				    {CMASK(64), NOTHING},
				    {CMASK(128), NOTHING},
				    {CMASK(255), NOTHING}};
	const struct pair all = {CMASK(255) | PERFEVTSEL_INV, THE_SAME};

	check_pairs(t, rows, ARRAY_SIZE(rows));
	if (can_count(t, EV_CYCLES))
		check_pair(t, &all, select_of(t->pmu, EV_INSTRUCTIONS),
			   select_of(t->pmu, EV_CYCLES));
}

/* ---- P6: one enable bit ---- */

static bool counts(struct run *t, unsigned ctr, uint64_t ctl_0, uint64_t ctl_1)
{
	wrmsr(MSR_IA32_PERFEVTSEL(0), 0);
	wrmsr(MSR_IA32_PMC(ctr), 0);
	wrmsr(MSR_IA32_PERFEVTSEL(1), ctl_1);
	wrmsr(MSR_IA32_PERFEVTSEL(0), ctl_0);
	kernel_call(payload_bursts.entry, 4, user_buffer());
	wrmsr(MSR_IA32_PERFEVTSEL(0), 0);
	return pmu_read(t->pmu, ctr) > 0;
}

INTEL_TEST(single_enable, "EN of counter 0 is for both counters, and USR and OS are for each alone",
	   .clause = "SDM vol. 3B, 20.6.8: P6 family performance monitoring",
	   .needs = PMU_SINGLE_ENABLE)
{
	uint64_t select = select_of(t->pmu, EV_INSTRUCTIONS), on = select | PERFEVTSEL_EN;
	uint64_t nothing = PERFEVTSEL_EN;

	const struct {
		uint64_t ctl[2];
		bool counts[2];
	} rows[] = {
		{{on, 0}, {true, false}},
		{{on, select}, {true, true}},
		{{nothing, select}, {false, true}},
		{{select, select}, {false, false}},
	};

	t->programmed = 3;
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
		for (unsigned c = 0; c < 2; c++)
			CHECK_EQ(t, counts(t, c, rows[i].ctl[0], rows[i].ctl[1]),
				 rows[i].counts[c]);
}

/* ---- counters ---- */

#undef GROUP
#define GROUP "access", "alive"

static const char *no_old_name(const struct pmu *pmu, unsigned ctr)
{
	if (intel_number(pmu, ctr) >= INTEL_OLD_NAMES)
		return "this counter has no name of before version 6";
	return intel_alone(pmu, ctr);
}

INTEL_TEST(legacy_write,
	   "a write by the old name loads 32 bits and extends bit 31 to the full width",
	   .clause = "SDM vol. 3B, 20.2.5: full-width writes", .needs = PMU_SELECT,
	   .per_counter = true, .absent = no_old_name)
{
	const uint64_t values[] = {
		UINT64_C(0x123456787fffffff), 0x80000000, 0xfffffff6, UINT64_C(0x0000ff0123456789),
		UINT64_C(0xffffffff00000000),
	};
	uint32_t msr = MSR_IA32_PMC(intel_number(t->pmu, t->counter));

	for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
		uint64_t extended =
			(uint64_t)(int32_t)(uint32_t)values[i] & pmu_mask(t->pmu, t->counter);

		CHECK_WRMSR(t, msr, values[i], FAULT_NONE);
		CHECK_EQ(t, rdmsr(msr), extended);
		CHECK_EQ(t, pmu_read(t->pmu, t->counter), extended);
	}
}

static void check_no_counter(struct run *t, uint32_t index)
{
	uint64_t value;

	CHECK_RDPMC(t, index, &value, FAULT_GP);
}

static void check_no_fast(struct run *t)
{
	uint64_t value;
	long fault = rdpmc_safe(RDPMC_FAST, &value);

	if (fault == FAULT_NONE && value == (uint32_t)pmu_read(t->pmu, 0) &&
	    test_known_of_kvm(t, "KVM takes NetBurst's index of a fast read: Linux 5728a4a0ea79"))
		return;
	CHECK_FAULT(t, "RDPMC", RDPMC_FAST, fault, FAULT_GP);
}

/* All others are those that this core has not: it may have more than CPUID 0AH shows. */
INTEL_TEST(rdpmc_forms,
	   "RDPMC takes the indices of counters that exist, and raises #GP for all others",
	   .clause = "SDM vol. 2: RDPMC", .min_counters = 1, .absent = intel_alone)
{
	const struct intel_cpu *cpu = &intel(t->pmu)->cpu;
	uint64_t general = cpu->absent & FIELD(31, 0), value;

	/* Xeon 7400: what follows are counters of the uncore. */
	if (general && cpu->model != 0x1d)
		check_no_counter(t, (uint32_t)__builtin_ctzll(general));
	check_no_fast(t);
	for (unsigned i = 0; i < 16; i++)
		if (cpu->absent & GLOBAL_FIXED(i))
			check_no_counter(t, RDPMC_FIXED | i);
	if (intel(t->pmu)->capabilities & PERF_CAPABILITIES_PERF_METRICS)
		CHECK_RDPMC(t, RDPMC_METRICS, &value, FAULT_NONE);
	else if (!intel_may_have_metrics(cpu))
		check_no_counter(t, RDPMC_METRICS);
}
