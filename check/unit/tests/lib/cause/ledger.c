/* SPDX-License-Identifier: BSD-2-Clause */
/* Causes that are drawn: a thing that breaks each test which uses it must be named, and no other.
 */
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

static uint32_t draw(uint32_t below)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 16) % below;
}

/* Few modes, one or two events, the counter under test. */
static struct traits draw_traits(unsigned counter)
{
	struct traits traits = {.counters = UINT32_C(1) << counter};

	for (unsigned n = draw(4); n > 0; n--)
		traits.modes |= UINT32_C(1) << draw(MODES);
	for (unsigned n = 1 + draw(2); n > 0; n--)
		traits.events |= UINT64_C(1) << draw(EVENTS);
	return traits;
}

static void note(unsigned test, unsigned counter, struct traits traits, bool failed)
{
	const struct cause_result result = {.group = "group",
					    .test = &names[test],
					    .counter = (int)counter,
					    .failed = failed,
					    .used = traits,
					    .shown = traits};

	ledger_note(&ledger, &groups, &result, test % 8);
}

static bool has(const struct traits *traits, unsigned thing)
{
	if (thing >= FIRST_EVENT)
		return traits->events >> (thing - FIRST_EVENT) & 1;
	return traits->modes >> thing & 1;
}

/* A battery in which this thing is broken, on one counter, or on all of them: COUNTERS. */
static unsigned run(unsigned thing, unsigned counter)
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

static bool names_it(const struct cause *cause, unsigned thing)
{
	return cause->things == 1 && cause->thing[0] == thing;
}

/* Each that broke two tests at least. */
static void test_drawn(void)
{
	unsigned missed = 0, met = 0;

	for (unsigned i = 0; i < DRAWN; i++) {
		unsigned thing = i % 2 ? draw(MODES) : FIRST_EVENT + draw(EVENTS);
		unsigned counter = draw(COUNTERS + 1);
		int blamed = counter == COUNTERS ? -1 : (int)counter;
		struct cause cause;

		if (!run(thing, counter) || ledger.tests < 2)
			continue;
		met++;
		missed += !ledger_find(&ledger, &groups, &cause) || !names_it(&cause, thing) ||
			  cause.counter != blamed || cause.all_counters != (blamed < 0);
	}
	OK(met > DRAWN / 2);
	OK(missed == 0);
}

static void test_nothing(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	OK(!ledger_find(&ledger, &groups, &cause));
}

/* Failures that share what as many of the passed have. */
static void test_passes_share(void)
{
	const struct traits traits = {.modes = BIT(1), .events = BIT(2)};
	struct cause cause;

	memset(&ledger, 0, sizeof(ledger));
	for (unsigned test = 0; test < TESTS; test++)
		for (unsigned c = 0; c < COUNTERS; c++)
			note(test, c, traits, test % 8 > 5);
	OK(!ledger_find(&ledger, &groups, &cause));
}

/* Two that no passed result has come together in each failure; the window that failed tells which,
 * or else nobody can. */
static void test_ties(void)
{
	const struct traits both = {.modes = BIT(3) | BIT(5)}, none = {.counters = 1};
	struct cause_result failure = {.test = names, .counter = -1, .failed = true, .used = both};
	struct cause cause;

	for (unsigned shown = 0; shown < 2; shown++) {
		memset(&ledger, 0, sizeof(ledger));
		failure.shown.modes = shown ? BIT(5) : 0;
		for (unsigned i = 0; i < TESTS; i++)
			note(i, i % COUNTERS, none, false);
		ledger_note(&ledger, &groups, &failure, 1);
		ledger_note(&ledger, &groups, &failure, 2);
		OK(ledger_find(&ledger, &groups, &cause));
		OK(shown ? names_it(&cause, 5)
			 : cause.things == 2 && cause.thing[0] == 3 && cause.thing[1] == 5);
		OK(cause.counter == -1 && !cause.all_counters && cause.passed == 0);
	}
}

