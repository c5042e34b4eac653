/* SPDX-License-Identifier: BSD-2-Clause */
/* PerfMonV2: one register enables all counters, one tells which have overflowed. */
#include "amd.h"

#define GROUP      "global", "fixed"
#define PERFMON_V2 "AMD64 APM vol. 2 (24593), 13.2: PerfCntrGlobal registers"

#define V2_TEST(name, claim, ...)                                                                  \
	TEST(name, claim, .clause = PERFMON_V2, .driver = &pmu_amd_v2, __VA_ARGS__)

static uint64_t all_counters(const struct run *t)
{
	return BIT(t->pmu->counters) - 1;
}

/* All on clocks from that value, stopped, with the bits of EN. */
static void program_all(struct run *t, uint64_t from, bool interrupt, uint64_t enabled)
{
	struct window w = window_of_all(t, in_all_rings(EV_CYCLES));

	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, 0);
	for (unsigned i = 0; i < w.n; i++) {
		w.c[i].from = from;
		w.c[i].cfg.interrupt = interrupt;
		w.c[i].extra = enabled >> w.c[i].ctr & 1 ? PERF_CTL_EN : 0;
	}
	window_program(t, &w);
}

/* Some hundred clocks with these bits of PerfCntrGlobalCtl. */
static void run_enabled(uint64_t ctrs)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, ctrs);
	kernel_call(payload_chain.entry, 100, user_buffer());
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, 0);
}

/* Which counters count, with ctrs in PerfCntrGlobalCtl and EN in those of enabled? */
static uint64_t counting(struct run *t, uint64_t ctrs, uint64_t enabled)
{
	program_all(t, 0, false, enabled);
	run_enabled(ctrs);
	return counters_not_zero(t);
}

V2_TEST(gates_each, "a counter counts if EN and its bit of PerfCntrGlobalCtl are set, and alone",
	.per_counter = true)
{
	uint64_t all = all_counters(t), own = BIT(t->counter);

	CHECK_EQ(t, counting(t, 0, all), 0);
	CHECK_EQ(t, counting(t, own, all), own);
	CHECK_EQ(t, counting(t, all & ~own, all), all & ~own);
	CHECK_EQ(t, counting(t, all, all & ~own), all & ~own);
}

/* Which counters go on counting, as the register now is? */
static uint64_t moving(struct run *t)
{
	const struct work work = in_ring0(&payload_chain, 10);

	return counters_moving(t, &work);
}

V2_TEST(each_bit,
	"a bit cleared stops its counter while all others go on, a bit set starts it alone",
	.per_counter = true)
{
	uint64_t all = all_counters(t), own = BIT(t->counter);

	program_all(t, 0, false, all);
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, all);
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, all & ~own);
	CHECK_EQ(t, moving(t), all & ~own);
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, 0);
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, own);
	CHECK_EQ(t, moving(t), own);
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, 0);
}

V2_TEST(same_clock, "one write of PerfCntrGlobalCtl opens the window of all counters",
	.min_counters = 2)
{
	uint64_t first;

	program_all(t, 0, false, all_counters(t));
	run_enabled(all_counters(t));
	first = pmu_read(t->pmu, 0);
	CHECK_IS(t, first, >, 0);
	for (unsigned c = 1; c < t->pmu->counters; c++)
		CHECK_EQ(t, pmu_read(t->pmu, c), first);
}

V2_TEST(keeps_enables, "PerfCntrGlobalCtl reads back what was written, bit by bit", )
{
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, BIT(c));
		CHECK_EQ(t, rdmsr(MSR_PERF_CNTR_GLOBAL_CTL) & all_counters(t), BIT(c));
	}
}

static uint64_t status(const struct run *t)
{
	return rdmsr(MSR_PERF_CNTR_GLOBAL_STATUS) & all_counters(t);
}

static void clear(uint64_t ctrs)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_STATUS_CLR, ctrs);
}

/* All counters are 21 clocks before their overflow, those are started: which bits come of it? */
static uint64_t status_after(struct run *t, uint64_t ctrs, bool interrupt)
{
	clear(all_counters(t));
	program_all(t, pmu_mask(t->pmu, t->counter) - 20, interrupt, all_counters(t));
	CHECK_EQ(t, status(t), 0);
	run_enabled(ctrs);
	return status(t);
}

/* With INT, and its interrupt masked: whether the bit is set without INT, no manual says. */
V2_TEST(shows_overflow,
	"an overflow sets the counter's bit in PerfCntrGlobalStatus, until it is cleared",
	.needs = PMU_INTERRUPT, .per_counter = true)
{
	uint64_t all = all_counters(t), own = BIT(t->counter);

	pmi_arm(t, APIC_LVT_MASKED | VECTOR_PMI, 0);
	CHECK_EQ(t, status_after(t, own, true), own);
	clear(all & ~own);
	CHECK_EQ(t, status(t), own);
	CHECK_EQ(t, status_after(t, all, true), all);
	clear(own);
	CHECK_EQ(t, status(t), all & ~own);
	clear(all);
	CHECK_EQ(t, status(t), 0);
	pmi_disarm(t);
	if (status_after(t, own, false) != own)
		report_diag("without INT the overflow is not shown");
}

static bool is_guest(void)
{
	struct cpu_identity identity;

	identify_cpu(&identity);
	return identity.virtual;
}

/* KVM has no such register before Linux 6.16 (kvm/svm/pmu.c, amd_is_valid_msr()). */
V2_TEST(set_by_software, "a bit written to PerfCntrGlobalStatusSet is set, and no other changes", )
{
	uint64_t set = 0, all = all_counters(t);

	clear(all);
	program_all(t, 1, false, all);
	SKIP_IF(t, is_guest() && wrmsr_safe(MSR_PERF_CNTR_GLOBAL_STATUS_SET, 0) != FAULT_NONE,
		"this hypervisor has no PerfCntrGlobalStatusSet");
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		set |= BIT(c);
		wrmsr(MSR_PERF_CNTR_GLOBAL_STATUS_SET, BIT(c));
		CHECK_EQ(t, status(t), set);
		CHECK_EQ(t, pmu_read(t->pmu, c), 1);
	}
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		set &= ~BIT(c);
		clear(BIT(c));
		CHECK_EQ(t, status(t), set);
	}
	wrmsr(MSR_PERF_CNTR_GLOBAL_STATUS_SET, 0);
	CHECK_EQ(t, status(t), 0);
}
