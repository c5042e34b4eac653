/* SPDX-License-Identifier: BSD-2-Clause */
/* All that the counters of a box can be told, every two things together: all of them the same, in a
 * window that opens and closes for all in the same clock. */
#include "box.h"

#define GROUP "modes", "overflow"

/* ---- axes ---- */

enum axis { EVENT, COMPARISON, EDGE, WRAPS, FILTER, AXES };
_Static_assert((int)AXES <= COVER_AXES, "one level for each axis");

/* Counters that can count it on all boxes of a kind, from the first one on; the load makes it
 * happen.  Clocks come first: they need none. */
struct stimulus {
	uint32_t kinds;
	uint8_t first, n;
	struct box_config cfg;
	box_load *load;
};
#define ALL 0, BOX_COUNTERS_MAX

static void wait_a_little(void)
{
	machine_delay_us(5); /* thousands of clocks */
}

static const struct stimulus stimuli[] = {
	{CLOCKED, ALL, {CLOCKS}, wait_a_little},
	{BOX_SLICE, ALL, {CLOCKS, .thread = true}, wait_a_little},
	{BOX_CHANNEL, ALL, {.event = CHANNEL_ALL}, memory_touch},
	{BOX_CHANNEL, ALL, {.event = CHANNEL_READ_QUEUE}, memory_touch},
	{BOX_HOME, ALL, {.event = HOME_READS}, memory_touch},
	{BOX_LINK, ALL, {.event = LINK_IDLE}, wait_a_little},
	{BOX_LINK, ALL, {.event = LINK_FLITS}, wait_a_little},
	{BOX_PCIE_STOP | BOX_LINK_STOP, ALL, {.event = RING_REQUESTS}, memory_touch},
	{BOX_SLICE, 0, 2, {.event = SLICE_MISSES}, memory_touch},
	{BOX_SLICE, 0, 2, {.event = SLICE_MISSES, .thread = true}, memory_touch},
	{BOX_SLICE, 2, 2, {.event = SLICE_RING}, memory_touch},
	{BOX_SLICE, 1, 3, {.event = SLICE_HELD_BY_0}, memory_touch},
	{BOX_POWER, ALL, {.event = POWER_C0}, wait_a_little},
	{BOX_SYSTEM, 0, 2, {.event = SYSTEM_LOCKS}, split_locks},
};

#define LARGEST 0xffu /* the largest threshold that there is */
static const struct {
	uint8_t at_least, below;
} comparison[] = {{0, 0}, {1, 0}, {2, 0}, {LARGEST, 0}, {0, 1}, {0, 2}, {0, 3}, {0, LARGEST}};
enum { NO_COMPARISON, AT_LEAST_1, AT_LEAST_2 };

/* Values of the filters: the clock event looks at none of them. */
static const struct {
	uint32_t kinds;
	struct slice_filter slice;
	uint32_t value;
} filters[] = {
	{~0u, {0}, 0},
	{BOX_SLICE, {.opcode = OPCODE_DRD}, 0},
	{BOX_SLICE, {.nodes = 1}, 0},
	{BOX_SLICE, {.states = 1}, 0},
	{BOX_HOME | BOX_LINK | BOX_POWER, {0}, LINE_SIZE},
};

/* ---- a row ---- */

static uint8_t threshold(const struct pmu *pmu, uint8_t level)
{
	return level == LARGEST ? (uint8_t)pmu->max_threshold : level;
}

static struct box_config config_of(const struct pmu *pmu, const uint8_t *level)
{
	struct box_config cfg = stimuli[level[EVENT]].cfg;

	cfg.at_least = threshold(pmu, comparison[level[COMPARISON]].at_least);
	cfg.below = threshold(pmu, comparison[level[COMPARISON]].below);
	cfg.edge = level[EDGE];
	return cfg;
}

static bool is_of_clocks(const uint8_t *level)
{
	return stimuli[level[EVENT]].cfg.event == BOX_CLOCKS;
}

static unsigned counters_of(const struct pmu *pmu, const struct stimulus *s)
{
	return s->n < pmu->counters ? s->n : pmu->counters;
}