/* A group that has all failures is named where nothing else is, unless it is about everything. */
static void test_group(void)
{
	const struct cause_result failure = {.test = names, .counter = -1, .failed = true};
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	ledger_note(&ledger, &groups, &failure, 6);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + 6));
	groups.vague = BIT(6);
	OK(!ledger_find(&ledger, &groups, &cause));
	groups.vague = 0;
}

/* One failure in this group. */
static void fail(unsigned group, struct traits used, uint64_t flips)
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

/* One that is about events says nothing by one test, which needs some event. */
static void test_plain_group(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(USER, counting, 0);
	ledger_note(&ledger, &groups, &(struct cause_result){.counter = -1}, USER);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + USER));
	groups.plain = BIT(USER);
	OK(!ledger_find(&ledger, &groups, &cause) || !names_it(&cause, FIRST_GROUP + USER));
	groups.plain = 0;
}

/* A group of which no test passes, whatever its windows have. */
static void test_whole_group(void)
{
	const struct traits one = {.counters = 1, .modes = BIT(MODES + 1)};
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(ALONE, one, 0);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + ALONE));
	ledger_note(&ledger, &groups, &(struct cause_result){.counter = -1}, ALONE);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, MODES + 1));
}

/* A failure that counts nothing explains those that count, and tells bits where registers are
 * stored. */
static void test_bare(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(STORING, (struct traits){0}, BIT(4) | BIT(5));
	fail(USER, counting, 1);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + STORING));
	OK(cause.bits == (BIT(4) | BIT(5)) && cause.failed == 1 && cause.others);
	ledger.bare.flips.down = BIT(4);
	OK(ledger_find(&ledger, &groups, &cause) && !cause.bits);
	ledger.bare.flips.down = 0;
	fail(STORING, (struct traits){0}, BIT(7));
	OK(ledger_find(&ledger, &groups, &cause) && !cause.bits && cause.failed == 2);
	fail(USER, (struct traits){0}, 0);
	OK(!ledger_find(&ledger, &groups, &cause));
}

/* Where they tell no bits, one of six explains nothing, and two of seven do. */
static void test_few_bare(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(STORING, (struct traits){0}, 0);
	for (unsigned i = 0; i < 5; i++)
		fail(USER, counting, 1);
	OK(!ledger_find(&ledger, &groups, &cause) || !names_it(&cause, FIRST_GROUP + STORING));
	fail(STORING, (struct traits){0}, 0);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + STORING));
}

/* The group on which the others lean, if it has most failures. */
static void test_first_group(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(FOUNDATION, counting, 0);
	fail(FOUNDATION, counting, 0);
	fail(USER, counting, 0);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + FOUNDATION));
	OK(cause.failed == 2 && cause.others && !cause.bits);
	fail(USER, counting, 0);
	OK(!ledger_find(&ledger, &groups, &cause));
}

/* An event that does no harm elsewhere is any event. */
static void test_any_event(void)
{
	const struct traits one = {.counters = 1, .events = BIT(20)};
	struct cause cause;

	groups.general = BIT(ALONE);
	for (unsigned passes = 0; passes < 4; passes += 3) {
		OK(run(TRAITS, COUNTERS) == 0);
		fail(ALONE, one, 0);
		for (unsigned i = 0; i < passes; i++)
			ledger_note(&ledger, &groups,
				    &(struct cause_result){.used = one, .counter = -1}, FOUNDATION);
		ledger_note(&ledger, &groups, &(struct cause_result){.counter = -1}, ALONE);
		OK(ledger_find(&ledger, &groups, &cause));
		OK(cause.thing[0] == (passes ? FIRST_GROUP + ALONE : FIRST_EVENT + 20));
	}
	groups.general = 0;
}

