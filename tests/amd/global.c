/* SPDX-License-Identifier: BSD-2-Clause */
/* PerfMonV2: one register enables all counters, one tells which have overflowed. */
#include "kernel/apic.h"
#include "kernel/console/report.h"
#include "kernel/fault.h"
#include "kernel/trap.h"
#include "kernel/user.h"
#include "pmu/amd/amd.h"
#include "pmu/amd/regs.h"
#include "tests/lib/laws.h"

#define GROUP      "global"
#define PERFMON_V2 "AMD64 APM vol. 2 (24593), 13.2: PerfCntrGlobal registers"

#define V2_TEST(name, claim, ...)                                                                  \
	TEST(name, claim, .clause = PERFMON_V2, .driver = &pmu_amd_v2, __VA_ARGS__)

static uint64_t all_counters(const struct run *t)
{
	return BIT(t->pmu->counters) - 1;
}

/* All from that value, on their own enabled by EN, and stopped. */
static void program_all(struct run *t, uint64_t from, bool interrupt)
{
	const struct pmu_config cfg = {
		.event = EV_CYCLES, .user = true, .kernel = true, .interrupt = interrupt};

	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, 0);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		measure_program(t, c, &cfg, from);
		wrmsr(t->pmu->counter[c].ctl.address,
		      rdmsr(t->pmu->counter[c].ctl.address) | PERF_CTL_EN);
	}
}

/* Some hundred clocks with these bits of PerfCntrGlobalCtl. */
static void run_enabled(uint64_t ctrs)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, ctrs);
	payload_chain.entry(100, user_buffer());
	wrmsr(MSR_PERF_CNTR_GLOBAL_CTL, 0);
}

/* Who counts with these bits, and EN of all but those? */
static uint64_t counting(struct run *t, uint64_t ctrs, uint64_t disabled)
{
	uint64_t counted = 0;

	program_all(t, 0, false);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (disabled & BIT(c))
			wrmsr(t->pmu->counter[c].ctl.address,
			      rdmsr(t->pmu->counter[c].ctl.address) & ~PERF_CTL_EN);
	run_enabled(ctrs);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		counted |= (uint64_t)(pmu_read(t->pmu, c) != 0) << c;
	return counted;
}

V2_TEST(gates_each, "a counter counts if EN and its bit of PerfCntrGlobalCtl are set, and alone",
	.per_counter = true)
{
	uint64_t all = all_counters(t), own = BIT(t->counter);

	CHECK_EQ(t, counting(t, 0, 0), 0);
	CHECK_EQ(t, counting(t, own, 0), own);
	CHECK_EQ(t, counting(t, all & ~own, 0), all & ~own);
	CHECK_EQ(t, counting(t, all, own), all & ~own);
}

V2_TEST(same_clock, "one write of PerfCntrGlobalCtl opens the window of all counters",
	.min_counters = 2)
{
	uint64_t first;

	program_all(t, 0, false);
	run_enabled(all_counters(t));
	first = pmu_read(t->pmu, 0);
	CHECK(t, first > 0);
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
	program_all(t, pmu_mask(t->pmu, t->counter) - 20, interrupt);
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
	struct pmi_log log = {0};

	pmi_arm(t, &log, APIC_LVT_MASKED | VECTOR_PMI);
	CHECK_EQ(t, status_after(t, own, true), own);
	clear(all & ~own);
	CHECK_EQ(t, status(t), own);
	CHECK_EQ(t, status_after(t, all, true), all);
	clear(own);
	CHECK_EQ(t, status(t), all & ~own);
	clear(all);
	CHECK_EQ(t, status(t), 0);
	pmi_disarm();
	if (status_after(t, own, false) != own)
		report_diag("without INT the overflow is not shown");
}
