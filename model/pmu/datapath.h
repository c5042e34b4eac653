/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way from the occurrences of an event in a clock to the cells of a counter, which is the same
 * for all kinds of counters.  Their differences are data: see struct comparison.
 *
 * The model spends most of its time here.  So all of this is inlined twice: into the code for a
 * healthy PMU, which looks for no hooks, and into the code for a defective one.
 */
#pragma once

#include "fault.h"

#define DATAPATH static inline __attribute__((always_inline))

/* The setting of a counter, as its control registers say. */
struct setting {
	unsigned event, unit_mask;
	bool enable, user, os, interrupt;
	/* compares: the result is kept for the edge detector.  adds_one: a clock adds 1 at most. */
	bool compares, adds_one;
	bool invert, edge;
	unsigned at_least; /* so many occurrences make the comparison true, */
	unsigned at_most; /* and no more than so many */
};

struct counter {
	uint64_t value;
	uint64_t control; /* as its control register reads */
	struct setting set;
	bool condition; /* the result of the last clock, for the edge detector */
};

/* Clocks alike that have passed, and how many.  before: the one ahead of each, if an edge may
 * matter to some counter; NULL: of those that are told of, this is the first. */
struct passed {
	const struct clock *clock, *before;
	uint64_t times;
};

/* How a kind of PMU compares. */
struct comparison {
	bool more; /* true above the threshold, else from the threshold on */
	bool edge_alone; /* the edge detector works without a threshold, too: at least one */
};

/* used: there is a threshold.  Inversion needs one. */
static inline void setting_compare(struct setting *set, const struct comparison *kind, bool used,
				   unsigned threshold, bool invert, bool edge)
{
	set->adds_one = used;
	set->compares = used || kind->edge_alone;
	set->at_least = used ? threshold + kind->more : 1;
	set->at_most = UINT32_MAX;
	set->invert = used && invert;
	set->edge = edge && set->compares;
}

/* Without a jump, each of which costs more than what lies behind it. */
DATAPATH unsigned either(bool which, unsigned yes, unsigned no)
{
	return (yes & -(unsigned)which) | (no & ((unsigned)which - 1));
}

/* Calls the hook if its defect concerns this register, counter and event. */
void point_reach(struct point *at, const struct active *active, hook *act);
/* All of them, if one has any of these hooks; else NULL. */
DATAPATH const struct active *having(const struct active *all, uint32_t hooks)
{
	return all && all->hooks & hooks ? all : NULL;
}

/* Calls the hook of each defect that has it.  The active defects are no member of struct point:
 * were they, the compiler could not tell that there are none, and would keep the whole point in
 * memory.
 */
#define REACH(at_, all_, hook_)                                                                    \
	for (const struct active *active_ = having(all_, HOOK_BIT(hook_)); active_;                \
	     active_ = active_->next) {                                                            \
		if (active_->defect->hook_)                                                        \
			point_reach(at_, active_, active_->defect->hook_);                         \
	}

/* May the counter count, by what enables and freezes it? */
DATAPATH bool datapath_runs(struct point *at, const struct active *active)
{
	REACH(at, active, runs);
	return at->enabled && !at->frozen;
}

/* Without a jump, too. */
DATAPATH bool datapath_compare(const struct setting *set, unsigned n)
{
	return ((n >= set->at_least) & (n <= set->at_most)) != set->invert;
}

/*
 * Mode filter, threshold, inversion, edge detector: from n and passes to amount.  The filter comes
 * first: a clock in the wrong mode adds nothing, inverted or not, and the edge detector sees it as
 * false.
 */
DATAPATH void datapath_filter(struct point *at, const struct active *active)
{
	struct counter *c = &at->counter[at->ctr];
	const struct setting *set = &c->set;

	REACH(at, active, occurrences);
	at->now = datapath_compare(set, at->n);
	REACH(at, active, compare);
	at->now = at->now & at->passes;
	at->before = c->condition;
	c->condition = either(set->compares, at->now, at->before);
	at->amount = either(set->edge | set->adds_one, at->now & !(at->before & set->edge),
			    either(at->passes, at->n, 0));
	REACH(at, active, amount);
}

/* ---- many clocks of a healthy counter, in the mode of which it counts ---- */

/* Occurrences in a clock. */
typedef unsigned heard(const void *pmu, unsigned ctr, const struct clock *clock);

/* What all of these clocks add while the edge detector is on; its condition is then that of the
 * last. */
DATAPATH uint64_t datapath_edges(const void *pmu, heard *n_of, struct counter *c, unsigned ctr,
				 const struct passed *passed, unsigned kinds)
{
	bool first = c->condition;
	uint64_t sum = 0;

	for (unsigned i = 0; i < kinds; i++) {
		const struct clock *before = passed[i].before;
		bool was = before ? datapath_compare(&c->set, n_of(pmu, ctr, before)) : first;

		c->condition = datapath_compare(&c->set, n_of(pmu, ctr, passed[i].clock));
		sum += c->condition && !was ? passed[i].times : 0;
	}
	return sum;
}

DATAPATH uint64_t datapath_sum(const void *pmu, heard *n_of, struct counter *c, unsigned ctr,
			       const struct passed *passed, unsigned kinds)
{
	uint64_t sum = 0;

	if (c->set.edge)
		return datapath_edges(pmu, n_of, c, ctr, passed, kinds);
	for (unsigned i = 0; i < kinds; i++) {
		unsigned n = n_of(pmu, ctr, passed[i].clock);

		sum += either(c->set.adds_one, datapath_compare(&c->set, n), n) * passed[i].times;
	}
	return sum;
}

/* The same without the edge detector, where one signal is all that the counter hears. */
DATAPATH uint64_t datapath_sum_alone(const struct setting *set, unsigned signal,
				     const struct passed *passed, unsigned kinds)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < kinds; i++) {
		unsigned n = passed[i].clock->n[signal];

		sum += either(set->adds_one, datapath_compare(set, n), n) * passed[i].times;
	}
	return sum;
}

/* ---- its cells ---- */

/* The cells get value by a write, so that nothing is carried. */
DATAPATH void datapath_write(struct point *at, const struct active *active)
{
	uint64_t old = at->old;

	at->old = at->value;
	REACH(at, active, hold);
	at->value &= at->mask;
	at->old = old;
}

/* The cells go on by amount. */
DATAPATH void datapath_add(struct point *at, const struct active *active)
{
	struct counter *c = &at->counter[at->ctr];

	at->old = c->value;
	at->value = (at->old + at->amount) & at->mask;
	REACH(at, active, hold);
	c->value = at->value & at->mask;
	at->carry = at->carry || at->old + at->amount > at->mask;
	REACH(at, active, overflow);
}

/* The rest of a clock when amount is known; true: the counter has overflowed. */
DATAPATH bool datapath_count(struct point *at, const struct active *active)
{
	REACH(at, active, increment);
	if (!at->amount)
		return false;
	datapath_add(at, active);
	return at->carry;
}
