/* SPDX-License-Identifier: BSD-2-Clause */
/* The filter of a NetBurst counter: COMPARE, COMPLEMENT, THRESHOLD and EDGE. */
#include "kernel/cpu.h"
#include "kernel/user.h"
#include "window.h"

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

/* The counter under test, and from it on in a circle those of its group: c[scrutinised] is it. */
static unsigned assign(const struct run *t, struct nb_counter *c, unsigned roles,
		       unsigned scrutinised)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NETBURST_COUNTERS && n < roles; i++) {
		unsigned ctr = (t->counter + i) % NETBURST_COUNTERS;

		if (nb_same_group(ctr, t->counter))
			c[(scrutinised + n++) % roles].ctr = ctr;
	}
	return n;
}

TEST(plain, "without COMPARE the other bits of the filter change nothing", .clause = FILTER,
     .driver = &pmu_netburst, .per_counter = true)
{
	struct stimulus s = dense_stimulus_for(t->counter);
	struct nb_counter c[] = {{.cfg = s.cfg}, {.cfg = s.cfg}, {.cfg = s.cfg}};

	c[0].cfg.threshold = 15;
	c[1].cfg.complement = true;
	for (unsigned role = 0; role < ARRAY_SIZE(c); role++) {
		assign(t, c, ARRAY_SIZE(c), role);
		nb_measure(t, c, ARRAY_SIZE(c), s.payload, 2);
		CHECK(t, c[2].out > 0);
		CHECK_EQ(t, c[0].out, c[2].out);
		CHECK_EQ(t, c[1].out, c[2].out);
	}
}

/* A clock with n occurrences is above the thresholds 0 to n - 1: it adds n to the sum. */
static void check_ladder(struct run *t, const struct stimulus *s, unsigned members,
			 unsigned scrutinised)
{
	struct nb_counter c[MEMBERS] = {{.cfg = s->cfg}};
	uint64_t sum = 0;

	for (unsigned i = 1; i < members; i++)
		c[i].cfg = above(s, i - 1);
	assign(t, c, members, scrutinised);
	nb_measure(t, c, members, s->payload, 1);
	for (unsigned i = 1; i < members; i++) {
		CHECK(t, i == 1 || c[i].out <= c[i - 1].out);
		sum += c[i].out;
	}
	CHECK(t, c[1].out > 0);
	CHECK_EQ(t, sum, c[0].out);
}

TEST(compare,
     "with COMPARE a clock counts once if it has more than THRESHOLD: the sum is the plain"
     " count",
     .clause = FILTER, .driver = &pmu_netburst, .per_counter = true)
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
	struct nb_counter c[ROLES] = {
		[OUTER] = {.cfg = every_clock(s)},
		[AT_MOST] = {.cfg = at_most(s, threshold)},
		[INNER] = {.cfg = every_clock(s)},
		[ABOVE] = {.cfg = above(s, threshold)},
	};

	assign(t, c, ROLES, scrutinised);
	nb_measure(t, c, ROLES, s->payload, iterations);
	CHECK(t, c[AT_MOST].out + c[ABOVE].out <= c[OUTER].out);
	CHECK(t, c[AT_MOST].out + c[ABOVE].out >= c[INNER].out);
	if (threshold >= s->max_per_clock)
		CHECK_EQ(t, c[ABOVE].out, 0);
	if (!threshold)
		CHECK(t, c[ABOVE].out > 0);
}

/* Long, so that the clocks that a wrong comparison misplaces outweigh those between two starts. */
TEST(complement, "with COMPLEMENT a clock counts if it has at most THRESHOLD", .clause = FILTER,
     .driver = &pmu_netburst, .per_counter = true)
{
	struct stimulus s = stimulus_for(t->counter);

	for (unsigned threshold = 0; threshold < 3; threshold++)
		check_partition(t, &s, threshold, AT_MOST, 12);
}

TEST(every_threshold, "for each THRESHOLD, clocks above it and clocks not above it are all clocks",
     .clause = FILTER, .driver = &pmu_netburst, .per_counter = true)
{
	struct stimulus s = stimulus_for(t->counter);

	/* ABOVE is on another counter of the group: each has its turn. */
	for (unsigned threshold = 0; threshold <= 15; threshold++)
		check_partition(t, &s, threshold, AT_MOST, 1);
}

