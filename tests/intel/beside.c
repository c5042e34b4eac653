/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the PMU that are in use beside a counter must not change what it counts. */
#include "intel.h"

#define GROUP "modes", "overflow"
#define BESIDE                                                                                     \
	"SDM vol. 3B, 17.4.7: FREEZE_PERFMON_ON_PMI; 17.9: LBR; 20.3.1.1, 20.9: "                  \
	"IA32_PEBS_ENABLE; "                                                                       \
	"20.2.2: IA32_PERF_GLOBAL_STATUS"

/* ---- what may be in use ---- */

static void freeze(struct run *t)
{
	(void)t;
	intel_freeze_on_interrupt(true);
}

static void record_branches(struct run *t)
{
	branches_start(t, &all_branches);
}

/* A counter that does not run: the lowest of those of which PEBS records the event, but for the one
 * under test. */
static unsigned sampled(const struct run *t)
{
	uint64_t others = t->pmu->sampler ? t->pmu->sampler->counters & ~BIT(t->counter) : 0;

	return others ? lowest_bit(others) : 0;
}

static void sample_another(struct run *t)
{
	struct pmu_sampling what = {.room = 1};

	/* On some processors that counter is the only one. */
	if (sampled(t) != t->counter)
		what.counters = BIT(sampled(t));
	t->pmu->sampler->arm(t->pmu, &what);
}

static unsigned other_fixed(const struct run *t)
{
	unsigned ctr = intel_general(t->pmu);

	return ctr == t->counter ? ctr + 1 : ctr;
}

static void run_another(struct run *t)
{
	const unsigned ctr = other_fixed(t);
	struct pmu_config cfg;

	if (ctr >= t->pmu->counters)
		return;
	cfg = in_all_rings(first_event(t->pmu, ctr));
	pmu_program(t->pmu, ctr, &cfg);
	pmu_start(t->pmu, BIT(ctr));
}

/* The number of a counter that overflows, and stands from then on. */
static unsigned overflowed(const struct run *t)
{
	return t->counter == 0;
}

static void leave_status(struct run *t)
{
	const unsigned other = overflowed(t);
	struct window w = {.n = 1,
			   .c = {{.ctr = other,
				  .from = pmu_mask(t->pmu, other),
				  .cfg = in_all_rings(EV_INSTRUCTIONS)}},
			   .work = in_ring0(&payload_mix, 1)};

	pmu_write(t->pmu, other, w.c[0].from);
	window_run(t, &w);
}

static void nothing(struct run *t)
{
	(void)t;
}

static const struct {
	uint32_t needs;
	void (*begin)(struct run *t);
	bool any; /* the counters themselves count for all threads of the core */
} in_use[] = {
	{PMU_FREEZE, freeze, false},          {PMU_BRANCHES, record_branches, false},
	{PMU_SAMPLER, sample_another, false}, {PMU_GLOBAL, leave_status, false},
	{PMU_GLOBAL, run_another, false},     {PMU_ANY_THREAD, nothing, true},
};

/* The runner ends at the end of the test what is not ended here. */
static void end(struct run *t, unsigned i)
{
	if (in_use[i].needs & PMU_FREEZE)
		intel_freeze_on_interrupt(false);
	if (in_use[i].needs & PMU_BRANCHES)
		t->pmu->branches->stop(t->pmu);
	if (in_use[i].needs & PMU_SAMPLER)
		t->pmu->sampler->disarm(t->pmu);
	pmu_stop(t->pmu, all_counters(t->pmu));
}

/* ---- what is counted ---- */

/* The last one counts the same, if another counter can that is in use for nothing else. */
static struct window pair_of(const struct run *t, struct pmu_config cfg, bool any)
{
	struct window w = {.n = 1, .c = {{.ctr = t->counter, .cfg = cfg}}};

	for (unsigned ctr = 0; ctr < t->pmu->counters && w.n == 1; ctr++)
		if (ctr != t->counter && ctr != overflowed(t) && ctr != sampled(t) &&
		    pmu_can_count(t->pmu, ctr, cfg.event) && !pmu_is_deaf(t->pmu, ctr, &cfg))
			w.c[w.n++] = (struct slot){.ctr = ctr, .cfg = cfg};
	for (unsigned i = 0; any && i < w.n; i++)
		w.c[i].extra = any_bit(t->pmu, w.c[i].ctr);
	return w;
}

