/* SPDX-License-Identifier: BSD-2-Clause */
/* CPUID of the modelled processors. */
#pragma once

#include "model/pmu/pmu.h"

/* As silicon_cpuid(), but for the leaves of a hypervisor. */
void cpuid_answer(const struct profile *profile, uint32_t leaf, uint32_t r[4]);

/* Hyper-Threading: has the core a second logical processor? */
bool cpuid_has_two_threads(const struct profile *profile);