/* Registers of a link may be out of reach. */
static bool has_filter(const struct pmu *pmu, unsigned filter)
{
	return filters[filter].kinds & pmu->kinds && (!filter || !box_of(pmu)->no_filter);
}

/* Without a threshold the manual does not say what an edge is.  An event that takes a load is tried
 * in a few modes only. */
static bool is_possible(const void *arg, const uint8_t level[COVER_AXES])
{
	const struct pmu *pmu = arg;
	const struct stimulus *s = &stimuli[level[EVENT]];
	struct box_config cfg;
	bool alone = level[COMPARISON] <= AT_LEAST_2 && !level[FILTER];

	if (!(s->kinds & pmu->kinds))
		return false;
	cfg = config_of(pmu, level);
	return !box_lacks(box_of(pmu)->kind, &cfg) && has_filter(pmu, level[FILTER]) &&
	       level[WRAPS] <= counters_of(pmu, s) &&
	       (!level[EDGE] || level[COMPARISON] != NO_COMPARISON) &&
	       (is_of_clocks(level) || alone || s->cfg.event == SLICE_HELD_BY_0);
}

/* ---- windows ---- */

/* A counter starts so many events before its overflow. */
#define BEFORE_WRAP UINT64_C(3)

/* A window is of two halves, between which a counter is read: what has come of the first is there
 * in the second. */
static struct {
	const struct pmu *box;
	box_load *load;
} halves;

static void in_halves(void)
{
	halves.load();
	pmu_read(halves.box, 0);
	halves.load();
}

static void put_filter(struct trial *trial, unsigned filter)
{
	trial->slice = filters[filter].slice;
	trial->filter[0] = filters[filter].value;
}

/* The counter that is to overflow comes first. */
static struct trial trial_of(const struct pmu *pmu, const uint8_t *level)
{
	const struct stimulus *s = &stimuli[level[EVENT]];
	struct trial trial = {.load = in_halves, .first = s->first};

	halves.box = pmu;
	halves.load = s->load;
	put_filter(&trial, level[FILTER]);
	if (level[WRAPS]) {
		trial.first = (uint8_t)(s->first + level[WRAPS] - 1);
		trial.from = (0 - BEFORE_WRAP) & pmu_mask(pmu, 0);
	}
	return trial;
}

/* The count of slot i. */
static uint64_t counted(const struct pmu *pmu, const struct trial *trial, const uint64_t *out,
			unsigned i)
{
	return (out[i] - (i ? 0 : trial->from)) & pmu_mask(pmu, 0);
}

/* ---- laws ---- */

/* Where only some of the counters can count it, the first of them overflows, or none. */
static void check_alike(struct run *t, const uint8_t *level)
{
	const struct stimulus *s = &stimuli[level[EVENT]];
	struct trial trial = trial_of(t->pmu, level);
	unsigned n = counters_of(t->pmu, s), first = 0;
	uint64_t out[BOX_COUNTERS_MAX];

	if (n < t->pmu->counters)
		trial.first = s->first;
	if (s->cfg.event == SLICE_HELD_BY_0) {
		trial.first = 0;
		trial.from = 0;
		trial.cfg[first++] = (struct box_config){.event = SLICE_HELD};
	}
	for (unsigned i = 0; i < n; i++)
		trial.cfg[first + i] = config_of(t->pmu, level);
	trial_run(t, &trial, out);
	for (unsigned i = 1; i < n; i++)
		CHECK_EQ(t, counted(t->pmu, &trial, out, first + i),
			 counted(t->pmu, &trial, out, first));
	if (first && level[COMPARISON] == NO_COMPARISON)
		CHECK_NEAR(t, out[first], out[0], TOR_ENTRIES * TOR_LAG);
}

/* A clock has one clock: never less, never more. */
static bool is_always(const struct box_config *cfg)
{
	return cfg->below ? cfg->below > 1 : cfg->at_least <= 1;
}

/* Whether a condition that always holds becomes true as the window opens is not documented.  A box
 * of two counters has none for the opposite. */
