/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the seeded faults: those by hand, and those that are generated for every register.
 * Uses: model/pmu, model/faults/common, kernel/lib
 */
#pragma once

#include "generated.h"
#include "model/pmu/pmu.h"

/* Enumerates the catalogue, and the lawful variations; NULL past the end. */
const struct fault *fault_at(unsigned index);
const struct fault *fault_find(const char *name); /* NULL: unknown */
const struct fault *lawful_at(unsigned index);
const struct fault *lawful_find(const char *name); /* NULL: unknown */
bool fault_applies(const struct fault *fault, const struct profile *profile);
/* The n-th of the lawful variations that apply to the processor; NULL past the end. */
const struct fault *lawful_number(const struct profile *profile, unsigned n);
/* As bits, by these numbers: all that apply, those of them that can be at once, and of these those
 * that a seed draws. */
uint64_t lawful_of(const struct profile *profile);
uint64_t lawful_together(const struct profile *profile);
uint64_t lawful_of_seed(const struct profile *profile, uint32_t seed);
