/* SPDX-License-Identifier: BSD-2-Clause */
/* Freezing by an overflow interrupt, or by software: a bit of the global status stands for it. */
#include "amd.h"
#include "tests/branches/branches.h"

#define GROUP "freeze", "count"
#define FREEZES                                                                                    \
	"AMD64 APM vol. 2, 13.2: DebugCtl bits 11 and 12, PerfCntrGlobalStatus bits 58 and 59"

#define FREEZE_TEST(name, claim, ...)                                                              \
	TEST(name, claim, .clause = FREEZES, .driver = &pmu_amd_v2, .min_counters = 2,             \
	     .counts = EV_INSTRUCTIONS, __VA_ARGS__)

/* Instructions.  The window goes on for much longer than an interrupt may be late, and has had more
 * branches than there are records. */
#define PERIOD 200
static const struct work work = {.payload = &payload_branches, .iterations = 400};

/* Choices for an overflow: branches are recorded; its interrupt freezes the records, or the
 * counters. */
enum { BRANCHES = 1, FREEZE_BRANCHES = 2, FREEZE_COUNTERS = 4 };

static void begin(struct run *t, unsigned what)
{
	struct pmu_branching branching = all_branches;

	amd_freeze_on_interrupt(what & FREEZE_COUNTERS ? DEBUGCTL_FREEZE_PMC_ON_PMI : 0,
				DEBUGCTL_FREEZE_PMC_ON_PMI);
	branching.stops_at_interrupt = what & FREEZE_BRANCHES;
	if (what & BRANCHES)
		branches_start(t, &branching);
}

/* The counter under test overflows early in a long window, in which all count, and which stays
 * open. */
static void overflow(struct run *t, unsigned what, bool interrupt)
{
	struct window w = window_of_all(t, in_all_rings(EV_INSTRUCTIONS));

	for (unsigned i = 0; i < w.n; i++)
		if (w.c[i].ctr == t->counter) {
			w.c[i].from = preset_for(t, PERIOD);
			w.c[i].cfg.interrupt = interrupt;
		}
	pmu_reset(t->pmu);
	window_program(t, &w);
	pmi_arm(t, VECTOR_PMI, BIT(t->counter));
	begin(t, what);
	window_open(t, &w);
	work_do(&work);
	pmi_disarm(t);
	CHECK_EQ(t, t->log.count, interrupt);
}

static void end(struct run *t)
{
	amd_freeze_on_interrupt(0, DEBUGCTL_FREEZE_PMC_ON_PMI);
	if (t->pmu->branches)
		t->pmu->branches->stop(t->pmu);
}

static uint64_t frozen(void)
{
	return rdmsr(MSR_PERF_CNTR_GLOBAL_STATUS) &
	       (PERF_CNTR_GLOBAL_LBRS_FROZEN | PERF_CNTR_GLOBAL_PMC_FROZEN);
}

static void thaw(uint64_t what)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_STATUS_CLR, what);
}

/* ---- counters ---- */

static uint64_t all(const struct run *t)
{
	return BIT(t->pmu->counters) - 1;
}

/* Bit n: counter n goes on counting. */
static uint64_t counting(struct run *t)
{
	const struct work shortly = in_ring0(&payload_straight, 10);

	return counters_moving(t, &shortly);
}

static uint64_t value_beside(const struct run *t)
{
	return pmu_read(t->pmu, (t->counter + 1) % t->pmu->counters);
}

/* Nothing is frozen: how far does a counter beside it come? */
static uint64_t goes_on(struct run *t, unsigned what, bool interrupt)
{
	overflow(t, what, interrupt);
	CHECK_EQ(t, frozen(), 0);
	CHECK_EQ(t, counting(t), all(t));
	return value_beside(t);
}

FREEZE_TEST(by_overflow,
	    "where asked to, an overflow that interrupts freezes all counters, until the status "
	    "bit is cleared",
	    .needs = PMU_FREEZE | PMU_INTERRUPT, .per_counter = true)
{
	uint64_t usual = goes_on(t, 0, true);

	goes_on(t, FREEZE_COUNTERS, false);
	overflow(t, FREEZE_COUNTERS, true);
	CHECK_EQ(t, frozen(), PERF_CNTR_GLOBAL_PMC_FROZEN);
	CHECK_IS(t, value_beside(t), <, usual / 2);
	CHECK_EQ(t, counting(t), 0);
	thaw(all(t));
	CHECK_EQ(t, counting(t), 0);
	thaw(PERF_CNTR_GLOBAL_PMC_FROZEN);
	CHECK_EQ(t, counting(t), all(t));
	end(t);
}

/* ---- branch records ---- */

static bool records(const struct pmu *pmu)
{
	pmu->branches->clear(pmu);
	kernel_call(payload_branches.entry, 1, user_buffer());
	return branches_recorded(pmu) > 0;
}

/* The branch to the interrupt's own handler is none of them. */
static void check_all_in_payload(struct run *t)
{
	unsigned n = branches_recorded(t->pmu);

	CHECK_IS(t, n, >, 0);
	for (unsigned age = 0; age < n; age++)
		CHECK(t, in_user_text(t->pmu->branches->read(t->pmu, age).to));
}

FREEZE_TEST(lbr,
	    "where asked to, an overflow that interrupts stops the recording of branches ahead of "
	    "its handler",
	    .needs = PMU_FREEZE | PMU_BRANCHES | PMU_INTERRUPT)
{
	overflow(t, BRANCHES, true);
	CHECK_EQ(t, frozen(), 0);
	CHECK(t, records(t->pmu));
	overflow(t, BRANCHES | FREEZE_BRANCHES, true);
	CHECK_EQ(t, frozen(), PERF_CNTR_GLOBAL_LBRS_FROZEN);
	check_all_in_payload(t);
	CHECK(t, !records(t->pmu));
	CHECK_EQ(t, counting(t), all(t));
	thaw(PERF_CNTR_GLOBAL_LBRS_FROZEN);
	CHECK(t, records(t->pmu));
	end(t);
}

/* ---- by software ---- */

static void freeze(uint64_t what)
{
	wrmsr(MSR_PERF_CNTR_GLOBAL_STATUS_SET, what);
}

FREEZE_TEST(by_software,
	    "software that sets the status bit freezes the counters, or the records of branches, "
	    "and no others",
	    .needs = PMU_FREEZE)
{
	const bool branches = t->pmu->branches;

	overflow(t, branches ? BRANCHES : 0, false);
	freeze(PERF_CNTR_GLOBAL_PMC_FROZEN);
	CHECK_EQ(t, frozen(), PERF_CNTR_GLOBAL_PMC_FROZEN);
	CHECK_EQ(t, counting(t), 0);
	CHECK(t, !branches || records(t->pmu));
	thaw(PERF_CNTR_GLOBAL_PMC_FROZEN);
	freeze(PERF_CNTR_GLOBAL_LBRS_FROZEN);
	CHECK_EQ(t, counting(t), all(t));
	CHECK(t, !branches || !records(t->pmu));
	thaw(PERF_CNTR_GLOBAL_LBRS_FROZEN);
	CHECK(t, !branches || records(t->pmu));
	end(t);
}
