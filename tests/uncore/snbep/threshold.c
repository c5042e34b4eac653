/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore threshold, invert and edge detection: laws over counters that a box opens and closes in
 * the same clock, on its clock and on the number of entries in a queue. */
#include "kernel/console/report.h"
#include "kernel/machine.h"
#include "memory.h"
#include "window.h"

/* Boxes with an event that may add more than 1 in a clock. */
#define QUEUED (SNBEP_IMC | SNBEP_QPI | SNBEP_CBO | SNBEP_PCU)

/* Entries of a queue, as one counter is to look at them. */
struct look {
	uint8_t at_least, below;
	bool edge;
	bool clock; /* the clock event instead */
};

/* That number: a CBo can compare only what its counter 0 accumulates. */
static struct snbep_config queue_of(const struct run *t)
{
	switch (kind_of(t)->bit) {
	case SNBEP_IMC:
		return (struct snbep_config){IMC_RPQ_OCCUPANCY};
	case SNBEP_QPI:
		return (struct snbep_config){QPI_TXL_FLITS_G0_ALL};
	case SNBEP_CBO:
		return (struct snbep_config){CBO_COUNTER0_OCCUPANCY};
	default:
		return (struct snbep_config){PCU_CORES_C0};
	}
}

/* One window of few reads of memory; three looks at most. */
static void look_at_queue(struct run *t, box_load *load, unsigned n, const struct look *look,
			  uint64_t *out)
{
	struct snbep_config cfg[SNBEP_COUNTERS_MAX] = {{CBO_TOR_OCCUPANCY_ALL}};
	unsigned first = kind_of(t)->bit == SNBEP_CBO;
	uint64_t all[SNBEP_COUNTERS_MAX];

	for (unsigned i = 0; i < n; i++) {
		struct snbep_config *c = &cfg[first + i];

		*c = look[i].clock ? clock_of(t) : queue_of(t);
		c->at_least = look[i].at_least;
		c->below = look[i].below;
		c->edge = look[i].edge;
	}
	box_window(t, first + n, NULL, cfg, load, all);
	for (unsigned i = 0; i < n; i++)
		out[i] = all[first + i];
}

static void skip_if_idle(struct run *t, uint64_t occupied)
{
	SKIP_IF(t, !occupied, "nothing was queued here");
}

/* ---- threshold ---- */

#define GROUP "threshold"

/* The counter under test with the threshold, and the one after it without, on the clock. */
static void clock_window(struct run *t, unsigned at_least, uint64_t *out)
{
	struct snbep_config cfg[2] = {clock_of(t), clock_of(t)};
	unsigned ctr[2];

	cfg[0].at_least = (uint8_t)at_least;
	counters_in_turn(t, 2, ctr);
	box_window(t, 2, ctr, cfg, wait_a_window, out);
	CHECK(t, out[1] > 0);
}

SNBEP_CLOCK_TEST(clock_steps, "each clock is one or more, and never two or more",
		 .clause = THRESHOLDS, .per_counter = true)
{
	uint64_t out[2];

	clock_window(t, 1, out);
	CHECK_EQ(t, out[0], out[1]);
	/* Each bit of the field. */
	for (unsigned n = 2; n <= t->pmu->max_threshold; n *= 2) {
		clock_window(t, n, out);
		CHECK_EQ(t, out[0], 0);
	}
}

/* A channel has another event for it.  2: that one may begin and end a clock later. */
static void check_not_empty(struct run *t)
{
	static const struct snbep_config cfg[] = {{IMC_RPQ_OCCUPANCY, .at_least = 1},
						  {IMC_RPQ_CYCLES_NE}};
	uint64_t out[2];

	box_window(t, 2, NULL, cfg, memory_burst, out);
	CHECK(t, out[0] <= out[1] + 2 && out[1] <= out[0] + 2);
}

