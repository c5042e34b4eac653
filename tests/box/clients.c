/* SPDX-License-Identifier: BSD-2-Clause */
/* The uncores of clients: lookups of slices, requests to memory, and the one register that lets
 * all counters count.  Other cores, devices and the display use them, too: what they do is counted,
 * and no law forbids it. */
#include "box.h"

#define GROUP     "traffic", "count"
#define LOOKUPS   "SDM volume 3B, 20.3.5; CBo event CACHE_LOOKUP"
#define REQUESTS  "SDM volume 3B, 20.3.5; ARB event TRK_REQUESTS"
#define ON_SLICES .clause = LOOKUPS, .kinds = BOX_FIRST(BOX_CORE_SLICE), .absent = why_no_lookups

/* Of all lines at least; others only add to them. */
#define ALL_LINES .n = MEMORY_LINES, .below = TRAFFIC_SLACK, .above = NO_LIMIT

ABSENT_UNLESS(why_no_lookups, box_event(box_of(pmu)->kind, CORE_LOOKUPS),
	      "no event of such a slice is documented")

TRIALS(line_lookups, "each line loaded that no cache has is looked up, and found in no state",
       (ON_SLICES), {LOADED, .around = true, COUNTS(.event = CORE_READS, ALL_LINES)},
       {LOADED, .around = true, COUNTS(.event = CORE_MISSES, ALL_LINES)},
       {LOADED, .around = true, COUNTS(.event = CORE_LOOKUPS, ALL_LINES)})

/* Half of the lines: no others miss as often in so short a time. */
TRIALS(line_hits, "a line that this core has loaded before is found in some state", (ON_SLICES),
       {.prepare = memory_fill,
	.load = memory_load_many,
	.around = true,
	COUNTS(.event = CORE_MISSES, AT_MOST(MEMORY_LINES / 2))})

TRIALS(tracked, "each line loaded that no cache has is a request to memory",
       (.clause = REQUESTS, .kinds = BOX_FIRST(BOX_ARBITER)),
       {LOADED, .around = true, COUNTS(.event = REQUESTS_TRACKED, ALL_LINES)})

/* ---- the register that lets all count ---- */

#undef GROUP
#define GROUP "freeze", "count"

ABSENT_UNLESS(why_no_global, box_global(box_of(pmu)).space != REG_NONE,
	      "no register is known that stops all counters of this part")

/* Clocks, on all counters of the box, and its fixed counter. */
static void start_all(struct run *t)
{
	const struct pmu *pmu = t->pmu;
	const struct box_config clocks = {.row = 1, .below = (uint8_t)pmu->max_threshold};

	put_clocks(t, pmu);
	for (unsigned c = 0; c < pmu->counters && !box_event(kind_of(t), BOX_CLOCKS); c++)
		box_select(pmu, c, &clocks);
	if (box_has_fixed(pmu))
		pmu_put(pmu, box_fixed_ctl(pmu), kind_of(t)->fixed.enable);
	box_run(pmu);
}

/* What the counters count in a window with this in the register. */
static void count_with(const struct pmu *pmu, uint64_t global, uint64_t *out)
{
	uint64_t fixed;

	pmu_put(pmu, box_global(box_of(pmu)), global);
	wait_a_window(); /* it is told to one box after the other */
	fixed = box_has_fixed(pmu) ? pmu_get(box_fixed_ctr(pmu)) : 0;
	for (unsigned c = 0; c < pmu->counters; c++)
		out[c] = pmu_read(pmu, c);
	wait_a_window();
	for (unsigned c = 0; c < pmu->counters; c++)
		out[c] = pmu_read(pmu, c) - out[c];
	out[pmu->counters] = box_has_fixed(pmu) ? pmu_get(box_fixed_ctr(pmu)) - fixed : 0;
}

BOX_TEST(all_boxes, "without the global enable no counter counts, and with it each goes on",
	 .clause = "SDM volume 4: MSR_UNC_PERF_GLOBAL_CTRL, MSR_U_PMON_GLOBAL_CTRL",
	 .kinds = BOX_CORE_SLICE | BOX_ARBITER | CLOCKED, .absent = why_no_global)
{
	const uint64_t on = box_global(box_of(t->pmu)).rests;
	uint64_t with[BOX_COUNTERS_MAX + 1], without[BOX_COUNTERS_MAX + 1];

	start_all(t);
	count_with(t->pmu, 0, without);
	count_with(t->pmu, on, with);
	for (unsigned c = 0; c < t->pmu->counters; c++) {
		CHECK_EQ(t, without[c], 0);
		CHECK_IS(t, with[c], >, 0);
	}
	CHECK_EQ(t, without[t->pmu->counters], 0);
}

/* ---- comparisons ---- */

