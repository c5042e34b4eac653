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

/* The number of an axis' first level. */
static unsigned base(const struct cover *cover, unsigned axis)
{
	unsigned sum = 0;

	while (axis-- > 0)
		sum += cover->levels[axis];
	return sum;
}

static unsigned total(const struct cover *cover)
{
	return base(cover, cover->axes);
}

static unsigned axis_of(const struct cover *cover, unsigned number)
{
	unsigned axis = 0;

	while (number >= base(cover, axis + 1))
		axis++;
	return axis;
}

/* Its levels, as bits. */
static uint64_t set_of(const struct cover *cover, const uint8_t *level)
{
	uint64_t set = 0;

	for (unsigned axis = 0; axis < cover->axes; axis++)
		set |= BIT(base(cover, axis) + level[axis]);
	return set;
}

/* Those of the level's own axis, which it never meets. */
static uint64_t own_axis(const struct cover *cover, unsigned number)
{
	unsigned axis = axis_of(cover, number), first = base(cover, axis);

	return FIELD(first + cover->levels[axis] - 1u, first);
}

static uint64_t missing(const struct cover *cover, unsigned number)
{
	return FIELD(total(cover) - 1, 0) & ~cover->met[number] & ~own_axis(cover, number);
}

/* How many pairs of the set are missing. */
static unsigned gain(const struct cover *cover, uint64_t set)
{
	unsigned pairs = 0;

	for (uint64_t left = set; left; left &= left - 1) {
		uint64_t with = set & missing(cover, (unsigned)__builtin_ctzll(left));

		for (; with; with &= with - 1)
			pairs++;
	}
	return pairs;
}

static void meet(struct cover *cover, uint64_t set)
{
	for (uint64_t left = set; left; left &= left - 1)
		cover->met[__builtin_ctzll(left)] |= set;
}

static void draw(struct cover *cover, unsigned a, unsigned b, uint8_t *level)
{
	const unsigned axis_a = axis_of(cover, a), axis_b = axis_of(cover, b);

	for (unsigned axis = 0; axis < cover->axes; axis++)
		level[axis] = (uint8_t)random_below(cover, cover->levels[axis]);
	level[axis_a] = (uint8_t)(a - base(cover, axis_a));
	level[axis_b] = (uint8_t)(b - base(cover, axis_b));
}

/* The best of some rows with both; false: they cannot meet. */
static bool find_row(struct cover *cover, unsigned a, unsigned b, uint8_t *best)
{
	unsigned most = 0;

	for (unsigned i = 0; i < TRIES; i++) {
		uint8_t level[COVER_AXES] = {0};
		unsigned here;

		draw(cover, a, b, level);
		here = gain(cover, set_of(cover, level));
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
	while (cover->alone < cover->bases * total(cover)) {
		unsigned number = cover->alone % total(cover), axis = axis_of(cover, number);
		const uint8_t *plain = cover->base[cover->alone++ / total(cover)];
		uint8_t own = (uint8_t)(number - base(cover, axis));

		memcpy(level, plain, COVER_AXES);
		level[axis] = own;
		/* The base itself is met once, on its first axis. */
		if ((own != plain[axis] || axis == 0) && cover->is_possible(cover->arg, level))
			return true;
	}
	return false;
}

bool cover_next(struct cover *cover, uint8_t level[COVER_AXES])
{
	if (find_plain(cover, level)) {
		meet(cover, set_of(cover, level));
		return true;
	}
	for (unsigned a = 0; a < total(cover); a++)
		while (missing(cover, a)) {
			unsigned b = (unsigned)__builtin_ctzll(missing(cover, a));

			if (find_row(cover, a, b, level)) {
				meet(cover, set_of(cover, level));
				return true;
			}
			meet(cover, BIT(a) | BIT(b));
		}
	return false;
}
