/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Covering arrays: few rows, each with a level for every axis, such that every two levels of
 * different axes meet in some row, if any row with them both is possible.  So they meet a fault
 * that shows only where two things come together, in far fewer rows than there are combinations.
 * Each level also has a row by itself on every base, a row of the caller's of which most is known:
 * there the effect of the level is seen best.
 *
 * Room: covering arrays
 * Uses: kernel/lib
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { COVER_AXES = 8, COVER_LEVELS = 64 /* of all axes together */, COVER_BASES = 4 };

struct cover {
	unsigned axes;
	uint8_t levels[COVER_AXES]; /* of each axis, at least 1 */
	bool (*is_possible)(const void *arg, const uint8_t level[COVER_AXES]);
	const void *arg;
	unsigned bases;
	uint8_t base[COVER_BASES][COVER_AXES];

	/* Its own; 0 at first.  Levels are counted through all axes: so many; the first one of each
	 * axis; the axis of each.  Bit m of missing[l]: the levels number l and m have still to
	 * meet. */
	uint8_t total, first[COVER_AXES], axis[COVER_LEVELS];
	uint64_t missing[COVER_LEVELS];
	unsigned alone; /* so many levels have been by themselves, on one base after the other */
	uint32_t random;
};

/* The next row, the same ones in every run; false: all have met. */
bool cover_next(struct cover *cover, uint8_t level[COVER_AXES]);
