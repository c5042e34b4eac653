/* SPDX-License-Identifier: BSD-2-Clause */
/* How much is done: windows that look for rare defects, and programs that are drawn. */
#include "extent.h"

static struct {
	unsigned events;
	unsigned programs;
	uint64_t seed;
} extent;

unsigned rare_events(void)
{
	return extent.events;
}

void rare_set(unsigned events)
{
	extent.events = events;
}

unsigned programs_drawn(void)
{
	return extent.programs;
}

uint64_t programs_seed(void)
{
	return extent.seed;
}

void programs_set(unsigned drawn, uint64_t seed)
{
	extent.programs = drawn;
	extent.seed = seed;
}
