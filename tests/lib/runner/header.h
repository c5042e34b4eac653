/* SPDX-License-Identifier: BSD-2-Clause */
/* What a reader of the report is told of the PMUs. */
#pragma once

#include "pmu/pmu.h"

/* What it is, and what about it may spoil a verdict: of a box that is like another one this alone.
 */
void report_pmu(const struct pmu_set *found, const struct pmu *pmu);

/* If no box of this driver is found: that none were looked for, and so none touched, on this
 * processor, or that none showed. */
void report_driver_absent(const struct pmu_set *found, const struct pmu_ops *ops);
