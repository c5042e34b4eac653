/* SPDX-License-Identifier: BSD-2-Clause */
/* All that the counters of a box can be told, every two things together: all of them the same, in a
 * window that opens and closes for all in the same clock. */
#include "snbep.h"

#define GROUP "modes", "overflow"

/* ---- axes ---- */

enum axis { EVENT, COMPARISON, EDGE, WRAPS, FILTER, AXES };
_Static_assert((int)AXES <= COVER_AXES, "one level for each axis");

/* Counters that can count it on all boxes of a kind, from the first one on; the load makes it
 * happen.  Clocks come first: they need none. */
struct stimulus {
	uint32_t kinds;
	uint8_t first, n;
	struct snbep_config cfg;
	box_load *load;
};
#define ALL 0, SNBEP_COUNTERS_MAX

static void wait_a_little(void)
{
	machine_delay_us(5); /* thousands of clocks */
}

static const struct stimulus stimuli[] = {
	{CLOCKED, ALL, {CLOCKS}, wait_a_little},
	{SNBEP_CBO, ALL, {CLOCKS, .tid = true}, wait_a_little},
	{SNBEP_IMC, ALL, {IMC_CAS_COUNT_ALL}, memory_touch},
	{SNBEP_IMC, ALL, {IMC_RPQ_OCCUPANCY}, memory_touch},
	{SNBEP_HA, ALL, {HA_REQUESTS_READS}, memory_touch},
	{SNBEP_QPI, ALL, {QPI_TXL_FLITS_G0_IDLE}, wait_a_little},
	{SNBEP_QPI, ALL, {QPI_TXL_FLITS_G0_ALL}, wait_a_little},
	{SNBEP_R2PCIE | SNBEP_R3QPI, ALL, {RING_AD_USED_ALL}, memory_touch},
	{SNBEP_CBO, 0, 2, {CBO_TOR_INSERTS_MISS_ALL}, memory_touch},
	{SNBEP_CBO, 0, 2, {CBO_TOR_INSERTS_MISS_ALL, .tid = true}, memory_touch},
	{SNBEP_CBO, 2, 2, {SNBEP_EVENT(0x1b, 0x0f)}, memory_touch}, /* RING_AD_USED */
	{SNBEP_PCU, ALL, {PCU_CORES_C0}, wait_a_little},
	{SNBEP_UBOX, 0, 2, {UBOX_LOCK_CYCLES}, split_locks},
};

#define LARGEST 0xffu /* the largest threshold that there is */
static const struct {
	uint8_t at_least, below;
} comparison[] = {{0, 0}, {1, 0}, {2, 0}, {LARGEST, 0}, {0, 1}, {0, 2}, {0, 3}, {0, LARGEST}};
enum { NO_COMPARISON, AT_LEAST_1 };

/* What is in the first filter register: the clock event looks at none of it. */
static const struct {
	uint32_t kinds, value;
} filters[] = {
	{~0u, 0},
	{SNBEP_CBO, (uint32_t)FIELD_VALUE(CBO_FILTER_OPC, CBO_OPC_DRD)},
	{SNBEP_CBO, (uint32_t)FIELD_VALUE(CBO_FILTER_NID, 1)},
	{SNBEP_CBO, (uint32_t)FIELD_VALUE(CBO_FILTER_STATE, 1)},
	{SNBEP_HA | SNBEP_QPI | SNBEP_PCU, LINE_SIZE},
};

/* ---- a row ---- */

static uint8_t threshold(const struct pmu *pmu, uint8_t level)
{
	return level == LARGEST ? (uint8_t)pmu->max_threshold : level;
}

static struct snbep_config config_of(const struct pmu *pmu, const uint8_t *level)
{
	struct snbep_config cfg = stimuli[level[EVENT]].cfg;

	cfg.at_least = threshold(pmu, comparison[level[COMPARISON]].at_least);
	cfg.below = threshold(pmu, comparison[level[COMPARISON]].below);
	cfg.edge = level[EDGE];
	return cfg;
}

static bool is_of_clocks(const uint8_t *level)
{
	return stimuli[level[EVENT]].cfg.event == SNBEP_CLOCKS;
}

static unsigned counters_of(const struct pmu *pmu, const struct stimulus *s)
{
	return s->n < pmu->counters ? s->n : pmu->counters;
}

/* Without a threshold the manual does not say what an edge is.  What takes a load is tried in a few
 * modes only. */
