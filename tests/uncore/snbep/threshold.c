/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore threshold, invert and edge detection: laws over counters that a box opens and closes in
 * the same clock, on its clock and on the number of entries in a queue. */
#include "snbep.h"

/* Boxes with an event that may add more than 1 in a clock. */
#define QUEUED (SNBEP_IMC | SNBEP_QPI | SNBEP_CBO | SNBEP_PCU)

#define LOOKS  3u /* at once */

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

/* One window of few reads of memory. */
static void look_at_queue(struct run *t, box_load *load, const struct look look[LOOKS],
			  uint64_t out[LOOKS])
{
	struct snbep_config cfg[SNBEP_COUNTERS_MAX] = {{CBO_TOR_OCCUPANCY_ALL}};
	unsigned first = kind_of(t)->bit == SNBEP_CBO;
	struct window w;

	for (unsigned i = 0; i < LOOKS; i++) {
		struct snbep_config *c = &cfg[first + i];

		*c = look[i].clock ? clock_of(t) : queue_of(t);
		c->at_least = look[i].at_least;
		c->below = look[i].below;
		c->edge = look[i].edge;
	}
	w = box_count(t, 0, first + LOOKS, cfg, load);
	for (unsigned i = 0; i < LOOKS; i++)
		out[i] = w.c[first + i].out;
}

static void skip_if_idle(struct run *t, uint64_t occupied)
{
	SKIP_IF(t, !occupied, "nothing was queued here");
}

/* ---- threshold ---- */

#define GROUP "threshold"

SNBEP_CLOCK_TEST(clock_steps, "each clock is one or more, and never two or more",
		 .clause = THRESHOLDS, .per_counter = true)
{
	struct window w =
		box_window(t, t->counter, CONFIGS(clock_of(t), clock_of(t)), wait_a_window);

	/* Each bit of the field. */
	for (unsigned n = 1; n <= t->pmu->max_threshold; n *= 2) {
		w.c[0].box.at_least = (uint8_t)n;
		window_run(t, &w);
		CHECK(t, w.c[1].out > 0);
		CHECK_EQ(t, w.c[0].out, n == 1 ? w.c[1].out : 0);
	}
}

/* A channel has another event for it.  2: that one may begin and end a clock later. */
static void check_not_empty(struct run *t)
{
	struct window w =
		box_count(t, 0, CONFIGS({IMC_RPQ_OCCUPANCY, .at_least = 1}, {IMC_RPQ_CYCLES_NE}),
			  memory_burst);
	uint64_t used = w.c[0].out, not_empty = w.c[1].out;

	CHECK(t, used <= not_empty + 2 && not_empty <= used + 2);
}

SNBEP_TEST(ladder, "what is n or more is as often or more often than what is n + 1 or more",
	   .clause = THRESHOLDS, .kinds = QUEUED)
{
	static const struct look look[] = {{.at_least = 1}, {.at_least = 2}, {.at_least = 4}};
	uint64_t out[LOOKS];

	look_at_queue(t, memory_burst, look, out);
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
	uint64_t out[LOOKS];

	look_at_queue(t, memory_burst, look, out);
	CHECK(t, out[0] >= out[1] + out[2]);
	look_at_queue(t, memory_load_slowly, look, out);
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
	struct window w = box_window(t, t->counter, CONFIGS(clock_of(t), clock_of(t), clock_of(t)),
				     wait_a_window);

	w.c[0].box.below = (uint8_t)n;
	w.c[1].box.at_least = (uint8_t)n;
	window_run(t, &w);
	CHECK_EQ(t, w.c[0].out + w.c[1].out, w.c[2].out);
	CHECK_EQ(t, w.c[n != 1].out, 0);
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
	uint64_t out[LOOKS];

	look_at_queue(t, memory_load_slowly, look, out);
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
	struct window w = box_clocks(t);

	window_program(t, &w);
	for (unsigned c = 0; c < ARRAY_SIZE(bits); c++)
		snbep_put(t->pmu, t->pmu->counter[c].ctl.address,
			  (uint32_t)(clock_of(t).event | CTL_EN | bits[c]));
	window_open(t, &w);
	wait_a_window();
	window_close(t, &w);
	report_diag("clocks %llu; with invert %llu, with edge %llu", (unsigned long long)w.c[0].out,
		    (unsigned long long)w.c[1].out, (unsigned long long)w.c[2].out);
	test_skip(t, NOT_JUDGED);
}

#undef GROUP

/* ---- edge ---- */

#define GROUP "edge"

/* 1: whether the condition counts as false before the first clock is not documented. */
SNBEP_CLOCK_TEST(constant, "what is always true becomes true at most once", .clause = THRESHOLDS)
{
	struct window w = box_clocks(t);

	for (unsigned c = 0; c < w.n; c++) {
		w.c[c].box.at_least = 1;
		w.c[c].box.edge = true;
	}
	window_run(t, &w);
	for (unsigned c = 0; c < w.n; c++)
		CHECK(t, w.c[c].out <= 1);
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
	struct window w =
		box_count(t, 0, first + 3, first ? cbo_rises : imc_rises, memory_load_slowly);
	uint64_t entered = w.c[first].out, rises = w.c[first + 1].out, used = w.c[first + 2].out;

	CHECK(t, rises <= entered + 1);
	CHECK(t, rises <= used);
	CHECK(t, rises > 0 || !used);
	skip_if_idle(t, used);
}

#define TOGGLES   20u
#define TOGGLE_US 5u

/* Any frequency reaches band 0 at 0, and none at 25.5 GHz. */
SNBEP_TEST(toggles,
	   "with a condition that is made true so many times, an edge is counted each time",
	   .clause = THRESHOLDS, .kinds = SNBEP_PCU)
{
	struct window w = box_window(t, 0,
				     CONFIGS({PCU_FREQ_BAND0_CYCLES, .at_least = 1, .edge = true},
					     {PCU_FREQ_BAND0_CYCLES, .below = 1, .edge = true}),
				     NULL);

	window_program(t, &w);
	for (unsigned i = 0; i < 2 * TOGGLES; i++) {
		snbep_put(t->pmu, PCU_MSR_PMON_BOX_FILTER, i % 2 ? 0 : UINT8_MAX);
		window_open(t, &w);
		machine_delay_us(TOGGLE_US);
	}
	window_close(t, &w);
	CHECK_EQ(t, w.c[0].out, TOGGLES);
	/* It was false at first, which may or may not count as having become so. */
	CHECK(t, w.c[1].out == TOGGLES || w.c[1].out == TOGGLES - 1);
}

/* 1: what was before the first clock is not documented, and the last edge has no successor. */
SNBEP_TEST(alternate, "rising and falling edges alternate", .clause = THRESHOLDS, .kinds = QUEUED)
{
	static const struct look look[] = {
		{.at_least = 1, .edge = true}, {.below = 1, .edge = true}, {.at_least = 1}};
	uint64_t out[LOOKS];

	look_at_queue(t, memory_load_slowly, look, out);
	CHECK(t, out[0] <= out[1] + 1 && out[1] <= out[0] + 1);
	skip_if_idle(t, out[2]);
}
