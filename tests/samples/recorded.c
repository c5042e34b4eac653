/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of a counter whose event is recorded, while it is far from its overflow. */
#include "samples.h"

#define GROUP "modes", "overflow"

static const char *not_recorded(const struct pmu *pmu, unsigned ctr)
{
	const char *why = not_of_counters(pmu, ctr);

	if (why || pmu->sampler->counters >> ctr & 1)
		return why;
	return "PEBS records no event of this counter that is known";
}

/* One on which no erratum lies that does not lie on this one, too: of eight counters the upper four
 * are not whole on some parts. */
static unsigned twin_of(const struct run *t)
{
	return t->counter ? t->counter - 1 : 1;
}

/* The twin counts the same, and is not recorded: both open and close in one instant. */
static void check_recorded(struct run *t, struct pmu_config cfg)
{
	const struct pmu_sampling what = {.counters = BIT(t->counter), .room = 1};
	const uint64_t hidden = counts_hidden(t, &cfg, GATE_CHANGES);
	struct window w = {.n = 2,
			   .c = {{.ctr = t->counter, .cfg = cfg}, {.ctr = twin_of(t), .cfg = cfg}},
			   .work = sampled_loop(cfg.event, 100)};

	/* There is no overflow. */
	CHECK_EQ(t, sampled_run(t, &w, &what), 0);
	CHECK_NEAR(t, w.c[0].out, w.c[1].out, hidden);
	if (!cfg.at_least && !cfg.below)
		CHECK_IS(t, w.c[0].out, >, 0);
}

TEST(recorded, "that PEBS records the event of a counter changes nothing that it counts",
     .clause = PEBS, .needs = PMU_SAMPLER | PMU_SELECT | PMU_ATOMIC_START, .min_counters = 2,
     .per_counter = true, .counts = EV_INSTRUCTIONS, .absent = not_recorded)
{
	static const struct pmu_config hows[] = {{.at_least = 0},
						 {.at_least = 1},
						 {.below = 1},
						 {.at_least = 1, .edge = true},
						 {.at_least = 2}};

	for (unsigned kernel = 0; kernel < 2; kernel++)
		for (unsigned i = 0; i < ARRAY_SIZE(hows); i++) {
			struct pmu_config cfg = hows[i];

			cfg.event = sampler_of(t)->event;
			cfg.user = true;
			cfg.kernel = kernel;
			check_recorded(t, cfg);
		}
}
