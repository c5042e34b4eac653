/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of memory traffic share: one event on all boxes of a kind, added up. */
#ifndef SNBEP_TRAFFIC_H
#define SNBEP_TRAFFIC_H

#include "snbep.h"

/*
 * How far a count of MEMORY_LINES lines may be from that number: 2 %, the specification's figure
 * for what the tests cannot keep out: page walks, patrol scrub (some 12 reads per millisecond and
 * socket), other agents.  It gives it for a million lines; 4096 do as well, because a window takes
 * a millisecond or two, so that 2 % of it, 81 lines, is more than scrub and refresh of one's own
 * pages can add, and since the middle one of three windows is taken, one SMI spoils nothing.
 */
#define TRAFFIC_SLACK (MEMORY_LINES / 50)

/* Does count lie within n lines and the slack on both sides? */
bool is_about(uint64_t count, uint64_t n);

/* Prints what was counted where a check of it failed: "what: counted, of expected lines". */
void tell(const char *what, uint64_t count, uint64_t n);

struct traffic {
	uint32_t kind; /* of the boxes, SNBEP_...  */
	unsigned n; /* counters of each, from counter 0 */
	struct snbep_config cfg[SNBEP_COUNTERS_MAX];
	uint32_t filter[SNBEP_FILTERS_MAX]; /* registers of each box */
	uint64_t place; /* as memory_use() */
	box_load *prepare, *load; /* before, and in the window */
};

/* One window: slot n is the sum of counter n over all boxes. */
struct window traffic_run(struct run *t, const struct traffic *traffic);
/* The boxes, whose counters may be read after it, from *i = 0 until NULL. */
const struct pmu *traffic_box(const struct traffic *traffic, unsigned *i);

/* The same, of several windows, so that one that was disturbed does no harm; and slot 0. */
struct window traffic_sums(struct run *t, const struct traffic *traffic);
uint64_t traffic_sum(struct run *t, const struct traffic *traffic);

/* Slot 0 of one window only, for sums that nothing can disturb. */
uint64_t traffic_once(struct run *t, const struct traffic *traffic);

#endif
