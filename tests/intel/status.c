/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's global status: which counters have overflowed, until software says that it has seen. */
#include "intel.h"

#define GROUP         "status", "global"
#define GLOBAL_STATUS "SDM vol. 3B, 20.2.2, 20.2.4: IA32_PERF_GLOBAL_STATUS"

#define SOME_VALUE    0x5678u

static uint64_t all_bits(const struct pmu *pmu)
{
	return pmu_global_bits(pmu, all_counters(pmu));
}

/* Without the bits that stand for no counter: nothing is documented of CondChgd. */
static uint64_t status(const struct run *t)
{
	return rdmsr(MSR_GLOBAL_STATUS) & all_bits(t->pmu);
}

/* All count, and counter c soon overflows, without an interrupt. */
static void overflow_silently(struct run *t, unsigned c)
{
	struct window w = window_of_each(t);

	w.c[c].from = pmu_mask(t->pmu, t->counter) - 20;
	window_run(t, &w);
}

INTEL_TEST(only_the_overflowed,
	   "an overflow sets the bit of its counter and of no other, with INT clear, too",
	   .clause = GLOBAL_STATUS, .needs = PMU_GLOBAL)
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		pmu_reset(t->pmu);
		CHECK_EQ(t, status(t), 0);
		overflow_silently(t, c);
		CHECK_EQ(t, status(t), pmu_global_bit(t->pmu, c));
	}
}

/* Of reference clocks the flag may come back, once, as a value that is written behind an overflow
 * is not taken at once: Intel's event lists, CPU_CLK_UNHALTED.REF_TSC. */
static void acknowledge(uint64_t bits)
{
	const uint64_t reference = bits & GLOBAL_FIXED(2);

	wrmsr(MSR_GLOBAL_OVF_CTRL, bits);
	if (reference && rdmsr(MSR_GLOBAL_STATUS) & reference)
		wrmsr(MSR_GLOBAL_OVF_CTRL, reference);
}

/* All overflowed: each bit goes by itself. */
static void check_reset_of_each(struct run *t)
{
	uint64_t left = all_bits(t->pmu);
	struct window w = window_of_each(t);

	for (unsigned c = 0; c < w.n; c++)
		w.c[c].from = pmu_mask(t->pmu, t->counter) - 20;
	window_run(t, &w);
	CHECK_EQ(t, status(t), left);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		left &= ~pmu_global_bit(t->pmu, c);
		acknowledge(pmu_global_bit(t->pmu, c));
		CHECK_EQ(t, status(t), left);
	}
}

INTEL_TEST(sticky_until_reset, "a status bit stays until its bit is written to the reset register",
	   .clause = GLOBAL_STATUS, .needs = PMU_GLOBAL)
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		uint64_t bit = pmu_global_bit(t->pmu, c);

		pmu_reset(t->pmu);
		overflow_silently(t, c);
		pmu_write(t->pmu, c, 0);
		CHECK_EQ(t, status(t), bit);
		wrmsr(pmu_number(t->pmu->counter[c].ctl), 0);
		CHECK_EQ(t, status(t), bit);
		acknowledge(0);
		acknowledge(all_bits(t->pmu) & ~bit);
		CHECK_EQ(t, status(t), bit);
		acknowledge(bit);
		CHECK_EQ(t, status(t), 0);
	}
	check_reset_of_each(t);
}

/* Writes everything that a counter has, and the global enables bit by bit: none of that is the
 * status' business. */
static void check_writes(struct run *t, uint64_t expected)
{
	const uint64_t enables = all_bits(t->pmu);

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		const struct pmu_reg ctl = t->pmu->counter[c].ctl;
		uint64_t control = pmu_get(ctl);

		pmu_write(t->pmu, c, SOME_VALUE);
		CHECK_EQ(t, status(t), expected);
		pmu_put(t->pmu, ctl, control & ~t->pmu->counter[c].enable);
		CHECK_EQ(t, status(t), expected);
		pmu_put(t->pmu, ctl, control);
		CHECK_EQ(t, status(t), expected);
		wrmsr(MSR_GLOBAL_CTRL, pmu_global_bit(t->pmu, c));
		CHECK_EQ(t, status(t), expected);
		wrmsr(MSR_GLOBAL_CTRL, enables & ~pmu_global_bit(t->pmu, c));
		CHECK_EQ(t, status(t), expected);
		wrmsr(MSR_GLOBAL_CTRL, 0);
		CHECK_EQ(t, status(t), expected);
	}
}

