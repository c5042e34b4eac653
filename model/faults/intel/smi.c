/* SPDX-License-Identifier: BSD-2-Clause */
/* System management interrupts that steal clocks from the counters: no defect of the PMU, but what
 * a verdict must be told apart from. */
#include "model/pmu/intel/hooks.h"

enum { STOLEN_ONE_IN = 16 };

static uint64_t *smi_count(struct pmu_intel *p)
{
	return &p->held[INTEL_SMI_COUNT][0];
}

static unsigned steals_once(struct pmu_intel *p, unsigned ctr, const struct clock *clock,
			    unsigned amount)
{
	(void)ctr, (void)clock;
	if (!amount || *smi_count(p))
		return amount;
	*smi_count(p) = 1;
	return 0;
}

static unsigned steals_always(struct pmu_intel *p, unsigned ctr, const struct clock *clock,
			      unsigned amount)
{
	(void)clock;
	if (!amount || ++p->defect[ctr] % STOLEN_ONE_IN)
		return amount;
	++*smi_count(p);
	return 0;
}

const struct fault faults_intel_smi[] = {
	INTEL_FAULT(smi_steals_once, MODEL_V3, "-",
		    "one SMI steals one clock from a counter: the test is run again, and passes",
		    .increment = steals_once),
	INTEL_FAULT(smi_always_steals, MODEL_V3, "*.count.instructions",
		    "SMIs steal every 16th clock of a counter, whenever it is run again",
		    .increment = steals_always),
	{0},
};
