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

struct ledger {
	char owner[32]; /* a PMU's name, of boxes the name of their kind */
	uint32_t passed, failed; /* results */
	uint32_t tests; /* that failed, on whichever counters */
	const char *last; /* of these */
	uint32_t tried, failing; /* counters of which tests of each counter ran, and failed */
	uint32_t failed_of[32]; /* of each counter under test */
	struct tally thing[THINGS];
};

/* group: its place in the list. */
void ledger_note(struct ledger *ledger, const struct cause_result *result, unsigned group);

/* What all failures have in common. */
enum { CAUSE_THINGS = 3 };
struct cause {
	unsigned things;
	uint8_t thing[CAUSE_THINGS]; /* modes or events, or one group */
	uint32_t passed; /* results that have all of them and passed, at most */
	int counter; /* that is alone to blame; -1: none */
	bool all_counters; /* all fail that are tested one by one */
};

/* False: nothing.  vague: groups, as bits, whose tests are about everything. */
bool ledger_find(const struct ledger *ledger, uint64_t vague, struct cause *cause);
