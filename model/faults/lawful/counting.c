/* SPDX-License-Identifier: BSD-2-Clause */
/* What Intel's specification updates publish about counts. */
#include "lawful.h"

/* ---- Core 2 ---- */

/* The TSC ticks six times in a clock of the bus, as the firmware has set it, and the counter 30
 * times: so far apart that the model's slow accesses do not hide it. */
static void by_its_own_ratio(struct point *at)
{
	at->amount *= 5;
}

LAWFUL(MODEL_CORE2, w145_reference_rate, "*.fixed.reference_rate",
       "reference clocks follow the processor's maximum bus ratio, the TSC that of the firmware",
       .increment = by_its_own_ratio, .counters = BIT(INTEL_GENERAL + 2));
