/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: who counts what, and that they are found without trying everything. */
#include "check/unit/tap.h"
#include "kernel/lib/bits.h"
#include "pmu/pmu.h"

/* Eight counters with a select register, and one without. */
enum { GENERAL = 8, FIXED = GENERAL, ALL };

static unsigned tried;

static const char *no_conflict(const struct pmu *pmu, unsigned ctr_a, const struct pmu_config *a,
			       unsigned ctr_b, const struct pmu_config *b)
{
	(void)pmu, (void)ctr_a, (void)a, (void)ctr_b, (void)b;
	tried++;
	return NULL;
}

static const struct pmu_counting counting = {.conflict = no_conflict};
static const struct pmu_event events[EV_OWN + 1] = {[EV_INSTRUCTIONS] = {.name = "instructions"}};
static const struct pmu_counter counters[ALL] = {[FIXED] = {.fixed = true}};
static const struct pmu_ops ops;
static const struct pmu pmu = {
	.ops = &ops,
	.events = events,
	.counting = &counting,
	.counter = counters,
	.counters = ALL,
	.features = PMU_SELECT,
};

static const struct pmu_config plain = {.event = EV_INSTRUCTIONS};
static const struct pmu_config rung = {.event = EV_INSTRUCTIONS, .at_least = 1};

/* As many configurations as counters.  Only at the end it shows that the plain one must not have
 * the next counter. */
static void check_all(void)
{
	const struct pmu_config *cfg[ALL];
	unsigned ctr[ALL] = {1};

	for (unsigned i = 0; i < ALL; i++)
		cfg[i] = i == 1 ? &plain : &rung;
	tried = 0;
	OK(!pmu_plan(&pmu, ALL, cfg, ctr));
	OK(ctr[1] == FIXED && ctr[2] == 0 && ctr[3] == 2 && ctr[ALL - 1] == GENERAL - 1);
	OK(tried < 1000);
}

static void check_too_few(void)
{
	const struct pmu_config *cfg[ALL];
	unsigned ctr[ALL] = {1};

	for (unsigned i = 0; i < ALL; i++)
		cfg[i] = &rung;
	tried = 0;
	SAME(pmu_plan(&pmu, ALL, cfg, ctr), "fewer counters than configurations");
	OK(tried < 1000);
	ctr[0] = FIXED;
	SAME(pmu_plan(&pmu, 1, cfg, ctr), "a fixed counter has neither threshold nor edge");
}

/* Two counters that are deaf to ring 3 alone take part where the first one is such, or in both
 * rings. */
static void check_deaf(void)
{
	static const struct pmu_counter some[4] = {
		{.global_bit = 0}, {.global_bit = 1}, {.global_bit = 2}, {.global_bit = 3}};
	static const struct pmu_erratum deaf[] = {{"AB1", "x", 0, 0, .tests = "*",
						   .effect = DEAF_TO_USER_ALONE,
						   .counters = BIT(2) | BIT(3)},
						  {0}};
	static const struct pmu_ops with = {.errata = deaf};
	static const struct pmu_config alone = {.event = EV_INSTRUCTIONS, .user = true};
	static const struct pmu_config both = {
		.event = EV_INSTRUCTIONS, .user = true, .kernel = true};
	const struct pmu_config *cfg[] = {&alone, &alone, &both};
	unsigned ctr[3] = {1};
	struct pmu of = pmu;

	of.ops = &with;
	of.features |= PMU_USER_ALONE;
	of.counter = some;
	of.counters = ARRAY_SIZE(some);
	OK(!pmu_plan(&of, 3, cfg, ctr) && ctr[1] == 0 && ctr[2] == 2);
	cfg[2] = &alone;
	SAME(pmu_plan(&of, 3, cfg, ctr), "no free counter counts in ring 3 alone");
	ctr[0] = 3;
	OK(!pmu_plan(&of, 3, cfg, ctr) && ctr[1] == 0 && ctr[2] == 1);
	OK(pmu_features(&of, 1) & PMU_USER_ALONE && !(pmu_features(&of, 2) & PMU_USER_ALONE));
	SAME(pmu_program(&of, 2, &alone), pmu_why_missing(PMU_USER_ALONE));
}

int main(void)
{
	check_all();
	check_too_few();
	check_deaf();
	return tap_end();
}
