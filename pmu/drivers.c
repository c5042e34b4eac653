/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of PMU drivers, and the search for what is there. */
#include "kernel/lib/bits.h"
#include "kernel/lib/fmt.h"
#include "kernel/lib/string.h"
#include "pmu/amd/amd.h"
#include "pmu/intel/intel.h"
#include "pmu/netburst/netburst.h"
#include "pmu/uncore/snbep/snbep.h"

const struct pmu_ops *const pmu_drivers[] = {&pmu_amd_v2,   &pmu_amd,   &pmu_intel,
					     &pmu_netburst, &pmu_snbep, NULL};

/* False: it is not there, and the memory for its state remains free. */
static bool probe(struct pmu_set *set, const struct pmu_ops *ops, unsigned instance)
{
	size_t words = (ops->state_size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	struct pmu *pmu = &set->pmu[set->count];
	uint64_t *state = set->state + set->state_used;

	if (set->count == PMUS_MAX || words > ARRAY_SIZE(set->state) - set->state_used)
		return false;
	memset(state, 0, words * sizeof(uint64_t));
	*pmu = (struct pmu){.ops = ops, .instance = instance, .state = state};
	fmt_print(pmu->name, sizeof(pmu->name), "%s", ops->name);
	if (!ops->probe(pmu)) {
		if (pmu->silent && !ops->uncore)
			set->why = pmu->silent;
		return false;
	}
	set->count++;
	set->state_used += words;
	return true;
}

void pmu_find_all(struct pmu_set *set)
{
	set->count = 0;
	set->state_used = 0;
	set->why = "no PMU of this processor is known to this program";
	for (unsigned i = 0; pmu_drivers[i]; i++) {
		unsigned instance = 0;

		while (probe(set, pmu_drivers[i], instance) && pmu_drivers[i]->uncore)
			instance++;
	}
}
