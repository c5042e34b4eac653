/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts of the processor and its PMUs, for scripts. */
#pragma once

#include "pmu/pmu.h"
#include "tests/lib/battery.h"

/* On the processor that is tested: its facts, and those of the PMUs that this battery tests. */
void report_battery_facts(const struct pmu_set *found, const struct battery *battery);

/* registers.c: what the MSRs of a PMU held before it was saved, and of those of its counters and
 * its gate the bits that keep a 1 and the bits that fault.  Leaves it as saved.  Nothing of a box.
 */
void report_register_facts(const struct pmu *pmu);
