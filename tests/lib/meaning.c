/* SPDX-License-Identifier: BSD-2-Clause */
/* The meaning of a failed test.  Pure. */
#include "watch.h"

/*
 * Checks compare counts with each other, with differences of counts, and with how often counters
 * overflowed: a count that is too high makes the other side of these look too low.  So it does not
 * matter which side is the higher one, but whether the witness has counted in one of the windows.
 */
enum meaning watch_judge(const struct run *t, const struct watch *witness)
{
	if (t->plain || !t->overcount)
		return MEANS_FAILURE;
	if (!t->overcount->witness)
		return MEANS_NOTHING;
	if (witness->kept)
		return MEANS_ERRATUM;
	return witness->told ? MEANS_FAILURE : MEANS_NOTHING;
}
