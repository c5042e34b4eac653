/* SPDX-License-Identifier: BSD-2-Clause */
/* Edge detection: counts the clocks in which a condition becomes true. */
#include "core.h"

#define GROUP "edge", "invert"
#define EDGE  "AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: Edge; SDM vol. 3B: CCCR edge"

#define EDGE_TEST(name, claim, ...)                                                                \
	TEST(name, claim, .clause = EDGE, .needs = PMU_EDGE | PMU_THRESHOLD | PMU_PRIVILEGE,       \
	     .per_counter = true, .counts = EV_INSTRUCTIONS, __VA_ARGS__)

enum role { RISE_AT, RISE_BELOW, AT, BELOW, ROLES };

/* The four for threshold c. */
static struct window edges(unsigned c)
{
	struct window w = {.n = ROLES, .work = work_for(&payload_bursts, 40)};

	for (unsigned role = 0; role < ROLES; role++) {
		struct pmu_config *cfg = &w.c[role].cfg;

		*cfg = gated(EV_INSTRUCTIONS);
		cfg->edge = role == RISE_AT || role == RISE_BELOW;
		if (role == RISE_AT || role == AT)
			cfg->at_least = c;
		else
			cfg->below = c;
	}
	return w;
}

static const char *no_edges(const struct pmu *pmu, unsigned ctr)
{
	struct window w = edges(1);

	return window_unfit(pmu, ctr, &w, RISE_AT);
}

static struct window measure_edges(struct run *t, unsigned c, unsigned scrutinised)
{
	const bool in_both = pmu_effect(t->pmu, INVERSE_COUNTS_OTHER_RING);
	struct window w = edges(c);

	/* It counts rises of the inverse in both rings, so all four shall.  They start together. */
	for (unsigned role = 0; in_both && role < ROLES; role++)
		w.c[role].cfg.kernel = true;
	window_assign(t, &w, scrutinised);
	window_run(t, &w);
	return w;
}

EDGE_TEST(alternation,
	  "a condition rises as often as its inverse, give or take the one at the start",
	  .min_counters = ROLES, .absent = no_edges)
{
	for (unsigned c = 1; c <= 3 && c <= t->pmu->max_threshold; c++)
		for (unsigned role = RISE_AT; role <= RISE_BELOW; role++) {
			struct window w = measure_edges(t, c, role);
			uint64_t hidden = edges_hidden(t, GATE_CHANGES);

			/* Between two rises lies a fall, which is a rise of the inverse.  One more
			 * on either side: what the condition was before the window is not
			 * documented. */
			CHECK_IS(t, w.c[RISE_AT].out, <=, w.c[RISE_BELOW].out + 1 + hidden);
			CHECK_IS(t, w.c[RISE_BELOW].out, <=, w.c[RISE_AT].out + 1 + hidden);
		}
}

EDGE_TEST(bound,
	  "a condition rises in no more clocks than it is true, nor than it was false before",
	  .min_counters = ROLES, .absent = no_edges)
{
	for (unsigned c = 1; c <= 3 && c <= t->pmu->max_threshold; c++) {
		struct window w = measure_edges(t, c, RISE_AT);
		uint64_t hidden = clocks_hidden(t, &w.c[BELOW].cfg, GATE_CHANGES);

		CHECK_IS(t, w.c[RISE_AT].out, <=, w.c[AT].out);
		/* Each rise needs a clock below before it; the first may have had it before the
		 * window. */
		CHECK_IS(t, w.c[RISE_AT].out, <=, w.c[BELOW].out + 1 + hidden);
	}
}

static uint64_t count_edges(struct run *t, unsigned event, unsigned at_least, struct work work)
{
	struct pmu_config cfg = gated(event);

	cfg.edge = true;
	cfg.at_least = at_least;
	return count(t, t->counter, cfg, work);
}

/* The value that a far-transfer counter shows to ring 3, between the IRETQ into it and the INT out
 * of it. */
static uint64_t far_transfers_seen(struct run *t, unsigned below, bool edge)
{
	struct window w = {.n = 1, .c = {{.ctr = t->counter, .cfg = gated(EV_FAR_TRANSFERS)}}};

	w.c[0].cfg.below = below;
	w.c[0].cfg.edge = edge;
	pmu_reset(t->pmu);
	return window_look(t, &w);
}

/*
 * Rises and falls alternate, so that counts alone cannot tell them apart, unless it is known what
 * the condition is at both ends.  "No far transfer" is false in the clock of the IRETQ that enters
 * ring 3 and true from then on: it rises, and a fall after that there is none.
 */
static void check_rises_not_falls(struct run *t)
{
	if (!can_count(t, EV_FAR_TRANSFERS) || edges_hidden(t, 1))
		return;
	/* Else this silicon counts the IRETQ in the mode it comes from. */
	if (far_transfers_seen(t, 0, false) == 1)
		CHECK_IS(t, far_transfers_seen(t, 1, true), >=, 1);
}

/* This payload returns once, as its last instruction: false before, true in one clock.  Some K7
 * count no near returns at all. */
static void check_lone_return(struct run *t, struct work straight)
{
	if (!can_count(t, EV_NEAR_RETURNS) ||
	    count(t, t->counter, gated(EV_NEAR_RETURNS), straight) == 0)
		return;
	CHECK_EQ(t, count_edges(t, EV_NEAR_RETURNS, 0, straight), 1);
	CHECK_EQ(t, count_edges(t, EV_NEAR_RETURNS, 1, straight), 1);
}

EDGE_TEST(bursts, "an edge is a condition that becomes true: one per burst, one for what lasts", )
{
	const struct work bursts = in_ring3(&payload_bursts, 4);
	const struct work straight = in_ring3(&payload_straight, 4);
	uint64_t rises;

	/* Retirement is in order: it stops behind each division and fence and goes on after it, so
	 * each iteration has a clock with no retirement followed by one with: at least one rise.
	 * Other stalls are the silicon's affair, and differ from time to time. */
	rises = count_edges(t, EV_INSTRUCTIONS, 1, bursts);
	CHECK_IS(t, rises + edges_hidden(t, GATE_CHANGES), >=, bursts.iterations);
	CHECK_IS(t, rises, <=, count(t, t->counter, gated(EV_INSTRUCTIONS), bursts));

	/* "Not halted" holds in every clock of the window: it can rise at its start or not at all,
	 * which of the two is not documented. */
	if (can_count(t, EV_CYCLES)) {
		CHECK_IS(t, count_edges(t, EV_CYCLES, 0, straight), <=, 1);
		CHECK_IS(t, count_edges(t, EV_CYCLES, 1, straight), <=, 1);
	}
	check_rises_not_falls(t);
	if (pmu_features(t->pmu, t->counter) & PMU_USER_ALONE)
		check_lone_return(t, straight);
}