INTEL_TEST(only_by_reset,
	   "no write but that of the reset register changes the status, bit by bit, set or clear",
	   .clause = GLOBAL_STATUS, .needs = PMU_GLOBAL)
{
	uint64_t left = all_bits(t->pmu);
	struct window w = window_of_each(t);

	for (unsigned c = 0; c < w.n; c++)
		w.c[c].from = pmu_mask(t->pmu, c) - 20;
	window_run(t, &w);
	check_writes(t, left);
	for (unsigned c = t->pmu->counters; c-- > 0;) {
		left &= ~pmu_global_bit(t->pmu, c);
		acknowledge(pmu_global_bit(t->pmu, c));
		CHECK_EQ(t, status(t), left);
	}
	check_writes(t, 0);
}

INTEL_TEST(set_by_software,
	   "a bit written to STATUS_SET is set as by an overflow, and counters keep their values",
	   .clause = "SDM vol. 3B, 20.2.4.2: IA32_PERF_GLOBAL_STATUS_SET",
	   .needs = PMU_GLOBAL | PMU_STATUS_SET)
{
	const bool interrupts = t->pmu->features & PMU_INTERRUPT;
	struct window w = window_of_each(t);
	uint64_t set = 0;

	for (unsigned c = 0; c < w.n; c++) {
		w.c[c].cfg.interrupt = interrupts;
		w.c[c].from = SOME_VALUE;
	}
	window_program(t, &w);
	if (interrupts)
		pmi_arm(t, VECTOR_PMI, 0);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		uint64_t bit = pmu_global_bit(t->pmu, c);

		wrmsr(MSR_GLOBAL_STATUS_SET, 0);
		CHECK_EQ(t, status(t), 0);
		wrmsr(MSR_GLOBAL_STATUS_SET, bit);
		CHECK_EQ(t, status(t), bit);
		CHECK_EQ(t, pmu_read(t->pmu, c), SOME_VALUE);
		acknowledge(bit);
		CHECK_EQ(t, status(t), 0);
	}
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		set |= pmu_global_bit(t->pmu, c);
		wrmsr(MSR_GLOBAL_STATUS_SET, pmu_global_bit(t->pmu, c));
		CHECK_EQ(t, status(t), set);
	}
	acknowledge(set);
	if (interrupts)
		pmi_disarm(t);
	/* Whether it also interrupts is documented nowhere. */
	report_diag("%llu interrupts came of bits set by software",
		    (unsigned long long)t->log.count);
}

static uint64_t shown_in_use(const struct run *t)
{
	return rdmsr(MSR_GLOBAL_INUSE) & (all_bits(t->pmu) | GLOBAL_INUSE_PMI);
}

INTEL_TEST(in_use, "INUSE shows which counters are programmed, and whether one interrupts",
	   .clause = "SDM vol. 3B, 20.2.4.3: IA32_PERF_GLOBAL_INUSE",
	   .needs = PMU_GLOBAL | PMU_STATUS_SET)
{
	CHECK_EQ(t, shown_in_use(t), 0);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		for (unsigned interrupt = 0; interrupt < 2; interrupt++) {
			struct window w = {.n = 1, .c = {{.ctr = c}}};

			w.c[0].cfg = gated(first_event(t->pmu, c));
			w.c[0].cfg.interrupt = interrupt;
			window_program(t, &w);
			CHECK_EQ(t, shown_in_use(t),
				 pmu_global_bit(t->pmu, c) | (interrupt ? GLOBAL_INUSE_PMI : 0));
			wrmsr(pmu_number(t->pmu->counter[c].ctl), 0);
			CHECK_EQ(t, shown_in_use(t), 0);
		}
}
