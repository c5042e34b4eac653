/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the modelled processors, as data.
 * Uses: kernel/lib, model/pmu, model/pmu/amd, model/pmu/intel, model/pmu/netburst
 * Uses: model/uncore/snbep
 */
#pragma once

#include "model/pmu/pmu.h"

/* Enumerates the modelled processors; NULL past the end. */
const struct profile *profile_at(unsigned index);
const struct profile *profile_find(const char *name); /* NULL: unknown */

/* The families, each in its file and ended by an entry without name. */
extern const struct profile profiles_amd[], profiles_netburst[], profiles_intel[];