TEST(edge_needs_compare, "EDGE without COMPARE changes nothing", .clause = FILTER,
     .driver = &pmu_netburst, .per_counter = true)
{
	struct stimulus s = dense_stimulus_for(t->counter);
	struct nb_counter c[] = {{.cfg = s.cfg}, {.cfg = s.cfg}, {.cfg = above(&s, 0)}};

	c[0].cfg.edge = true;
	c[2].cfg.edge = true;
	assign(t, c, ARRAY_SIZE(c), 0);
	nb_measure(t, c, ARRAY_SIZE(c), s.payload, 4);
	CHECK_EQ(t, c[0].out, c[1].out);
	CHECK(t, c[2].out > 0 && c[2].out <= c[1].out);
}

/*
 * Clocks that no event follows at once: each is an edge, and so is what comes after it, of the
 * complement.  One edge more of the complement, which is true when the window opens: what it was
 * before is not documented.
 */
TEST(bursts, "EDGE counts the clocks in which the comparison becomes true", .clause = FILTER,
     .driver = &pmu_netburst, .per_counter = true)
{
	struct stimulus s = {nb_event(t->counter), &payload_spaced, 1};
	struct nb_counter c[] = {{.cfg = above(&s, 0)}, {.cfg = at_most(&s, 0)}, {.cfg = s.cfg}};

	c[0].cfg.edge = true;
	c[1].cfg.edge = true;
	for (unsigned role = 0; role < 2; role++) {
		assign(t, c, ARRAY_SIZE(c), role);
		nb_measure(t, c, ARRAY_SIZE(c), s.payload, 5);
		/* Ring 3 is one burst of clocks. */
		CHECK_EQ(t, c[0].out, nb_counts_clocks(t->counter) ? 1 : c[2].out);
		CHECK(t, c[1].out >= c[0].out && c[1].out <= c[0].out + 1);
	}
}

/* Clocks counted in another way: where this processor runs without pause, the same ones. */
TEST(threshold_15, "no clock has more than 15; at most 15 is true in every clock, in no mode too",
     .clause = "Intel SDM vol. 3B: Counting Clocks; 18.15: CCCR MSRs", .driver = &pmu_netburst,
     .per_counter = true)
{
	struct stimulus s = stimulus_for(t->counter);
	unsigned clocks = t->counter == 2 || t->counter == 3 ? 0 : 2;
	struct nb_counter c[] = {
		{.ctr = clocks, .cfg = nb_event(clocks)},
		{.ctr = t->counter, .cfg = every_clock(&s)},
		{.ctr = clocks + 1, .cfg = nb_event(clocks)},
	};

	c[0].cfg.kernel = true;
	c[2].cfg.kernel = true;
	c[1].cfg.user = false;
	nb_measure(t, c, ARRAY_SIZE(c), s.payload, 10);
	CHECK(t, c[1].out >= c[2].out);
	/* The two methods "agree closely" while nothing halts: within 1 %. */
	CHECK(t, c[1].out <= c[0].out + c[0].out / 100);

	c[1].cfg = above(&s, 15);
	nb_measure(t, &c[1], 1, s.payload, 10);
	CHECK_EQ(t, c[1].out, 0);
}

TEST(rises, "EDGE counts when the comparison becomes true, not when it becomes false",
     .clause = FILTER, .driver = &pmu_netburst, .per_counter = true, .counts = EV_CYCLES)
{
	struct nb_counter c = {.ctr = t->counter, .cfg = nb_event(t->counter)};
	uint64_t inside;

	c.cfg.compare = true;
	c.cfg.edge = true;
	write_cr4(read_cr4() | CR4_PCE); /* the runner puts it back */
	nb_open(t, &c, 1);
	inside = user_call(user_rdpmc, t->pmu->counter[t->counter].rdpmc, NULL, 0);
	nb_close(t, &c, 1);
	/* The clocks of ring 3 have begun and not yet ended. */
	CHECK_EQ(t, inside, 1);
}
