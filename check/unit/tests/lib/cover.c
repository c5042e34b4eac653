/* SPDX-License-Identifier: BSD-2-Clause */
/* Covering arrays: does every pair of levels that is possible meet, and none that is not? */
#include "tests/lib/cover/cover.h"

#include "check/unit/tap.h"

#include <string.h>

enum { MOST = 8 /* levels of an axis */ };

/* met[axis][level][other axis][level] */
typedef bool pairs[COVER_AXES][MOST][COVER_AXES][MOST];

static bool any(const void *arg, const uint8_t level[COVER_AXES])
{
	(void)arg;
	(void)level;
	return true;
}

/* The first axis rules out levels of the second and of the third; the second some of the fourth. */
static bool some(const void *arg, const uint8_t level[COVER_AXES])
{
	(void)arg;
	return level[0] + level[1] != 4 && (level[0] || level[2] < 2) &&
	       !(level[1] == 0 && level[3] == 1);
}

static void note(const struct cover *cover, const uint8_t *level, pairs met)
{
	for (unsigned a = 0; a < cover->axes; a++)
		for (unsigned b = 0; b < cover->axes; b++)
			met[a][level[a]][b][level[b]] = true;
}

/* All rows that there are, like an odometer. */
static bool step(const struct cover *cover, uint8_t *level)
{
	for (unsigned axis = 0; axis < cover->axes; axis++) {
		if (++level[axis] < cover->levels[axis])
			return true;
		level[axis] = 0;
	}
	return false;
}

static void note_possible(const struct cover *cover, pairs met)
{
	uint8_t level[COVER_AXES] = {0};

	do
		if (cover->is_possible(NULL, level))
			note(cover, level, met);
	while (step(cover, level));
}

/* How many axes are not at the level of this base. */
static unsigned off(const struct cover *cover, unsigned base, const uint8_t *level)
{
	unsigned axes = 0;

	for (unsigned axis = 0; axis < cover->axes; axis++)
		axes += level[axis] != cover->base[base][axis];
	return axes;
}

static bool is_plain(const struct cover *cover, const uint8_t *level)
{
	for (unsigned base = 0; base < cover->bases; base++)
		if (off(cover, base, level) <= 1)
			return true;
	return false;
}

/* Rows that differ from a base on one axis, or on none. */
static unsigned count_plain(const struct cover *cover)
{
	uint8_t level[COVER_AXES] = {0};
	unsigned rows = 0;

	do
		rows += is_plain(cover, level) && cover->is_possible(NULL, level);
	while (step(cover, level));
	return rows;
}

/* Returns the number of rows. */
static unsigned check_array(struct cover cover)
{
	static pairs wanted, met;
	const struct cover begun = cover;
	unsigned plain = 0;
	uint8_t level[COVER_AXES] = {0};
	unsigned rows = 0, impossible = 0;

	memset(wanted, 0, sizeof(wanted));
	memset(met, 0, sizeof(met));
	note_possible(&cover, wanted);
	for (; cover_next(&cover, level); rows++) {
		impossible += !cover.is_possible(NULL, level);
		note(&cover, level, met);
		plain += is_plain(&cover, level);
	}
	OK(plain == count_plain(&begun));
	OK(!impossible);
	OK(!memcmp(wanted, met, sizeof(met)));
	return rows;
}

int main(void)
{
	struct cover modes = {.axes = 8,
			      .levels = {6, 7, 2, 3, 3, 4, 4, 5},
			      .is_possible = any,
			      .bases = 2,
			      .base = {{0}, {3, 2, 1, 1, 2, 3, 1, 4}}};
	struct cover bound = {
		.axes = 5, .levels = {6, 6, 3, 3, 2}, .is_possible = some, .bases = 1};
	struct cover pair = {.axes = 2, .levels = {4, 3}, .is_possible = any};
	struct cover one = {.axes = 3, .levels = {1, 1, 1}, .is_possible = any};
	unsigned rows = check_array(modes);

	/* 42 at least: the two longest axes meet; 27 on each base; all rows are 60,480. */
	OK(rows >= 54 && rows <= 92);
	OK(check_array(bound) < 48);
	OK(check_array(pair) == 12);
	OK(check_array(one) == 1);
	/* The same in every run. */
	OK(check_array(modes) == rows);
	return tap_end();
}
