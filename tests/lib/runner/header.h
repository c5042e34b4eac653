/* SPDX-License-Identifier: BSD-2-Clause */
/* Header lines of the report that describe the PMUs. */
#pragma once

#include "pmu/pmu.h"

/* Describes a PMU, and says what about it may spoil a verdict; of a box that is like another one,
 * the latter alone. */
void report_pmu(const struct pmu_set *found, const struct pmu *pmu);

/* If no box of this driver is found: that none were looked for, and so none touched, on this
 * processor, or that none showed. */
void report_driver_absent(const struct pmu_set *found, const struct pmu_ops *ops);
