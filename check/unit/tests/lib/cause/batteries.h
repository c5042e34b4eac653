/* SPDX-License-Identifier: BSD-2-Clause */
/* Batteries that are drawn, and what a ledger says of them. */
#pragma once

#include "tests/lib/cause/ledger.h"

#include "check/unit/tap.h"

#include <stdlib.h>

#include "kernel/lib/bits.h"

enum { DRAWN = 400, TESTS = 60, COUNTERS = 4, MODES = 16, EVENTS = 12 };

/* Each leans on the one before it. */
enum { STORING = 4, ALONE = 10, FOUNDATION = 12, USER = 14 };
static struct ledger_groups groups;

static struct ledger ledger;
static const char names[TESTS];
static uint32_t random_state = 1;

static inline uint32_t draw(uint32_t below)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 16) % below;
}

/* Few modes, one or two events, the counter under test. */
static inline struct traits draw_traits(unsigned counter)
{
	struct traits traits = {.counters = UINT32_C(1) << counter};

	for (unsigned n = draw(4); n > 0; n--)
		traits.modes |= UINT32_C(1) << draw(MODES);
	for (unsigned n = 1 + draw(2); n > 0; n--)
		traits.events |= UINT64_C(1) << draw(EVENTS);
	return traits;
}

static inline void note(unsigned test, unsigned counter, struct traits traits, bool failed)
{
	const struct cause_result result = {.group = "group",
					    .test = &names[test],
					    .counter = (int)counter,
					    .failed = failed,
					    .used = traits,
					    .shown = traits};

	ledger_note(&ledger, &groups, &result, test % 8);
}

static inline bool has(const struct traits *traits, unsigned thing)
{
	if (thing >= FIRST_EVENT)
		return traits->events >> (thing - FIRST_EVENT) & 1;
	return traits->modes >> thing & 1;
}

/* A battery in which this thing is broken, on one counter, or on all of them: COUNTERS. */
static inline unsigned run(unsigned thing, unsigned counter)
{
	unsigned failed = 0;

	memset(&ledger, 0, sizeof(ledger));
	for (unsigned test = 0; test < TESTS; test++) {
		struct traits traits = draw_traits(0);

		for (unsigned c = 0; c < COUNTERS; c++) {
			bool fails = has(&traits, thing) && (counter == COUNTERS || counter == c);

			traits.counters = UINT32_C(1) << c;
			note(test, c, traits, fails);
			failed += fails;
		}
	}
	return failed;
}

static inline bool names_it(const struct cause *cause, unsigned thing)
{
	return cause->things == 1 && cause->thing[0] == thing;
}

/* One failure in this group. */
static inline void fail(unsigned group, struct traits used, uint64_t flips)
{
	const struct cause_result failure = {.test = &names[group],
					     .counter = -1,
					     .failed = true,
					     .used = used,
					     .shown = used,
					     .flips = {.up = flips}};

	ledger_note(&ledger, &groups, &failure, group);
}

static const struct traits counting = {.counters = 1};

/* Ahead of all tests: which group leans on which. */
static inline void set_groups(void)
{
	for (unsigned i = 0; i < LIST_MAX; i++)
		groups.below[i] = i % 2 ? BIT(i) : BIT(i) | (i ? groups.below[i - 2] : 0);
	groups.storing = BIT(STORING);
}
