/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore threshold, invert and edge detection: laws over counters that a box opens and closes in
 * the same clock, on its clock, on lock sequences, and on the number of entries in a queue. */
#include "box.h"

/* Boxes with an event that may add more than 1 in a clock. */
#define QUEUED  (BOX_CHANNEL | BOX_LINK | BOX_SLICE | BOX_POWER | BOX_WHOLE)
#define ON_ANY  .clause = THRESHOLDS, .kinds = QUEUED
#define ON_MANY ON_ANY, .absent = why_no_queue
#define ON_UBOX                                                                                    \
	.clause = THRESHOLDS, .kinds = BOX_SYSTEM, .per_counter = true, .absent = why_no_locks

ABSENT_UNLESS(why_no_queue, box_of(pmu)->kind->queue,
	      "no event of such a box may occur more than once in a clock")

/* ---- threshold ---- */

#define GROUP "threshold", "count"

/* A clock event that is one of a threshold takes no other. */
static bool has_plain_clocks(const struct pmu *pmu)
{
	const struct box_event *clocks = box_event(box_of(pmu)->kind, BOX_CLOCKS);

	return !clocks || !clocks->below;
}

ABSENT_UNLESS(why_no_plain_clocks, has_plain_clocks(pmu),
	      "no event of such a box occurs in each clock by itself")

/* The counter under test with the threshold, and the one after it without: with each bit of the
 * field alone. */
static void check_steps(struct run *t, struct box_config event, box_load *load, int32_t some)
{
	struct trial trial = {.cfg = {event, event}, .load = load};

	for (unsigned n = 1; n <= t->pmu->max_threshold; n *= 2) {
		trial.cfg[0].at_least = (uint16_t)n;
		trial.law[0] = (struct law){{1, n == 1 ? -1 : 0}, EXACTLY(0)};
		trial.law[1] = (struct law){{0, 1}, AT_LEAST(some)};
		judge(t, &trial);
	}
}

BOX_TEST(clock_steps, "each clock is one or more, and never two or more", .clause = THRESHOLDS,
	 ON_CLOCKED, .per_counter = true, .absent = why_no_plain_clocks)
{
	check_steps(t, (struct box_config){CLOCKS}, NULL, 1);
}

BOX_TEST(lock_steps, "a clock starts one lock sequence or none, and never two or more", ON_UBOX)
{
	check_steps(t, (struct box_config){.event = SYSTEM_LOCKS}, split_locks, SPLIT_LOCKS);
}

/* A channel has another event for a queue that is not empty.  2: that event may begin and end a
 * clock later. */
TRIALS(ladder, "n or more occur in no fewer clocks than n + 1 or more", (ON_MANY),
       {.kinds = BOX_CHANNEL,
	.load = memory_burst,
	.cfg = {{.event = CHANNEL_READ_QUEUE, .at_least = 1}, {.event = CHANNEL_READ_BUSY}},
	.law = {{{1, -1}, WITHIN(0, 2)}}},
       {.load = memory_burst,
	.occurs = 1,
	.cfg = {{QUEUE, .at_least = 1}, {QUEUE, .at_least = 2}, {QUEUE, .at_least = 4}},
	.law = {{{1, -1}, AT_LEAST(0)}, {{0, 1, -1}, AT_LEAST(0)}}})

/* With no clock of two or more the plain count is the number of clocks with one. */
TRIALS(sum_law, "the plain count is the sum over n of the clocks with n or more", (ON_MANY),
       {.load = memory_burst,
	.cfg = {{QUEUE}, {QUEUE, .at_least = 1}, {QUEUE, .at_least = 2}},
	.law = {{{1, -1, -1}, AT_LEAST(0)}, {{1, -1, -MANY}, AT_MOST(0)}}},
       {.load = memory_load_slowly,
	.occurs = 1,
	.cfg = {{QUEUE}, {QUEUE, .at_least = 1}, {QUEUE, .at_least = 2}},
	.law = {{{1, -1, -1}, AT_LEAST(0)}, {{1, -1, -MANY}, AT_MOST(0)}}})

/* ---- invert ---- */

#undef GROUP
#define GROUP "invert", "threshold"

static const char *why_no_queue_inversion(const struct pmu *pmu, unsigned ctr)
{
	const struct box_config below = {.event = box_of(pmu)->kind->queue, .below = 1};
	const char *why = why_no_queue(pmu, ctr);

	return why ? why : box_lacks(box_of(pmu)->kind, &below);
}

static const char *why_no_partition(const struct pmu *pmu, unsigned ctr)
{
	const char *why = why_no_plain_clocks(pmu, ctr);

	return why ? why : why_no_inversion(pmu, ctr);
}

/* The clocks with fewer than n, and the clocks with n or more.  The counter under test is the one
 * that inverts. */
#define PARTITION(event_, n_) .cfg = {{event_, .below = (n_)}, {event_, .at_least = (n_)}, {CLOCKS}}

TRIALS(partition, "each clock is either n or more, or fewer than n",
       (.clause = THRESHOLDS, ON_CLOCKED, .per_counter = true, .absent = why_no_partition),
       {PARTITION(CLOCKS, 1), .law = {{{1, 1, -1}, EXACTLY(0)}, {{1}, EXACTLY(0)}}},
       {PARTITION(CLOCKS, 2), .law = {{{1, 1, -1}, EXACTLY(0)}, {{0, 1}, EXACTLY(0)}}})

