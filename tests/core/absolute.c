/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts from the first event to the last: nothing is subtracted, for all that runs while the
 * counter is enabled is known. */
#include "core.h"
#include "mode.h"

#define GROUP "count", "privilege"

/* Not instructions: whether the writes that start and stop the counter are counted, no manual says.
 */
static const unsigned known[] = {EV_BRANCHES, EV_TAKEN_BRANCHES, EV_NEAR_RETURNS};

static bool is_known(const struct pmu *pmu, unsigned ctr, unsigned event)
{
	return pmu_can_count(pmu, ctr, event) && mode_event(pmu, event).exact;
}

static const char *none_known(const struct pmu *pmu, unsigned ctr)
{
	for (unsigned i = 0; i < ARRAY_SIZE(known); i++)
		if (is_known(pmu, ctr, known[i]))
			return NULL;
	return "the counter counts neither branches nor returns exactly";
}

enum { ITERATIONS = 3 };

static void check_event(struct run *t, struct pmu_config cfg)
{
	struct window w = {.n = 1, .c = {{.ctr = t->counter, .cfg = cfg}}};
	const struct mode_event e = mode_event(t->pmu, cfg.event);
	const uint64_t call = cfg.event != EV_NEAR_RETURNS;

	window_call(t, &w, ITERATIONS);
	CHECK_COUNT(t, w.c[0].out, call + e.once + ITERATIONS * e.each);
}

/* No two are neighbours: each is an edge. */
static void check_edges(struct run *t, unsigned event)
{
	struct pmu_config cfg = in_all_rings(event);

	cfg.at_least = 1;
	cfg.edge = true;
	if (pmu_features(t->pmu, t->counter) & PMU_THRESHOLD)
		check_event(t, cfg);
}

static void check_known(struct run *t, unsigned event)
{
	struct pmu_config cfg = in_all_rings(event);

	check_event(t, cfg);
	cfg.user = false;
	check_event(t, cfg);
	check_edges(t, event);
}

TEST(absolute, "from its start to its stop a counter counts all that occurs, and nothing else",
     .clause = "AMD 22007 appendix D; BKDG/PPR of each family: PMCx0C2, 0C4, 0C8; SDM vol. 3B: "
	       "events of each family",
     .needs = PMU_PRIVILEGE, .per_counter = true, .absent = none_known)
{
	for (unsigned i = 0; i < ARRAY_SIZE(known); i++)
		if (is_known(t->pmu, t->counter, known[i]))
			check_known(t, known[i]);
}
