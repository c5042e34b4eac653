/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the modelled processors, as data.
 * Uses: model/cpu, model/faults, model/pmu, model/pmu/amd, model/pmu/intel, model/pmu/netburst,
 * model/signals, kernel/lib
 */
#ifndef PROFILES_H
#define PROFILES_H

#include "model/pmu/pmu.h"

extern const struct profile profiles[];
extern const unsigned profiles_count;
const struct profile *profile_find(const char *name); /* NULL: unknown */

#endif
