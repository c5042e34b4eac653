/* SPDX-License-Identifier: BSD-2-Clause */
/* All that the counters of a box can be told, every two things together: all of them the same, in a
 * window that opens and closes for all in the same clock. */
#include "box.h"

#define GROUP "modes", "overflow"

/* ---- axes ---- */

enum axis { EVENT, COMPARISON, EDGE, WRAPS, FILTER, AXES };

/* Clocks come first: they need no load. */
static const struct box_config stimuli[] = {
	{CLOCKS},
	{CLOCKS, .thread = true},
	{.event = CHANNEL_ALL},
	{.event = CHANNEL_READ_QUEUE},
	{.event = HOME_READS},
	{.event = LINK_IDLE},
	{.event = LINK_FLITS},
	{.event = RING_REQUESTS},
	{.event = SLICE_MISSES},
	{.event = SLICE_MISSES, .thread = true},
	{.event = SLICE_RING},
	{.event = SLICE_HELD_BY_0},
	{.event = POWER_C0},
	{.event = SYSTEM_LOCKS},
};

#define LARGEST 0xffffu /* the largest threshold that there is */
static const struct {
	uint16_t at_least, below;
} comparison[] = {{0, 0}, {1, 0}, {2, 0}, {LARGEST, 0}, {0, 1}, {0, 2}, {0, 3}, {0, LARGEST}};
enum { NO_COMPARISON, AT_LEAST_1, AT_LEAST_2 };

/* Values of the filters: the clock event looks at none of them. */
static const struct filter {
	uint64_t kinds;
	struct trial_filters pass;
} filters[] = {
	{.kinds = ~0u},
	{BOX_SLICE, {.request = DRD}},
	{BOX_SLICE, {.nodes = 1}},
	{BOX_SLICE, {.states = 1}},
	{BOX_HOME | BOX_LINK | BOX_POWER, {.reg = {LINE_SIZE}}},
};

/* Levels that the box under test can have: of what it cannot have no row is possible, and to find
 * that out pair by pair takes longer than all rows. */
static const struct box_config *stimulus[ARRAY_SIZE(stimuli)];
static const struct filter *filter[ARRAY_SIZE(filters)];

static uint8_t find_stimuli(const struct pmu *pmu)
{
	uint8_t n = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++)
		if (!box_lacks(box_of(pmu)->kind, &stimuli[i]))
			stimulus[n++] = &stimuli[i];
	return n;
}

/* Registers of a link may be out of reach. */
static uint8_t find_filters(const struct pmu *pmu)
{
	uint8_t n = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(filters); i++)
		if (filters[i].kinds & pmu->kinds && (!i || !box_of(pmu)->no_filter))
			filter[n++] = &filters[i];
	return n;
}

static uint8_t wraps_of(const struct pmu *pmu)
{
	return (uint8_t)(pmu->counters < TRIAL_COUNTERS ? pmu->counters : TRIAL_COUNTERS);
}

/* ---- a row ---- */

static uint16_t threshold(const struct pmu *pmu, uint16_t level)
{
	return level == LARGEST ? (uint16_t)pmu->max_threshold : level;
}

static struct box_config config_of(const struct pmu *pmu, const uint8_t *m)
{
	struct box_config cfg = *stimulus[m[EVENT]];

	cfg.at_least = threshold(pmu, comparison[m[COMPARISON]].at_least);
	cfg.below = threshold(pmu, comparison[m[COMPARISON]].below);
	cfg.edge = m[EDGE];
	return cfg;
}

static const struct box_event *event_of(const struct pmu *pmu, const struct box_config *cfg)
{
	return box_event(box_of(pmu)->kind, cfg->event);
}

/* So many counters can count it. */
static unsigned counters_of(const struct pmu *pmu, const struct box_config *cfg)
{
	unsigned n = event_of(pmu, cfg)->counters;

	return n ? n : pmu->counters;
}

/* Without a threshold the manual does not say what an edge is.  An event that takes a load is tried
 * in a few modes only. */
static bool is_possible(const void *t, const uint8_t *m)
{
	const struct pmu *pmu = ((const struct run *)t)->pmu;
	const struct box_config cfg = config_of(pmu, m);
	bool alone = m[COMPARISON] <= AT_LEAST_2 && !m[FILTER];

	return !box_lacks(box_of(pmu)->kind, &cfg) && m[WRAPS] <= counters_of(pmu, &cfg) &&
	       (!m[EDGE] || m[COMPARISON] != NO_COMPARISON) &&
	       (cfg.event == BOX_CLOCKS || alone || cfg.event == SLICE_HELD_BY_0);
}

/* ---- windows ---- */

/* A counter starts so many events before its overflow. */
#define BEFORE_WRAP UINT64_C(3)

