/* SPDX-License-Identifier: BSD-2-Clause */
/* How often each thing was in the results of a PMU, and what that tells.  Pure. */
#pragma once

#include "things.h"

/* Things are numbered: modes, counters, events and groups of tests. */
enum {
	LIST_MAX = 64, /* events, or groups, of a report */
	FIRST_COUNTER = 32,
	FIRST_EVENT = 64,
	FIRST_GROUP = FIRST_EVENT + LIST_MAX,
	THINGS = FIRST_GROUP + LIST_MAX,
	LEDGERS = 24
};
_Static_assert((int)TRAITS <= (int)FIRST_COUNTER, "modes have room");

/* How many results had a thing. */
struct tally {
	uint32_t passed, failed;
	uint32_t shown; /* of the failed: in the window whose check failed */
};

/* Failures of tests without a window: whatever is broken there is broken without counting. */
struct bare {
	uint32_t failed;
	uint32_t of_none; /* of these: of no counter in particular */
	uint64_t groups; /* as bits */
	struct flips flips; /* of all */
};

/* Passed results that have used the same, in tests that are not about everything. */
enum { KINDS = 192 };
struct kind {
	uint32_t modes, passed;
	uint64_t events;
};

struct ledger {
	char owner[32]; /* a PMU's name, of boxes the name of their kind */
	uint32_t passed, failed; /* results */
	uint32_t counted; /* of the passed: with a window */
	uint32_t tests; /* that failed, on whichever counters */
	const char *last; /* of these */
	uint32_t before; /* of those counted: ahead of the first failure */
	uint8_t first; /* the group of that */
	/* Counters of which tests of each counter ran, and of these failed with no other in their
	 * windows, which might be to blame. */
	uint32_t tried, failing;
	uint32_t failed_of[32]; /* of each counter under test */
	struct bare bare;
	uint32_t kinds;
	bool crowded; /* there were more */
	struct kind kind[KINDS];
	struct tally thing[THINGS];
};

/* What all failures have in common. */
enum { CAUSE_THINGS = 3 };
struct cause {
	unsigned things;
	uint8_t thing[CAUSE_THINGS]; /* modes or events, or one group */
	uint32_t passed; /* results that have all of them and passed, at most */
	uint32_t failed; /* results that have them and failed */
	const char *others; /* why they explain the other failures, if there are any; NULL */
	uint64_t bits; /* neighbours, of registers that do not keep them; 0: not known */
	int counter; /* that is alone to blame; -1: none */
	uint32_t dead; /* counters that are, where some are and nothing else fails */
	bool all_counters; /* all fail that are tested one by one, and each by itself in a test */
};

/* What is known of groups, which are bits. */
struct ledger_groups {
	uint64_t vague; /* their tests are about everything */
	uint64_t general; /* about events and rings, whichever they take */
	uint64_t plain; /* of these, about events alone */
	uint64_t nameless; /* their tests say by themselves which counter or event is dead */
	uint64_t storing; /* their tests without a window are about what registers keep */
	uint64_t below[LIST_MAX]; /* of each, itself and those that it leans on */
};

/* group: its place in the list. */
void ledger_note(struct ledger *ledger, const struct ledger_groups *groups,
		 const struct cause_result *result, unsigned group);

/* blame.c: the counter that is alone to blame; -1: none, or more than one. */
int ledger_blame(const struct ledger *ledger);
/* That counter as a cause; or those that are dead: where most are it may be what all have counted.
 * cause: with what ledger_blame() says; false: nothing. */
bool ledger_find_counter(const struct ledger *ledger, struct cause *cause);
bool ledger_find_dead(const struct ledger *ledger, struct cause *cause);

/* find.c; false: nothing. */
bool ledger_find(const struct ledger *ledger, const struct ledger_groups *groups,
		 struct cause *cause);
