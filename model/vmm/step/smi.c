/* SPDX-License-Identifier: BSD-2-Clause */
/* System management interrupts: only lost time and a count of them show that they came. */
#include "stepping.h"

/* Instructions counted, on average: half a millisecond of an old processor, more than firmware that
 * emulates devices asks for. */
enum { EVERY = 500000 };

static uint64_t stall; /* 0: none come */
static unsigned until;
static uint32_t random_state;

static unsigned draw(unsigned limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % limit;
}

void smi_stage(uint64_t stall_, uint32_t seed)
{
	stall = stall_;
	random_state = seed;
	until = 1 + draw(2 * EVERY);
}

bool smi_is_staged(void)
{
	return stall;
}

COLD static void interrupt(void)
{
	uint64_t began = read_tsc();

	until = 1 + draw(2 * EVERY);
	while (read_tsc() - began < stall)
		;
	silicon_smi(&silicon_cpu);
}

HOT void smi_counted(void)
{
	if (stall && !--until)
		interrupt();
}
