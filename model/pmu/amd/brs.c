/* SPDX-License-Identifier: BSD-2-Clause */
/* Branch sampling of Zen 3 (BRS), as Linux, arch/x86/events/amd/brs.c, describes it. */
#include "amd.h"

/* With so many records. */
static uint64_t with_records(uint64_t config, unsigned n)
{
	return (config & ~BRS_NEXT) | field_put(BRS_NEXT, n % AMD_LBR_DEPTH) | BRS_VALID;
}

/* It records no more, and what waited comes. */
static void end(struct pmu_amd *p)
{
	p->brs.filling = false;
	p->brs.due += p->brs.held;
	p->brs.held = 0;
}

void amd_brs_branched(struct pmu_amd *p, const struct branch *branch)
{
	struct amd_lbr entry = {branch->from, branch->to};
	unsigned next = (unsigned)field_get(BRS_NEXT, p->brs.config);
	struct point at = core_point(&p->core, AMD_BRS);

	at.branch = branch;
	at.record = &entry.from;
	at.n = next;
	at.value = AMD_LBR_DEPTH;
	at.passes = true;
	REACH(&at, p->core.active, lbr);
	if (!at.passes)
		return;
	p->lbr[at.n] = entry;
	p->brs.config = with_records(p->brs.config, next + 1);
	if (next + 1 < at.value)
		return;
	p->brs.config &= ~BRS_ENABLE;
	end(p);
}

void amd_brs_put(struct pmu_amd *p, uint64_t config)
{
	p->brs.config = config;
	if (!(config & BRS_ENABLE))
		end(p);
}

unsigned amd_brs_overflowed(struct pmu_amd *p, uint64_t interrupting, unsigned requests)
{
	struct point at = core_point(&p->core, AMD_BRS);

	if (!(p->brs.config & BRS_ENABLE) ||
	    !(interrupting >> field_get(BRS_COUNTER, p->brs.config) & 1))
		return requests;
	p->brs.filling = true;
	REACH(&at, p->core.active, announce);
	p->brs.held += requests - at.requests;
	return at.requests;
}

unsigned amd_brs_released(struct pmu_amd *p)
{
	unsigned due = p->brs.due;

	p->brs.due = 0;
	return due;
}
