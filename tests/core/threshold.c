/* SPDX-License-Identifier: BSD-2-Clause */
/* Thresholds: at(c), the clocks in which the event occurred at least c times, obeys laws on any
 * silicon, though no single value of it is known beforehand. */
#include "core.h"

#define GROUP "threshold", "count"
#define CNT_MASK                                                                                   \
	"AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: CNT_MASK; SDM vol. 3B: CCCR "             \
	"threshold"

#define RUNGS_MAX 8
_Static_assert(RUNGS_MAX <= MEASURED_PARTS, "each rung is a part of the sum");

static const struct stimulus {
	unsigned event;
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

/* A ladder: slot 0 has the plain count, slot c = 1..rungs the threshold below + c, all of the same
 * run. */
static unsigned rungs(const struct window *w)
{
	return w->n - 1;
}

static struct window ladder_of(const struct run *t, const struct stimulus *s)
{
	unsigned most = t->pmu->max_threshold < RUNGS_MAX ? t->pmu->max_threshold : RUNGS_MAX;
	struct window w = window_of_all(t, gated(s->event));

	if (w.n > most + 1)
		w.n = most + 1;
	w.work = work_for(s->payload, 30);
	return w;
}

static void measure_ladder(struct run *t, struct window *w, unsigned scrutinised, unsigned below)
{
	for (unsigned c = 1; c < w->n; c++)
		w->c[c].cfg.at_least = below + c;
	window_assign(t, w, scrutinised);
	window_run(t, w);
}

/* The first run tells how full clocks are: one empty rung is enough. */
static void cut(struct window *w)
{
	while (rungs(w) > 1 && w->c[rungs(w)].out == 0)
		w->n--;
}

/* A clock with c + 1 occurrences also has c. */
static void check_order(struct run *t, const struct window *w)
{
	for (unsigned c = 0; c < rungs(w); c++)
		CHECK_IS(t, w->c[c].out, >=, w->c[c + 1].out);
}

/* With few counters the ladder is short: moved up until its last rung is empty, it shows what is
 * met by its own number alone, for most clocks are as full as they can be. */
static void check_higher(struct run *t, struct window *w)
{
	unsigned top = t->pmu->max_threshold < RUNGS_MAX ? t->pmu->max_threshold : RUNGS_MAX;

	for (unsigned below = 1; below + rungs(w) <= top && w->c[rungs(w)].out; below++) {
		measure_ladder(t, w, 1, below);
		check_order(t, w);
	}
}

TEST(ladder, "a higher threshold never counts more clocks than a lower one", .clause = CNT_MASK,
     .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = 3, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	unsigned distinct = 0, neighbours = 0;

	for (unsigned i = 0; i < LADDER_STIMULI; i++) {
		struct window w = ladder_of(t, &stimuli[i]);

		for (unsigned role = 1; role <= rungs(&w); role++) {
			measure_ladder(t, &w, role, 0);
			check_order(t, &w);
			/* The payload retires instructions, so some clock has at least one. */
			CHECK_IS(t, w.c[1].out, >, 0);
			cut(&w);
		}
		neighbours += rungs(&w) - 1;
		for (unsigned c = 1; c < rungs(&w); c++)
			distinct += w.c[c].out > w.c[c + 1].out;
		check_higher(t, &w);
	}
	/* How many rungs differ is the pipeline's affair. */
	report_diag("%u of %u neighbouring rungs differ", distinct, neighbours);
}

static void show_sum(const struct window *w, uint64_t least, uint64_t hidden)
{
	struct measured sum = {.least = least, .most = w->c[0].out, .slack = hidden};

	for (unsigned c = 1; c < w->n; c++)
		sum.part[sum.parts++] = w->c[c].out;
	report_measured(&sum);
}

/* False: clocks with more occurrences than the highest rung asks for are beyond our sight. */
static bool check_sum(struct run *t, const struct stimulus *s, const struct window *w)
{
	unsigned max = t->pmu->events[s->event].max_per_clock;
	uint64_t sum = 0, hidden = clocks_hidden(t, &w->c[0].cfg, GATE_CHANGES);
	/* A clock with n occurrences is counted by the rungs 1..n, so it adds n to the sum. */
	bool closed = w->c[rungs(w)].out == 0 || (max && rungs(w) >= max);

	for (unsigned c = 1; c < w->n; c++)
		sum += w->c[c].out;
	show_sum(w, closed ? w->c[0].out : 0, hidden);
	if (closed) {
		CHECK_NEAR(t, sum, w->c[0].out, hidden);
		return true;
	}
	CHECK_IS(t, sum, <=, w->c[0].out + hidden);
	return false;
}

static const char *no_stimulus(const struct pmu *pmu, unsigned ctr)
{
	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++)
		if (pmu_can_count(pmu, ctr, stimuli[i].event))
			return NULL;
	return "the counter can count no event that comes in bursts";
}

TEST(sum_law, "the counts of all thresholds of the same run add up to the plain count",
     .clause = CNT_MASK, .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = 3,
     .per_counter = true, .absent = no_stimulus)
{
	unsigned closed = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++) {
		struct window w = ladder_of(t, &stimuli[i]);

		if (!can_count(t, stimuli[i].event))
			continue;
		for (unsigned role = 1; role <= rungs(&w); role++) {
			measure_ladder(t, &w, role, 0);
			closed += check_sum(t, &stimuli[i], &w);
			cut(&w);
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

		cfg.at_least = c;
		CHECK_EQ(t, count(t, t->counter, cfg, work_for(s->payload, 30)), 0);
	}
}

/* Has it a documented maximum below the largest threshold? */
static bool is_bounded(const struct pmu *pmu, unsigned ctr, unsigned event)
{
	unsigned max = pmu->events[event].max_per_clock;

	return pmu_can_count(pmu, ctr, event) && max && max < pmu->max_threshold;
}

static const char *no_maximum(const struct pmu *pmu, unsigned ctr)
{
	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++)
		if (is_bounded(pmu, ctr, stimuli[i].event))
			return NULL;
	return "the counter can count no event of which a clock has fewer than a threshold can ask "
	       "for";
}

TEST(above_maximum, "a threshold above the most that can occur in one clock counts nothing",
     .clause = CNT_MASK, .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .per_counter = true,
     .absent = no_maximum)
{
	for (unsigned i = 0; i < ARRAY_SIZE(stimuli); i++)
		if (is_bounded(t->pmu, t->counter, stimuli[i].event))
			check_above(t, &stimuli[i], t->pmu->events[stimuli[i].event].max_per_clock);
}
