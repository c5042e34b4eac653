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
static const struct pmu pmu = {
	.events = events,
	.counting = &counting,
	.counter = counters,
	.counters = ALL,
	.features = PMU_SELECT,
};

static const struct pmu_config plain = {.event = EV_INSTRUCTIONS};
static const struct pmu_config rung = {.event = EV_INSTRUCTIONS, .at_least = 1};

/* As many as there are counters.  That the plain one must not have the next shows at the end. */
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

/* ---- errata ---- */

static const struct pmu_erratum errata[] = {
	{"AB1, AB12", "x", 3, 5, "*"}, {"AB2", "x", 7, 7, "*"}, {0}};
static const struct pmu_ops ops = {.errata = errata};

static bool has(uint32_t revision, const char *name)
{
	const struct pmu of = {.ops = &ops, .revision = revision};

	return pmu_erratum(&of, name);
}

/* By its whole name, and on the parts that have it. */
static void test_errata(void)
{
	OK(has(3, "AB1") && has(5, "AB12") && has(7, "AB2"));
	OK(!has(2, "AB1") && !has(6, "AB1") && !has(6, "AB2") && !has(3, "AB2"));
	OK(!has(3, "AB") && !has(3, "B1") && !has(3, "AB1, AB12") && !has(3, ""));
}

int main(void)
{
	test_errata();
	check_all();
	check_too_few();
	return tap_end();
}