static bool is_exact(const struct pmu *pmu, unsigned event)
{
	return event == EV_INSTRUCTIONS && pmu_is_exact(pmu, event);
}

struct counts {
	uint64_t exact; /* through the gate; 0: of clocks */
	bool overflowed;
};

/* From one short of an overflow on: its counter is to tell, and no interrupt to come. */
static struct counts see(struct run *t, unsigned event, bool user_alone, bool any)
{
	struct pmu_config cfg = user_alone ? gated(event) : in_all_rings(event);
	struct window w = pair_of(t, cfg, any);
	struct counts seen;

	pmu_acknowledge(t->pmu, BIT(t->counter));
	w.c[0].from = pmu_mask(t->pmu, t->counter);
	w.work = in_ring3(&payload_apart, 5);
	window_run(t, &w);
	/* By an erratum a fixed counter opens last. */
	if (w.n > 1 && (user_alone || !pmu_effect(t->pmu, OPENS_LATE)))
		CHECK_NEAR(t, slot_counted(t, &w.c[0]), slot_counted(t, &w.c[1]),
			   counts_hidden(t, &cfg, GATE_CHANGES));
	seen.exact = is_exact(t->pmu, event) ? slot_counted(t, &w.c[0]) : 0;
	seen.overflowed = rdmsr(MSR_GLOBAL_STATUS) & pmu_global_bit(t->pmu, t->counter);
	return seen;
}

/* From one write of the global register to the next, the last of which comes in a burst. */
static void check_last(struct run *t, unsigned event, bool any)
{
	struct window w = pair_of(t, in_all_rings(event), any);

	if (w.n == 1 || opens_late(t->pmu, w.c[0].ctr) || opens_late(t->pmu, w.c[1].ctr))
		return;
	window_call(t, &w, 1);
	CHECK_EQ(t, w.c[0].out, w.c[1].out);
}

/* No clock has so many. */
static void check_threshold(struct run *t, bool any)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter,
				  .cfg = in_all_rings(EV_CYCLES),
				  .extra = any ? any_bit(t->pmu, t->counter) : 0}},
			   .work = in_ring3(&payload_apart, 5)};

	if (!(pmu_features(t->pmu, t->counter) & PMU_THRESHOLD))
		return;
	w.c[0].cfg.at_least = t->pmu->max_threshold;
	window_run(t, &w);
	CHECK_EQ(t, w.c[0].out, 0);
}

static void check_beside(struct run *t, unsigned i, unsigned event, bool user_alone)
{
	const bool any = in_use[i].any;
	struct counts alone = see(t, event, user_alone, any), seen;

	in_use[i].begin(t);
	seen = see(t, event, user_alone, any);
	check_last(t, event, any);
	check_threshold(t, any);
	end(t, i);
	CHECK(t, seen.overflowed);
	/* The other thread does not do the same twice. */
	if (!any)
		CHECK_EQ(t, seen.exact, alone.exact);
}

/* The event of instructions, if it can be relied on. */
static unsigned event_of(const struct run *t, bool any)
{
	if (can_count(t, EV_INSTRUCTIONS) && (!any || any_counts(t->pmu, EV_INSTRUCTIONS)))
		return EV_INSTRUCTIONS;
	return first_event(t->pmu, t->counter);
}

/* In one ring ANY is not to be relied on: erratum BDD059. */
static bool is_there(const struct run *t, unsigned i, bool user_alone)
{
	return !(in_use[i].needs & ~pmu_abilities(t->pmu)) &&
	       (!in_use[i].any || (!user_alone && any_counts(t->pmu, event_of(t, true))));
}

TEST(beside,
     "freezing, branch records, PEBS, status and others that run change nothing that a counter "
     "counts",
     .driver = &pmu_intel, .clause = BESIDE, .needs = PMU_PRIVILEGE | PMU_ATOMIC_START | PMU_GLOBAL,
     .per_counter = true)
{
	for (unsigned i = 0; i < ARRAY_SIZE(in_use); i++)
		for (unsigned both = 0; both < 2; both++) {
			bool alone =
				!both && !pmu_effect_on(t->pmu, DEAF_TO_USER_ALONE, t->counter);

			if (is_there(t, i, alone))
				check_beside(t, i, event_of(t, in_use[i].any), alone);
		}
}
