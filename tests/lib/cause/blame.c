/* SPDX-License-Identifier: BSD-2-Clause */
/* Which counter is alone to blame, and which are dead. */
#include "kernel/lib/lib.h"
#include "ledger.h"

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
	       (ledger->thing[FIRST_COUNTER + ctr].failed == ledger->failed ||
		ledger->failed_of[ctr] + ledger->bare.of_none == ledger->failed);
}

int ledger_blame(const struct ledger *ledger)
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

bool ledger_find_counter(const struct ledger *ledger, struct cause *cause)
{
	if (cause->counter >= 0)
		cause->passed = ledger->thing[FIRST_COUNTER + cause->counter].passed;
	return cause->counter >= 0;
}

bool ledger_find_dead(const struct ledger *ledger, struct cause *cause)
{
	if (ledger_find_counter(ledger, cause))
		return true;
	if (2 * bits_in(ledger->failing) <= bits_in(ledger->tried))
		cause->dead = ledger->failing;
	cause->passed = ledger->counted;
	return cause->dead || cause->all_counters;
}
