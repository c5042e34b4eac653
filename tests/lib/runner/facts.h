/* SPDX-License-Identifier: BSD-2-Clause */
/* What scripts are told of the processor and its PMUs. */
#pragma once

#include "pmu/pmu.h"
#include "tests/lib/battery.h"

/* On the processor that is tested: its facts, and those of the PMUs that this battery tests. */
void report_battery_facts(const struct pmu_set *found, const struct battery *battery);