TRIALS(queue_partition, "in each clock a queue has either n entries or more, or fewer than n",
       (ON_ANY, .absent = why_no_queue_inversion),
       {PARTITION(QUEUE, 1), .load = memory_load_slowly,
	.law = {{{1, 1, -1}, EXACTLY(0)}, {{0, 0, 1}, AT_LEAST(1)}}},
       {PARTITION(QUEUE, 2), .load = memory_load_slowly,
	.law = {{{1, 1, -1}, EXACTLY(0)}, {{0, 0, 1}, AT_LEAST(1)}}})

/* invert, then edge_det, on the clock event with thresh 0: the manual does not say what they do. */
static void report_zero_threshold(struct run *t)
{
	const struct box_select *select = kind_of(t)->select;
	const uint64_t bits[] = {0, select->invert, select->edge};
	const struct box_config clocks = {CLOCKS};

	put_clocks(t, t->pmu);
	for (unsigned c = 0; c < ARRAY_SIZE(bits) && c < t->pmu->counters; c++)
		pmu_put(t->pmu, t->pmu->counter[c].ctl, box_encode(kind_of(t), &clocks) | bits[c]);
	t->pmu->box->run(t->pmu);
	wait_a_window();
	t->pmu->box->freeze(t->pmu);
	if (t->pmu->counters >= ARRAY_SIZE(bits))
		report_diag("clocks %llu; without a threshold, with invert %llu, with edge %llu",
			    (unsigned long long)pmu_read(t->pmu, 0),
			    (unsigned long long)pmu_read(t->pmu, 1),
			    (unsigned long long)pmu_read(t->pmu, 2));
}

/* ---- edge ---- */

#undef GROUP
#define GROUP "edge", "invert"

/* 1: whether the condition counts as false before the first clock is not documented. */
BOX_TEST(constant, "a condition that is always true becomes true at most once",
	 .clause = THRESHOLDS, ON_CLOCKED, .absent = why_no_plain_clocks)
{
	static const struct trial trial = {.cfg = {{CLOCKS, .at_least = 1, .edge = true},
						   {CLOCKS, .at_least = 1, .edge = true},
						   {CLOCKS, .at_least = 1, .edge = true},
						   {CLOCKS, .at_least = 1, .edge = true}},
					   .law = {{{1}, AT_MOST(1)},
						   {{0, 1}, AT_MOST(1)},
						   {{0, 0, 1}, AT_MOST(1)},
						   {{0, 0, 0, 1}, AT_MOST(1)}}};

	judge(t, &trial);
	report_zero_threshold(t);
}

/* An entry into the queue, the rises from empty, and the clocks in which it is not.  1: an entry
 * that was there before is not among those that came. */
TRIALS(bounds, "a queue becomes used no more often than something enters it",
       (.clause = THRESHOLDS, .kinds = BOX_CHANNEL | BOX_SLICE),
       {.kinds = BOX_CHANNEL,
	.load = memory_load_slowly,
	.occurs = 3,
	.cfg = {{.event = CHANNEL_READ_INSERTS},
		{.event = CHANNEL_READ_QUEUE, .at_least = 1, .edge = true},
		{.event = CHANNEL_READ_QUEUE, .at_least = 1}},
	.law = {{{-1, 1}, AT_MOST(1)}, {{0, 1, -1}, AT_MOST(0)}, {{0, -MANY, 1}, AT_MOST(0)}}},
       {.kinds = BOX_SLICE,
	.load = memory_load_slowly,
	.occurs = 4,
	.cfg = {{.event = SLICE_MISSES_HELD},
		{.event = SLICE_MISSES},
		{.event = SLICE_HELD_BY_0, .at_least = 1, .edge = true},
		{.event = SLICE_HELD_BY_0, .at_least = 1}},
	.law = {{{0, -1, 1}, AT_MOST(1)},
		{{0, 0, 1, -1}, AT_MOST(0)},
		{{0, 0, -MANY, 1}, AT_MOST(0)}}})

/* 1: what was before the first clock is not documented, and the last edge has no successor. */
TRIALS(alternate, "rising and falling edges alternate", (ON_ANY, .absent = why_no_queue_inversion),
       {.load = memory_load_slowly,
	.occurs = 3,
	.cfg = {{QUEUE, .at_least = 1, .edge = true},
		{QUEUE, .below = 1, .edge = true},
		{QUEUE, .at_least = 1}},
	.law = {{{1, -1}, WITHIN(0, 1)}}})

/* 1: as above. */
TRIALS(lock_edges, "lock sequences begin and end in turn, and begin no more often than counted",
       (ON_UBOX),
       {.load = split_locks,
	.cfg = {{.event = SYSTEM_LOCKS, .at_least = 1, .edge = true}, {.event = SYSTEM_LOCKS}},
	.law = {{{1}, AT_LEAST(1)}, {{1, -1}, AT_MOST(0)}}},
       {.load = split_locks,
	.cfg = {{.event = SYSTEM_LOCKS, .below = 1, .edge = true},
		{.event = SYSTEM_LOCKS, .at_least = 1, .edge = true}},
	.law = {{{1, -1}, WITHIN(0, 1)}}})
