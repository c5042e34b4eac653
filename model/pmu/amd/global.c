/* SPDX-License-Identifier: BSD-2-Clause */
/* PerfMonV2: the registers of all AMD core counters. */
#include "amd.h"
#include "hooks.h"

#define MSR_GLOBAL_STATUS     UINT32_C(0xc0000300)
#define MSR_GLOBAL_STATUS_CLR UINT32_C(0xc0000302)
#define MSR_GLOBAL_STATUS_SET UINT32_C(0xc0000303)

uint64_t amd_all_counters(const struct pmu_amd *p)
{
	return BIT(p->traits->counters) - 1;
}

bool amd_is_global(const struct pmu_amd *p, uint32_t msr)
{
	return p->traits->global && msr >= MSR_GLOBAL_STATUS && msr <= MSR_GLOBAL_STATUS_SET;
}

uint64_t amd_read_global(const struct pmu_amd *p, uint32_t msr)
{
	return msr == MSR_GLOBAL_STATUS    ? p->global_status
	       : msr == AMD_MSR_GLOBAL_CTL ? p->global_ctl
					   : 0;
}

static void write_global_ctl(struct pmu_amd *p, uint64_t value)
{
	/* As when EN is set. */
	for (unsigned i = 0; i < p->traits->counters; i++)
		if (!(p->global_ctl >> i & 1))
			p->counter[i].condition = false;
	p->global_ctl = value;
	amd_update_running(p);
}

/* Assumed, as KVM says of AMD: bits of no counter are dropped, a write to the status is ignored. */
void amd_write_global(struct pmu_amd *p, uint32_t msr, uint64_t value)
{
	uint64_t status = p->global_status;

	value &= amd_all_counters(p);
	if (msr == AMD_MSR_GLOBAL_CTL)
		write_global_ctl(p, value);
	else if (msr == MSR_GLOBAL_STATUS_CLR)
		status &= ~value;
	else if (msr == MSR_GLOBAL_STATUS_SET)
		status |= value;
	p->global_status = p->hooks->status_written
				   ? p->hooks->status_written(p->global_status, status)
				   : status;
}
