/* SPDX-License-Identifier: BSD-2-Clause */
/* The things that all failures have, and of these those that the fewest passed results have. */
#include "kernel/lib/lib.h"
#include "ledger.h"

/* Tests are much alike, so that what many passed results have is not believed of any number; if it
 * was in the failing windows of some tests, a bit more. */
enum { TELLING = 10, BELIEVED = 25, BELIEVED_OF_TESTS = 40, TESTS = 6 };

static bool is_shared(const struct ledger *ledger, unsigned thing, bool shown)
{
	const struct tally *tally = &ledger->thing[thing];

	return tally->failed == ledger->failed && (!shown || tally->shown == ledger->failed);
}

/* Are these so many percent of the passed results, or less?  Where nothing that counts has
 * passed, nobody knows. */
static bool is_rare(const struct ledger *ledger, uint32_t passed, unsigned percent)
{
	return ledger->counted && passed * UINT64_C(100) <= ledger->counted * (uint64_t)percent;
}

/* Would so many tests that fail for any other reason all have it, more than once in twenty times?
 */
static bool is_chance(const struct ledger *ledger, uint32_t passed)
{
	uint64_t share = 1000;

	for (unsigned i = 0; i < ledger->tests && share; i++)
		share = share * passed / (ledger->counted ? ledger->counted : 1);
	return share * 20 > 1000;
}

static uint64_t failing_groups(const struct ledger *ledger)
{
	uint64_t groups = 0;

	for (unsigned i = FIRST_GROUP; i < THINGS; i++)
		if (ledger->thing[i].failed)
			groups |= UINT64_C(1) << (i - FIRST_GROUP);
	return groups;
}

/* One test fails, and needs some events, or faults, for what it is about.  Where that is not
 * counting in general, or whether they count at all, nobody knows whether it is one of these. */
