/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults: those by hand, and those that are generated for every register.
 * Uses: model/pmu, model/faults/common, kernel/lib
 */
#pragma once

#include "generated.h"
#include "model/pmu/pmu.h"

/* Enumerates the catalogue; NULL past the end. */
const struct fault *fault_at(unsigned index);
const struct fault *fault_find(const char *name); /* NULL: unknown */
bool fault_applies(const struct fault *fault, const struct profile *profile);
