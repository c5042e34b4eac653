/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded faults of NetBurst's PEBS records. */
#include "model/pmu/netburst/hooks.h"

static void rip_lost(const struct pmu_netburst *p, struct pebs_area *area,
		     struct pebs_record *registers)
{
	(void)p, (void)area;
	registers->rip = 0;
}

static void rsi_and_rdi_swapped(const struct pmu_netburst *p, struct pebs_area *area,
				struct pebs_record *registers)
{
	uint64_t rsi = registers->rsi;

	(void)p, (void)area;
	registers->rsi = registers->rdi;
	registers->rdi = rsi;
}

static void reset_ignored(const struct pmu_netburst *p, struct pebs_area *area,
			  struct pebs_record *registers)
{
	(void)registers;
	area->reset = p->counter[NETBURST_PEBS_COUNTER].value;
}

static void threshold_ignored(const struct pmu_netburst *p, struct pebs_area *area,
			      struct pebs_record *registers)
{
	(void)p, (void)registers;
	area->threshold = UINT64_MAX;
}

static void interrupts_each(const struct pmu_netburst *p, struct pebs_area *area,
			    struct pebs_record *registers)
{
	(void)p;
	area->threshold = area->index + sizeof(*registers);
}

static void index_stuck(const struct pmu_netburst *p, struct pebs_area *area,
			struct pebs_record *registers)
{
	(void)p, (void)registers;
	area->maximum = 0;
}

const struct fault faults_netburst_pebs[] = {
	NETBURST_FAULT(p4_pebs_rip_lost, MODEL_NETBURST, "netburst.*.tag.pebs",
		       "a PEBS record has 0 for RIP", .record = rip_lost),
	NETBURST_FAULT(p4_pebs_rsi_and_rdi_swapped, MODEL_NETBURST, "netburst.*.tag.pebs",
		       "a PEBS record has RSI and RDI exchanged", .record = rsi_and_rdi_swapped),
	NETBURST_FAULT(p4_pebs_reset_ignored, MODEL_NETBURST, "netburst.*.tag.pebs",
		       "the counter goes on from 0 after a PEBS record", .record = reset_ignored),
	NETBURST_FAULT(p4_pebs_threshold_ignored, MODEL_NETBURST, "netburst.*.tag.pebs",
		       "PEBS never interrupts", .record = threshold_ignored),
	NETBURST_FAULT(p4_pebs_interrupts_each, MODEL_NETBURST, "netburst.*.tag.pebs",
		       "PEBS interrupts with every record", .record = interrupts_each),
	NETBURST_FAULT(p4_pebs_writes_nothing, MODEL_NETBURST, "netburst.*.tag.pebs",
		       "no PEBS record is ever written", .record = index_stuck),
	{0},
};
