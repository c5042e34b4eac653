/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operating system stops its counters for moments, such as to put other events in their place.
 * Instructions take as long in such a moment as while counters run: the system is stepped through
 * for a while behind the last counter, so that the time for which a counter ran and the time for
 * which it could have run are of one kind.  By the machine's time the moment would be longer than
 * all that was counted, since each access to a register is an exit.
 */
#include "stepping.h"

/* Instructions, uncounted, behind which it is no moment any more. */
enum { WHILE = 100000 };

static bool counted; /* when last looked at */
static uint64_t end; /* of the while, by instructions */

static uint64_t retired(void)
{
	return silicon_tally(&silicon_cpu).retired;
}

bool linger_is_on(const struct guest *g, bool counting)
{
	if (counted && !counting)
		end = retired() + WHILE;
	counted = counting;
	return g->system && g->stepping && !counting && retired() < end;
}

AT_EXIT bool linger_is_over(void)
{
	return !counted && retired() >= end;
}
