/* SPDX-License-Identifier: BSD-2-Clause */
/* The bench of the unit tests of the Intel core PMU: one PMU, and clocks to feed it. */
#pragma once

#include "check/unit/tap.h"
#include "model/faults/faults.h"
#include "model/pmu/intel/intel.h"
#include "model/profiles/profiles.h"

#define MSR_PMC         UINT32_C(0x0c1)
#define MSR_A_PMC       UINT32_C(0x4c1)
#define MSR_EVTSEL      UINT32_C(0x186)
#define MSR_FIXED       UINT32_C(0x309)
#define MSR_FIXED_CTRL  UINT32_C(0x38d)
#define MSR_STATUS      UINT32_C(0x38e)
#define MSR_GLOBAL_CTRL UINT32_C(0x38f)
#define MSR_RESET       UINT32_C(0x390)
#define MSR_SET         UINT32_C(0x391)
#define MSR_INUSE       UINT32_C(0x392)
#define MSR_DEBUGCTL    UINT32_C(0x1d9)

static struct pmu_intel pmu;

static inline void begin(const char *model, const char *fault)
{
	pmu_intel_ops.reset(&pmu, profile_find(model)->pmus[0].traits,
			    fault ? fault_find(fault) : NULL);
}

static inline bool wr(uint32_t msr, uint64_t value)
{
	return pmu_intel_ops.wrmsr(&pmu, msr, value) == ACCESS_DONE;
}

/* All ones where the read faults. */
static inline uint64_t rd(uint32_t msr)
{
	uint64_t value;

	return pmu_intel_ops.rdmsr(&pmu, msr, &value) == ACCESS_DONE ? value : ~UINT64_C(0);
}

/* A clock at cpl in which n instructions retire; returns the interrupt requests. */
static inline unsigned tick(unsigned cpl, uint8_t n)
{
	struct clock clock = {.cpl = cpl};

	clock.n[SIGNAL_CYCLES] = 1;
	clock.n[SIGNAL_INSTRUCTIONS] = n;
	return pmu_intel_ops.core->clock(&pmu, &clock);
}

static inline unsigned ticks(unsigned count, uint8_t n)
{
	unsigned requests = 0;

	while (count--)
		requests += tick(0, n);
	return requests;
}
