/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore freezing: all counters of a box in the same clock, and of that box only. */
#include "box.h"

#define GROUP    "freeze", "count"
#define ROUNDS   4u

#define ON_BOXES .clause = BOX_CONTROL, ON_COUNTED

static void read_all(const struct pmu *pmu, uint64_t *out)
{
	for (unsigned c = 0; c < pmu->counters; c++)
		out[c] = pmu_read(pmu, c);
}

/* With this in the gate: do all counters go on, or does none? */
static void check_goes_on(struct run *t, uint64_t gate, bool goes_on)
{
	uint64_t before[BOX_COUNTERS_MAX], after[BOX_COUNTERS_MAX];

	pmu_put(t->pmu, t->pmu->bank->gate, gate);
	read_all(t->pmu, before);
	wait_a_window();
	read_all(t->pmu, after);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		if (goes_on)
			CHECK_IS(t, after[c], >, before[c]);
		else
			CHECK_EQ(t, after[c], before[c]);
}

BOX_TEST(stops_all, "frz stops all counters of the box, with frz_en where there is one", ON_BOXES)
{
	put_clocks(t, t->pmu);
	check_goes_on(t, box_gating(kind_of(t))->run, true);
	check_goes_on(t, box_gating(kind_of(t))->stop, false);
}

ABSENT_UNLESS(why_no_leave, box_gating(box_of(pmu)->kind)->allows,
	      "frz of this box needs no frz_en")

BOX_TEST(needs_frz_en, "frz without frz_en, and frz_en without frz, stop nothing", ON_BOXES,
	 .absent = why_no_leave)
{
	const uint32_t allows = box_gating(kind_of(t))->allows;

	put_clocks(t, t->pmu);
	check_goes_on(t, box_gating(kind_of(t))->stop & ~allows, true);
	check_goes_on(t, allows, true);
	check_goes_on(t, 0, true);
}

BOX_TEST(goes_on, "unfrozen counters go on from where they stood, all in the same clock", ON_BOXES)
{
	uint64_t out[BOX_COUNTERS_MAX], before = 0;

	put_clocks(t, t->pmu);
	for (unsigned i = 0; i < ROUNDS; i++) {
		t->pmu->box->run(t->pmu);
		wait_a_window();
		t->pmu->box->freeze(t->pmu);
		read_all(t->pmu, out);
		CHECK_IS(t, out[0], >, before);
		for (unsigned c = 1; c < t->pmu->counters; c++)
			CHECK_EQ(t, out[c], out[0]);
		before = out[0];
	}
}

/* The next box with a clock, from *i on; *i is its number + 1. */
static const struct pmu *next_clocked(unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = box_pmu((*i)++)))
		if (!pmu->silent && pmu->events[EV_CYCLES].name)
			break;
	return pmu;
}

/* A box that counts nothing before that has no say here: its own tests tell of it. */
BOX_TEST(this_box_only, "freezing one box lets all others run", ON_BOXES)
{
	static uint64_t before[PMUS_MAX + 1];
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = next_clocked(&i));) {
		put_clocks(t, pmu);
		pmu->box->run(pmu);
	}
	wait_a_window();
	t->pmu->box->freeze(t->pmu);
	for (unsigned i = 0; (pmu = next_clocked(&i));)
		before[i] = pmu_read(pmu, 0);
	wait_a_window();
	for (unsigned i = 0; (pmu = next_clocked(&i));)
		if (pmu == t->pmu)
			CHECK_EQ(t, pmu_read(pmu, 0), before[i]);
		else if (before[i] && !CHECK_IS(t, pmu_read(pmu, 0), >, before[i]))
			report_diag("%s stands still", pmu->name);
}

/* ---- the package ---- */

ABSENT_UNLESS(why_no_package, box_of(pmu)->part->package.msr,
	      "no register that stops all boxes of a package is known well enough")

/* The next one of those behind MSRs, which are all of this package.  Functions may have bits of
 * their own that say whether they listen. */
static const struct pmu *next_of_package(unsigned *i)
{
	const struct pmu *pmu;

	while ((pmu = next_clocked(i)) && box_of(pmu)->kind->space != REG_MSR)
		;
	return pmu;
}

static void check_package(struct run *t, bool goes_on)
{
	static uint64_t before[PMUS_MAX + 1];
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = next_of_package(&i));)
		before[i] = pmu_read(pmu, 0);
	wait_a_window();
	for (unsigned i = 0; (pmu = next_of_package(&i));)
		if (goes_on ? !CHECK_IS(t, pmu_read(pmu, 0), >, before[i])
			    : !CHECK_EQ(t, pmu_read(pmu, 0), before[i]))
			report_diag("that is %s", pmu->name);
}

BOX_TEST(package, "one write stops all boxes behind MSRs of the package, another one ends that",
	 .clause = "uncore guide, 2.1.1: GLOBAL_CTL: frz_all, unfrz_all", .kinds = BOX_POWER,
	 .counts = EV_CYCLES, .absent = why_no_package)
{
	const struct box_part *part = box_of(t->pmu)->part;
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = next_of_package(&i));) {
		put_clocks(t, pmu);
		pmu->box->run(pmu);
	}
	check_package(t, true);
	SKIP_IF(t, !box_run_package(part, false), "the register that stops all boxes refuses");
	wait_a_window(); /* it is told to one box after the other */
	check_package(t, false);
	CHECK(t, box_run_package(part, true));
	check_package(t, true);
}
