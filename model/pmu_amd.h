/* SPDX-License-Identifier: BSD-2-Clause */
/* The AMD core counters at register level: K7 to Zen 3, without PerfMonV2. */
#ifndef PMU_AMD_H
#define PMU_AMD_H

#include <stdbool.h>
#include <stdint.h>

#include "bits.h"
#include "pipeline.h"
#include "profiles.h"
#include "silicon.h"

#define PMU_AMD_COUNTERS 6

#define COUNTER_BITS     48
#define COUNTER_MASK     (BIT(COUNTER_BITS) - 1)

/* PerfEvtSel / PERF_CTL. */
#define SELECT_EVENT_LOW  FIELD(7, 0)
#define SELECT_UNIT_MASK  FIELD(15, 8)
#define SELECT_USR        BIT(16)
#define SELECT_OS         BIT(17)
#define SELECT_EDGE       BIT(18)
#define SELECT_PC         BIT(19)
#define SELECT_INT        BIT(20)
#define SELECT_EN         BIT(22)
#define SELECT_INV        BIT(23)
#define SELECT_CNT_MASK   FIELD(31, 24)
#define SELECT_EVENT_HIGH FIELD(35, 32)
#define SELECT_GUEST      BIT(40)
#define SELECT_HOST       BIT(41)

/* A select register, taken apart: what the counter goes by, so what a fault may twist. */
struct setting {
	unsigned counter; /* whose */
	bool was_enabled; /* EN before the write that set this */
	unsigned event, unit_mask, threshold;
	bool user, os, edge, pin_control, interrupt, enable, invert, guest_only, host_only;
};

struct counter {
	uint64_t select, value;
	struct setting set;
	bool condition; /* the edge detector's memory: C of the clock before */
};

struct pmu_amd {
	const struct profile *profile;
	const struct fault *fault; /* never NULL: fault_none where healthy */
	struct counter counter[PMU_AMD_COUNTERS];
	bool svme; /* EFER.SVME; the modelled processor has no SVM, so always clear */
	uint64_t defect[PMU_AMD_COUNTERS]; /* memory of a seeded fault */
};

/* A PMU register by name: which counter's, which of its two. */
struct reg {
	unsigned counter;
	bool select, legacy;
};

void pmu_amd_reset(struct pmu_amd *p, const struct profile *profile, const struct fault *fault);
enum access pmu_amd_rdmsr(struct pmu_amd *p, uint32_t msr, uint64_t *value);
enum access pmu_amd_wrmsr(struct pmu_amd *p, uint32_t msr, uint64_t value);
enum access pmu_amd_rdpmc(struct pmu_amd *p, uint32_t index, unsigned cpl, bool cr4_pce,
			  uint64_t *value);
/* True while a counter may increment in some mode. */
bool pmu_amd_counting(const struct pmu_amd *p);
/* One clock passes; returns the number of interrupt requests that it makes. */
unsigned pmu_amd_clock(struct pmu_amd *p, const struct clock *clock);

#endif
