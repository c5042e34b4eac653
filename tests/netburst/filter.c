/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter of a NetBurst counter: COMPARE, COMPLEMENT, THRESHOLD and EDGE. */
#include "netburst.h"

#define GROUP  "filter"
#define FILTER "Intel SDM vol. 3B, 18.15: CCCR MSRs; Filtering Events"

/* A group has four counters or six. */
#define MEMBERS 6u
#define RETIRE  3u /* Intel SDM vol. 1: micro-ops retired per clock, at most */

/* What a counter is fed with, and how much of it one clock can bring at most. */
struct stimulus {
	struct netburst_config cfg;
	const struct payload *payload;
	unsigned max_per_clock;
};

static struct stimulus stimulus_for(unsigned ctr)
{
	if (netburst_counters[ctr].group != NB_IQ)
		return (struct stimulus){nb_event(ctr), &payload_spaced, 1};
	return (struct stimulus){
		{.event = NB_UOPS_RETIRED, .mask = 1, .user = true}, &payload_bursts, RETIRE};
}

/* Events that follow one another closely, so that clocks and edges are fewer. */
static struct stimulus dense_stimulus_for(unsigned ctr)
{
	struct stimulus s = stimulus_for(ctr);

	if (s.cfg.event == NB_RETIRED_BRANCH_TYPE) {
		s.cfg.event = NB_UOP_QUEUE_WRITES;
		s.cfg.mask = 7;
		s.payload = &payload_bursts;
	} else if (s.cfg.event == NB_64BIT_MMX_UOP) {
		s.cfg.event = NB_PACKED_SP_UOP;
		s.payload = &payload_vector;
	}
	return s;
}

/* more than threshold */
static struct netburst_config above(const struct stimulus *s, unsigned threshold)
{
	struct netburst_config cfg = s->cfg;

	cfg.compare = true;
	cfg.threshold = threshold;
	return cfg;
}

static struct netburst_config at_most(const struct stimulus *s, unsigned threshold)
{
	struct netburst_config cfg = above(s, threshold);

	cfg.complement = true;
	return cfg;
}

/* True in every clock: a clock is in the window or not, whoever runs and whatever happens. */
static struct netburst_config every_clock(const struct stimulus *s)
{
	return at_most(s, 15);
}

/* The counter under test and those of its group, from it on in a circle, for the slots: it takes
 * the one under scrutiny. */
static void assign(const struct run *t, struct window *w, unsigned scrutinised)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS && n < w->n; i++) {
		unsigned ctr = (t->counter + i) % NETBURST_COUNTERS;

		if (nb_same_group(ctr, t->counter))
			w->c[(scrutinised + n++) % w->n].ctr = ctr;
	}
}

NB_COUNTER_TEST(plain, "without COMPARE the other bits of the filter change nothing",
		.clause = FILTER)
{
	struct stimulus s = dense_stimulus_for(t->counter);
	struct window w = {NB_WINDOW, .n = 3, .c = {{.nb = s.cfg}, {.nb = s.cfg}, {.nb = s.cfg}},
			   .work = in_ring3(s.payload, 2)};

	w.c[0].nb.threshold = 15;
	w.c[1].nb.complement = true;
	for (unsigned role = 0; role < w.n; role++) {
		assign(t, &w, role);
		window_run(t, &w);
		CHECK(t, w.c[2].out > 0);
		CHECK_EQ(t, w.c[0].out, w.c[2].out);
		CHECK_EQ(t, w.c[1].out, w.c[2].out);
	}
}

/* A clock with n occurrences is above the thresholds 0 to n - 1: it adds n to the sum. */
static void check_ladder(struct run *t, const struct stimulus *s, unsigned members,
			 unsigned scrutinised)
{
	struct window w = {NB_WINDOW, .n = members, .c = {{.nb = s->cfg}},
			   .work = in_ring3(s->payload, 1)};
	uint64_t sum = 0;

	for (unsigned i = 1; i < members; i++)
		w.c[i].nb = above(s, i - 1);
	assign(t, &w, scrutinised);
	window_run(t, &w);
	for (unsigned i = 1; i < members; i++) {
		CHECK(t, i == 1 || w.c[i].out <= w.c[i - 1].out);
		sum += w.c[i].out;
	}
	CHECK(t, w.c[1].out > 0);
	CHECK_EQ(t, sum, w.c[0].out);
}

NB_COUNTER_TEST(
	compare,
	"with COMPARE a clock counts once if it has more than THRESHOLD: the sum is the plain"
	" count",
	.clause = FILTER)
{
	struct stimulus s = stimulus_for(t->counter);
	unsigned members = netburst_counters[t->counter].group == NB_IQ ? 6 : 4;

	for (unsigned role = 0; role < members; role++)
		check_ladder(t, &s, members, role);
}

enum role { OUTER, AT_MOST, INNER, ABOVE, ROLES };

/*
 * ABOVE is gated by the ring.  A complemented counter is not, as clocks of ring 0 bring 0: it
 * counts from its own WRMSR to its own WRMSR.  The window of OUTER holds that of AT_MOST, which
 * holds that of INNER: no closer bound is there, as counters start one after the other.
 */
