/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of PMU drivers, and the search for what is there. */
#include "kernel/lib/fmt.h"
#include "pmu/amd/amd.h"
#include "pmu/intel/intel.h"
#include "pmu/netburst/netburst.h"
#include "pmu/uncore/snbep/snbep.h"

#include <stddef.h>

const struct pmu_ops *const pmu_drivers[] = {&pmu_amd_v2,   &pmu_amd,   &pmu_intel,
					     &pmu_netburst, &pmu_snbep, NULL};

/* The PMUs of one driver, in pmus[0] and after it. */
static unsigned find_those_of(const struct pmu_ops *ops, struct pmu *pmus, unsigned max,
			      const char **why)
{
	unsigned found;

	for (found = 0; found < max && (found == 0 || ops->uncore); found++) {
		struct pmu *pmu = &pmus[found];

		*pmu = (struct pmu){.ops = ops, .instance = found};
		fmt_print(pmu->name, sizeof(pmu->name), "%s", ops->name);
		if (!ops->probe(pmu)) {
			if (pmu->silent && !ops->uncore)
				*why = pmu->silent;
			break;
		}
	}
	return found;
}

unsigned pmu_find_all(struct pmu *pmus, unsigned max, const char **why)
{
	unsigned found = 0;

	*why = "no PMU of this processor is known to this program";
	for (unsigned i = 0; pmu_drivers[i]; i++)
		found += find_those_of(pmu_drivers[i], pmus + found, max - found, why);
	return found;
}
