/* SPDX-License-Identifier: BSD-2-Clause */
/* Covering arrays, greedily: of some random rows with a pair that is missing, the one with the most
 * that are.  No access to hardware. */
#include "cover.h"

#include "kernel/lib/bits.h"
#include "kernel/lib/string.h"

/* So many rows are tried for a pair.  One that none of them makes possible is given up: with the
 * constraints that there are, one row in ten or more is possible. */
enum { TRIES = 100 };

static unsigned random_below(struct cover *cover, unsigned limit)
{
	cover->random = cover->random * 1664525u + 1013904223u;
	return (cover->random >> 16) % limit;
}

/* Numbers the levels, and has each miss those of all other axes. */
static void begin(struct cover *cover)
{
	for (unsigned axis = 0; axis < cover->axes; axis++) {
		cover->first[axis] = cover->total;
		for (unsigned level = 0; level < cover->levels[axis]; level++)
			cover->axis[cover->total++] = (uint8_t)axis;
	}
	for (unsigned number = 0; number < cover->total; number++) {
		unsigned axis = cover->axis[number], first = cover->first[axis];

		cover->missing[number] = FIELD(cover->total - 1u, 0) &
					 ~FIELD(first + cover->levels[axis] - 1u, first);
	}
}

/* Its levels, as bits. */
static uint64_t set_of(const struct cover *cover, const uint8_t *level)
{
	uint64_t set = 0;

	for (unsigned axis = 0; axis < cover->axes; axis++)
		set |= BIT(cover->first[axis] + level[axis]);
	return set;
}

/* How many pairs of the row are missing. */
static unsigned gain(const struct cover *cover, const uint8_t *level)
{
	const uint64_t set = set_of(cover, level);
	unsigned pairs = 0;

	for (unsigned axis = 0; axis < cover->axes; axis++) {
		uint64_t with = set & cover->missing[cover->first[axis] + level[axis]];

		for (; with; with &= with - 1)
			pairs++;
	}
	return pairs;
}

static void meet(struct cover *cover, uint64_t set)
{
	for (uint64_t left = set; left; left &= left - 1)
		cover->missing[lowest_bit(left)] &= ~set;
}

static void draw(struct cover *cover, unsigned a, unsigned b, uint8_t *level)
{
	for (unsigned axis = 0; axis < cover->axes; axis++)
		level[axis] = (uint8_t)random_below(cover, cover->levels[axis]);
	level[cover->axis[a]] = (uint8_t)(a - cover->first[cover->axis[a]]);
	level[cover->axis[b]] = (uint8_t)(b - cover->first[cover->axis[b]]);
}

/* The best of some rows with both; false: they cannot meet. */
static bool find_row(struct cover *cover, unsigned a, unsigned b, uint8_t *best)
{
	unsigned most = 0;

	for (unsigned i = 0; i < TRIES; i++) {
		uint8_t level[COVER_AXES] = {0};
		unsigned here;

		draw(cover, a, b, level);
		here = gain(cover, level);
		if (here <= most || !cover->is_possible(cover->arg, level))
			continue;
		most = here;
		memcpy(best, level, sizeof(level));
	}
	return most;
}

/* The next level by itself on its base, that being possible; false: there is none. */
static bool find_plain(struct cover *cover, uint8_t *level)
{
	while (cover->alone < cover->bases * cover->total) {
		unsigned number = cover->alone % cover->total, axis = cover->axis[number];
		const uint8_t *plain = cover->base[cover->alone++ / cover->total];
		uint8_t own = (uint8_t)(number - cover->first[axis]);

		memcpy(level, plain, COVER_AXES);
		level[axis] = own;
		/* The base itself is met once, on its first axis. */
		if ((own != plain[axis] || axis == 0) && cover->is_possible(cover->arg, level))
			return true;
	}
	return false;
}

/* One with a pair that is missing. */
static bool find_missing(struct cover *cover, uint8_t *level)
{
	for (unsigned a = 0; a < cover->total; a++)
		while (cover->missing[a]) {
			unsigned b = lowest_bit(cover->missing[a]);

			if (find_row(cover, a, b, level))
				return true;
			meet(cover, BIT(a) | BIT(b));
		}
	return false;
}

bool cover_next(struct cover *cover, uint8_t level[COVER_AXES])
{
	if (!cover->total)
		begin(cover);
	if (!find_plain(cover, level) && !find_missing(cover, level))
		return false;
	meet(cover, set_of(cover, level));
	return true;
}
