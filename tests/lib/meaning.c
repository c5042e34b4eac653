/* SPDX-License-Identifier: BSD-2-Clause */
/* What a failed test means.  Pure. */
#include "watch.h"

enum meaning watch_judge(const struct run *t, const struct pmu_overcount *published,
			 const struct watch *witness)
{
	if (!published || (published->witness && witness->told && !witness->count))
		return MEANS_FAILURE;
	if (published->witness && witness->told && !t->not_high)
		return MEANS_ERRATUM;
	return MEANS_NOTHING;
}
