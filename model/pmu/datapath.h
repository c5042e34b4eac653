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
	unsigned at_least; /* so many occurrences make the comparison true */
};

struct counter {
	uint64_t value;
	uint64_t control; /* as its control register reads */
	struct setting set;
	bool condition; /* the result of the last clock, for the edge detector */
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
	at->now = (at->n >= set->at_least) != set->invert;
	REACH(at, active, compare);
	at->now = at->now & at->passes;
	at->before = c->condition;
	c->condition = either(set->compares, at->now, at->before);
	at->amount = either(set->edge | set->adds_one, at->now & !(at->before & set->edge),
			    either(at->passes, at->n, 0));
	REACH(at, active, amount);
}

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