#undef GROUP
#define GROUP    "threshold", "count"
#define COMPARES "SDM volume 4: MSR_UNC_CBO_0_PERFEVTSEL0: counter mask, invert, edge detect"

/* No clock has as many as the largest threshold, and each bit of it by itself is more than the few
 * of any event; one is looked up in a clock, and in a window that holds the other. */
static struct box_config event_of(const struct run *t)
{
	return (struct box_config){.event = kind_of(t)->role == BOX_ARBITER ? REQUESTS_TRACKED
									    : CORE_LOOKUPS};
}

static const char *why_no_event(const struct pmu *pmu, unsigned ctr)
{
	return box_of(pmu)->kind->role == BOX_ARBITER ? NULL : why_no_lookups(pmu, ctr);
}

#define ON_CLIENTS                                                                                 \
	.clause = COMPARES, .kinds = BOX_CORE_SLICE | BOX_ARBITER, .absent = why_no_event,         \
	.per_counter = true

/* The counter under test compares, and is held by the next one; then it holds that one. */
static void check_compared(struct run *t, struct box_config compared, int32_t least)
{
	struct trial trial = {
		.nested = true,
		.cfg = {event_of(t), compared},
		.first = 1,
		.load = memory_burst,
		.law = {{{1, -1}, AT_LEAST(0)}, {{0, 1}, AT_LEAST(least)}},
	};

	judge(t, &trial);
}

#define SHARES 16 /* a slice gets one line of so many at least */

BOX_TEST(of_one, "clocks with one occurrence or more are no more than occurrences, and some",
	 ON_CLIENTS)
{
	struct box_config one = event_of(t);

	one.at_least = 1;
	check_compared(t, one, MEMORY_FEW / SHARES);
	one.edge = true;
	check_compared(t, one, 1);
}

BOX_TEST(of_most, "no clock has as many occurrences as the upper bits of the threshold say",
	 ON_CLIENTS)
{
	for (unsigned n = 8; n <= t->pmu->max_threshold; n *= 2) {
		struct box_config cfg = event_of(t);
		struct trial trial = {.load = memory_burst, .law = {{{1}, EXACTLY(0)}}};

		cfg.at_least = (uint8_t)n;
		trial.cfg[0] = cfg;
		judge(t, &trial);
	}
}

#undef GROUP
#define GROUP "invert", "threshold"

static struct clock clock_of(const struct run *t, const struct pmu *arbiter)
{
	const struct box_config clocks = {.row = 1, .below = (uint8_t)t->pmu->max_threshold};

	return (struct clock){
		.box = t->pmu,
		.ctl = t->pmu->counter[t->counter].ctl,
		.on = (uint32_t)box_encode(kind_of(t), &clocks),
		.ctr = t->pmu->counter[t->counter].ctr,
		.now = by_counter,
		.reference = arbiter,
		.reference_ctr = box_fixed_ctr(arbiter),
	};
}

/* UCLK may stand still, and of a slice that is switched off the clock may. */
BOX_TEST(all_clocks, "each clock has fewer occurrences than none can reach: they are UCLK's",
	 .clause = COMPARES, .kinds = BOX_CORE_SLICE | BOX_ARBITER, .per_counter = true)
{
	const struct pmu *arbiter = find_box(BOX_ARBITER);
	struct clock clock;
	struct span s;

	SKIP_IF(t, !arbiter, "no arbiter, which counts UCLK");
	clock = clock_of(t, arbiter);
	measure_clocks(t, &clock, 1, FIRST_US, kind_of(t)->role == BOX_ARBITER ? VERY_SHARP : SHARP,
		       &s);
	SKIP_IF(t, !s.inner, "UCLK stands still, as it does on some clients");
	if (!CHECK(t, is_same_rate(&s, WRITE_LAG)))
		report_span("its clocks, and UCLK", &s);
}

/* Two: one may come as the window opens. */
BOX_TEST(again, "behind each occurrence a clock has fewer than one again", .clause = COMPARES,
	 .kinds = BOX_CORE_SLICE | BOX_ARBITER, .per_counter = true, .absent = why_no_event)
{
	struct box_config none = event_of(t);
	struct trial trial = {.load = memory_burst, .law = {{{1}, AT_LEAST(2)}}};

	none.below = 1;
	none.edge = true;
	trial.cfg[0] = none;
	judge(t, &trial);
}

#undef GROUP
#define GROUP "edge", "invert"

/* 1: whether the condition counts as false before the first clock is not documented. */
BOX_TEST(always, "a condition that each clock fulfils becomes true at most once",
	 .clause = COMPARES, .kinds = BOX_CORE_SLICE | BOX_ARBITER, .per_counter = true)
{
	const struct trial trial = {
		.cfg = {{.row = 1, .below = (uint8_t)t->pmu->max_threshold, .edge = true}},
		.law = {{{1}, AT_MOST(1)}},
	};

	judge(t, &trial);
}
