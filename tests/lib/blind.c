/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts that a change of ring hides from counters of one ring, and counts that a late start adds.
 */
#include "test.h"

/*
 * A counter whose event select has just one of USR and OS may stand still for a short time as the
 * ring changes.  The errata do not say how short, nor that all stand still in the same clocks: 2
 * clocks, each counter its own, is an assumption.  So is that nothing of what retires is missed:
 * they name edges, and sums of counts in one ring.
 */
#define CLOCKS_PER_CHANGE 2u

static bool is_of_retirement(const struct pmu_config *cfg)
{
	return cfg->event > EV_CYCLES && cfg->event < EV_OWN && !cfg->below;
}

/* A window in which the counter under test is deaf to ring 3 alone is in both rings. */
static bool is_of_one_ring(const struct run *t, const struct pmu_config *cfg)
{
	return cfg->user != cfg->kernel && !pmu_is_deaf(t->pmu, t->counter, cfg);
}

uint64_t clocks_hidden(const struct run *t, const struct pmu_config *cfg, unsigned changes)
{
	if (!pmu_effect(t->pmu, HIDES_CLOCKS_AT_RING_CHANGE) || !is_of_one_ring(t, cfg) ||
	    is_of_retirement(cfg))
		return 0;
	return changes * CLOCKS_PER_CHANGE;
}

uint64_t counts_hidden(const struct run *t, const struct pmu_config *cfg, unsigned changes)
{
	bool one_ring = cfg->user != cfg->kernel;

	return clocks_hidden(t, cfg, changes) +
	       (cfg->edge && one_ring ? edges_hidden(t, changes) : 0);
}

/* In so few clocks a condition rises once at most. */
uint64_t edges_hidden(const struct run *t, unsigned changes)
{
	const struct pmu_config clocks = gated(EV_CYCLES);

	return clocks_hidden(t, &clocks, changes) / CLOCKS_PER_CHANGE;
}

bool opens_late(const struct pmu *pmu, unsigned ctr)
{
	return pmu->counter[ctr].fixed && pmu_effect(pmu, OPENS_LATE);
}
