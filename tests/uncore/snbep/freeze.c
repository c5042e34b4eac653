/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore freezing: all counters of a box in the same clock, and of that box only. */
#include "snbep.h"

#define GROUP    "freeze", "count"
#define ROUNDS   4u

#define ON_BOXES .clause = BOX_CONTROL, ON_CLOCKED

static void read_all(const struct pmu *pmu, uint64_t *out)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		out[c] = pmu_read(pmu, c);
}

/* With this in box control: do all counters go on, or does none? */
static void check_goes_on(struct run *t, uint64_t box_ctl, bool goes_on)
{
	uint64_t before[SNBEP_COUNTERS_MAX], after[SNBEP_COUNTERS_MAX];

	snbep_put(t->pmu, snbep_reg(t->pmu, kind_of(t)->box_ctl), (uint32_t)box_ctl);
	read_all(t->pmu, before);
	wait_a_window();
	read_all(t->pmu, after);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (goes_on)
			CHECK(t, after[c] > before[c]);
		else
			CHECK_EQ(t, after[c], before[c]);
}

SNBEP_TEST(stops_all, "frz with frz_en stops all counters of the box", ON_BOXES)
{
	put_clocks(t, t->pmu);
	check_goes_on(t, BOX_CTL_RUN, true);
	check_goes_on(t, BOX_CTL_STOP, false);
}

SNBEP_TEST(needs_frz_en, "frz without frz_en, and frz_en without frz, stop nothing", ON_BOXES)
{
	put_clocks(t, t->pmu);
	check_goes_on(t, BOX_CTL_FRZ, true);
	check_goes_on(t, BOX_CTL_FRZ_EN, true);
	check_goes_on(t, 0, true);
}

SNBEP_TEST(goes_on, "unfrozen counters go on from where they stood, all in the same clock",
	   ON_BOXES)
{
	uint64_t out[SNBEP_COUNTERS_MAX], before = 0;

	put_clocks(t, t->pmu);
	for (unsigned i = 0; i < ROUNDS; i++) {
		t->pmu->box->run(t->pmu);
		wait_a_window();
		t->pmu->box->freeze(t->pmu);
		read_all(t->pmu, out);
		CHECK(t, out[0] > before);
		for (unsigned c = 1; c < t->pmu->counters; c++)
			CHECK_EQ(t, out[c], out[0]);
		before = out[0];
	}
}

/* The next box with a clock, from *i on; *i is its number + 1. */
static const struct pmu *next_clocked(unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = snbep_pmu((*i)++)))
		if (!pmu->silent && pmu->events[EV_CYCLES].name)
			break;
	return pmu;
}

SNBEP_TEST(this_box_only, "freezing one box lets all others run", ON_BOXES)
{
	uint64_t before[SNBEP_BOXES_MAX + 1] = {0};
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = next_clocked(&i));) {
		put_clocks(t, pmu);
		pmu->box->run(pmu);
	}
	t->pmu->box->freeze(t->pmu);
	for (unsigned i = 0; (pmu = next_clocked(&i));)
		before[i] = pmu_read(pmu, 0);
	wait_a_window();
	for (unsigned i = 0; (pmu = next_clocked(&i));)
		if (pmu == t->pmu)
			CHECK_EQ(t, pmu_read(pmu, 0), before[i]);
		else if (!CHECK(t, pmu_read(pmu, 0) > before[i]))
			report_diag("%s stands still", pmu->name);
}
