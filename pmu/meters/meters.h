/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Meters: energy (RAPL), by Intel SDM vol. 3B, 15.10, and AMD PPR for family 17h model 31h,
 * MSRC001_0299; clocks (MPERF, APERF), by Intel SDM vol. 3B, 15.2, and AMD PPR, MSR0000_00E7.  None
 * of their registers is ever written.
 *
 * Room: what counts by itself
 * Uses: pmu
 */
#pragma once

#include "pmu/pmu.h"

#define MSR_RAPL_POWER_UNIT      0x606u
#define MSR_PKG_ENERGY_STATUS    0x611u
#define MSR_DRAM_ENERGY_STATUS   0x619u
#define MSR_PP0_ENERGY_STATUS    0x639u
#define MSR_PP1_ENERGY_STATUS    0x641u
#define MSR_PLATFORM_ENERGY      0x64du
#define MSR_AMD_RAPL_POWER_UNIT  0xc0010299u
#define MSR_CORE_ENERGY_STAT     0xc001029au
#define MSR_PKG_ENERGY_STAT      0xc001029bu
#define RAPL_ENERGY_STATUS_UNITS FIELD(12, 8) /* of either unit register: 2 to this power */

#define CPUID_AMD_POWER          0x80000007u
#define CPUID_80000007_EDX_RAPL  BIT(14)

#define MSR_MPERF                0xe7u
#define MSR_APERF                0xe8u
#define MSR_PPERF                0x64eu
#define MSR_MPERF_READ_ONLY      0xc00000e7u
#define MSR_APERF_READ_ONLY      0xc00000e8u

#define CPUID_POWER              6u
#define CPUID_6_EAX_HWP          BIT(7)
#define CPUID_6_ECX_EFFECTIVE    BIT(0)
#define CPUID_80000007_EDX_RO    BIT(10)

/* Of one driver at most. */
#define METERS_MAX 5u

struct meters {
	struct pmu_bank bank;
	uint64_t saved[PMU_SAVED(0, 0)];
	struct pmu_meters meters;
	struct pmu_meter meter[METERS_MAX];
};

/* One more of pmu, whose state is a struct meters; the first one makes the facet. */
void meters_add(struct pmu *pmu, const struct pmu_meter *meter);
