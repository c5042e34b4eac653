/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter of a NetBurst counter: COMPARE, COMPLEMENT, THRESHOLD and EDGE. */
#include "netburst.h"

#define GROUP  "filter", "edge"
#define FILTER "SDM vol. 3B, 18.15: CCCR MSRs; Filtering Events"

#define RETIRE 3u /* Intel SDM vol. 1: micro-ops retired per clock, at most */

/* The events that a counter is fed with, and how many of them one clock can bring at most. */
struct stimulus {
	struct netburst_config cfg;
	const struct payload *payload;
	unsigned max_per_clock;
};

static struct stimulus stimulus_for(unsigned ctr)
{
	if (netburst_counters[ctr].group != NB_IQ)
		return (struct stimulus){nb_event(ctr), &payload_spaced, 1};
	return (struct stimulus){nb_user(NB_UOPS_RETIRED, 1), &payload_bursts, RETIRE};
}

/* Events that follow one another closely, so that clocks and edges are fewer. */
static struct stimulus dense_stimulus_for(unsigned ctr)
{
	switch (netburst_counters[ctr].group) {
	case NB_MS:
		return (struct stimulus){nb_user(NB_UOP_QUEUE_WRITES, 7), &payload_bursts, 0};
	case NB_FLAME:
		return (struct stimulus){nb_user(NB_PACKED_SP_UOP, BIT(15)), &payload_vector, 0};
	default:
		return stimulus_for(ctr);
	}
}

/* A slot's filter: these bits, and the threshold below them. */
#define COMPARE    BIT(4)
#define COMPLEMENT BIT(5)
#define EDGE       BIT(6)
#define ABOVE      COMPARE /* clocks with more than the threshold */
#define AT_MOST    (COMPARE | COMPLEMENT)
/* True in every clock: a clock is in the window or not, whoever runs and whatever happens. */
#define EVERY_CLOCK (AT_MOST | 15)

static struct netburst_config filtered(const struct stimulus *s, unsigned filter)
{
	struct netburst_config cfg = s->cfg;

	cfg.compare = filter & COMPARE;
	cfg.complement = filter & COMPLEMENT;
	cfg.edge = filter & EDGE;
	cfg.threshold = filter & 15;
	return cfg;
}

/* Counters of the group for the slots: the counter under test takes the slot under scrutiny, the
 * counters after it the slots that follow, in a circle. */
static void assign(const struct run *t, struct window *w, unsigned scrutinised)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS && n < w->n; i++) {
		unsigned ctr = (t->counter + i) % NETBURST_COUNTERS;

		if (nb_same_group(ctr, t->counter))
			w->c[(scrutinised + n++) % w->n].ctr = ctr;
	}
}

/* One window with these filters in its slots. */
static struct window measure(struct run *t, const struct stimulus *s, uint64_t iterations,
			     unsigned scrutinised, const unsigned *filters, unsigned n)
{
	struct window w = {NB_WINDOW, .n = n, .work = in_ring3(s->payload, iterations)};

	for (unsigned i = 0; i < n; i++)
		*nb(&w.c[i]) = filtered(s, filters[i]);
	assign(t, &w, scrutinised);
	window_run(t, &w);
	return w;
}

NB_COUNTER_TEST(plain, "without COMPARE the other bits of the filter change nothing",
		.clause = FILTER)
{
	static const unsigned filters[] = {15, COMPLEMENT, 0};
	struct stimulus s = dense_stimulus_for(t->counter);

	for (unsigned role = 0; role < ARRAY_SIZE(filters); role++) {
		struct window w = measure(t, &s, 2, role, filters, ARRAY_SIZE(filters));

		CHECK_IS(t, w.c[2].out, >, 0);
		CHECK_EQ(t, w.c[0].out, w.c[2].out);
		CHECK_EQ(t, w.c[1].out, w.c[2].out);
	}
}

/* A clock with n occurrences is above the thresholds 0 to n - 1: it adds n to the sum. */
NB_COUNTER_TEST(
	compare,
	"with COMPARE a clock counts once if it has more than THRESHOLD: the sum is the plain"
	" count",
	.clause = FILTER)
{
	static const unsigned ladder[] = {0, ABOVE, ABOVE | 1, ABOVE | 2, ABOVE | 3, ABOVE | 4};
	struct stimulus s = stimulus_for(t->counter);
	unsigned members = netburst_counters[t->counter].group == NB_IQ ? 6 : 4;

	for (unsigned role = 0; role < members; role++) {
		struct window w = measure(t, &s, 1, role, ladder, members);
		struct measured shown = {.least = w.c[0].out, .most = w.c[0].out};
		uint64_t sum = 0;

		for (unsigned i = 1; i < members; i++) {
			if (i > 1)
				CHECK_IS(t, w.c[i].out, <=, w.c[i - 1].out);
			sum += shown.part[shown.parts++] = w.c[i].out;
		}
		report_measured(&shown);
		CHECK_IS(t, w.c[1].out, >, 0);
		CHECK_EQ(t, sum, w.c[0].out);
	}
}

/*
 * The ring gates the count above the threshold.  It does not gate a complemented counter, as clocks
 * of ring 0 bring 0: this one counts between the two WRMSR that enable and disable it.  The window
 * of the outer clocks holds its window, and that holds the window of the inner clocks.  There is no
 * closer bound, as counters start one after the other.
 */
