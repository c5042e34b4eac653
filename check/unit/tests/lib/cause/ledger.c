/* SPDX-License-Identifier: BSD-2-Clause */
/* Causes that are drawn: a thing that breaks each test which uses it must be named, and no other.
 */
#include "batteries.h"

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

int main(void)
{
	set_groups();
	test_drawn();
	test_nothing();
	test_passes_share();
	test_ties();
	test_harmful();
	test_harmful_beside_pair();
	test_pair();
	test_pair_of_event();
	test_many_tests();
	return tap_end();
}
