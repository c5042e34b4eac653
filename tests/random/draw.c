/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers drawn by a seed: a counter, and a mixture of its bits. */
#include "random.h"

/* An odd number whose bits look like chance: 2^64 divided by the golden ratio. */
#define STEP UINT64_C(0x9e3779b97f4a7c15)

/* Each step can be undone, so that no two numbers become one. */
static uint64_t mixed(uint64_t n)
{
	n = (n ^ n >> 31) * UINT64_C(0x7fb5d329728ea185);
	n = (n ^ n >> 27) * UINT64_C(0x81dadef4bc2dd44d);
	return n ^ n >> 33;
}

struct draw draw_of(uint64_t seed, unsigned program)
{
	return (struct draw){mixed(seed) + mixed(~(uint64_t)program)};
}

unsigned draw_below(struct draw *draw, unsigned n)
{
	draw->state += STEP;
	return (unsigned)((mixed(draw->state) >> 32) * n >> 32);
}
