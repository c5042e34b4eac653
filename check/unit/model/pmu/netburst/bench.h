/* SPDX-License-Identifier: BSD-2-Clause */
/* A NetBurst PMU on the bench: registers by address, clocks by hand. */
#pragma once

#include <string.h>

#include "kernel/lib/bits.h"
#include "model/faults/faults.h"
#include "model/pmu/netburst/netburst.h"
#include "model/profiles/profiles.h"

/* Addresses. */
#define COUNTER(n) (MSR_NETBURST_COUNTER + (n))
#define CCCR(n)    (MSR_NETBURST_CCCR + (n))
#define FSB_ESCR0  0x3a2u
#define FSB_ESCR1  0x3a3u
#define FIRM_ESCR0 0x3a4u
#define FIRM_ESCR1 0x3a5u
#define CRU_ESCR0  0x3b8u
#define CRU_ESCR1  0x3b9u
#define RAT_ESCR0  0x3bcu
#define MS_ESCR0   0x3c0u
#define TBPU_ESCR0 0x3c2u
#define CRU_ESCR2  0x3ccu
#define CRU_ESCR3  0x3cdu

/* CCCR values without filter; the same for all counters that reach the ESCR. */
#define COUNT_FSB  0x0003d000u
#define COUNT_CRU  0x00039000u /* CRU_ESCR0, CRU_ESCR1 */
#define COUNT_CRU2 0x0003b000u /* CRU_ESCR2, CRU_ESCR3 */

/* ESCR values, T0 with OS and USR. */
#define RUNNING      0x2600020cu /* global_power_events: 1 in each clock */
#define UOPS_RETIRED 0x0200020cu

#define NEGATIVE(n)  (NETBURST_MASK + 1 - (n))
#define THRESHOLD(n) (CCCR_COMPARE | (uint64_t)(n) << 20)

static struct pmu_netburst pmu;

static inline void begin_with(const char *model, const char *fault)
{
	pmu_netburst_ops.reset(&pmu, profile_find(model)->pmus[0].traits,
			       fault ? fault_find(fault) : NULL);
}

static inline void begin(const char *model)
{
	begin_with(model, NULL);
}

static inline enum access wr(uint32_t msr, uint64_t value)
{
	return pmu_netburst_ops.wrmsr(&pmu, msr, value);
}

static inline uint64_t rd(uint32_t msr)
{
	uint64_t value = ~UINT64_C(0);

	pmu_netburst_ops.rdmsr(&pmu, msr, &value);
	return value;
}

/* Writes value, and reads the register back. */
static inline uint64_t stored(uint32_t msr, uint64_t value)
{
	wr(msr, value);
	return rd(msr);
}

static inline bool has_ovf(unsigned ctr)
{
	return rd(CCCR(ctr)) & CCCR_OVF;
}

static inline bool requests(void)
{
	return pmu_netburst_ops.core->held_by(&pmu, 0);
}

/* One clock at that privilege level, in which so many micro-ops retire; returns the pulses. */
static inline unsigned uops_at(unsigned cpl, unsigned n)
{
	struct clock clock = {.cpl = cpl};

	clock.n[SIGNAL_CYCLES] = 1;
	clock.n[SIGNAL_UOPS] = (uint8_t)n;
	return pmu_netburst_ops.core->clock(&pmu, &clock);
}

static inline unsigned uops(unsigned n)
{
	return uops_at(0, n);
}

static inline unsigned clocks(unsigned n)
{
	unsigned pulses = 0;

	while (n--)
		pulses += uops(1);
	return pulses;
}
