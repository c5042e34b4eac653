/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID of the modelled processors, for their profiles: by the kind of the core's PMU. */
#ifndef CPUID_H
#define CPUID_H

#include <stdint.h>

#include "model/pmu/pmu.h"

void cpuid_amd(const struct profile *profile, uint32_t leaf, uint32_t r[4]);
void cpuid_netburst(const struct profile *profile, uint32_t leaf, uint32_t r[4]);
void cpuid_intel(const struct profile *profile, uint32_t leaf, uint32_t r[4]);

/* Hyper-Threading: has the core a second logical processor? */
bool cpuid_has_two_threads(const struct profile *profile);

#endif