/* What should have faulted is one test's affair, or of several. */
static void test_faults(void)
{
	const struct traits faults = {.modes = BIT(TRAIT_FAULT)};
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(ALONE, faults, 0);
	ledger_note(&ledger, &groups, &(struct cause_result){.counter = -1}, ALONE);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + ALONE));
	fail(USER, faults, 0);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, TRAIT_FAULT));
}

/* Nor is the event of a single test, unless the test is about counting. */
static void test_in_doubt(void)
{
	const struct traits one = {.counters = 1, .events = BIT(20)};
	struct cause cause;

	for (unsigned general = 0; general < 2; general++) {
		groups.general = general ? BIT(ALONE) : 0;
		OK(run(TRAITS, COUNTERS) == 0);
		fail(ALONE, one, 0);
		ledger_note(&ledger, &groups, &(struct cause_result){.counter = -1}, ALONE);
		OK(ledger_find(&ledger, &groups, &cause));
		OK(names_it(&cause, general ? FIRST_EVENT + 20 : FIRST_GROUP + ALONE));
	}
	groups.general = 0;
}

/* A group that says by each failure what is dead says nothing by its name. */
static void test_nameless(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(FOUNDATION, counting, 0);
	fail(FOUNDATION, counting, 0);
	groups.nameless = BIT(FOUNDATION);
	OK(!ledger_find(&ledger, &groups, &cause));
	groups.nameless = 0;
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + FOUNDATION));
}

/* Counters that are dead: which, whatever they were told; all of them, or, of most but not all,
 * nothing. */
static void test_dead(void)
{
	struct cause cause;

	groups.nameless = BIT(FOUNDATION);
	for (unsigned dead = 1; dead <= COUNTERS; dead++) {
		OK(run(TRAITS, COUNTERS) == 0);
		for (unsigned c = COUNTERS - dead; c < COUNTERS; c++) {
			struct cause_result failure = {
				.group = "group",
				.test = names,
				.counter = (int)c,
				.failed = true,
				.used = {.counters = UINT32_C(1) << c, .modes = BIT(MODES + 1)}};

			failure.shown = failure.used;
			ledger_note(&ledger, &groups, &failure, FOUNDATION);
		}
		OK(ledger_find(&ledger, &groups, &cause) == (dead != 3));
		OK(cause.things == 0);
		OK(cause.counter == (dead == 1 ? COUNTERS - 1 : -1));
		OK(cause.dead == (dead == 2 ? BIT(2) | BIT(3) : 0));
		OK(cause.all_counters == (dead == COUNTERS));
	}
	groups.nameless = 0;
}

/* A mode that no test survives says more than one that all failures have, and many passed. */
static void test_harmful(void)
{
	const struct traits common = {.counters = 1, .modes = BIT(MODES + 1)};
	struct traits harmful = common;
	struct cause cause;

	harmful.modes |= BIT(MODES + 2);
	for (unsigned others = 2; others < 4; others++) {
		OK(run(TRAITS, COUNTERS) == 0);
		for (unsigned i = 0; i < 20; i++)
			ledger_note(&ledger, &groups,
				    &(struct cause_result){.used = common, .counter = -1}, 0);
		for (unsigned i = 0; i < 6; i++)
			fail(i % 2 ? ALONE : USER, harmful, 0);
		for (unsigned i = 0; i < others; i++)
			fail(i % 2 ? ALONE : USER, common, 0);
		OK(ledger_find(&ledger, &groups, &cause));
		OK(names_it(&cause, MODES + (others > 2 ? 1 : 2)));
	}
}

