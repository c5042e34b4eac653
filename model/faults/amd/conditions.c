/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions that only counters of AMD's cores can be in, while something else is broken. */
#include "amd.h"

static const struct pmu_amd *amd(const struct point *at)
{
	return at->pmu;
}

/* So many have a second name. */
enum { LEGACY_COUNTERS = 4 };

KIND_CONDITION(MODEL_PERFMON_V2, gated, "PerfCntrGlobalCtl keeps another counter from counting",
	       amd(at)->global_ctl != BIT(amd(at)->traits->counters) - 1, true);
KIND_CONDITION(MODEL_EXTENDED, renamed, "its select was written by its other name", t->renamed,
	       reg->counter < LEGACY_COUNTERS);
KIND_CONDITION(MODEL_PERFMON_V2, status_set, "PerfCntrGlobalStatus is not 0",
	       amd(at)->global_status, true);
