/* SPDX-License-Identifier: BSD-2-Clause */
/* Processors of one kind count the same. */
#pragma once

#include "tests/lib/test.h"

/* On the first processor of a kind: remembers what each counter of the PMU counts of each event
 * that is exact.  On another one: compares, as a test that attempt() reports.  Every PMU is in the
 * known state. */
void alike(const struct pmu *pmu, const struct battery *battery,
	   void (*settle)(const struct pmu *pmu));
