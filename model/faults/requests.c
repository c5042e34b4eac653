/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupt requests: generated faults lose, double or delay them on the way to the local APIC. */
#include "generated.h"

static bool holds(const struct generated *g, const struct core_ops *ops, const void *pmu)
{
	return ops->held_by && (ops->held_by(pmu, 0) | ops->held_by(pmu, 1)) >> g->counter & 1;
}

unsigned generated_clock(const struct generated *g, const struct core_ops *ops, void *pmu,
			 const struct clock *clock)
{
	uint64_t *cell = ops->cell(pmu, g->counter), before = *cell;
	bool held = holds(g, ops, pmu), asked;
	unsigned requests = ops->clock(pmu, clock);

	asked = (*cell < before && requests) || (holds(g, ops, pmu) && !held);
	if (asked && g->class == GENERATED_ONE_MORE_PER_INTERRUPT)
		++*cell;
	if (asked && g->class == GENERATED_PMI_DROPPED)
		return 0;
	return asked && g->class == GENERATED_PMI_DOUBLED ? 2 : requests;
}

unsigned generated_delay(const struct generated *g)
{
	return g ? g->delay : 0;
}

uint32_t generated_held(const struct generated *g, uint32_t held)
{
	return g && g->class == GENERATED_PMI_DROPPED ? held & ~(UINT32_C(1) << g->counter) : held;
}