static bool is_possible(const void *arg, const uint8_t level[COVER_AXES])
{
	const struct pmu *pmu = arg;
	const struct stimulus *s = &stimuli[level[EVENT]];
	bool alone = level[COMPARISON] <= AT_LEAST_1 && !level[FILTER];

	return s->kinds & pmu->kinds && filters[level[FILTER]].kinds & pmu->kinds &&
	       level[WRAPS] <= counters_of(pmu, s) &&
	       (!level[EDGE] || level[COMPARISON] != NO_COMPARISON) &&
	       (is_of_clocks(level) || alone);
}

/* So many events before its overflow one of them starts. */
#define BEFORE_WRAP UINT64_C(3)

/* That one comes first. */
static struct trial trial_of(const struct pmu *pmu, const uint8_t *level)
{
	const struct stimulus *s = &stimuli[level[EVENT]];
	struct trial trial = {.load = s->load, .first = s->first};

	trial.filter[0] = filters[level[FILTER]].value;
	if (level[WRAPS]) {
		trial.first = (uint8_t)(s->first + level[WRAPS] - 1);
		trial.from = (0 - BEFORE_WRAP) & pmu_mask(pmu, 0);
	}
	return trial;
}

/* ---- laws ---- */

/* What slot i has counted. */
static uint64_t counted(const struct pmu *pmu, const struct trial *trial, const uint64_t *out,
			unsigned i)
{
	return (out[i] - (i ? 0 : trial->from)) & pmu_mask(pmu, 0);
}

/* Where only some of the counters can count it, the one that overflows may be the last of them. */
static void check_alike(struct run *t, const uint8_t *level)
{
	struct trial trial = trial_of(t->pmu, level);
	unsigned n = counters_of(t->pmu, &stimuli[level[EVENT]]);
	uint64_t out[SNBEP_COUNTERS_MAX];

	if (n < t->pmu->counters)
		trial.first = stimuli[level[EVENT]].first;
	for (unsigned i = 0; i < n; i++)
		trial.cfg[i] = config_of(t->pmu, level);
	trial_run(t, &trial, out);
	for (unsigned i = 1; i < n; i++)
		CHECK_EQ(t, counted(t->pmu, &trial, out, i), counted(t->pmu, &trial, out, 0));
}

/* A clock has one clock: never less, never more. */
static bool is_always(const struct snbep_config *cfg)
{
	return cfg->below ? cfg->below > 1 : cfg->at_least <= 1;
}

/* Whether a condition that always holds becomes true as the window opens is not documented. */
static void check_clocks(struct run *t, const uint8_t *level)
{
	enum { TESTED, OPPOSITE, PLAIN };
	const struct snbep_config cfg = config_of(t->pmu, level);
	struct trial trial = trial_of(t->pmu, level);
	uint64_t out[SNBEP_COUNTERS_MAX], clocks;

	for (unsigned i = 0; i <= PLAIN; i++)
		trial.cfg[i] = cfg;
	trial.cfg[OPPOSITE].at_least = cfg.below;
	trial.cfg[OPPOSITE].below = cfg.at_least;
	trial.cfg[PLAIN] = (struct snbep_config){CLOCKS};
	trial_run(t, &trial, out);
	clocks = out[PLAIN];
	CHECK(t, clocks > 0);
	if (cfg.edge) {
		CHECK(t, counted(t->pmu, &trial, out, TESTED) <= 1);
		return;
	}
	CHECK_EQ(t, counted(t->pmu, &trial, out, TESTED), is_always(&cfg) ? clocks : 0);
	if (cfg.at_least || cfg.below)
		CHECK_EQ(t, out[OPPOSITE], is_always(&cfg) ? 0 : clocks);
}

/* ---- the test ---- */

SNBEP_TEST(of_boxes,
	   "what a counter of a box does in one mode it does in every other, and all the same",
	   .clause = THRESHOLDS, .kinds = CLOCKED | SNBEP_UBOX)
{
	struct cover rows = {
		.axes = AXES,
		.levels = {[EVENT] = ARRAY_SIZE(stimuli),
			   [COMPARISON] = ARRAY_SIZE(comparison),
			   [EDGE] = 2,
			   [WRAPS] = 1 + SNBEP_COUNTERS_MAX,
			   [FILTER] = ARRAY_SIZE(filters)},
		.is_possible = is_possible,
		.arg = t->pmu,
		.bases = 2,
		.base = {{0}, {[COMPARISON] = AT_LEAST_1}},
	};
	uint8_t level[COVER_AXES] = {0};
	unsigned met = 0;

	while (!t->failed && cover_next(&rows, level)) {
		check_alike(t, level);
		if (is_of_clocks(level))
			check_clocks(t, level);
		met++;
	}
	report_diag("%u modes", met);
}