static void check_clocks(struct run *t, const uint8_t *level)
{
	enum { TESTED, OPPOSITE };
	const unsigned plain = t->pmu->counters > 2 ? 2 : 1;
	const struct box_config cfg = config_of(t->pmu, level);
	bool opposite = plain > OPPOSITE && (cfg.at_least || cfg.below);
	struct trial trial = trial_of(t->pmu, level);
	uint64_t out[BOX_COUNTERS_MAX], clocks;

	for (unsigned i = 0; i < plain; i++)
		trial.cfg[i] = cfg;
	trial.cfg[plain] = (struct box_config){CLOCKS};
	if (opposite) {
		trial.cfg[OPPOSITE].at_least = cfg.below;
		trial.cfg[OPPOSITE].below = cfg.at_least;
		opposite = !box_lacks(kind_of(t), &trial.cfg[OPPOSITE]);
	}
	if (!opposite && plain > OPPOSITE)
		trial.cfg[OPPOSITE] = cfg;
	trial_run(t, &trial, out);
	clocks = out[plain];
	CHECK(t, clocks > 0);
	if (cfg.edge) {
		CHECK(t, counted(t->pmu, &trial, out, TESTED) <= 1);
		return;
	}
	CHECK_EQ(t, counted(t->pmu, &trial, out, TESTED), is_always(&cfg) ? clocks : 0);
	if (opposite)
		CHECK_EQ(t, out[OPPOSITE], is_always(&cfg) ? 0 : clocks);
}

/* Counters count alike behind the overflow of another one, which counts clocks. */
static void check_after_wrap(struct run *t, const struct stimulus *s, unsigned wraps)
{
	struct trial trial = {
		.first = (uint8_t)wraps,
		.cfg = {{CLOCKS}},
		.from = (0 - BEFORE_WRAP) & pmu_mask(t->pmu, 0),
		.load = s->load,
	};
	unsigned n = counters_of(t->pmu, s) - (s->n >= t->pmu->counters);
	uint64_t out[BOX_COUNTERS_MAX];

	for (unsigned i = 0; i < n; i++)
		trial.cfg[1 + i] = s->cfg;
	trial_run(t, &trial, out);
	for (unsigned i = 2; i <= n; i++)
		CHECK_EQ(t, out[i], out[1]);
}

/* A clock with an occurrence has one at least. */
static void check_occurrences(struct run *t, const struct stimulus *s)
{
	enum { OCCURRENCES, WITH };
	struct trial trial = {.first = s->first, .load = s->load, .cfg = {s->cfg, s->cfg}};
	uint64_t out[BOX_COUNTERS_MAX];

	if (counters_of(t->pmu, s) < 2)
		return;
	trial.cfg[WITH].at_least = 1;
	trial_run(t, &trial, out);
	CHECK(t, out[WITH] <= out[OCCURRENCES]);
}

/* The counters behind a wrap are all others that can count the event, and follow the one that
 * wraps.  Where every counter can, two of them wrap in turn, so that each is behind one. */
static void check_each(struct run *t)
{
	for (const struct stimulus *s = stimuli; s < stimuli + ARRAY_SIZE(stimuli); s++) {
		unsigned last = s->first ? s->first - 1u : t->pmu->counters - 1;

		if (!(s->kinds & t->pmu->kinds & CLOCKED) || s->cfg.event == SLICE_HELD_BY_0)
			continue;
		check_occurrences(t, s);
		check_after_wrap(t, s, last);
		if (s->n >= t->pmu->counters)
			check_after_wrap(t, s, last - 1);
	}
}

/* A clock has so many occurrences of it, or fewer. */
static void check_partition(struct run *t, const uint8_t *level, uint8_t many)
{
	enum { SOME, FEWER, PLAIN };
	const struct stimulus *s = &stimuli[level[EVENT]];
	struct box_config cfg = s->cfg;
	struct trial trial = {.load = s->load};
	unsigned slot = 0;
	uint64_t out[BOX_COUNTERS_MAX];

	put_filter(&trial, level[FILTER]);
	if (cfg.event == SLICE_HELD_BY_0)
		trial.cfg[slot++] = (struct box_config){.event = SLICE_HELD};
	trial.cfg[slot + SOME] = trial.cfg[slot + FEWER] = cfg;
	trial.cfg[slot + SOME].at_least = trial.cfg[slot + FEWER].below = many;
	if (box_lacks(kind_of(t), &trial.cfg[slot + FEWER]))
		return;
	trial.cfg[slot + PLAIN] = (struct box_config){CLOCKS};
	trial_run(t, &trial, out);
	CHECK_EQ(t, out[slot + SOME] + out[slot + FEWER], out[slot + PLAIN]);
}

