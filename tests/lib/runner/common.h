/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes that several processors have in common. */
#pragma once

#include "pmu/pmu.h"
#include "tests/lib/battery.h"

/* On another processor: 1, if it has boxes in common with the firmware's and the filter selects
 * their comparison, which is one result; else 0. */
unsigned common_count(const struct pmu_set *found, const struct battery *battery);

/* On the firmware's processor: saves the boxes, stops them, and writes into each counter what no
 * other one has; and gives them back. */
void common_mark(struct pmu_set *found);
void common_unmark(const struct pmu_set *found);

/* On another one, between them: a result for each box that it has in common, whose counters hold
 * what was written.  Writes nothing. */
void common_compare(const struct pmu_set *found, const struct battery *battery);
