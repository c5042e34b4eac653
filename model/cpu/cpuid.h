/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID of the modelled processors, for their profiles. */
#ifndef CPUID_H
#define CPUID_H

#include <stdint.h>

#include "model/pmu/pmu.h"

/* cpuid.c */
void cpuid_amd(const struct profile *profile, uint32_t leaf, uint32_t r[4]);
void cpuid_intel(const struct profile *profile, uint32_t leaf, uint32_t r[4]);
/* cpuid_intel.c: those that have no NetBurst counters. */
void cpuid_core(const struct profile *profile, uint32_t leaf, uint32_t r[4]);
/* Parts of both: leaf 0, and leaves from 8000_0000 on. */
void cpuid_intel_vendor(uint32_t basic_leaves, uint32_t r[4]);
void cpuid_intel_extended(const struct profile *profile, uint32_t leaf, uint32_t r[4]);

#endif
