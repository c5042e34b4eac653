/* SPDX-License-Identifier: BSD-2-Clause */
/* How many programs are drawn, and by which seed. */
#include "programs.h"

static struct {
	unsigned drawn;
	uint64_t seed;
} programs;

unsigned programs_drawn(void)
{
	return programs.drawn;
}

uint64_t programs_seed(void)
{
	return programs.seed;
}

void programs_set(unsigned drawn, uint64_t seed)
{
	programs.drawn = drawn;
	programs.seed = seed;
}
