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

static void note_bare(struct bare *bare, const struct cause_result *result, unsigned group)
{
	bare->failed++;
	bare->groups |= UINT64_C(1) << group;
	bare->flips |= result->flips;
}

/* Results of a test on all its counters are neighbours. */
static void note_failure(struct ledger *ledger, const struct cause_result *result, unsigned group)
{
	if (!ledger->failed++) {
		ledger->before = ledger->counted;
		ledger->first = (uint8_t)group;
	}
	ledger->tests += ledger->last != result->test;
	ledger->last = result->test;
	count_all(ledger, &result->used, offsetof(struct tally, failed));
	count_all(ledger, &result->shown, offsetof(struct tally, shown));
	ledger->thing[FIRST_GROUP + group].failed++;
	if (!result->used.counters)
		note_bare(&ledger->bare, result, group);
	if (result->counter < 0)
		return;
	if (result->used.counters == UINT32_C(1) << result->counter)
		ledger->failing |= result->used.counters;
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
	ledger->counted += result->used.counters != 0;
	count_all(ledger, &result->used, offsetof(struct tally, passed));
	ledger->thing[FIRST_GROUP + group].passed++;
}

/* ---- what is in common ---- */

static bool is_shared(const struct ledger *ledger, unsigned thing, bool shown)
{
	const struct tally *tally = &ledger->thing[thing];

	return tally->failed == ledger->failed && (!shown || tally->shown == ledger->failed);
}

/* Have so many percent of the passed results the thing, or less?  Where nothing that counts has
 * passed, nobody knows. */
static bool is_rare(const struct ledger *ledger, unsigned thing, unsigned percent)
{
	return ledger->counted &&
	       ledger->thing[thing].passed * UINT64_C(100) <= ledger->counted * (uint64_t)percent;
}

/* Would so many tests that fail for any other reason all have it, more than once in twenty times?
 */
static bool is_chance(const struct ledger *ledger, unsigned thing)
{
	uint64_t share = 1000;

	for (unsigned i = 0; i < ledger->tests && share; i++)
		share = share * ledger->thing[thing].passed /
			(ledger->counted ? ledger->counted : 1);
	return share * 20 > 1000;
}

