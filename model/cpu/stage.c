/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that firmware has left running. */
#include "stage.h"

#include <stddef.h>

#include "kernel/lib/bits.h"
#include "model/pmu/amd/amd.h"
#include "model/pmu/intel/intel.h"
#include "model/pmu/netburst/netburst.h"

static const char *const names[] = {
	"counters_running",
	"pmi_pending",
	"interrupts_pending",
	"apic_disabled",
	"apic_soft_disabled",
	"nmi",
	"smi",
	"x2apic",
};

const char *stage_name(unsigned index)
{
	return index < ARRAY_SIZE(names) ? names[index] : NULL;
}

/* Retired instructions, in all rings, enabled: the same select of K7 and of P6 and its heirs. */
#define SELECT           UINT64_C(0x4300c0)
#define SELECT_INTERRUPT BIT(20)

/* How far counter 0 is from its overflow. */
#define SOON 100

static void run_select(struct silicon *s, uint32_t select, uint32_t counter, bool interrupt)
{
	silicon_wrmsr(s, counter, interrupt ? (uint64_t)-SOON : 0);
	silicon_wrmsr(s, select, interrupt ? SELECT | SELECT_INTERRUPT : SELECT);
}

static void run_amd(struct silicon *s, const struct amd_traits *traits, bool interrupt)
{
	for (unsigned i = 0; i < traits->counters; i++)
		if (traits->extended)
			run_select(s, 0xc0010200 + 2 * i, 0xc0010201 + 2 * i, interrupt && !i);
		else
			run_select(s, 0xc0010000 + i, 0xc0010004 + i, interrupt && !i);
}

/* IA32_FIXED_CTR_CTRL and IA32_PERF_GLOBAL_CTRL last: all start together. */
static void run_intel(struct silicon *s, const struct intel_traits *traits, bool interrupt)
{
	uint64_t fixed = 0;

	for (unsigned i = 0; i < traits->counters; i++)
		run_select(s, 0x186 + i, 0xc1 + i, interrupt && !i);
	if (traits->version < 2)
		return;
	for (unsigned i = 0; i < traits->fixed; i++)
		fixed |= UINT64_C(3) << 4 * i;
	silicon_wrmsr(s, 0x38d, fixed);
	silicon_wrmsr(s, 0x38f, (BIT(traits->counters) - 1) | (BIT(traits->fixed) - 1) << 32);
}

/* An event for the counters of each group: the first of its two ESCRs, and what to select. */
static const struct group {
	uint32_t counters; /* of both, as bits */
	uint32_t escr;
	unsigned route, event, mask;
} groups[] = {
	{0x0000f, 0x3a2, 6, 0x13, 0x0001}, /* global_power_events RUNNING */
	{0x000f0, 0x3c0, 0, 0x09, 0x0007}, /* uop_queue_writes */
	{0x00f00, 0x3a4, 1, 0x04, 0x8000}, /* x87_FP_uop ALL */
	{0x3f000, 0x3b8, 4, 0x02, 0x0001}, /* instr_retired NBOGUSNTAG */
};

static void run_netburst_counter(struct silicon *s, const struct group *group, unsigned ctr,
				 bool interrupt)
{
	uint64_t cccr =
		CCCR_ENABLE | field_put(CCCR_ESCR_SELECT, group->route) | CCCR_ACTIVE_THREAD;

	silicon_wrmsr(s, MSR_NETBURST_COUNTER + ctr, interrupt ? (uint64_t)-SOON : 0);
	silicon_wrmsr(s, MSR_NETBURST_CCCR + ctr, interrupt ? cccr | CCCR_OVF_PMI_T0 : cccr);
}

static void run_netburst(struct silicon *s, bool interrupt)
{
	for (unsigned i = 0; i < ARRAY_SIZE(groups); i++) {
		const struct group *group = &groups[i];
		uint64_t escr = field_put(ESCR_EVENT_SELECT, group->event) |
				field_put(ESCR_EVENT_MASK, group->mask) | ESCR_T0_OS | ESCR_T0_USR;

		silicon_wrmsr(s, group->escr, escr);
		silicon_wrmsr(s, group->escr + 1, escr);
		for (unsigned ctr = 0; ctr < NETBURST_COUNTERS; ctr++)
			if (group->counters >> ctr & 1)
				run_netburst_counter(s, group, ctr, interrupt && !ctr);
	}
}

void stage_counters(struct silicon *s, const struct profile *profile, bool interrupt)
{
	if (profile->amd)
		run_amd(s, profile->amd, interrupt);
	else if (profile->netburst)
		run_netburst(s, interrupt);
	else
		run_intel(s, profile->intel, interrupt);
	silicon_leave_uncore_running(s);
}
