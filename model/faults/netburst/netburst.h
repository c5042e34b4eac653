/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of NetBurst's counters.
 * Uses: model/faults/common, model/pmu/netburst
 */
#pragma once

#include "model/faults/common/common.h"
#include "model/pmu/netburst/netburst.h"

#define FAULT_ON P4_FAULT
#define MODELS   MODEL_NETBURST

/* ESCRs by number. */
enum {
	FSB_ESCR0 = 0x02,
	FIRM_ESCR0 = 0x04,
	CRU_ESCR0 = 0x18,
	CRU_ESCR1 = 0x19,
	RAT_ESCR0 = 0x1c,
	CRU_ESCR2 = 0x2c,
	CRU_ESCR4 = 0x40,
};

/* The counters of an ESCR and its pair, */
#define ON_PAIR(escr) .counters = BIT(escr) | BIT((escr) + 1)
/* where a twist is only of this event. */
#define EVENT(event)                                                                               \
	.when = UINT64_C(event) << 25, .unless = ESCR_EVENT_SELECT & ~(UINT64_C(event) << 25)

static inline struct pmu_netburst *netburst(const struct point *at)
{
	return at->pmu;
}

static inline uint32_t bit_of(const struct point *at)
{
	return UINT32_C(1) << at->ctr;
}
