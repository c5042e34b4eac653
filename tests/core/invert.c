/* SPDX-License-Identifier: BSD-2-Clause */
/* Inversion: every clock is either one with at least c occurrences, or one with fewer. */
#include "core.h"

#define GROUP       "invert", "threshold"
#define TIGHT_TRIES 5u
/* Times 40 instructions: long against the switching of counters, stalls and all. */
#define LONG 240u

static struct slot at_least(struct pmu_config cfg, unsigned threshold)
{
	cfg.at_least = threshold;
	return (struct slot){.cfg = cfg};
}

static struct slot below(struct pmu_config cfg, unsigned threshold)
{
	cfg.below = threshold;
	return (struct slot){.cfg = cfg};
}

/* The ring crossing, or the global enables, open and close the three at the same instant: exact. */
static void check_gated(struct run *t, unsigned threshold, bool below_under_test)
{
	enum { AT, BELOW, CLOCKS, ROLES };
	struct window w = {.n = ROLES,
			   .c = {[AT] = at_least(gated(EV_INSTRUCTIONS), threshold),
				 [BELOW] = below(gated(EV_INSTRUCTIONS), threshold),
				 [CLOCKS] = {.cfg = gated(EV_CYCLES)}},
			   .work = work_for(&payload_bursts, 40)};
	uint64_t hidden;

	window_assign(t, &w, below_under_test ? BELOW : AT);
	window_run(t, &w);
	hidden = clocks_hidden(t, &w.c[CLOCKS].cfg, GATE_CHANGES);
	report_measured(&(struct measured){.parts = 2,
					   .part = {w.c[AT].out, w.c[BELOW].out},
					   .least = w.c[CLOCKS].out,
					   .most = w.c[CLOCKS].out,
					   .slack = hidden,
					   .threshold = threshold});
	CHECK_NEAR(t, w.c[AT].out + w.c[BELOW].out, w.c[CLOCKS].out, hidden);
}

enum { OUTER_CLOCKS, AT, BELOW, CLOCKS, ROLES };

/* Little but the payload lies in the window. */
static bool is_tight(const struct window *w)
{
	return w->c[OUTER_CLOCKS].out - w->c[CLOCKS].out <= w->c[CLOCKS].out / 10;
}

/*
 * Where an inverted counter counts the clocks outside the privilege filter too, nothing gates it
 * but its own enable bit, and switching takes as long as it takes.  So the clocks are counted
 * twice: while all counters are on, and while any is.  A clock in which all are on counts once; one
 * in which some are, not at all, once or twice.
 */
static void check_switched(struct run *t, unsigned threshold, bool below_under_test)
{
	struct window w = {.n = ROLES,
			   .nested = true,
			   .c = {[OUTER_CLOCKS] = {.cfg = in_all_rings(EV_CYCLES)},
				 [AT] = at_least(in_all_rings(EV_INSTRUCTIONS), threshold),
				 [BELOW] = below(in_all_rings(EV_INSTRUCTIONS), threshold),
				 [CLOCKS] = {.cfg = in_all_rings(EV_CYCLES)}},
			   .work = work_for(&payload_bursts, 40)};
	uint64_t sum, inner, outer;

	w.work.iterations *= LONG;
	w.work.ring = RING_0;
	window_assign(t, &w, below_under_test ? BELOW : AT);
	window_run(t, &w);
	for (unsigned i = 1; i < TIGHT_TRIES && !is_tight(&w); i++)
		window_run(t, &w);
	SKIP_IF(t, !is_tight(&w), "each time something came while counters were switched");
	sum = w.c[AT].out + w.c[BELOW].out;
	inner = w.c[CLOCKS].out;
	outer = w.c[OUTER_CLOCKS].out;
	report_measured(&(struct measured){.parts = 2,
					   .part = {w.c[AT].out, w.c[BELOW].out},
					   .least = inner,
					   .most = outer + (outer - inner),
					   .threshold = threshold});
	CHECK_IS(t, inner, >, 0);
	CHECK_IS(t, inner, <=, outer);
	CHECK_IS(t, sum, >=, inner);
	CHECK_IS(t, sum, <=, outer + (outer - inner));
}

TEST(partition, "clocks at or above a threshold and clocks below it add up to all clocks",
     .clause = "AMD 22007 appendix D; AMD64 APM vol. 2, 13.2.1: INV with CNT_MASK; "
	       "SDM vol. 3B: CCCR complement",
     .needs = PMU_THRESHOLD | PMU_PRIVILEGE, .min_counters = 3, .per_counter = true,
     .counts = EV_INSTRUCTIONS)
{
	struct slot none = below(gated(EV_INSTRUCTIONS), 1);
	/* AMD does not say whether a clock outside the privilege filter is one with no occurrence;
	 * on NetBurst it is. */
	uint64_t outside = 0;

	/* One that counts in both rings or not at all has no clock outside. */
	if (!pmu_is_deaf(t->pmu, t->counter, &none.cfg))
		outside = count(t, t->counter, none.cfg, in_ring0(&payload_straight, 1));
	if (t->pmu->features & PMU_INVERT_FILTERED)
		CHECK_EQ(t, outside, 0);
	for (unsigned c = 1; c <= 3 && c <= t->pmu->max_threshold; c++)
		for (unsigned below_under_test = 0; below_under_test < 2; below_under_test++)
			if (outside)
				check_switched(t, c, below_under_test);
			else
				check_gated(t, c, below_under_test);
}