/* An event that comes and goes becomes true now and then. */
static void check_edges(struct run *t, const uint8_t *level)
{
	struct trial trial = trial_of(t->pmu, level);
	uint64_t out[BOX_COUNTERS_MAX];

	trial.first = stimuli[level[EVENT]].first;
	trial.from = 0;
	trial.cfg[0] = trial.cfg[1] = stimuli[level[EVENT]].cfg;
	trial.cfg[0].at_least = trial.cfg[1].at_least = 1;
	trial.cfg[0].edge = true;
	trial_run(t, &trial, out);
	CHECK(t, out[0] <= out[1]);
	CHECK(t, out[0] > 0 || !out[1] || stimuli[level[EVENT]].load != memory_touch);
}

static void check_row(struct run *t, const uint8_t *level)
{
	const struct stimulus *s = &stimuli[level[EVENT]];

	check_alike(t, level);
	if (is_of_clocks(level)) {
		/* Whether clocks are a thread's the manual does not say. */
		if (!s->cfg.thread)
			check_clocks(t, level);
		return;
	}
	if (level[EDGE] && s->cfg.event != SLICE_HELD_BY_0)
		check_edges(t, level);
	for (uint8_t many = 1; counters_of(t->pmu, s) > 2 && many <= 2; many++)
		check_partition(t, level, many);
}

/* ---- the test ---- */

BOX_TEST(of_boxes, "a counter of a box counts alike in every mode, and all counters count the same",
	 .clause = THRESHOLDS, .kinds = CLOCKED | BOX_SYSTEM)
{
	struct cover rows = {
		.axes = AXES,
		.levels = {[EVENT] = ARRAY_SIZE(stimuli),
			   [COMPARISON] = ARRAY_SIZE(comparison),
			   [EDGE] = 2,
			   [WRAPS] = 1 + BOX_COUNTERS_MAX,
			   [FILTER] = ARRAY_SIZE(filters)},
		.is_possible = is_possible,
		.arg = t->pmu,
		.bases = 1,
		.base = {{[COMPARISON] = AT_LEAST_1}},
	};
	uint8_t level[COVER_AXES] = {0};
	unsigned met = 0;

	while (!t->failed && cover_next(&rows, level)) {
		check_row(t, level);
		met++;
	}
	check_each(t);
	report_diag("%u modes", met);
}

/* UCLK, and DCLK where there is one. */
BOX_TEST(of_fixed, "a fixed counter counts on behind its own overflow and another one's",
	 .clause = "uncore guide, 2.2: UBox fixed counter; 2.5: iMC fixed counter",
	 .kinds = BOX_CHANNEL | BOX_SYSTEM)
{
	const struct pmu_reg ctl = box_fixed_ctl(t->pmu), ctr = box_fixed_ctr(t->pmu);
	const struct box_config other = {.event = box_event(kind_of(t), BOX_CLOCKS) ? BOX_CLOCKS
										    : SYSTEM_LOCKS};
	uint64_t from, first;

	box_reset(t->pmu);
	/* The manual has two widths for UCLK. */
	pmu_put(t->pmu, ctr, FIELD(47, 0) - BEFORE_WRAP);
	from = pmu_get(ctr);
	pmu_write(t->pmu, 0, (0 - BEFORE_WRAP) & pmu_mask(t->pmu, 0));
	box_select(t->pmu, 0, &other);
	pmu_put(t->pmu, ctl, kind_of(t)->fixed.enable);
	t->pmu->box->run(t->pmu);
	split_locks();
	wait_a_window();
	first = pmu_get(ctr);
	SKIP_IF(t, first == from && t->pmu->idle, t->pmu->idle);
	wait_a_window();
	CHECK(t, first < from);
	CHECK(t, pmu_get(ctr) > first);
}
