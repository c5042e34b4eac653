/* SPDX-License-Identifier: BSD-2-Clause */
/* Freezing by an overflow interrupt: versions 2 and 3 clear the global enables, from version 4 on a
 * status bit stands for it. */
#include "intel.h"

#define GROUP    "freeze", "count"
#define DEBUGCTL "SDM vol. 3B, 17.4.7: FREEZE_PERFMON_ON_PMI, FREEZE_LBRS_ON_PMI"

/* The window goes on for much longer than an interrupt may be late. */
#define PERIOD 40
static const struct work work = {.payload = &payload_straight, .iterations = 200};
/* Some steps of the reference clock, which ticks with the bus at 100 MHz or more. */
static const struct work shortly = {.payload = &payload_straight, .iterations = 60};

/* As it is when the window is over and not yet closed. */
struct state {
	uint64_t global_ctrl, status;
	uint64_t asked, debugctl; /* IA32_DEBUGCTL ahead of the overflow, and behind it */
	uint64_t value[PMU_COUNTERS_MAX];
};

/* Choices for an overflow: branches are recorded; its interrupt freezes the records, or the
 * counters. */
enum { BRANCHES = 1, FREEZE_BRANCHES = 2, FREEZE_COUNTERS = 4 };

static void begin(struct run *t, unsigned what)
{
	struct pmu_branching branching = all_branches;

	intel_freeze_on_interrupt(what & FREEZE_COUNTERS);
	branching.stops_at_interrupt = what & FREEZE_BRANCHES;
	if (what & BRANCHES)
		branches_start(t, &branching);
}

static void end(struct run *t)
{
	intel_freeze_on_interrupt(false);
	if (t->pmu->branches)
		t->pmu->branches->stop(t->pmu);
}

static bool has_status_bit(const struct run *t)
{
	return t->pmu->features & PMU_STATUS_SET;
}

/* Erratum SKL090: with eight counters to a thread, the upper four may not freeze; and errata
 * BDD116, BDM126: they would have all count the handler, which takes much of the window.  Left out.
 */
static uint64_t freezing(const struct run *t)
{
	bool may_not = intel_may_be(&intel(t->pmu)->cpu, INTEL_BROADWELL, INTEL_SKYLAKE);
	uint64_t all = all_counters(t->pmu);

	return may_not && intel_general(t->pmu) == 8 ? all & ~FIELD(7, 4) : all;
}

static uint64_t enables(const struct run *t)
{
	return pmu_global_bits(t->pmu, freezing(t));
}

static void take(struct run *t, struct state *s)
{
	s->global_ctrl = rdmsr(MSR_GLOBAL_CTRL);
	s->status = rdmsr(MSR_GLOBAL_STATUS);
	s->debugctl = intel_debugctl();
	for (unsigned c = 0; c < t->pmu->counters; c++)
		s->value[c] = pmu_read(t->pmu, c);
}

/* Several, by an erratum: with Hyper-Threading, if it freezes. */
static bool may_repeat(struct run *t, uint64_t ctrs, unsigned what)
{
	const struct pmu_erratum *erratum = pmu_effect(t->pmu, INTERRUPTS_TWICE_AS_IT_FREEZES);
	const unsigned fixed_0 = intel_general(t->pmu);

	if (!erratum || !(ctrs >> fixed_0 & 1) || !t->pmu->counter[fixed_0].fixed ||
	    !(what & FREEZE_COUNTERS) || t->log.count < 2)
		return false;
	t->known = erratum->id;
	return true;
}

/* These counters overflow early in a long window, and all others that freeze count in it. */
static void overflow_under(struct run *t, uint64_t ctrs, unsigned what, bool interrupt,
			   struct state *s)
{
	struct window w = {.n = 0};

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		struct slot *slot = &w.c[w.n];
		bool overflows = ctrs >> c & 1;

