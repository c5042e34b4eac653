/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Meters of energy (RAPL): joules that the package, its cores, its memory have taken.  Intel SDM
 * vol. 3B, 15.10; AMD PPR for family 17h model 31h, 2.1.14.3 and MSRC001_0299.  None of their
 * registers is ever written.
 *
 * Room: what energy a processor says that it takes
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

/* Meters of one processor at most. */
#define ENERGY_METERS_MAX 5u
