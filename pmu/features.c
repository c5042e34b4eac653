/* SPDX-License-Identifier: BSD-2-Clause */
/* The reasons that the list of features gives. */
#include "features.h"

#include <stddef.h>

#define REASON(name, why, ...)               why,
#define FACET_REASON(name, member, why, ...) why,

const char *pmu_why_missing(unsigned missing)
{
	static const char *const reasons[PMU_FEATURE_COUNT] = {PMU_FEATURES(REASON)
								       PMU_FACETS(FACET_REASON)};

	return missing ? reasons[__builtin_ctz(missing)] : NULL;
}
