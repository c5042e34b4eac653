/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes of which one is like another. */
#include "pmu.h"

static bool counters_equal(const struct pmu *a, const struct pmu *b)
{
	if (a->counters != b->counters)
		return false;
	for (unsigned c = 0; c < a->counters; c++)
		if (a->counter[c].width != b->counter[c].width ||
		    a->counter[c].write_bits != b->counter[c].write_bits ||
		    a->counter[c].fixed != b->counter[c].fixed)
			return false;
	return true;
}

/* The first one of its kind may be of a kind more, for tests that are run once. */
bool pmu_is_equal(const struct pmu *box, const struct pmu *first)
{
	return box->box && box->ops == first->ops && box->kind == first->kind &&
	       !(box->kinds & ~first->kinds) && box->revision == first->revision &&
	       box->features == first->features && box->max_threshold == first->max_threshold &&
	       box->ctl_writable == first->ctl_writable && counters_equal(box, first);
}