SNBEP_TEST(ladder, "what is n or more is as often or more often than what is n + 1 or more",
	   .clause = THRESHOLDS, .kinds = QUEUED)
{
	static const struct look look[] = {{.at_least = 1}, {.at_least = 2}, {.at_least = 4}};
	uint64_t out[3];

	look_at_queue(t, memory_burst, 3, look, out);
	CHECK(t, out[0] >= out[1]);
	CHECK(t, out[1] >= out[2]);
	if (kind_of(t)->bit == SNBEP_IMC)
		check_not_empty(t);
	skip_if_idle(t, out[0]);
}

SNBEP_TEST(sum_law, "the plain count is the sum over n of the clocks with n or more",
	   .clause = THRESHOLDS, .kinds = QUEUED)
{
	static const struct look look[] = {{0}, {.at_least = 1}, {.at_least = 2}};
	uint64_t out[3];

	look_at_queue(t, memory_burst, 3, look, out);
	CHECK(t, out[0] >= out[1] + out[2]);
	look_at_queue(t, memory_load_slowly, 3, look, out);
	CHECK(t, out[0] >= out[1] + out[2]);
	if (!out[2])
		CHECK_EQ(t, out[0], out[1]);
	skip_if_idle(t, out[0]);
}

#undef GROUP

/* ---- invert ---- */

#define GROUP "invert"

/* The counter under test is the one that inverts. */
static void check_clock_partition(struct run *t, unsigned n)
{
	struct snbep_config cfg[3] = {clock_of(t), clock_of(t), clock_of(t)};
	unsigned ctr[3];
	uint64_t out[3];

	cfg[0].below = (uint8_t)n;
	cfg[1].at_least = (uint8_t)n;
	counters_in_turn(t, 3, ctr);
	box_window(t, 3, ctr, cfg, wait_a_window, out);
	CHECK_EQ(t, out[0] + out[1], out[2]);
	CHECK_EQ(t, out[n != 1], 0);
}

SNBEP_CLOCK_TEST(partition, "each clock is either n or more, or fewer than n", .clause = THRESHOLDS,
		 .per_counter = true)
{
	check_clock_partition(t, 1);
	check_clock_partition(t, 2);
}

static void check_queue_partition(struct run *t, uint8_t n)
{
	const struct look look[] = {{.at_least = n}, {.below = n}, {.clock = true}};
	uint64_t out[3];

	look_at_queue(t, memory_load_slowly, 3, look, out);
	CHECK(t, out[2] > 0);
	CHECK_EQ(t, out[0] + out[1], out[2]);
}

SNBEP_TEST(queue_partition, "in each clock a queue has either n entries or more, or fewer than n",
	   .clause = THRESHOLDS, .kinds = QUEUED)
{
	check_queue_partition(t, 1);
	check_queue_partition(t, 2);
}

/* invert, then edge_det, on the clock event with thresh 0. */
SNBEP_CLOCK_TEST(zero_threshold, "invert or edge without a threshold: told, not judged",
		 .clause = THRESHOLDS)
{
	static const uint64_t bits[] = {0, CTL_INVERT, CTL_EDGE_DET};
	uint64_t out[SNBEP_COUNTERS_MAX];

	box_program_clocks(t);
	for (unsigned c = 0; c < ARRAY_SIZE(bits); c++)
		snbep_put(t->pmu, t->pmu->counter[c].ctl.address,
			  (uint32_t)(clock_of(t).event | CTL_EN | bits[c]));
	snbep_run(t->pmu);
	wait_a_window();
	snbep_freeze(t->pmu);
	box_read(t, out);
	report_diag("clocks %llu; with invert %llu, with edge %llu", (unsigned long long)out[0],
		    (unsigned long long)out[1], (unsigned long long)out[2]);
	test_skip(t, NOT_JUDGED);
}

#undef GROUP

/* ---- edge ---- */

#define GROUP "edge"