/* Nor does a pair that some passed have say as much. */
static void test_harmful_beside_pair(void)
{
	const uint32_t a = BIT(MODES + 1), b = BIT(MODES + 2), harmful = BIT(MODES + 3);
	struct cause cause;

	for (unsigned with = 16; with < 18; with++) {
		OK(run(TRAITS, COUNTERS) == 0);
		for (unsigned i = 0; i < 300; i++)
			note(i % TESTS, 0,
			     (struct traits){.counters = 1,
					     .modes = i < 3   ? a | b
						      : i % 2 ? a
							      : b},
			     false);
		for (unsigned i = 0; i < 22; i++)
			fail(i % 4,
			     (struct traits){.counters = 1,
					     .modes = a | b | (i < with ? harmful : 0)},
			     0);
		OK(ledger_find(&ledger, &groups, &cause));
		OK(with == 17 ? names_it(&cause, MODES + 3) : cause.things == 2);
	}
}

/* Something that stays: from one test on most fail. */
static void test_lasting(void)
{
	struct cause cause;

	for (unsigned after = 0; after < 2; after++) {
		OK(run(TRAITS, COUNTERS) == 0);
		fail(USER, counting, 0);
		for (unsigned i = 0; i < 60; i++)
			fail(i % 8, draw_traits(0), 0);
		for (unsigned i = 0; i < 40 + after; i++)
			note(i, 0, draw_traits(0), false);
		OK(ledger_find(&ledger, &groups, &cause) == !after);
		OK(after || (names_it(&cause, FIRST_GROUP + USER) && cause.failed == 1));
	}
}

/* Two things that do harm together, and none by itself; of pairs that are as rare what all have.
 * Where too many kinds of windows have passed, nobody knows. */
static void test_pair(void)
{
	const uint32_t a = BIT(MODES + 1), b = BIT(MODES + 2), c = BIT(MODES + 3);
	struct cause cause;

	for (unsigned both = 0; both < 2; both++) {
		OK(run(TRAITS, COUNTERS) == 0);
		for (unsigned i = 0; i < 300; i++)
			note(i % TESTS, i % COUNTERS,
			     (struct traits){.counters = 1,
					     .modes = i % 2 ? a : b | (both ? c : 0)},
			     false);
		for (unsigned i = 0; i < 6; i++)
			fail(i, (struct traits){.counters = 1, .modes = a | b | c}, 0);
		OK(ledger_find(&ledger, &groups, &cause));
		OK(both ? names_it(&cause, MODES + 1) : names_it(&cause, MODES + 3));
		OK(cause.passed == 0);
	}
	for (unsigned i = 0; i < 300; i++)
		note(i % TESTS, i % COUNTERS, (struct traits){.counters = 1, .modes = c}, false);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, MODES + 1));
	for (unsigned i = 0; i < 300; i++)
		note(i % TESTS, i % COUNTERS, (struct traits){.counters = 1, .modes = a | c},
		     false);
	OK(ledger_find(&ledger, &groups, &cause) && cause.things == 2);
	OK(cause.thing[0] == MODES + 1 && cause.thing[1] == MODES + 2);
	for (unsigned i = 0; i < KINDS; i++)
		note(0, 0, (struct traits){.counters = 1, .events = i | BIT(60)}, false);
	OK(!ledger_find(&ledger, &groups, &cause) || cause.things != 2);
}

/* An event that two tests take is none of a pair, and one that three take is. */
static void test_pair_of_event(void)
{
	const struct traits mode = {.counters = 1, .modes = BIT(MODES + 1)},
			    event = {.counters = 1, .events = BIT(3)},
			    both = {.counters = 1, .modes = BIT(MODES + 1), .events = BIT(3)};
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	for (unsigned i = 0; i < 300; i++)
		note(i % TESTS, i % COUNTERS, i % 2 ? mode : event, false);
	fail(0, both, 0);
	fail(1, both, 0);
	OK(!ledger_find(&ledger, &groups, &cause) || cause.things != 2);
	fail(2, both, 0);
	OK(ledger_find(&ledger, &groups, &cause) && cause.things == 2);
	OK(cause.thing[0] == MODES + 1 && cause.thing[1] == FIRST_EVENT + 3);
}