		if (!(freezing(t) & BIT(c)))
			continue;
		w.n++;
		*slot = (struct slot){.ctr = c,
				      .from = overflows ? preset_for(t, PERIOD) : 0,
				      .cfg = gated(first_event(t->pmu, c))};
		if (overflows && pmu_can_count(t->pmu, c, EV_INSTRUCTIONS))
			slot->cfg.event = EV_INSTRUCTIONS;
		slot->cfg.interrupt = overflows && interrupt;
	}
	pmu_reset(t->pmu);
	window_program(t, &w);
	pmi_arm(t, VECTOR_PMI, ctrs);
	begin(t, what);
	s->asked = intel_debugctl();
	window_open(t, &w);
	work_do(&work);
	take(t, s);
	pmi_disarm(t);
	if (!interrupt || !may_repeat(t, ctrs, what))
		CHECK_EQ(t, t->log.count, interrupt);
}

/* Bit n: counter n goes on counting. */
static uint64_t counting(struct run *t)
{
	return counters_moving(t, &shortly);
}

/* Some events may pass before all counters stand still.  The one that overflows is among them. */
static void check_state(struct run *t, const struct state *s, const struct state *usual,
			bool frozen)
{
	const bool by_status = frozen && has_status_bit(t);

	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (freezing(t) & BIT(c) && frozen)
			OF_COUNTER(t, c, CHECK_IS(t, s->value[c], <, usual->value[c] / 2));
		else if (freezing(t) & BIT(c))
			OF_COUNTER(t, c, CHECK_IS(t, s->value[c], >, usual->value[c] / 2));
	CHECK_EQ(t, s->global_ctrl, frozen && !by_status ? 0 : enables(t));
	CHECK_EQ(t, s->status & GLOBAL_CTR_FRZ, by_status ? GLOBAL_CTR_FRZ : 0);
	CHECK_EQ(t, counting(t), frozen ? 0 : freezing(t));
	if (!frozen)
		return;
	/* An acknowledgement of the overflows is not enough. */
	wrmsr(MSR_GLOBAL_OVF_CTRL, enables(t));
	CHECK_EQ(t, counting(t), 0);
}

static void check_freezing(struct run *t)
{
	struct state usual, s;

	overflow_under(t, BIT(0), 0, true, &usual);
	check_state(t, &usual, &usual, false);
	for (unsigned interrupt = 0; interrupt < 2; interrupt++) {
		overflow_under(t, BIT(0), FREEZE_COUNTERS, interrupt, &s);
		check_state(t, &s, &usual, interrupt);
	}
}

ABSENT_IF(streamlined_only, (pmu->features & PMU_STATUS_SET) != 0,
	  "this version freezes by a status bit")

INTEL_TEST(
	legacy,
	"an overflow interrupt clears the global enables, where asked to, until software sets them",
	.clause = DEBUGCTL, .needs = PMU_FREEZE | PMU_INTERRUPT, .min_counters = 2,
	.counts = EV_INSTRUCTIONS, .absent = streamlined_only)
{
	check_freezing(t);
	wrmsr(MSR_GLOBAL_CTRL, enables(t));
	CHECK_EQ(t, counting(t), freezing(t));
}

INTEL_TEST(
	streamlined,
	"an overflow interrupt, or software, freezes all counters by CTR_Frz until that is reset",
	.clause = DEBUGCTL, .needs = PMU_FREEZE | PMU_INTERRUPT | PMU_STATUS_SET, .min_counters = 2,
	.counts = EV_INSTRUCTIONS)
{
	check_freezing(t);
	wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_CTR_FRZ);
	CHECK_EQ(t, counting(t), freezing(t));
	wrmsr(MSR_GLOBAL_STATUS_SET, GLOBAL_CTR_FRZ);
	CHECK_EQ(t, counting(t), 0);
	wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_CTR_FRZ);
	CHECK_EQ(t, counting(t), freezing(t));
}

static bool records(const struct pmu *pmu)
{
	pmu->branches->clear(pmu);
	kernel_call(payload_branches.entry, 1, user_buffer());
	return branches_recorded(pmu) > 0;
}

