/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers that tests of overflows share. */
#include "test.h"

uint64_t preset_for(const struct run *t, uint64_t n)
{
	return (t->pmu->interrupt_after - n) & pmu_mask(t->pmu, t->counter);
}

uint64_t period_from(const struct run *t, uint64_t n)
{
	return n < t->pmu->shortest_period ? t->pmu->shortest_period : n;
}

uint64_t unseen_by_interrupt(const struct run *t)
{
	uint64_t clocks = t->pmu->interrupt_after;

	if (pmu_effect_on(t->pmu, DEAF_TO_USER_ALONE, t->counter))
		clocks++;
	return clocks * t->pmu->events[EV_INSTRUCTIONS].max_per_clock;
}

uint64_t count_overflows(struct run *t, struct pmu_config cfg, uint64_t from, struct work work,
			 uint32_t lvt)
{
	struct window w = {.n = 1,
			   .c = {{.ctr = t->counter, .cfg = cfg, .from = from}},
			   .work = work,
			   .lvt = lvt};

	window_run(t, &w);
	return w.c[0].out;
}

bool taken_in_ring3(const struct run *t)
{
	return t->log.count && t->log.rip >= (uintptr_t)user_text_start &&
	       t->log.rip < (uintptr_t)user_text_end;
}