static void wait_a_little(void)
{
	machine_delay_us(5); /* thousands of clocks */
}

/* What makes it happen. */
static box_load *load_of(const struct pmu *pmu, const struct box_config *cfg)
{
	static box_load *const loads[] = {
		[BY_ITSELF] = wait_a_little, [BY_MEMORY] = memory_touch, [BY_LOCKS] = split_locks};

	return loads[event_of(pmu, cfg)->load];
}

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

/* The counter that is to overflow comes first.  Where only some of the counters can count the
 * event, that is the first of them. */
static struct trial trial_of(const struct pmu *pmu, const uint8_t *m)
{
	const struct box_config *cfg = stimulus[m[EVENT]];
	bool any = m[WRAPS] && counters_of(pmu, cfg) == pmu->counters;

	halves.box = pmu;
	halves.load = load_of(pmu, cfg);
	return (struct trial){
		.load = in_halves,
		.first = any ? m[WRAPS] - 1 : event_of(pmu, cfg)->first,
		.from = m[WRAPS] ? 0 - BEFORE_WRAP : 0,
		.filters = &filter[m[FILTER]]->pass,
	};
}

/* Counter 0 counts what the event of the others is made of; how many slots they begin later. */
static unsigned add_source(struct trial *trial, const struct box_config *cfg)
{
	if (cfg->event != SLICE_HELD_BY_0)
		return 0;
	trial->cfg[0] = (struct box_config){.event = SLICE_HELD};
	trial->first = 0;
	trial->from = 0;
	return 1;
}

/* ---- laws ---- */

static void check_alike(struct run *t, const uint8_t *m)
{
	const struct box_config cfg = config_of(t->pmu, m);
	struct trial trial = trial_of(t->pmu, m);
	unsigned slot = add_source(&trial, &cfg);

	if (slot && m[COMPARISON] == NO_COMPARISON)
		trial.law[LAWS_MAX - 1] = (struct law){{1, -1}, WITHIN(0, tor_slack(kind_of(t)))};
	judge_alike(t, &trial, slot, counters_of(t->pmu, &cfg), cfg);
}

/* A clock has one clock: counter i of the trial counts each, as counter plain does, or none.  Or it
 * has one edge at most: whether a condition that always holds becomes true as the window opens is
 * not documented. */
static struct law law_of_clocks(const struct box_config *cfg, unsigned i, unsigned plain)
{
	bool always = cfg->below ? cfg->below > 1 : cfg->at_least <= 1;
	struct law law = {EXACTLY(0)};

	if (cfg->edge)
		law = (struct law){AT_MOST(1)};
	else
		law.by[plain] = always ? -1 : 0;
	law.by[i] = 1;
	return law;
}

/* A box of two counters has none for the opposite. */
static void check_clocks(struct run *t, const uint8_t *m)
{
	enum { TESTED, OPPOSITE };
	const unsigned plain = t->pmu->counters > 2 ? 2 : 1;
	const struct box_config cfg = config_of(t->pmu, m);
	struct box_config opposite = cfg;
	struct trial trial = trial_of(t->pmu, m);

	opposite.at_least = cfg.below;
	opposite.below = cfg.at_least;
	if (m[COMPARISON] == NO_COMPARISON || box_lacks(kind_of(t), &opposite))
		opposite = cfg;
	trial.cfg[TESTED] = cfg;
	trial.cfg[OPPOSITE] = opposite;
	trial.cfg[plain] = (struct box_config){CLOCKS};
	trial.law[0] = law_of_clocks(&cfg, TESTED, plain);
	if (plain > OPPOSITE)
		trial.law[1] = law_of_clocks(&opposite, OPPOSITE, plain);
	trial.law[2] = (struct law){AT_LEAST(1)};
	trial.law[2].by[plain] = 1;
	judge(t, &trial);
}

/* A clock has so many occurrences of it, or fewer. */
static void check_partition(struct run *t, const uint8_t *m, uint8_t many)
{
	const struct box_config *cfg = stimulus[m[EVENT]];
	struct trial trial = trial_of(t->pmu, m);
	unsigned slot = add_source(&trial, cfg);

	trial.load = halves.load;
	trial.first = slot ? 0 : event_of(t->pmu, cfg)->first;
	trial.from = 0;
	trial.cfg[slot] = trial.cfg[slot + 1] = *cfg;
	trial.cfg[slot].at_least = trial.cfg[slot + 1].below = many;
	trial.cfg[slot + 2] = (struct box_config){CLOCKS};
	trial.law[0].by[slot] = trial.law[0].by[slot + 1] = 1;
	trial.law[0].by[slot + 2] = -1;
	if (!trial_lacks(t, &trial))
		judge(t, &trial);
}

