/* SPDX-License-Identifier: BSD-2-Clause */
/* What else of the PMU is in use beside a counter must not change what it counts. */
#include "intel.h"

#define GROUP "modes", "overflow"
#define BESIDE                                                                                     \
	"Intel SDM vol. 3B, 17.4.7: FREEZE_PERFMON_ON_PMI; 17.9: LBR; 20.3.1.1, 20.9: "            \
	"IA32_PEBS_ENABLE; "                                                                       \
	"20.2.2: IA32_PERF_GLOBAL_STATUS"

/* ---- what may be in use ---- */

static void freeze(struct run *t)
{
	(void)t;
	wrmsr(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
}

static void record_branches(struct run *t)
{
	(void)t;
	wrmsr(MSR_IA32_DEBUGCTL, DEBUGCTL_LBR);
}

/* Of a counter that does not run. */
static unsigned sampled(const struct pmu *pmu)
{
	const struct intel_precise *precise = intel_precise_event(&intel(pmu)->cpu);

	return precise ? precise->ctr : 0;
}

static void sample_another(struct run *t)
{
	struct pmu_sampling what = {.room = 1};

	/* On some processors that counter is the only one. */
	if (sampled(t->pmu) != t->counter)
		what.counters = BIT(sampled(t->pmu));
	t->pmu->sampler->arm(t->pmu, &what);
}

/* Of a counter which stands from then on. */
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
				  .cfg = everywhere(EV_INSTRUCTIONS)}},
			   .work = in_ring0(&payload_mix, 1)};

	pmu_write(t->pmu, other, w.c[0].from);
	window_run(t, &w);
}

static const struct {
	uint32_t needs;
	void (*begin)(struct run *t);
} in_use[] = {
	{PMU_FREEZE, freeze},
	{PMU_BRANCHES, record_branches},
	{PMU_SAMPLER, sample_another},
	{PMU_GLOBAL, leave_status},
};

/* The runner ends at the end of the test what is not ended here. */
static void end(struct run *t, unsigned i)
{
	if (in_use[i].needs & (PMU_FREEZE | PMU_BRANCHES))
		wrmsr(MSR_IA32_DEBUGCTL, 0);
	if (in_use[i].needs & PMU_SAMPLER)
		t->pmu->sampler->disarm(t->pmu);
}

/* ---- what is counted ---- */

/* The last one counts the same, if another counter can that is in use for nothing else. */
static struct window pair_of(const struct run *t, struct pmu_config cfg)
{
	struct window w = {.n = 1, .c = {{.ctr = t->counter, .cfg = cfg}}};

	for (unsigned ctr = 0; ctr < t->pmu->counters && w.n == 1; ctr++)
		if (ctr != t->counter && ctr != overflowed(t) && ctr != sampled(t->pmu) &&
		    pmu_can_count(t->pmu, ctr, cfg.event) && !pmu_is_deaf(t->pmu, ctr, &cfg))
			w.c[w.n++] = (struct slot){.ctr = ctr, .cfg = cfg};
	return w;
}

static bool is_exact(const struct pmu *pmu, unsigned event)
{
	return event == EV_INSTRUCTIONS && pmu->events[event].why->accuracy == PMU_EXACT;
}

struct counts {
	uint64_t exact; /* through the gate; 0: of clocks */
	bool overflowed;
};

/* From one short of an overflow on: its counter is to tell, and no interrupt to come. */
static struct counts see(struct run *t, unsigned event, bool user_alone)
{
	struct pmu_config cfg = user_alone ? gated(event) : everywhere(event);
	struct window w = pair_of(t, cfg);
	struct counts seen;

	pmu_acknowledge(t->pmu, BIT(t->counter));
	w.c[0].from = pmu_mask(t->pmu, t->counter);
	w.work = in_ring3(&payload_apart, 5);
	window_run(t, &w);
	/* By erratum HSD143 a fixed counter opens last. */
	if (w.n > 1 && (user_alone || !pmu_erratum(t->pmu, "HSD143")))
		CHECK_NEAR(t, slot_counted(t, &w.c[0]), slot_counted(t, &w.c[1]),
			   counts_hidden(t, &cfg, GATE_CHANGES));
	seen.exact = is_exact(t->pmu, event) ? slot_counted(t, &w.c[0]) : 0;
	seen.overflowed = rdmsr(MSR_GLOBAL_STATUS) & pmu_global_bit(t->pmu, t->counter);
	return seen;
}

static void check_threshold(struct run *t)
{
	struct pmu_config cfg = everywhere(EV_CYCLES);

	if (!(pmu_features(t->pmu, t->counter) & PMU_THRESHOLD))
		return;
	cfg.at_least = 2;
	CHECK_EQ(t, count(t, t->counter, cfg, in_ring3(&payload_apart, 5)), 0);
}

static void check_beside(struct run *t, unsigned i, unsigned event, bool user_alone)
{
	struct counts alone = see(t, event, user_alone), seen;

	in_use[i].begin(t);
	seen = see(t, event, user_alone);
	check_threshold(t);
	end(t, i);
	CHECK(t, seen.overflowed);
	CHECK_EQ(t, seen.exact, alone.exact);
}

TEST(beside,
     "freezing, branch records, PEBS and status of others change nothing that a counter counts",
     .driver = &pmu_intel, .clause = BESIDE, .needs = PMU_PRIVILEGE | PMU_ATOMIC_START | PMU_GLOBAL,
     .per_counter = true)
{
	const unsigned event = can_count(t, EV_INSTRUCTIONS) ? (unsigned)EV_INSTRUCTIONS
							     : first_event(t->pmu, t->counter);

	for (unsigned i = 0; i < ARRAY_SIZE(in_use); i++)
		for (unsigned both = 0; both < 2; both++)
			if (!(in_use[i].needs & ~pmu_abilities(t->pmu)))
				check_beside(t, i, event,
					     !both &&
						     !t->pmu->counter[t->counter].never_user_alone);
}