static unsigned bits_in(uint64_t bits)
{
	unsigned n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

static uint64_t failing_groups(const struct ledger *ledger)
{
	uint64_t groups = 0;

	for (unsigned i = FIRST_GROUP; i < THINGS; i++)
		if (ledger->thing[i].failed)
			groups |= UINT64_C(1) << (i - FIRST_GROUP);
	return groups;
}

/* One test fails, and needs some events for what it is about.  Where that is not counting in
 * general, or whether they count at all, nobody knows whether it is one of these. */
static bool is_in_doubt(const struct ledger *ledger, const struct ledger_groups *groups,
			unsigned thing)
{
	return thing >= FIRST_EVENT && ledger->tests == 1 &&
	       !(failing_groups(ledger) & (groups->general | groups->nameless));
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
static bool find_rarest(const struct ledger *ledger, const struct ledger_groups *groups, bool shown,
			unsigned percent, struct cause *cause)
{
	for (unsigned thing = 0; thing < FIRST_GROUP; thing++) {
		bool is_counter = thing >= FIRST_COUNTER && thing < FIRST_EVENT;

		if (!is_counter && is_shared(ledger, thing, shown) &&
		    !is_in_doubt(ledger, groups, thing) && is_rare(ledger, thing, percent) &&
		    !is_chance(ledger, thing))
			take(cause, thing, ledger->thing[thing].passed);
	}
	return cause->things;
}

/* The group on which all others lean that have failures, if it has most of them itself, as a thing;
 * those of everything do not count.  THINGS: there is none. */
static unsigned first_group(const struct ledger *ledger, const struct ledger_groups *groups)
{
	const uint64_t failing = failing_groups(ledger) & ~groups->vague;
	uint64_t first = failing;
	uint32_t all = 0, of_first;

	for (uint64_t left = failing; left; left &= left - 1) {
		first &= groups->below[lowest_bit(left)];
		all += ledger->thing[FIRST_GROUP + lowest_bit(left)].failed;
	}
	of_first = first ? ledger->thing[FIRST_GROUP + lowest_bit(first)].failed : 0;
	return 2 * of_first > all && !(first & groups->nameless) ? FIRST_GROUP + lowest_bit(first)
								 : THINGS;
}

/* Tests are much alike, so that what many passed results have is not believed of any number. */
enum { TELLING = 10, BELIEVED = 25 };

/* Neighbours.  With bit 0 they are of another number altogether. */
static bool is_run_of_bits(uint64_t bits)
{
	uint64_t from_0 = bits >> lowest_bit(bits);

	return !(bits & 1) && !(from_0 & (from_0 + 1));
}

/* Failures without a window, of one group, explain the others: these use what the first have found
 * broken, unless there are some on which that group leans itself. */
static bool find_bare(const struct ledger *ledger, const struct ledger_groups *groups,
		      struct cause *cause)
{
	const struct bare *bare = &ledger->bare;

	if (!bare->failed || bare->groups & (bare->groups - 1) ||
	    groups->below[lowest_bit(bare->groups)] & failing_groups(ledger) & ~bare->groups)
		return false;
	cause->thing[cause->things++] = (uint8_t)(FIRST_GROUP + lowest_bit(bare->groups));
	cause->passed = ledger->thing[cause->thing[0]].passed;
	cause->failed = bare->failed;
	cause->others = ", all that need no counting";
	if (bare->groups & groups->storing && bare->flips && is_run_of_bits(bare->flips))
		cause->bits = bare->flips;
	return true;
}

/* Tests need some event, whatever they are about: one that more of the passed have than have the
 * group does no harm elsewhere. */
static bool is_any_event(const struct ledger *ledger, unsigned group, const struct cause *cause)
{
	return group < THINGS && cause->thing[0] >= FIRST_EVENT &&
	       cause->passed > ledger->thing[group].passed;
}

/* How well having a thing tells failed from passed results, of 1000. */
static unsigned telling(const struct ledger *ledger, uint32_t failed, uint32_t passed)
{
	return (unsigned)(2000u * (uint64_t)failed / ((uint64_t)failed + passed + ledger->failed));
}

/* The mode or event with which nine of ten results fail, if three of four failures have it. */
static bool find_harmful(const struct ledger *ledger, struct cause *cause)
{
	for (unsigned thing = 0; thing < FIRST_GROUP; thing++) {
		const struct tally *tally = &ledger->thing[thing];
		const bool is_counter = thing >= FIRST_COUNTER && thing < FIRST_EVENT;

		if (is_counter || tally->failed * 4 < ledger->failed * 3 ||
		    tally->failed < 9 * tally->passed)
			continue;
		take(cause, thing, tally->passed);
		cause->failed = tally->failed;
		cause->others = "";
	}
	return cause->things;
}

/* That instead of what all failures have, if it tells more. */
static void prefer_harmful(const struct ledger *ledger, struct cause *cause)
{
	struct cause harmful = {.counter = cause->counter, .all_counters = cause->all_counters};

	if (find_harmful(ledger, &harmful) && telling(ledger, harmful.failed, harmful.passed) >
						      telling(ledger, cause->failed, cause->passed))
		*cause = harmful;
}

/* Has it a fifth of failures? */
static bool fails_often(const struct tally *tally)
{
	return tally->failed * 4 >= tally->passed;
}

/* A group that has not all failures is to fail often itself, and says less than a counter that is
 * to blame. */
static bool find_group(const struct ledger *ledger, unsigned group, struct cause *cause)
{
	if (group == THINGS)
		return false;
	if (!is_shared(ledger, group, false) &&
	    (cause->counter >= 0 || !fails_often(&ledger->thing[group])))
		return false;
	take(cause, group, ledger->thing[group].passed);
	cause->failed = ledger->thing[group].failed;
	cause->others = ", and on these the others lean";
	return true;
}

/* Where three of five fail from the first failure on, whatever they are about, and many have passed
 * ahead of it, that has left something behind. */
static bool find_lasting(const struct ledger *ledger, const struct ledger_groups *groups,
			 struct cause *cause)
{
	const uint64_t failing = failing_groups(ledger);
	const uint32_t passed = ledger->counted - ledger->before;

	if (bits_in(failing) < 3 || 2 * ledger->failed < 3 * passed ||
	    4 * ledger->before < ledger->failed ||
	    (groups->vague | groups->nameless) >> ledger->first & 1)
		return false;
	take(cause, FIRST_GROUP + ledger->first, ledger->thing[FIRST_GROUP + ledger->first].passed);
	cause->failed = ledger->thing[FIRST_GROUP + ledger->first].failed;
	cause->others = ", the first ones, and most fail from there on";
	return true;
}

static bool find_things(const struct ledger *ledger, const struct ledger_groups *groups,
			struct cause *cause)
{
	const unsigned group = first_group(ledger, groups);

	/* A group that always fails says more than what its windows happen to have. */
	if (group < THINGS && !ledger->thing[group].passed && is_shared(ledger, group, false))
		return find_group(ledger, group, cause);
	for (unsigned shown = 2; shown-- > 0; cause->things = 0)
		if (find_rarest(ledger, groups, shown, TELLING, cause) &&
		    !is_any_event(ledger, group, cause)) {
			prefer_harmful(ledger, cause);
			return true;
		}
	return find_bare(ledger, groups, cause) || find_group(ledger, group, cause) ||
	       find_rarest(ledger, groups, true, BELIEVED, cause) ||
	       find_rarest(ledger, groups, false, BELIEVED, cause) || find_harmful(ledger, cause) ||
	       find_lasting(ledger, groups, cause);
}

/* ---- the counter ---- */

/* Is it under test in more failures than any other, twice as many, and more than one? */
static bool stands_out(const struct ledger *ledger, unsigned ctr)
{
	for (unsigned i = 0; i < 32; i++)
		if (i != ctr && 2 * ledger->failed_of[i] > ledger->failed_of[ctr])
			return false;
	return ledger->failed_of[ctr] > 1 || ledger->failed == 1;
}

/* What takes many counters has some of them always: one in all failures is to stand out. */
static bool is_to_blame(const struct ledger *ledger, unsigned ctr)
{
	bool others = ledger->tried & ~(UINT32_C(1) << ctr);

	return others && ledger->failed_of[ctr] && stands_out(ledger, ctr) &&
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

/* Counters that are dead altogether: what they were told is the same of each, and what else is to
 * be told is not tried. */
static bool are_dead(const struct ledger *ledger, const struct ledger_groups *groups)
{
	return ledger->failing && !(failing_groups(ledger) & ~groups->nameless);
}

static bool find_counter(const struct ledger *ledger, struct cause *cause)
{
	if (cause->counter >= 0)
		cause->passed = ledger->thing[FIRST_COUNTER + cause->counter].passed;
	return cause->counter >= 0;
}

/* Where most are dead it may be what all have counted. */
static bool find_dead(const struct ledger *ledger, struct cause *cause)
{
	if (find_counter(ledger, cause))
		return true;
	if (2 * bits_in(ledger->failing) <= bits_in(ledger->tried))
		cause->dead = ledger->failing;
	cause->passed = ledger->counted;
	return cause->dead || cause->all_counters;
}

bool ledger_find(const struct ledger *ledger, const struct ledger_groups *groups,
		 struct cause *cause)
{
	bool several = ledger->tried & (ledger->tried - 1);

	*cause = (struct cause){.counter = counter_to_blame(ledger), .failed = ledger->failed};
	cause->all_counters = several && ledger->failing == ledger->tried && cause->counter < 0;
	if (!ledger->failed)
		return false;
	/* A test of everything tells by its windows alone: what it has used is everything. */
	if (!(failing_groups(ledger) & ~groups->vague))
		return find_rarest(ledger, groups, true, BELIEVED, cause);
	if (are_dead(ledger, groups))
		return find_dead(ledger, cause);
	return find_things(ledger, groups, cause) || find_counter(ledger, cause);
}
