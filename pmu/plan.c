/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans of counters and events: which counters can count what at the same time. */
#include "pmu.h"

/* Does it need a select register for more than the event? */
static bool selects(const struct pmu_config *cfg)
{
	return cfg->at_least || cfg->below || cfg->edge || cfg->pin_control;
}

#define TOO_FEW "fewer counters than configurations"

static const char *unfit(const struct pmu *pmu, const struct pmu_config *const *cfg,
			 const unsigned *ctr, unsigned i)
{
	if (!pmu_can_count(pmu, ctr[i], cfg[i]->event))
		return "no free counter can count the event";
	if (selects(cfg[i]) && !(pmu_features(pmu, ctr[i]) & PMU_SELECT))
		return "a fixed counter has neither threshold nor edge";
	if (pmu_is_deaf(pmu, ctr[i], cfg[i]) && !pmu_is_deaf(pmu, ctr[0], cfg[0]))
		return "no free counter counts in ring 3 alone";
	for (unsigned before = 0; before < i; before++) {
		const char *why = NULL;

		if (ctr[before] == ctr[i])
			return TOO_FEW;
		if (pmu->counting->conflict)
			why = pmu->counting->conflict(pmu, ctr[before], cfg[before], ctr[i],
						      cfg[i]);
		if (why)
			return why;
	}
	return NULL;
}

/* Are there enough select registers left, beside those of ctr[0..i], for the configurations that
 * need one?  Without this question all permutations would be tried before a configuration that
 * needs none goes to a fixed counter. */
static bool selects_suffice(const struct pmu *pmu, unsigned n, const struct pmu_config *const *cfg,
			    const unsigned *ctr, unsigned i)
{
	unsigned asked = 0, left = 0;

	for (unsigned after = i + 1; after < n; after++)
		asked += selects(cfg[after]);
	for (unsigned c = 0; c < pmu->counters; c++)
		left += (pmu_features(pmu, c) & PMU_SELECT) != 0;
	for (unsigned taken = 0; taken <= i; taken++)
		left -= (pmu_features(pmu, ctr[taken]) & PMU_SELECT) != 0;
	return asked <= left;
}

/* Depth first: at most as many levels as a test has configurations. */
static const char *choose(const struct pmu *pmu, unsigned n, const struct pmu_config *const *cfg,
			  unsigned *ctr, unsigned i)
{
	const char *why = NULL;

	if (i == n)
		return NULL;
	for (unsigned step = 1; step < pmu->counters; step++) {
		const char *not_here;

		ctr[i] = (ctr[i - 1] + step) % pmu->counters;
		not_here = unfit(pmu, cfg, ctr, i);
		if (!not_here && !selects_suffice(pmu, n, cfg, ctr, i))
			not_here = TOO_FEW;
		if (!not_here)
			not_here = choose(pmu, n, cfg, ctr, i + 1);
		if (!not_here)
			return NULL;
		/* A conflict tells more than a counter that is of no use anyway. */
		if (!why || pmu_can_count(pmu, ctr[i], cfg[i]->event))
			why = not_here;
	}
	return why ? why : TOO_FEW;
}

const char *pmu_plan(const struct pmu *pmu, unsigned n, const struct pmu_config *const *cfg,
		     unsigned *ctr)
{
	const char *why = unfit(pmu, cfg, ctr, 0);

	return why ? why : choose(pmu, n, cfg, ctr, 1);
}