/* 1: whether the condition counts as false before the first clock is not documented. */
SNBEP_CLOCK_TEST(constant, "what is always true becomes true at most once", .clause = THRESHOLDS)
{
	struct snbep_config cfg[SNBEP_COUNTERS_MAX];
	uint64_t out[SNBEP_COUNTERS_MAX];

	for (unsigned c = 0; c < t->pmu->counters; c++) {
		cfg[c] = clock_of(t);
		cfg[c].at_least = 1;
		cfg[c].edge = true;
	}
	box_window(t, t->pmu->counters, NULL, cfg, wait_a_window, out);
	for (unsigned c = 0; c < t->pmu->counters; c++)
		CHECK(t, out[c] <= 1);
}

/* An entry into the queue, the rises from empty, and the clocks in which it is not. */
static const struct snbep_config imc_rises[] = {{IMC_RPQ_INSERTS},
						{IMC_RPQ_OCCUPANCY, .at_least = 1, .edge = true},
						{IMC_RPQ_OCCUPANCY, .at_least = 1}};
static const struct snbep_config cbo_rises[] = {
	{CBO_TOR_OCCUPANCY_MISS_ALL},
	{CBO_TOR_INSERTS_MISS_ALL},
	{CBO_COUNTER0_OCCUPANCY, .at_least = 1, .edge = true},
	{CBO_COUNTER0_OCCUPANCY, .at_least = 1}};

/* 1: an entry that was there before is not among those that came. */
SNBEP_TEST(bounds, "a queue becomes used no more often than something enters it",
	   .clause = THRESHOLDS, .kinds = SNBEP_IMC | SNBEP_CBO)
{
	unsigned first = kind_of(t)->bit == SNBEP_CBO;
	uint64_t all[SNBEP_COUNTERS_MAX], *out = all + first;

	box_window(t, first + 3, NULL, first ? cbo_rises : imc_rises, memory_load_slowly, all);
	CHECK(t, out[1] <= out[0] + 1);
	CHECK(t, out[1] <= out[2]);
	CHECK(t, out[1] > 0 || !out[2]);
	skip_if_idle(t, out[2]);
}

#define TOGGLES   20u
#define TOGGLE_US 5u

/* Any frequency reaches band 0 at 0, and none at 25.5 GHz. */
SNBEP_TEST(toggles,
	   "with a condition that is made true so many times, an edge is counted each time",
	   .clause = THRESHOLDS, .kinds = SNBEP_PCU)
{
	const struct snbep_config cfg[] = {{PCU_FREQ_BAND0_CYCLES, .at_least = 1, .edge = true},
					   {PCU_FREQ_BAND0_CYCLES, .below = 1, .edge = true}};
	uint64_t out[SNBEP_COUNTERS_MAX];

	box_program(t, 2, NULL, cfg);
	for (unsigned i = 0; i < 2 * TOGGLES; i++) {
		snbep_put(t->pmu, PCU_MSR_PMON_BOX_FILTER, i % 2 ? 0 : UINT8_MAX);
		snbep_run(t->pmu);
		machine_delay_us(TOGGLE_US);
	}
	snbep_freeze(t->pmu);
	box_read(t, out);
	CHECK_EQ(t, out[0], TOGGLES);
	/* It was false at first, which may or may not count as having become so. */
	CHECK(t, out[1] == TOGGLES || out[1] == TOGGLES - 1);
}

/* 1: what was before the first clock is not documented, and the last edge has no successor. */
SNBEP_TEST(alternate, "rising and falling edges alternate", .clause = THRESHOLDS, .kinds = QUEUED)
{
	static const struct look look[] = {
		{.at_least = 1, .edge = true}, {.below = 1, .edge = true}, {.at_least = 1}};
	uint64_t out[3];

	look_at_queue(t, memory_load_slowly, 3, look, out);
	CHECK(t, out[0] <= out[1] + 1 && out[1] <= out[0] + 1);
	skip_if_idle(t, out[2]);
}
