/* SPDX-License-Identifier: BSD-2-Clause */
/* The pair of branch records from K8 on, LastBranch and LastException: APM vol. 2, 13.1.1. */
#include "amd.h"

#define VECTOR_MACHINE_CHECK 18

/* With what is delivered, but for #MC, the branch before it becomes the one before an exception. */
void amd_pair_branched(struct pmu_amd *p, const struct branch *branch)
{
	struct amd_pair pair = p->pair;
	struct point at = core_point(&p->core, AMD_PAIR);

	if (branch->vector >= 0 && branch->vector != VECTOR_MACHINE_CHECK)
		pair.exception = pair.branch;
	pair.branch = (struct amd_lbr){branch->from, branch->to};
	at.branch = branch;
	at.record = &pair.branch.from;
	REACH(&at, p->core.active, lbr);
	p->pair = pair;
}
