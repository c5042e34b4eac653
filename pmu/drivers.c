/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of PMU drivers, and the search for what is there. */
#include "amd.h"
#include "intel.h"
#include "netburst.h"

#include <stddef.h>

const struct pmu_ops *const pmu_drivers[] = {&pmu_amd_v2, &pmu_amd, &pmu_intel, &pmu_netburst,
					     NULL};

unsigned pmu_find_all(struct pmu *pmus, unsigned max, const char **why)
{
	unsigned found = 0;

	*why = "no PMU of this processor is known to this program";
	for (unsigned i = 0; pmu_drivers[i] && found < max; i++) {
		struct pmu *pmu = &pmus[found];

		*pmu = (struct pmu){.ops = pmu_drivers[i]};
		if (pmu->ops->probe(pmu))
			found++;
		else if (pmu->silent)
			*why = pmu->silent;
	}
	return found;
}
