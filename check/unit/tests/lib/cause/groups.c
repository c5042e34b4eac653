/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said of groups of tests, and of counters. */
#include "batteries.h"

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

/* Four of five failures, and not three of four, are of a group that no other leans on. */
static void test_most(void)
{
	struct cause cause;

	OK(run(TRAITS, COUNTERS) == 0);
	fail(STORING + 1, counting, 1);
	for (unsigned i = 0; i < 3; i++)
		fail(ALONE + 1, counting, 1);
	OK(!ledger_find(&ledger, &groups, &cause));
	fail(ALONE + 1, counting, 1);
	OK(ledger_find(&ledger, &groups, &cause) && names_it(&cause, FIRST_GROUP + ALONE + 1));
	OK(cause.failed == 4 && cause.others);
	for (unsigned i = 0; i < 17; i++)
		ledger_note(&ledger, &groups, &(struct cause_result){.counter = -1}, ALONE + 1);
	OK(!ledger_find(&ledger, &groups, &cause));
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

int main(void)
{
	set_groups();
	test_group();
	test_plain_group();
	test_most();
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
	test_lasting();
	test_pair_of_group();
	test_blame();
	test_victim();
	return tap_end();
}
