/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore freezing: all counters of a box in the same clock, and of that box only. */
#include "snbep.h"

#define GROUP  "freeze"
#define ROUNDS 4u

SNBEP_CLOCK_TEST(stops_all, "frz with frz_en stops all counters of the box", .clause = BOX_CONTROL)
{
	struct window w = box_clocks(t);

	window_run(t, &w);
	wait_a_window();
	for (unsigned c = 0; c < w.n; c++) {
		CHECK(t, w.c[c].out > 0);
		CHECK_EQ(t, pmu_read(t->pmu, c), w.c[c].out);
	}
}

SNBEP_CLOCK_TEST(needs_frz_en, "frz without frz_en, and frz_en without frz, stop nothing",
		 .clause = BOX_CONTROL)
{
	static const uint32_t running[] = {BOX_CTL_FRZ, BOX_CTL_FRZ_EN, 0};
	uint64_t before[SNBEP_COUNTERS_MAX];
	struct window w = box_clocks(t);

	window_program(t, &w);
	for (unsigned i = 0; i < ARRAY_SIZE(running); i++) {
		snbep_put(t->pmu, box_ctl_of(t), running[i]);
		for (unsigned c = 0; c < w.n; c++)
			before[c] = pmu_read(t->pmu, c);
		wait_a_window();
		for (unsigned c = 0; c < w.n; c++)
			CHECK(t, pmu_read(t->pmu, c) > before[c]);
	}
}

SNBEP_CLOCK_TEST(goes_on, "unfrozen counters go on from where they stood, all in the same clock",
		 .clause = BOX_CONTROL)
{
	struct window w = box_clocks(t);
	uint64_t before = 0;

	window_program(t, &w);
	for (unsigned i = 0; i < ROUNDS; i++) {
		window_open(t, &w);
		wait_a_window();
		window_close(t, &w);
		CHECK(t, w.c[0].out > before);
		for (unsigned c = 1; c < w.n; c++)
			CHECK_EQ(t, w.c[c].out, w.c[0].out);
		before = w.c[0].out;
	}
}

/* ---- other boxes ---- */

static bool has_clock(const struct pmu *pmu)
{
	return !pmu->silent && pmu->events[EV_CYCLES].name;
}

SNBEP_CLOCK_TEST(this_box_only, "freezing one box lets all others run", .clause = BOX_CONTROL)
{
	uint64_t before[SNBEP_BOXES_MAX] = {0};
	const struct pmu *pmu;

	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (has_clock(pmu))
			box_start(pmu, snbep_clock(pmu));
	snbep_freeze(t->pmu);
	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++)
		if (has_clock(pmu))
			before[i] = pmu_read(pmu, 0);
	wait_a_window();
	for (unsigned i = 0; (pmu = snbep_pmu(i)); i++) {
		if (!has_clock(pmu))
			continue;
		if (pmu == t->pmu)
			CHECK_EQ(t, pmu_read(pmu, 0), before[i]);
		else if (!CHECK(t, pmu_read(pmu, 0) > before[i]))
			report_diag("%s stands still", pmu->name);
	}
}

SNBEP_TEST(fixed_counter, "DCLK while the box is frozen: told, not judged",
	   .clause = "Intel 327043-001, 2.5: iMC fixed counter", .kinds = SNBEP_IMC)
{
	const struct snbep_kind *kind = kind_of(t);
	uint64_t before;

	snbep_freeze(t->pmu);
	snbep_put(t->pmu, kind->fixed_ctl, FIXED_CTL_EN);
	before = snbep_get_counter(t->pmu, kind->fixed_ctr);
	wait_a_window();
	report_diag("DCLK %s with the box", snbep_get_counter(t->pmu, kind->fixed_ctr) == before
						    ? "stops"
						    : "does not stop");
	test_skip(t, NOT_JUDGED);
}