/* An event that comes and goes becomes true now and then. */
static void check_edges(struct run *t, const uint8_t *m)
{
	const struct box_config *cfg = stimulus[m[EVENT]];
	struct trial trial = trial_of(t->pmu, m);

	trial.first = event_of(t->pmu, cfg)->first;
	trial.from = 0;
	trial.cfg[0] = trial.cfg[1] = *cfg;
	trial.cfg[0].at_least = trial.cfg[1].at_least = 1;
	trial.cfg[0].edge = true;
	trial.law[0] = (struct law){{1, -1}, AT_MOST(0)};
	if (halves.load == memory_touch)
		trial.law[1] = (struct law){{MANY, -1}, AT_LEAST(0)};
	judge(t, &trial);
}

/* Whether clocks are a thread's the manual does not say. */
static void check_row(struct run *t, const uint8_t *m)
{
	const struct box_config *cfg = stimulus[m[EVENT]];

	check_alike(t, m);
	if (cfg->event == BOX_CLOCKS && !cfg->thread)
		check_clocks(t, m);
	if (cfg->event == BOX_CLOCKS)
		return;
	if (m[EDGE] && cfg->event != SLICE_HELD_BY_0)
		check_edges(t, m);
	for (uint8_t many = 1; counters_of(t->pmu, cfg) > 2 && many <= 2; many++)
		check_partition(t, m, many);
}

/* ---- behind an overflow ---- */

/* Counters count alike behind the overflow of another one, which counts clocks. */
static void check_after_wrap(struct run *t, const struct box_config *cfg, unsigned wraps)
{
	const unsigned n = counters_of(t->pmu, cfg), others = t->pmu->counters - 1;
	struct trial trial = {
		.first = (uint8_t)wraps,
		.cfg = {{CLOCKS}},
		.from = 0 - BEFORE_WRAP,
		.load = load_of(t->pmu, cfg),
	};

	judge_alike(t, &trial, 1, n < others ? n : others, *cfg);
}

/* A clock with an occurrence has one at least. */
static void check_occurrences(struct run *t, const struct box_config *cfg)
{
	struct trial trial = {
		.first = event_of(t->pmu, cfg)->first,
		.load = load_of(t->pmu, cfg),
		.cfg = {*cfg, *cfg},
		.law = {{{1, -1}, AT_LEAST(0)}},
	};

	trial.cfg[1].at_least = 1;
	if (!box_lacks(kind_of(t), &trial.cfg[1]))
		judge(t, &trial);
}

/* The counters behind a wrap are all others that can count the event, and follow the one that
 * wraps.  Where every counter can, two of them wrap in turn, so that each is behind one. */
static void check_each(struct run *t)
{
	for (const struct box_config *s = stimuli; s < stimuli + ARRAY_SIZE(stimuli); s++) {
		unsigned last;

		if (box_lacks(kind_of(t), s) || !(t->pmu->kinds & CLOCKED) ||
		    s->event == SLICE_HELD_BY_0)
			continue;
		last = (event_of(t->pmu, s)->first + t->pmu->counters - 1) % t->pmu->counters;
		check_occurrences(t, s);
		check_after_wrap(t, s, last);
		if (counters_of(t->pmu, s) == t->pmu->counters)
			check_after_wrap(t, s, last - 1);
	}
}

/* ---- the tests ---- */

BOX_TEST(of_boxes, "a counter of a box counts alike in every mode, and all counters count the same",
	 .clause = THRESHOLDS, .kinds = CLOCKED | BOX_SYSTEM, .absent = why_no_locks)
{
	const struct cover rows = {
		.axes = AXES,
		.levels = {[EVENT] = find_stimuli(t->pmu),
			   [COMPARISON] = ARRAY_SIZE(comparison),
			   [EDGE] = 2,
			   [WRAPS] = 1 + wraps_of(t->pmu),
			   [FILTER] = find_filters(t->pmu)},
		.is_possible = is_possible,
		.bases = 1,
		.base = {{[COMPARISON] = AT_LEAST_1}},
	};

	modes_run(t, rows, 1, check_row);
	check_each(t);
}

/* UCLK, and DCLK where there is one. */
BOX_TEST(of_fixed, "a fixed counter counts on behind its own overflow and another one's",
	 .clause = "uncore guide, 2.2: UBox fixed counter; 2.5: iMC fixed counter",
	 .kinds = BOX_CHANNEL | HAS_UCLK, .absent = why_no_fixed)
{
	const struct pmu_reg ctl = box_fixed_ctl(t->pmu), ctr = box_fixed_ctr(t->pmu);
	const struct box_config other = {.row = 1};
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
	CHECK_IS(t, first, <, from);
	CHECK_IS(t, pmu_get(ctr), >, first);
}
