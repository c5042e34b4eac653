/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes that are like one before them have a single result each. */
#include "fold.h"

#include "plan.h"

static unsigned jobs;

static void count_job(const struct job *job, const struct battery *battery)
{
	(void)job;
	(void)battery;
	jobs++;
}

static bool is_tested(const struct pmu_set *found, const struct battery *battery,
		      const struct pmu *box)
{
	if (!box->box || box->silent || box->idle)
		return false;
	jobs = 0;
	plan_visit_pmu(found, battery, box, count_job);
	return jobs > 0;
}

/* A user who asks for a box by its name wants to see it. */
static bool is_asked_for(const struct battery *battery, const struct pmu *box)
{
	return battery->filter && glob_names(battery->filter, box->name);
}

static const struct pmu *first_like(const struct battery *battery, const struct pmu *box,
				    const struct pmu *const *first, unsigned firsts)
{
	for (unsigned i = 0; i < firsts; i++)
		if (pmu_is_equal(box, first[i]) && plan_agrees(battery, box, first[i]))
			return first[i];
	return NULL;
}

void fold(struct pmu_set *found, const struct battery *battery)
{
	static const struct pmu *first[PMUS_MAX];
	unsigned firsts = 0;

	for (unsigned i = 0; i < found->count; i++) {
		struct pmu *box = &found->pmu[i];

		if (!is_tested(found, battery, box))
			continue;
		if (!is_asked_for(battery, box))
			box->like = first_like(battery, box, first, firsts);
		if (!box->like)
			first[firsts++] = box;
	}
}

unsigned fold_count(const struct pmu_set *found, const struct pmu *first)
{
	unsigned n = 0;

	for (unsigned i = 0; i < found->count; i++)
		n += first ? found->pmu[i].like == first : found->pmu[i].like != NULL;
	return n;
}
