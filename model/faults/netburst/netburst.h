/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults of NetBurst's counters.
 * Uses: model/faults/common, model/pmu/netburst
 */
#ifndef FAULTS_NETBURST_H
#define FAULTS_NETBURST_H

#include "model/faults/common/common.h"
#include "model/pmu/netburst/netburst.h"

/* test_: within the PMU "netburst".  Of all models, or of some. */
#define NETBURST_FAULT_ON(models_, name_, test_, says_, ...)                                       \
	FAULT(name_, "p4_" #name_, models_, "netburst." test_, says_,                              \
	      .core = &(const struct defect){__VA_ARGS__})
#define NETBURST_FAULT(name_, test_, says_, ...)                                                   \
	NETBURST_FAULT_ON(MODEL_NETBURST, name_, test_, says_, __VA_ARGS__)
#define NETBURST_FAULT_DO_ON(models_, name_, test_, says_, hook_, statement_, ...)                 \
	HOOK(name_, statement_)                                                                    \
	NETBURST_FAULT_ON(models_, name_, test_, says_, .hook_ = do_##name_, __VA_ARGS__)
#define NETBURST_FAULT_DO(name_, test_, says_, hook_, statement_, ...)                             \
	NETBURST_FAULT_DO_ON(MODEL_NETBURST, name_, test_, says_, hook_, statement_, __VA_ARGS__)

/* ESCRs by number. */
enum {
	FIRM_ESCR0 = 0x04,
	CRU_ESCR0 = 0x18,
	CRU_ESCR1 = 0x19,
	RAT_ESCR0 = 0x1c,
	CRU_ESCR2 = 0x2c,
	CRU_ESCR4 = 0x40,
};
enum { FSB_ESCR0 = 0x02 };

/* Of an ESCR and its pair, */
#define ON_PAIR(escr) .registers = BIT(NETBURST_ESCR), .counters = BIT(escr) | BIT((escr) + 1)
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

#endif
