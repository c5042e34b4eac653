/* SPDX-License-Identifier: BSD-2-Clause */
/* Instruction-based sampling: its filters of ops.  Where CPUID tells of none, their bits do
 * nothing.
 */
#include "amd.h"

static uint64_t filters_of(const struct pmu_amd *p)
{
	return (p->traits->ibs & IBS_LDLAT ? OP_LDLAT_EN : 0) |
	       (p->traits->ibs & IBS_ZEN4 ? OP_L3_MISS_ONLY : 0);
}

bool ibs_filters(const struct pmu_amd *p)
{
	return ibs_ops_run(p) && ibs_op_ctl(p) & filters_of(p);
}

uint32_t ibs_latency(struct ibs *ibs, const struct insn *insn)
{
	enum { SOONEST = 160, LATER = 1024 };

	return ibs->missed && insn->loads ? SOONEST + ibs_draw(ibs) % LATER : 0;
}

/* The clocks of the filter by latency. */
static uint64_t threshold(uint64_t ctl)
{
	return (field_get(OP_LDLAT_THRESHOLD, ctl) + 1) * OP_LDLAT_UNIT;
}

bool ibs_is_filtered(const struct pmu_amd *p, uint32_t latency)
{
	uint64_t ctl = ibs_op_ctl(p), filters = ctl & filters_of(p);

	return (filters & OP_L3_MISS_ONLY && !latency) ||
	       (filters & OP_LDLAT_EN && latency < threshold(ctl));
}
