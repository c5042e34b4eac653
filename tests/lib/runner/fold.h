/* SPDX-License-Identifier: BSD-2-Clause */
/* Boxes that are reported in full, and boxes that are reported as like one of them. */
#pragma once

#include "pmu/pmu.h"
#include "tests/lib/battery.h"

/* Sets .like of each box that this battery tests and nobody has asked for by name, if it is equal
 * to one before it that is reported in full.  A box that does not respond, or that no clock drives,
 * is like no other. */
void fold(struct pmu_set *found, const struct battery *battery);

/* How many boxes are like this one; NULL: like any. */
unsigned fold_count(const struct pmu_set *found, const struct pmu *first);
