/* SPDX-License-Identifier: BSD-2-Clause */
/* The stack of the last branches from Zen 4 on (LbrExtV2): APM vol. 2, 13.1.1. */
#include "model/pmu/branches.h"
#include "amd.h"

#define TO_VALID BIT(63)
#define ADDRESS  FIELD(56, 0)

static bool passes_filter(const struct pmu_amd *p, const struct branch *branch)
{
	struct point at = core_point(&p->core, AMD_LBR);

	at.branch = branch;
	at.value = branches_kind(branch) | branches_ring(branch);
	at.raw = p->lbr_select;
	at.passes = !(at.raw & at.value);
	REACH(&at, p->core.active, branch);
	return at.passes;
}

void amd_record(struct pmu_amd *p, const struct amd_lbr *entry)
{
	for (unsigned i = amd_lbr_depth(p->traits); --i > 0;)
		p->lbr[i] = p->lbr[i - 1];
	p->lbr[0] = *entry;
}

static void push(struct pmu_amd *p, const struct branch *branch)
{
	struct amd_lbr entry = {branch->from & ADDRESS, (branch->to & ADDRESS) | TO_VALID};
	struct point at = core_point(&p->core, AMD_LBR);

	at.branch = branch;
	at.record = &entry.from;
	REACH(&at, p->core.active, lbr);
	amd_record(p, &entry);
}

/* #DB is not recorded, and ends recording. */
void amd_branched(void *pmu, const struct branch *branch)
{
	struct pmu_amd *p = pmu;

	if (branch->vector == VECTOR_DEBUG) {
		p->lbr_config &= ~LBR_ENABLE;
		p->debugctl &= ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
	}
	if (amd_runs(p, AMD_LBR) && branches_come(&p->core, AMD_LBR, branch) &&
	    passes_filter(p, branch))
		push(p, branch);
	if (amd_runs(p, AMD_PAIR) && branches_come(&p->core, AMD_PAIR, branch))
		amd_pair_branched(p, branch);
	if (amd_runs(p, AMD_BRS) && branches_come(&p->core, AMD_BRS, branch))
		amd_brs_branched(p, branch);
}

/* ---- freezing ---- */

/* Some counter that interrupts has overflowed. */
void amd_freeze(struct pmu_amd *p)
{
	struct point at = core_point(&p->core, NO_COUNTER);

	at.value = core_acting(&p->core, AMD_DEBUGCTL, 0, p->debugctl);
	REACH(&at, p->core.active, freeze);
	if (at.value & DEBUGCTL_FREEZE_LBR)
		p->global_status |= STATUS_LBR_FROZEN;
	if (at.value & DEBUGCTL_FREEZE_COUNTERS)
		p->global_status |= STATUS_COUNTERS_FROZEN;
	core_update_running(&p->core);
}
