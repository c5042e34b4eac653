/* SPDX-License-Identifier: BSD-2-Clause */
/* Thresholds: at(c), the clocks in which the event occurred at least c times, obeys laws on any
 * silicon, though no single value of it is known beforehand. */
#include "kernel/console/report.h"
#include "tests/lib/laws.h"

#define GROUP "threshold"
#define CNT_MASK                                                                                   \
	"AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: CNT_MASK; Intel SDM vol. 3B: CCCR "       \
	"threshold"

#define RUNGS_MAX 8

static const struct stimulus {
	enum pmu_event_id event;
	const struct payload *payload;
} stimuli[] = {
	{EV_INSTRUCTIONS, &payload_bursts}, /* many per clock, then none */
	{EV_INSTRUCTIONS, &payload_chain}, /* few per clock */
	{EV_INSTRUCTIONS, &payload_mix},
	{EV_BRANCHES, &payload_branches}, /* the rungs end early */
	{EV_CYCLES, &payload_straight}, /* one rung, and known to be */
};

/* The first ones suffice to tell whether rungs are in order. */
#define LADDER_STIMULI 3u

/* plain: out[0]; at(below + c): out[c] for c = 1..rungs; all of the same run. */
struct ladder {
	unsigned rungs, below;
	uint64_t out[RUNGS_MAX + 1];
};

/* One counter measures the plain count, each other one rung. */
static unsigned ladder_rungs(const struct run *t, enum pmu_event_id event)
{
	unsigned ctr[PMU_COUNTERS_MAX], rungs = counters_for(t, event, ctr) - 1;

	if (rungs > t->pmu->max_threshold)
		rungs = t->pmu->max_threshold;
	return rungs < RUNGS_MAX ? rungs : RUNGS_MAX;
}

/* How far clocks fill up the first run tells: one empty rung is enough. */
static void cut(struct ladder *l)
{
	while (l->rungs > 1 && l->out[l->rungs - 1] == 0)
		l->rungs--;
}

static bool measure_ladder(struct run *t, const struct stimulus *s, unsigned scrutinised,
			   struct ladder *ladder)
{
	struct pmu_config cfg[RUNGS_MAX + 1];
	unsigned ctr[RUNGS_MAX + 1];
	unsigned roles = ladder->rungs + 1;

	for (unsigned c = 0; c < roles; c++) {
		cfg[c] = gated(s->event);
		cfg[c].at_least = c ? ladder->below + c : 0;
	}
	if (!roles_assign(t, roles, scrutinised, cfg, ctr))
		return false;
	measure(t, roles, ctr, cfg, NULL, s->payload, iterations_for(s->payload, 30), RING_3,
		ladder->out);
	return true;
}

/* A clock with c + 1 occurrences also has c. */
static void check_order(struct run *t, const struct ladder *l)
{
	for (unsigned c = 0; c < l->rungs; c++)
		CHECK(t, l->out[c] >= l->out[c + 1]);
}

/* With few counters the ladder is short: moved up until its last rung is empty, it shows what is
 * met by its own number alone, for most clocks are as full as they can be. */
static bool check_higher(struct run *t, const struct stimulus *s, struct ladder *l)
{
	unsigned top = t->pmu->max_threshold < RUNGS_MAX ? t->pmu->max_threshold : RUNGS_MAX;

	for (l->below = 1; l->below + l->rungs <= top && l->out[l->rungs]; l->below++) {
		if (!measure_ladder(t, s, 1, l))
			return false;
		check_order(t, l);
	}
	l->below = 0;
	return true;
}

TEST(ladder, "a higher threshold never counts more clocks than a lower one", .clause = CNT_MASK,
     .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = 3, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	unsigned distinct = 0, neighbours = 0;

	for (unsigned i = 0; i < LADDER_STIMULI; i++) {
		struct ladder l = {.rungs = ladder_rungs(t, EV_INSTRUCTIONS)};

		for (unsigned role = 1; role <= l.rungs; role++) {
			if (!measure_ladder(t, &stimuli[i], role, &l))
				return;
			check_order(t, &l);
			/* The payload retires instructions, so some clock has at least one. */
			CHECK(t, l.out[1] > 0);
			cut(&l);
		}
		neighbours += l.rungs - 1;
		for (unsigned c = 1; c < l.rungs; c++)
			distinct += l.out[c] > l.out[c + 1];
		if (!check_higher(t, &stimuli[i], &l))
			return;
	}
	/* How many rungs differ is the pipeline's affair: told, not judged. */
	report_diag("%u of %u neighbouring rungs differ", distinct, neighbours);
}

/* False: clocks with more occurrences than the highest rung asks for are beyond our sight. */
static bool check_sum(struct run *t, const struct stimulus *s, const struct ladder *l)
{
	unsigned max = t->pmu->events[s->event].max_per_clock;
	uint64_t sum = 0;

	for (unsigned c = 1; c <= l->rungs; c++)
		sum += l->out[c];
	/* A clock with n occurrences is counted by the rungs 1..n, so it adds n to the sum. */
	if (l->out[l->rungs] == 0 || (max && l->rungs >= max)) {
		CHECK_EQ(t, sum, l->out[0]);
		return true;
	}
	CHECK(t, sum <= l->out[0]);
	return false;
}

TEST(sum_law, "the counts of all thresholds of the same run add up to the plain count",
     .clause = CNT_MASK, .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = 3,
     .per_counter = true)
{
	unsigned closed = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++) {
		struct ladder l = {0};

		if (can_count(t, stimuli[i].event))
			l.rungs = ladder_rungs(t, stimuli[i].event);
		for (unsigned role = 1; role <= l.rungs; role++) {
			if (!measure_ladder(t, &stimuli[i], role, &l))
				return;
			closed += check_sum(t, &stimuli[i], &l);
			cut(&l);
		}
	}
	SKIP_IF(t, !closed, "no event occurs at most as often per clock as counters can tell");
}

/* One above the maximum, and then each bit of the threshold alone. */
static void check_above(struct run *t, const struct stimulus *s, unsigned max)
{
	for (unsigned c = max + 1; c <= t->pmu->max_threshold;
	     c = c & (c - 1) ? 1u << (32 - __builtin_clz(c)) : 2 * c) {
		struct pmu_config cfg = gated(s->event);
		uint64_t out;

		cfg.at_least = c;
		measure(t, 1, &t->counter, &cfg, NULL, s->payload, iterations_for(s->payload, 30),
			RING_3, &out);
		CHECK_EQ(t, out, 0);
	}
}

TEST(above_maximum, "a threshold above the most that can occur in one clock counts nothing",
     .clause = CNT_MASK, .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .per_counter = true)
{
	bool checked = false;

	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++) {
		const struct stimulus *s = &stimuli[i];
		unsigned max = t->pmu->events[s->event].max_per_clock;

		if (!can_count(t, s->event) || !max || max >= t->pmu->max_threshold)
			continue;
		check_above(t, s, max);
		checked = true;
	}
	SKIP_IF(t, !checked, "no event has a documented maximum below the largest threshold");
}