INTEL_TEST(lbr, "an overflow interrupt stops the recording of branches, where asked to",
	   .clause = DEBUGCTL, .needs = PMU_FREEZE | PMU_BRANCHES | PMU_INTERRUPT,
	   .min_counters = 2, .counts = EV_INSTRUCTIONS)
{
	const uint64_t stopped = has_status_bit(t) ? 0 : DEBUGCTL_LBR;
	struct state s;

	overflow_under(t, BIT(0), BRANCHES, true, &s);
	CHECK(t, records(t->pmu));
	overflow_under(t, BIT(0), BRANCHES | FREEZE_BRANCHES, true, &s);
	CHECK_EQ(t, s.debugctl, s.asked & ~stopped);
	CHECK_EQ(t, s.status & GLOBAL_LBR_FRZ, has_status_bit(t) ? GLOBAL_LBR_FRZ : 0);
	CHECK(t, !records(t->pmu));
	if (has_status_bit(t))
		wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_LBR_FRZ);
	else
		begin(t, BRANCHES | FREEZE_BRANCHES);
	CHECK(t, records(t->pmu));
	end(t);
}

INTEL_TEST(lbr_by_software,
	   "branch records stand still from LBR_Frz set by software until its reset",
	   .clause = "SDM vol. 3B, 17.4.7, 20.2.4: LBR_Frz of IA32_PERF_GLOBAL_STATUS",
	   .needs = PMU_STATUS_SET | PMU_BRANCHES)
{
	branches_start(t, &all_branches);
	wrmsr(MSR_GLOBAL_STATUS_SET, GLOBAL_LBR_FRZ);
	CHECK_EQ(t, rdmsr(MSR_GLOBAL_STATUS) & GLOBAL_LBR_FRZ, GLOBAL_LBR_FRZ);
	CHECK(t, !records(t->pmu));
	wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_CTR_FRZ);
	CHECK(t, !records(t->pmu));
	wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_LBR_FRZ);
	CHECK_EQ(t, rdmsr(MSR_GLOBAL_STATUS) & GLOBAL_LBR_FRZ, 0);
	CHECK(t, records(t->pmu));
	end(t);
}

/* ---- whichever counter it is that overflows ---- */

static void thaw(struct run *t, unsigned what)
{
	if (has_status_bit(t)) {
		wrmsr(MSR_GLOBAL_OVF_CTRL, GLOBAL_CTR_FRZ | GLOBAL_LBR_FRZ);
	} else {
		wrmsr(MSR_GLOBAL_CTRL, enables(t));
		begin(t, what);
	}
}

static unsigned freeze_all(const struct run *t)
{
	return FREEZE_COUNTERS | (t->pmu->branches ? BRANCHES | FREEZE_BRANCHES : 0);
}

static bool keeps_records(const struct run *t)
{
	return t->pmu->branches && records(t->pmu);
}

/* Counters and branch records at once, where there are such. */
static void check_frozen_by(struct run *t, unsigned ctr, const struct state *usual)
{
	struct state s;

	overflow_under(t, BIT(ctr), freeze_all(t), true, &s);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (freezing(t) & BIT(c))
			OF_COUNTER(t, c, CHECK_IS(t, s.value[c], <, usual->value[c] / 2));
	CHECK_EQ(t, counting(t), 0);
	CHECK(t, !keeps_records(t));
	thaw(t, freeze_all(t));
	CHECK_EQ(t, counting(t), freezing(t));
	CHECK_EQ(t, keeps_records(t), t->pmu->branches != NULL);
	end(t);
}

INTEL_TEST(by_each_counter,
	   "the overflow of each counter freezes all of them and branch records, if it interrupts",
	   .clause = DEBUGCTL, .needs = PMU_FREEZE | PMU_INTERRUPT, .min_counters = 2,
	   .counts = EV_INSTRUCTIONS)
{
	struct state usual;

	overflow_under(t, freezing(t), freeze_all(t), false, &usual);
	CHECK_EQ(t, usual.status & (GLOBAL_CTR_FRZ | GLOBAL_LBR_FRZ), 0);
	CHECK_EQ(t, usual.global_ctrl, enables(t));
	CHECK_EQ(t, usual.debugctl, usual.asked);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		if (!(freezing(t) & BIT(c)))
			continue;
		check_frozen_by(t, c, &usual);
		if (t->failed)
			report_diag("by counter %u", c);
	}
}
