/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts to be expected of an event when the payload runs that its row in a driver's table names.
 */
#pragma once

#include "pmu/pmu.h"

struct payload;
struct run;

/* The count of the event by counter ctr in one window; 0 where it cannot count it. */
typedef uint64_t event_count(struct run *t, unsigned ctr, const struct pmu_event *event);

/* The least that so many iterations make a counter count, if it is expected to count them at all.
 */
uint64_t event_least(const struct pmu_event *event, uint64_t iterations);

/* How many of what an iteration of the payload does may count twice, all of them or none. */
uint64_t event_twice(const struct pmu_event *event, const struct payload *payload);

/*
 * Is it?  An event that is not in every edition of the manual is, if any counter counts one of the
 * same edition; an uncertain one, if one counts it often.  all: the table that it is in.
 */
bool event_is_expected(struct run *t, const struct pmu_event *all, const struct pmu_event *event,
		       uint64_t iterations, event_count *counted);

/* Checks that the counter under test counts this row of pmu->events as it should; false: it is not
 * expected to count it at all. */
bool event_check(struct run *t, const struct pmu_event *event);
