/* SPDX-License-Identifier: BSD-2-Clause */
/* The things that all failures have, and of these those that the fewest passed results have. */
#include "ledger.h"

#include "kernel/lib/lib.h"

/* ---- noting ---- */

static void count(struct tally *tally, uint64_t things, size_t what)
{
	for (uint64_t left = things; left; left &= left - 1) {
		uint32_t *number = (void *)((char *)&tally[lowest_bit(left)] + what);

		++*number;
	}
}

static void count_all(struct ledger *ledger, const struct traits *traits, size_t what)
{
	count(ledger->thing, traits->modes, what);
	count(ledger->thing + FIRST_COUNTER, traits->counters, what);
	count(ledger->thing + FIRST_EVENT, traits->events, what);
}

/* Results of a test on all its counters are neighbours. */
static void note_failure(struct ledger *ledger, const struct cause_result *result, unsigned group)
{
	ledger->failed++;
	ledger->tests += ledger->last != result->test;
	ledger->last = result->test;
	count_all(ledger, &result->used, offsetof(struct tally, failed));
	count_all(ledger, &result->shown, offsetof(struct tally, shown));
	ledger->thing[FIRST_GROUP + group].failed++;
	if (result->counter < 0)
		return;
	ledger->failing |= UINT32_C(1) << result->counter;
	ledger->failed_of[result->counter]++;
}

void ledger_note(struct ledger *ledger, const struct cause_result *result, unsigned group)
{
	if (result->counter >= 0)
		ledger->tried |= UINT32_C(1) << result->counter;
	if (result->failed) {
		note_failure(ledger, result, group);
		return;
	}
	ledger->passed++;
	count_all(ledger, &result->used, offsetof(struct tally, passed));
	ledger->thing[FIRST_GROUP + group].passed++;
}

/* ---- what is in common ---- */

static bool is_shared(const struct ledger *ledger, unsigned thing, bool shown)
{
	const struct tally *tally = &ledger->thing[thing];

	return tally->failed == ledger->failed && (!shown || tally->shown == ledger->failed);
}

/* Have so many percent of the passed results the thing, or less? */
static bool is_rare(const struct ledger *ledger, unsigned thing, unsigned percent)
{
	return ledger->thing[thing].passed * UINT64_C(100) <= ledger->passed * (uint64_t)percent;
}

/* Would so many tests that fail for any other reason all have it, more than once in twenty times?
 */
static bool is_chance(const struct ledger *ledger, unsigned thing)
{
	uint64_t share = 1000;

	for (unsigned i = 0; i < ledger->tests && share; i++)
		share = share * ledger->thing[thing].passed / (ledger->passed ? ledger->passed : 1);
	return share * 20 > 1000;
}

static void take(struct cause *cause, unsigned thing, uint32_t passed)
{
	if (cause->things && passed < cause->passed)
		cause->things = 0;
	if (cause->things == CAUSE_THINGS || (cause->things && passed > cause->passed))
		return;
	cause->thing[cause->things++] = (uint8_t)thing;
	cause->passed = passed;
}

/* Of the modes and events that so many percent of the passed have at most; shown: in the window
 * whose check failed. */
static bool find_rarest(const struct ledger *ledger, bool shown, unsigned percent,
			struct cause *cause)
{
	for (unsigned thing = 0; thing < FIRST_GROUP; thing++) {
		bool is_counter = thing >= FIRST_COUNTER && thing < FIRST_EVENT;

		if (!is_counter && is_shared(ledger, thing, shown) &&
		    is_rare(ledger, thing, percent) && !is_chance(ledger, thing))
			take(cause, thing, ledger->thing[thing].passed);
	}
	return cause->things;
}

/* THINGS: the failures are of several. */
static unsigned only_group(const struct ledger *ledger)
{
	unsigned i = FIRST_GROUP;

	while (i < THINGS && !is_shared(ledger, i, false))
		i++;
	return i;
}

/* Tests are much alike, so that what many passed results have is not believed of any number. */
enum { TELLING = 10, BELIEVED = 40 };

static bool find_things(const struct ledger *ledger, unsigned group, struct cause *cause)
{
	if (find_rarest(ledger, true, TELLING, cause) || find_rarest(ledger, false, TELLING, cause))
		return true;
	if (group < THINGS)
		take(cause, group, ledger->thing[group].passed);
	return cause->things || find_rarest(ledger, true, BELIEVED, cause) ||
	       find_rarest(ledger, false, BELIEVED, cause);
}

/* ---- the counter ---- */

static bool is_to_blame(const struct ledger *ledger, unsigned ctr)
{
	bool others = ledger->tried & ~(UINT32_C(1) << ctr);

	return others && ledger->failed_of[ctr] &&
	       (is_shared(ledger, FIRST_COUNTER + ctr, false) ||
		ledger->failed_of[ctr] == ledger->failed);
}

/* -1: none, or more than one. */
static int counter_to_blame(const struct ledger *ledger)
{
	int found = -1;

	for (unsigned ctr = 0; ctr < 32; ctr++) {
		if (!is_to_blame(ledger, ctr))
			continue;
		if (found >= 0)
			return -1;
		found = (int)ctr;
	}
	return found;
}

bool ledger_find(const struct ledger *ledger, uint64_t vague, struct cause *cause)
{
	unsigned group = only_group(ledger);
	bool several = ledger->tried & (ledger->tried - 1);

	*cause = (struct cause){.counter = counter_to_blame(ledger)};
	cause->all_counters = several && ledger->failing == ledger->tried && cause->counter < 0;
	if (!ledger->failed)
		return false;
	/* A test of everything tells by its windows alone: what it has used is everything. */
	if (group < THINGS && vague >> (group - FIRST_GROUP) & 1)
		return find_rarest(ledger, true, BELIEVED, cause);
	if (find_things(ledger, group, cause))
		return true;
	if (cause->counter < 0)
		return false;
	cause->passed = ledger->thing[FIRST_COUNTER + cause->counter].passed;
	return true;
}
