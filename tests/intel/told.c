/* SPDX-License-Identifier: BSD-2-Clause */
/* The status and the counter are two witnesses of an overflow: they agree in every mode, also where
 * nobody knows how much is to be counted. */
#include "intel.h"

#define GROUP "modes", "overflow"
#define TOLD                                                                                       \
	"SDM vol. 3B, 20.2.1.1: IA32_PERFEVTSELx; 20.2.2: IA32_PERF_GLOBAL_STATUS; 20.2.3: "       \
	"AnyThread"

static const struct {
	unsigned at_least, below;
	bool edge;
} comparisons[] = {
	{0, 0, false}, {1, 0, false}, {2, 0, false}, {3, 0, false},
	{0, 1, false}, {0, 2, false}, {0, 3, false}, {1, 0, true},
};

/* From one short of zero on. */
static void check_told(struct run *t, struct slot slot)
{
	struct window w = {.n = 1, .c = {slot}, .work = in_ring0(&payload_bursts, 4)};
	const uint64_t bit = pmu_global_bit(t->pmu, t->counter);

	pmu_acknowledge(t->pmu, all_counters(t->pmu));
	w.c[0].from = pmu_mask(t->pmu, t->counter);
	window_run(t, &w);
	CHECK_EQ(t, rdmsr(MSR_GLOBAL_STATUS) & pmu_global_bits(t->pmu, all_counters(t->pmu)),
		 slot_counted(t, &w.c[0]) ? bit : 0);
}

static void check_threads(struct run *t, struct slot slot)
{
	check_told(t, slot);
	if (!(t->pmu->features & PMU_ANY_THREAD))
		return;
	slot.extra = any_bit(t->pmu, t->counter);
	check_told(t, slot);
}

INTEL_TEST(told,
	   "the status tells of each overflow, whatever its counter compares, and of no other",
	   .clause = TOLD, .needs = PMU_GLOBAL, .per_counter = true)
{
	struct slot slot = {.ctr = t->counter,
			    .cfg = in_all_rings(can_count(t, EV_INSTRUCTIONS)
							? (unsigned)EV_INSTRUCTIONS
							: first_event(t->pmu, t->counter))};

	if (!(pmu_features(t->pmu, t->counter) & PMU_THRESHOLD)) {
		check_threads(t, slot);
		return;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(comparisons); i++) {
		slot.cfg.at_least = comparisons[i].at_least;
		slot.cfg.below = comparisons[i].below;
		slot.cfg.edge = comparisons[i].edge;
		check_threads(t, slot);
	}
	slot.cfg = in_all_rings(slot.cfg.event);
	slot.cfg.below = t->pmu->max_threshold;
	check_threads(t, slot);
}
