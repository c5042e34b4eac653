/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts which things the failed and the passed results had. */
#include "ledger.h"

#include "kernel/lib/lib.h"

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
	bare->flips.up |= result->flips.up;
	bare->flips.down |= result->flips.down;
	bare->of_none += result->counter < 0;
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

static void note_kind(struct ledger *ledger, const struct traits *used)
{
	unsigned i = 0;

	while (i < ledger->kinds &&
	       (ledger->kind[i].modes != used->modes || ledger->kind[i].events != used->events))
		i++;
	if (i == KINDS) {
		ledger->crowded = true;
		return;
	}
	ledger->kinds += i == ledger->kinds;
	ledger->kind[i].modes = used->modes;
	ledger->kind[i].events = used->events;
	ledger->kind[i].passed++;
}

void ledger_note(struct ledger *ledger, const struct ledger_groups *groups,
		 const struct cause_result *result, unsigned group)
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
	if (!(groups->vague >> group & 1))
		note_kind(ledger, &result->used);
	ledger->thing[FIRST_GROUP + group].passed++;
}
