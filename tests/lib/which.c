/* SPDX-License-Identifier: BSD-2-Clause */
/* Which counters a window has, and which of them move. */
#include "test.h"

const char *window_unfit(const struct pmu *pmu, unsigned ctr, struct window *w,
			 unsigned scrutinised)
{
	const struct pmu_config *in_turn[PMU_COUNTERS_MAX];
	unsigned chosen[PMU_COUNTERS_MAX] = {ctr};
	const char *impossible;

	for (unsigned i = 0; i < w->n; i++)
		in_turn[i] = &w->c[(scrutinised + i) % w->n].cfg;
	impossible = pmu_plan(pmu, w->n, in_turn, chosen);
	for (unsigned i = 0; !impossible && i < w->n; i++)
		w->c[(scrutinised + i) % w->n].ctr = chosen[i];
	return impossible;
}

void window_assign(struct run *t, struct window *w, unsigned scrutinised)
{
	const char *unfit = window_unfit(t->pmu, t->counter, w, scrutinised);

	SKIP_IF(t, unfit, unfit);
}

static bool is_in(const struct window *w, unsigned ctr)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->c[i].ctr == ctr)
			return true;
	return false;
}

const struct pmu_counter *window_neighbour(const struct pmu *pmu, const struct window *w)
{
	for (unsigned ctr = 0; ctr < pmu->counters; ctr++)
		if (pmu_features(pmu, ctr) & PMU_SELECT && !is_in(w, ctr))
			return &pmu->counter[ctr];
	return NULL;
}

struct window window_of_all(const struct run *t, struct pmu_config cfg)
{
	const bool deaf = pmu_is_deaf(t->pmu, t->counter, &cfg);
	struct window w = {0};

	for (unsigned i = 0; i < t->pmu->counters; i++) {
		unsigned ctr = (t->counter + i) % t->pmu->counters;

		if (pmu_can_count(t->pmu, ctr, cfg.event) &&
		    (deaf || !pmu_is_deaf(t->pmu, ctr, &cfg)))
			w.c[w.n++] = (struct slot){.ctr = ctr, .cfg = cfg};
	}
	return w;
}

uint64_t counters_not_zero(const struct run *t)
{
	uint64_t ctrs = 0;

	for (unsigned c = 0; c < t->pmu->counters; c++)
		ctrs |= (uint64_t)(pmu_read(t->pmu, c) != 0) << c;
	return ctrs;
}

uint64_t counters_moving(const struct run *t, const struct work *work)
{
	uint64_t before[PMU_COUNTERS_MAX], ctrs = 0;

	for (unsigned c = 0; c < t->pmu->counters; c++)
		before[c] = pmu_read(t->pmu, c);
	work_do(work);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		ctrs |= (uint64_t)(pmu_read(t->pmu, c) != before[c]) << c;
	return ctrs;
}

bool can_count(const struct run *t, unsigned event)
{
	return pmu_can_count(t->pmu, t->counter, event);
}

unsigned first_event(const struct pmu *pmu, unsigned ctr)
{
	FOR_EACH_EVENT (pmu, event)
		if (pmu_can_count(pmu, ctr, event))
			return event;
	return EV_NONE;
}

unsigned telling_event(const struct pmu *pmu, unsigned ctr)
{
	unsigned best = EV_NONE;

	FOR_EACH_EVENT (pmu, event)
		if (pmu_can_count(pmu, ctr, event) && !pmu->events[event].edition &&
		    (!best || (pmu_is_exact(pmu, event) && !pmu_is_exact(pmu, best))))
			best = event;
	return best;
}