/* A mode that many passed have is believed of the failing windows of some tests. */
static void test_many_tests(void)
{
	const struct traits counted = {.counters = 1},
			    mode = {.counters = 1, .modes = BIT(MODES + 1)};
	struct cause cause;

	for (unsigned tests = 5; tests < 7; tests++) {
		OK(run(TRAITS, COUNTERS) == 0);
		for (unsigned i = 0; i < 300; i++)
			note(i % TESTS, 0, i % 3 ? mode : counted, false);
		for (unsigned i = 0; i < tests; i++)
			fail(i, mode, 0);
		OK(ledger_find(&ledger, &groups, &cause) == (tests == 6));
		OK(tests < 6 || names_it(&cause, MODES + 1));
	}
}

/* Failures of one group have it in common, and their windows, which are much alike, many pairs. */
static void test_pair_of_group(void)
{
	const uint32_t a = BIT(MODES + 1), b = BIT(MODES + 2);
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	for (unsigned i = 0; i < 300; i++)
		note(i % TESTS, i % COUNTERS,
		     (struct traits){.counters = 1, .modes = i % 2 ? a : b}, false);
	fail(ALONE, (struct traits){.counters = 1, .modes = a | b}, 0);
	ledger_note(&ledger, &groups, &(struct cause_result){.counter = -1}, ALONE);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + ALONE));
}

/* Tests of a counter that fail on one alone blame it, whatever else fails that counts nothing. */
static void test_blame(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	note(1, 2, (struct traits){.counters = BIT(2)}, true);
	note(2, 2, (struct traits){0}, true);
	fail(STORING, (struct traits){0}, 0);
	OK(ledger_find(&ledger, &groups, &cause) && cause.counter == 2);
	fail(STORING, counting, 0);
	OK(!ledger_find(&ledger, &groups, &cause) || cause.counter == -1);
}

/* A register that is broken explains a counter that counts nothing, not the reverse. */
static void test_victim(void)
{
	struct cause cause;

	for (unsigned nameless = 0; nameless < 2; nameless++) {
		groups.nameless = nameless ? BIT(STORING - 2) : 0;
		OK(run(TRAITS, COUNTERS) == 0);
		fail(STORING - 2, counting, 0);
		fail(STORING, (struct traits){0}, BIT(4));
		OK(ledger_find(&ledger, &groups, &cause) == nameless);
		OK(!nameless || (names_it(&cause, FIRST_GROUP + STORING) && cause.bits == BIT(4)));
	}
	groups.nameless = 0;
}

/* All counters fail, but each beside others: one of these may be to blame. */
static void test_beside(void)
{
	const struct traits alone = {.modes = BIT(MODES + 1)};
	struct cause cause;

	for (unsigned beside = 0; beside < 2; beside++) {
		OK(run(TRAITS, COUNTERS) == 0);
		for (unsigned c = 0; c < COUNTERS; c++) {
			struct traits traits = alone;

			traits.counters = beside ? (UINT32_C(1) << COUNTERS) - 1 : UINT32_C(1) << c;
			note(ALONE, c, traits, true);
		}
		OK(ledger_find(&ledger, &groups, &cause) && cause.all_counters == !beside);
	}
}

int main(void)
{
	for (unsigned i = 0; i < LIST_MAX; i++)
		groups.below[i] = i % 2 ? BIT(i) : BIT(i) | (i ? groups.below[i - 2] : 0);
	groups.storing = BIT(STORING);
	test_drawn();
	test_nothing();
	test_passes_share();
	test_ties();
	test_group();
	test_plain_group();
	test_whole_group();
	test_bare();
	test_few_bare();
	test_first_group();
	test_any_event();
	test_faults();
	test_in_doubt();
	test_nameless();
	test_beside();
	test_dead();
	test_harmful();
	test_harmful_beside_pair();
	test_lasting();
	test_pair();
	test_pair_of_event();
	test_pair_of_group();
	test_many_tests();
	test_blame();
	test_victim();
	return tap_end();
}
