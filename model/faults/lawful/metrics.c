/* SPDX-License-Identifier: BSD-2-Clause */
/* Lawful variations of PERF_METRICS: SDM vol. 3B, 20.3.9.3. */
#include "lawful.h"

#define PARTS_WITH_METRICS (MODEL_ICELAKE | MODEL_GOLDENCOVE | MODEL_LIONCOVE | MODEL_COUGARCOVE)

/* Each share is rounded by itself: four of them are 255 and up to three less, or more. */
static void rounds_down(struct point *at)
{
	const struct pmu_intel *p = at->pmu;

	if (p->metrics.moves && (at->value & 0xff) > 2)
		at->value -= 2;
}

LAWFUL(PARTS_WITH_METRICS, metrics_round_down, NULL, "shares are 253 together, and no 255",
       .shown = rounds_down, .registers = BIT(INTEL_PERF_METRICS));

/* Linux, handle_pmi_common(): the bit comes, and no manual says when. */
static void overflows(struct point *at)
{
	struct pmu_intel *p = at->pmu;

	if (p->metrics.passed > 1000)
		at->value |= STATUS_OVF_METRICS;
}

LAWFUL(PARTS_WITH_METRICS, metrics_overflow, NULL, "shares overflow into bit 48 of the status",
       .shown = overflows, .registers = BIT(INTEL_GLOBAL_STATUS));