static void check_partition(struct run *t, const struct stimulus *s, unsigned threshold,
			    uint64_t iterations)
{
	const unsigned filters[] = {EVERY_CLOCK, AT_MOST | threshold, EVERY_CLOCK,
				    ABOVE | threshold};
	struct window w = measure(t, s, iterations, 1, filters, ARRAY_SIZE(filters));
	const uint64_t outer = w.c[0].out, inner = w.c[2].out, above = w.c[3].out;

	report_measured(&(struct measured){.parts = 2,
					   .part = {above, w.c[1].out},
					   .least = inner,
					   .most = outer,
					   .threshold = threshold});
	CHECK_IS(t, w.c[1].out + above, <=, outer);
	CHECK_IS(t, w.c[1].out + above, >=, inner);
	if (threshold >= s->max_per_clock)
		CHECK_EQ(t, above, 0);
	if (!threshold)
		CHECK_IS(t, above, >, 0);
}

/* Long, so that the clocks that a wrong comparison misplaces outweigh those between two starts. */
NB_COUNTER_TEST(complement, "with COMPLEMENT a clock counts if it has at most THRESHOLD",
		.clause = FILTER)
{
	struct stimulus s = stimulus_for(t->counter);

	for (unsigned threshold = 0; threshold < 3; threshold++)
		check_partition(t, &s, threshold, 12);
}

NB_COUNTER_TEST(every_threshold,
		"for each THRESHOLD, clocks above it and clocks not above it are all clocks",
		.clause = FILTER)
{
	struct stimulus s = stimulus_for(t->counter);

	/* The count above is on another counter of the group: each has its turn. */
	for (unsigned threshold = 0; threshold <= 15; threshold++)
		check_partition(t, &s, threshold, 1);
}

/* Where clocks of all rings count, they begin and end with each counter's own writes. */
static void check_alike(struct run *t, const struct stimulus *s, unsigned filter)
{
	struct window w = {NB_WINDOW, .n = 2, .work = in_ring3(s->payload, 2)};
	uint64_t counted;

	*nb(&w.c[0]) = *nb(&w.c[1]) = filtered(s, filter);
	w.c[1].from = 0 - UINT64_C(1);
	assign(t, &w, 1);
	window_run(t, &w);
	counted = slot_counted(t, &w.c[1]);
	if (!(filter & COMPLEMENT))
		CHECK_EQ(t, counted, w.c[0].out);
	CHECK_EQ(t, netburst_ovf(t->pmu, t->counter), counted > 0);
}

NB_COUNTER_TEST(alike, "with one THRESHOLD two counters count the same clocks, and set OVF",
		.clause = FILTER)
{
	struct stimulus s = dense_stimulus_for(t->counter);

	for (unsigned threshold = 1; threshold < RETIRE; threshold++) {
		check_alike(t, &s, ABOVE | threshold);
		check_alike(t, &s, AT_MOST | threshold);
	}
}

NB_COUNTER_TEST(edge_needs_compare, "EDGE without COMPARE changes nothing", .clause = FILTER)
{
	static const unsigned filters[] = {EDGE, 0, ABOVE | EDGE};
	struct stimulus s = dense_stimulus_for(t->counter);
	struct window w = measure(t, &s, 4, 0, filters, ARRAY_SIZE(filters));

	CHECK_EQ(t, w.c[0].out, w.c[1].out);
	CHECK_IS(t, w.c[2].out, >, 0);
	CHECK_IS(t, w.c[2].out, <=, w.c[1].out);
}

/*
 * Clocks that no event follows at once: each is an edge, and so is the clock after it, of the
 * complement.  The complement may have one edge more, as it is true when the window opens: what it
 * was before is not documented.
 */
NB_COUNTER_TEST(bursts, "EDGE counts the clocks in which the comparison becomes true",
		.clause = FILTER)
{
	static const unsigned filters[] = {ABOVE | EDGE, AT_MOST | EDGE, 0};
	struct stimulus s = {nb_event(t->counter), &payload_spaced, 1};

	for (unsigned role = 0; role < 2; role++) {
		struct window w = measure(t, &s, 5, role, filters, ARRAY_SIZE(filters));

		/* Ring 3 is one burst of clocks. */
		CHECK_EQ(t, w.c[0].out, nb_counts_clocks(t->counter) ? 1 : w.c[2].out);
		CHECK_IS(t, w.c[1].out, >=, w.c[0].out);
		CHECK_IS(t, w.c[1].out, <=, w.c[0].out + 1);
	}
}

/* The clocks of ring 3 have begun and not yet ended. */
NB_COUNTER_TEST(rises, "EDGE counts when the comparison becomes true, not when it becomes false",
		.clause = FILTER, .counts = EV_CYCLES)
{
	struct stimulus s = {nb_event(t->counter), NULL, 1};
	struct window w = nb_window(t->counter, filtered(&s, ABOVE | EDGE), (struct work){0});

	CHECK_EQ(t, window_look(t, &w), 1);
}

/* Clocks counted in another way: where this processor runs without pause, the same ones. */
NB_COUNTER_TEST(threshold_15,
		"no clock has more than 15; at most 15 is true in every clock, in no mode too",
		.clause = "SDM vol. 3B: Counting Clocks; 18.15: CCCR MSRs")
{
	struct stimulus s = stimulus_for(t->counter);
	unsigned beside = t->counter == 2 || t->counter == 3 ? 0 : 2;
	struct netburst_config clocks = nb_event(beside), every = filtered(&s, EVERY_CLOCK);
	struct window w = nb_window(beside, clocks, in_ring3(s.payload, 10));

	every.user = false;
	nb_add(&w, t->counter, every);
	nb_add(&w, beside + 1, clocks);
	nb(&w.c[0])->kernel = nb(&w.c[2])->kernel = true;
	window_run(t, &w);
	CHECK_IS(t, w.c[1].out, >=, w.c[2].out);
	/* The two methods "agree closely" while nothing halts: within 1 %. */
	CHECK_IS(t, w.c[1].out, <=, w.c[0].out + w.c[0].out / 100);
	CHECK_EQ(t, nb_count(t, t->counter, filtered(&s, ABOVE | 15), w.work), 0);
}