static void check_partition(struct run *t, const struct stimulus *s, unsigned threshold,
			    unsigned scrutinised, uint64_t iterations)
{
	struct window w = {
		NB_WINDOW,
		.n = ROLES,
		.c = {[OUTER] = {.nb = every_clock(s)},
		      [AT_MOST] = {.nb = at_most(s, threshold)},
		      [INNER] = {.nb = every_clock(s)},
		      [ABOVE] = {.nb = above(s, threshold)}},
		.work = in_ring3(s->payload, iterations),
	};

	assign(t, &w, scrutinised);
	window_run(t, &w);
	CHECK(t, w.c[AT_MOST].out + w.c[ABOVE].out <= w.c[OUTER].out);
	CHECK(t, w.c[AT_MOST].out + w.c[ABOVE].out >= w.c[INNER].out);
	if (threshold >= s->max_per_clock)
		CHECK_EQ(t, w.c[ABOVE].out, 0);
	if (!threshold)
		CHECK(t, w.c[ABOVE].out > 0);
}

/* Long, so that the clocks that a wrong comparison misplaces outweigh those between two starts. */
NB_COUNTER_TEST(complement, "with COMPLEMENT a clock counts if it has at most THRESHOLD",
		.clause = FILTER)
{
	struct stimulus s = stimulus_for(t->counter);

	for (unsigned threshold = 0; threshold < 3; threshold++)
		check_partition(t, &s, threshold, AT_MOST, 12);
}

NB_COUNTER_TEST(every_threshold,
		"for each THRESHOLD, clocks above it and clocks not above it are all clocks",
		.clause = FILTER)
{
	struct stimulus s = stimulus_for(t->counter);

	/* ABOVE is on another counter of the group: each has its turn. */
	for (unsigned threshold = 0; threshold <= 15; threshold++)
		check_partition(t, &s, threshold, AT_MOST, 1);
}

NB_COUNTER_TEST(edge_needs_compare, "EDGE without COMPARE changes nothing", .clause = FILTER)
{
	struct stimulus s = dense_stimulus_for(t->counter);
	struct window w = {NB_WINDOW, .n = 3,
			   .c = {{.nb = s.cfg}, {.nb = s.cfg}, {.nb = above(&s, 0)}},
			   .work = in_ring3(s.payload, 4)};

	w.c[0].nb.edge = true;
	w.c[2].nb.edge = true;
	assign(t, &w, 0);
	window_run(t, &w);
	CHECK_EQ(t, w.c[0].out, w.c[1].out);
	CHECK(t, w.c[2].out > 0 && w.c[2].out <= w.c[1].out);
}

/*
 * Clocks that no event follows at once: each is an edge, and so is what comes after it, of the
 * complement.  One edge more of the complement, which is true when the window opens: what it was
 * before is not documented.
 */
NB_COUNTER_TEST(bursts, "EDGE counts the clocks in which the comparison becomes true",
		.clause = FILTER)
{
	struct stimulus s = {nb_event(t->counter), &payload_spaced, 1};
	struct window w = {NB_WINDOW, .n = 3,
			   .c = {{.nb = above(&s, 0)}, {.nb = at_most(&s, 0)}, {.nb = s.cfg}},
			   .work = in_ring3(s.payload, 5)};

	w.c[0].nb.edge = true;
	w.c[1].nb.edge = true;
	for (unsigned role = 0; role < 2; role++) {
		assign(t, &w, role);
		window_run(t, &w);
		/* Ring 3 is one burst of clocks. */
		CHECK_EQ(t, w.c[0].out, nb_counts_clocks(t->counter) ? 1 : w.c[2].out);
		CHECK(t, w.c[1].out >= w.c[0].out && w.c[1].out <= w.c[0].out + 1);
	}
}

/* Clocks counted in another way: where this processor runs without pause, the same ones. */
NB_COUNTER_TEST(threshold_15,
		"no clock has more than 15; at most 15 is true in every clock, in no mode too",
		.clause = "Intel SDM vol. 3B: Counting Clocks; 18.15: CCCR MSRs")
{
	struct stimulus s = stimulus_for(t->counter);
	unsigned clocks = t->counter == 2 || t->counter == 3 ? 0 : 2;
	struct window w = {
		NB_WINDOW,
		.n = 3,
		.c = {{.ctr = clocks, .nb = nb_event(clocks)},
		      {.ctr = t->counter, .nb = every_clock(&s)},
		      {.ctr = clocks + 1, .nb = nb_event(clocks)}},
		.work = in_ring3(s.payload, 10),
	};

	w.c[0].nb.kernel = true;
	w.c[2].nb.kernel = true;
	w.c[1].nb.user = false;
	window_run(t, &w);
	CHECK(t, w.c[1].out >= w.c[2].out);
	/* The two methods "agree closely" while nothing halts: within 1 %. */
	CHECK(t, w.c[1].out <= w.c[0].out + w.c[0].out / 100);
	CHECK_EQ(t, nb_count(t, t->counter, above(&s, 15), w.work), 0);
}

NB_COUNTER_TEST(rises, "EDGE counts when the comparison becomes true, not when it becomes false",
		.clause = FILTER, .counts = EV_CYCLES)
{
	struct window w = nb_window(t->counter, nb_event(t->counter), (struct work){0});

	w.c[0].nb.compare = true;
	w.c[0].nb.edge = true;
	/* The clocks of ring 3 have begun and not yet ended. */
	CHECK_EQ(t, window_look(t, &w), 1);
}
