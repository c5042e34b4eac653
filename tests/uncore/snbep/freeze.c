/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore freezing: all counters of a box in the same clock, and of that box only. */
#include "kernel/console/report.h"
#include "window.h"

#define GROUP  "freeze"
#define ROUNDS 4u

SNBEP_CLOCK_TEST(stops_all, "frz with frz_en stops all counters of the box", .clause = BOX_CONTROL)
{
	uint64_t first[SNBEP_COUNTERS_MAX], second[SNBEP_COUNTERS_MAX];

	box_program_clocks(t);
	snbep_run(t->pmu);
	wait_a_window();
	snbep_freeze(t->pmu);
	box_read(t, first);
	wait_a_window();
	box_read(t, second);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		CHECK(t, first[c] > 0);
		CHECK_EQ(t, second[c], first[c]);
	}
}

SNBEP_CLOCK_TEST(needs_frz_en, "frz without frz_en, and frz_en without frz, stop nothing",
		 .clause = BOX_CONTROL)
{
	static const uint32_t running[] = {BOX_CTL_FRZ, BOX_CTL_FRZ_EN, 0};
	uint64_t first[SNBEP_COUNTERS_MAX], second[SNBEP_COUNTERS_MAX];

	box_program_clocks(t);
	for (unsigned i = 0; i < ARRAY_SIZE(running); i++) {
		snbep_put(t->pmu, box_ctl_of(t), running[i]);
		box_read(t, first);
		wait_a_window();
		box_read(t, second);
		for (unsigned c = 0; c < t->pmu->counters; c++)
			CHECK(t, second[c] > first[c]);
	}
}

SNBEP_CLOCK_TEST(goes_on, "unfrozen counters go on from where they stood, all in the same clock",
		 .clause = BOX_CONTROL)
{
	uint64_t out[SNBEP_COUNTERS_MAX], before = 0;

	box_program_clocks(t);
	for (unsigned i = 0; i < ROUNDS; i++) {
		snbep_run(t->pmu);
		wait_a_window();
		snbep_freeze(t->pmu);
		box_read(t, out);
		CHECK(t, out[0] > before);
		for (unsigned c = 1; c < t->pmu->counters; c++)
			CHECK_EQ(t, out[c], out[0]);
		before = out[0];
	}
}

/* ---- other boxes ---- */

static void start_clock(const struct pmu *pmu)
{
	const struct snbep_config clock = snbep_clock(pmu);

	snbep_reset(pmu);
	snbep_put(pmu, pmu->counter[0].ctl.address, snbep_encode(snbep_box(pmu)->kind, &clock));
	snbep_run(pmu);
}

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
			start_clock(pmu);
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
