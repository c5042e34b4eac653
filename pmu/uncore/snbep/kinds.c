/* SPDX-License-Identifier: BSD-2-Clause */
/* Uncore of the Xeon E5-2600: the kinds of boxes and how a counter is told what to count.  Pure. */
#include "snbep.h"

/* All but the UBox have a clock event, and a box control register. */
#define PCI_BOX                                                                                    \
	.pci = true, .clock = "CLOCKTICKS", .ctl = PCI_PMON_CTL(0), .ctr = PCI_PMON_CTR(0),        \
	.box_ctl = PCI_PMON_BOX_CTL
#define MSR_BOX(unit)                                                                              \
	.clock = "CLOCKTICKS", .ctl = unit##_MSR_PMON_CTL0, .ctr = unit##_MSR_PMON_CTR0,           \
	.box_ctl = unit##_MSR_PMON_BOX_CTL

const struct snbep_kind snbep_kinds[SNBEP_KINDS] = {
	{PCI_BOX, .name = "imc", .bit = SNBEP_IMC, .counters = 4, .width = 48, .fixed_width = 48,
	 .fixed_ctl = PCI_PMON_FIXED_CTL, .fixed_ctr = PCI_PMON_FIXED_CTR, .ctl_fields = CTL_RING,
	 .thresh = CTL_THRESH},
	{PCI_BOX, .name = "ha", .bit = SNBEP_HA, .counters = 4, .width = 48, .ctl_fields = CTL_RING,
	 .thresh = CTL_THRESH,
	 .filter = {{HA_ADDRMATCH0, HA_ADDRMATCH0_FIELDS},
		    {HA_ADDRMATCH1, HA_ADDRMATCH1_FIELDS},
		    {HA_OPCODEMATCH, HA_OPCODEMATCH_FIELDS}}},
	{PCI_BOX, .name = "qpi", .bit = SNBEP_QPI, .clock_event = 0x14, .counters = 4, .width = 48,
	 .ctl_fields = CTL_QPI, .thresh = CTL_THRESH,
	 .filter = {{QPI_PKT_MATCH0, QPI_PKT_0_FIELDS},
		    {QPI_PKT_MATCH1, QPI_PKT_1_FIELDS},
		    {QPI_PKT_MASK0, QPI_PKT_0_FIELDS},
		    {QPI_PKT_MASK1, QPI_PKT_1_FIELDS}}},
	{PCI_BOX, .name = "r2pcie", .bit = SNBEP_R2PCIE, .clock_event = 0x01, .counters = 4,
	 .width = 44, .ctl_fields = CTL_RING, .thresh = CTL_THRESH},
	{PCI_BOX, .name = "r3qpi", .bit = SNBEP_R3QPI, .clock_event = 0x01, .counters = 3,
	 .width = 44, .ctl_fields = CTL_RING, .thresh = CTL_THRESH},
	{MSR_BOX(CBO), .name = "cbo", .bit = SNBEP_CBO, .counters = 4, .width = 44,
	 .ctl_fields = CTL_CBO, .thresh = CTL_THRESH,
	 .filter = {{CBO_MSR_PMON_BOX_FILTER,
		     CBO_FILTER_TID | CBO_FILTER_NID | CBO_FILTER_STATE | CBO_FILTER_OPC}}},
	/* Its fixed counter has 44 or 48 bits, by different pages of the manual. */
	{.name = "ubox",
	 .bit = SNBEP_UBOX,
	 .counters = 2,
	 .width = 44,
	 .fixed_width = 44,
	 .ctl = U_MSR_PMON_CTL0,
	 .ctr = U_MSR_PMON_CTR0,
	 .fixed_ctl = U_MSR_PMON_UCLK_FIXED_CTL,
	 .fixed_ctr = U_MSR_PMON_UCLK_FIXED_CTR,
	 .ctl_fields = CTL_UBOX,
	 .thresh = CTL_THRESH_5},
	{MSR_BOX(PCU), .name = "pcu", .bit = SNBEP_PCU, .counters = 4, .width = 48,
	 .ctl_fields = CTL_PCU, .thresh = CTL_THRESH_5,
	 .filter = {{PCU_MSR_PMON_BOX_FILTER, PCU_BOX_FILTER_FIELDS}}},
};

static uint64_t flag(bool set, uint64_t field)
{
	return set ? field : 0;
}

/* PCU: cores in a state. */
#define OCCUPANCY 0x80u

uint32_t snbep_encode(const struct snbep_kind *kind, const struct snbep_config *cfg)
{
	bool occupancy = kind->bit == SNBEP_PCU && cfg->event & OCCUPANCY;
	unsigned threshold = cfg->below ? cfg->below : cfg->at_least;
	uint64_t ctl = CTL_EN;

	ctl |= field_put(CTL_EV_SEL, cfg->event & ~SNBEP_EXT);
	ctl |= flag(cfg->event & SNBEP_EXT, CTL_EV_SEL_EXT);
	ctl |= field_put(CTL_UMASK, cfg->unit_mask);
	ctl |= field_put(kind->thresh, threshold);
	ctl |= flag(cfg->below, occupancy ? CTL_OCC_INVERT : CTL_INVERT);
	ctl |= flag(cfg->edge, occupancy ? CTL_OCC_EDGE_DET : CTL_EDGE_DET);
	ctl |= flag(cfg->tid, CTL_TID_EN);
	if (ctl & ~(uint64_t)kind->ctl_fields)
		panic("%s has no such field: %llx", kind->name, (unsigned long long)ctl);
	return (uint32_t)ctl;
}

#define NODES     8u
#define NODE_BITS 3u

int snbep_socket(uint32_t cpunodeid, uint32_t gidnidmap)
{
	uint64_t node = field_get(CPUNODEID_NODE, cpunodeid);

	for (unsigned i = 0; i < NODES; i++)
		if (field_get(CPUNODEID_NODE, gidnidmap >> (NODE_BITS * i)) == node)
			return (int)i;
	return -1;
}
