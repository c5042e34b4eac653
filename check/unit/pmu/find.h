/* SPDX-License-Identifier: BSD-2-Clause */
/* An event of a driver's by the name in its table. */
#pragma once

#include <string.h>

#include "pmu/pmu.h"

static inline const struct pmu_event *find_event(const struct pmu_event events[PMU_EVENTS_MAX],
						 const char *name)
{
	unsigned e = PMU_EVENTS_MAX;

	while (--e > EV_NONE)
		if (events[e].name && !strcmp(events[e].name, name))
			break;
	return &events[e];
}