static bool is_in_doubt(const struct ledger *ledger, const struct ledger_groups *groups,
			unsigned thing)
{
	return (thing >= FIRST_EVENT || thing == TRAIT_FAULT) && ledger->tests == 1 &&
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

static bool is_counter(unsigned thing)
{
	return thing >= FIRST_COUNTER && thing < FIRST_EVENT;
}

/* Of the modes and events that so many percent of the passed have at most; shown: in the window
 * whose check failed. */
static bool find_rarest(const struct ledger *ledger, const struct ledger_groups *groups, bool shown,
			unsigned percent, struct cause *cause)
{
	for (unsigned thing = 0; thing < FIRST_GROUP; thing++) {
		const uint32_t passed = ledger->thing[thing].passed;

		if (!is_counter(thing) && is_shared(ledger, thing, shown) &&
		    !is_in_doubt(ledger, groups, thing) && is_rare(ledger, passed, percent) &&
		    !is_chance(ledger, passed))
			take(cause, thing, passed);
	}
	return cause->things;
}

/* ---- two things together ---- */

static bool has(const struct kind *kind, unsigned thing)
{
	return thing < FIRST_COUNTER ? kind->modes >> thing & 1
				     : kind->events >> (thing - FIRST_EVENT) & 1;
}

static uint32_t passed_together(const struct ledger *ledger, unsigned a, unsigned b)
{
	uint32_t passed = 0;

	for (unsigned i = 0; i < ledger->kinds; i++)
		if (has(&ledger->kind[i], a) && has(&ledger->kind[i], b))
			passed += ledger->kind[i].passed;
	return passed;
}

/* Of several pairs what all of them have. */
static void take_pair(struct cause *cause, uint8_t a, uint8_t b, uint32_t passed)
{
	unsigned kept = 0;

	if (passed > cause->passed)
		return;
	if (passed < cause->passed) {
		*cause = (struct cause){.things = 2, .thing = {a, b}, .passed = passed};
		return;
	}
	for (unsigned i = 0; i < cause->things; i++)
		if (cause->thing[i] == a || cause->thing[i] == b)
			cause->thing[kept++] = cause->thing[i];
	cause->things = kept;
}

/* An event is whatever two tests of a mode happen to take. */
static bool may_be_of_pair(const struct ledger *ledger, const struct ledger_groups *groups,
			   unsigned thing)
{
	return !is_counter(thing) && is_shared(ledger, thing, true) &&
	       !(thing >= FIRST_EVENT && ledger->tests < 3) && !is_in_doubt(ledger, groups, thing);
}

/* Two that all failures have in the window whose check failed. */
static bool find_pair(const struct ledger *ledger, const struct ledger_groups *groups,
		      struct cause *cause)
{
	struct cause pair = {.passed = UINT32_MAX};

	for (unsigned a = 0; a < FIRST_GROUP; a++)
		for (unsigned b = a + 1; may_be_of_pair(ledger, groups, a) && b < FIRST_GROUP; b++)
			if (may_be_of_pair(ledger, groups, b))
				take_pair(&pair, (uint8_t)a, (uint8_t)b,
					  passed_together(ledger, a, b));
	if (!pair.things || ledger->crowded || !is_rare(ledger, pair.passed, TELLING) ||
	    is_chance(ledger, pair.passed))
		return false;
	cause->things = pair.things;
	memcpy(cause->thing, pair.thing, sizeof(cause->thing));
	cause->passed = pair.passed;
	return true;
}

/* ---- groups ---- */

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

/* Neighbours.  With bit 0 they are of another number altogether. */
static bool is_run_of_bits(uint64_t bits)
{
	uint64_t from_0 = bits >> lowest_bit(bits);

	return !(bits & 1) && !(from_0 & (from_0 + 1));
}

/* All at the same level, whatever they should be: the value of another register differs both ways.
 * 0: none. */
static uint64_t stuck_bits(const struct flips *flips)
{
	const uint64_t bits = flips->up | flips->down;

	return bits && !(flips->up && flips->down) && is_run_of_bits(bits) ? bits : 0;
}

/* Failures without a window, of one group, explain the others: these use what the first have found
 * broken, unless there are some on which that group leans itself.  What counts nothing at all may
 * be a victim.  Where no bits are broken fewer than a fifth of all may be victims themselves. */
static bool find_bare(const struct ledger *ledger, const struct ledger_groups *groups,
		      struct cause *cause)
{
	const struct bare *bare = &ledger->bare;
	const uint64_t bits = bare->groups & groups->storing ? stuck_bits(&bare->flips) : 0;

	if (!bare->failed || (!bits && 5 * bare->failed < ledger->failed) ||
	    bare->groups & (bare->groups - 1) ||
	    groups->below[lowest_bit(bare->groups)] & failing_groups(ledger) & ~bare->groups &
		    ~groups->nameless)
		return false;
	cause->thing[cause->things++] = (uint8_t)(FIRST_GROUP + lowest_bit(bare->groups));
	cause->passed = ledger->thing[cause->thing[0]].passed;
	cause->failed = bare->failed;
	cause->others = ", all that need no counting";
	cause->bits = bits;
	return true;
}

/* Tests need some event, whatever they are about: one that more of the passed have than have the
 * group does no harm elsewhere. */
static bool is_any_event(const struct ledger *ledger, unsigned group, const struct cause *cause)
{
	return group < THINGS && cause->thing[0] >= FIRST_EVENT &&
	       cause->passed > ledger->thing[group].passed;
}

/* How well having a thing tells failed from passed results, of 1000: one that has it and passed
 * weighs four times as much as one that fails without. */
static unsigned telling(const struct ledger *ledger, uint32_t failed, uint32_t passed)
{
	return (unsigned)(5000u * (uint64_t)failed /
			  (4 * ((uint64_t)failed + passed) + ledger->failed));
}

/* The mode or event with which nine of ten results fail, if three of four failures have it. */
static bool find_harmful(const struct ledger *ledger, struct cause *cause)
{
	for (unsigned thing = 0; thing < FIRST_GROUP; thing++) {
		const struct tally *tally = &ledger->thing[thing];

		if (is_counter(thing) || tally->failed * 4 < ledger->failed * 3 ||
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

/* One that is about events says nothing by one test. */
static bool says_something(const struct ledger *ledger, const struct ledger_groups *groups,
			   unsigned group)
{
	return ledger->tests > 1 || !(groups->plain >> (group - FIRST_GROUP) & 1);
}

/* A group that has not all failures is to fail often itself, and says less than a counter that is
 * to blame. */
static bool find_group(const struct ledger *ledger, const struct ledger_groups *groups,
		       unsigned group, struct cause *cause)
{
	if (group == THINGS || !says_something(ledger, groups, group))
		return false;
	if (!is_shared(ledger, group, false) &&
	    (cause->counter >= 0 || !fails_often(&ledger->thing[group])))
		return false;
	take(cause, group, ledger->thing[group].passed);
	cause->failed = ledger->thing[group].failed;
	cause->others = ", and on these the others lean";
	return true;
}

/* The group with four of five failures, if it fails often: the others are of what it has to do
 * with. */
static bool find_most(const struct ledger *ledger, const struct ledger_groups *groups,
		      struct cause *cause)
{
	for (uint64_t left = failing_groups(ledger) & ~(groups->vague | groups->nameless); left;
	     left &= left - 1) {
		const unsigned group = FIRST_GROUP + lowest_bit(left);
		const struct tally *tally = &ledger->thing[group];

		if (5 * tally->failed < 4 * ledger->failed || !fails_often(tally) ||
		    !says_something(ledger, groups, group))
			continue;
		take(cause, group, tally->passed);
		cause->failed = tally->failed;
		cause->others = "";
	}
	return cause->things;
}

enum { LASTING = 20 };

/* Where three of five fail from the first failure on, so many at least, whatever they are about,
 * and many have passed ahead of it, that has left something behind. */
static bool find_lasting(const struct ledger *ledger, const struct ledger_groups *groups,
			 struct cause *cause)
{
	const uint64_t failing = failing_groups(ledger);
	const uint32_t passed = ledger->counted - ledger->before;

	if (ledger->failed < LASTING || bits_in(failing) < 3 || 2 * ledger->failed < 3 * passed ||
	    4 * ledger->before < ledger->failed ||
	    (groups->vague | groups->nameless) >> ledger->first & 1)
		return false;
	take(cause, FIRST_GROUP + ledger->first, ledger->thing[FIRST_GROUP + ledger->first].passed);
	cause->failed = ledger->thing[FIRST_GROUP + ledger->first].failed;
	cause->others = ", the first ones, and most fail from there on";
	return true;
}

/* One thing that a tenth of the passed have at most. */
static bool find_telling(const struct ledger *ledger, const struct ledger_groups *groups,
			 bool shown, unsigned group, struct cause *cause)
{
	bool found = find_rarest(ledger, groups, shown, TELLING, cause) &&
		     !is_any_event(ledger, group, cause);

	if (found)
		prefer_harmful(ledger, cause);
	else
		cause->things = 0;
	return found;
}

static bool is_of_one(const struct ledger *ledger, unsigned group)
{
	return group < THINGS && is_shared(ledger, group, false);
}

static bool find_things(const struct ledger *ledger, const struct ledger_groups *groups,
			struct cause *cause)
{
	const unsigned group = first_group(ledger, groups);

	/* A group that always fails says more than what its windows happen to have. */
	if (group < THINGS && !ledger->thing[group].passed && is_shared(ledger, group, false))
		return find_group(ledger, groups, group, cause);
	if (find_telling(ledger, groups, true, group, cause))
		return true;
	if (!is_of_one(ledger, group) && find_pair(ledger, groups, cause)) {
		prefer_harmful(ledger, cause);
		return true;
	}
	if (find_telling(ledger, groups, false, group, cause))
		return true;
	return find_bare(ledger, groups, cause) || find_group(ledger, groups, group, cause) ||
	       find_rarest(ledger, groups, true, BELIEVED, cause) ||
	       find_rarest(ledger, groups, false, BELIEVED, cause) ||
	       (ledger->tests >= TESTS &&
		find_rarest(ledger, groups, true, BELIEVED_OF_TESTS, cause)) ||
	       find_harmful(ledger, cause) || find_most(ledger, groups, cause) ||
	       find_lasting(ledger, groups, cause);
}

/* ---- all ---- */

/* Counters that are dead altogether: what they were told is the same of each, and what else is to
 * be told is not tried. */
static bool are_dead(const struct ledger *ledger, const struct ledger_groups *groups)
{
	return ledger->failing && !(failing_groups(ledger) & ~groups->nameless);
}

bool ledger_find(const struct ledger *ledger, const struct ledger_groups *groups,
		 struct cause *cause)
{
	bool several = ledger->tried & (ledger->tried - 1);

	*cause = (struct cause){.counter = ledger_blame(ledger), .failed = ledger->failed};
	cause->all_counters = several && ledger->failing == ledger->tried && cause->counter < 0;
	if (!ledger->failed)
		return false;
	/* A test of everything tells by its windows alone: what it has used is everything. */
	if (!(failing_groups(ledger) & ~groups->vague))
		return find_rarest(ledger, groups, true, BELIEVED, cause);
	if (are_dead(ledger, groups))
		return ledger_find_dead(ledger, cause);
	return find_things(ledger, groups, cause) || ledger_find_counter(ledger, cause);
}
