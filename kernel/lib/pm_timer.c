/* SPDX-License-Identifier: BSD-2-Clause */
#include "pm_timer.h"

#include "bits.h"

#define MEASURED (PM_TIMER_HZ / 100)
#define TRIES    16u
/* No time-stamp counter runs so far in that time. */
#define TICKS_MAX (UINT64_C(1) << 32)
/* If it stands still as well: no port is read in less than 10 ns. */
#define READINGS_MAX 1000000u

struct moment {
	uint64_t tsc;
	uint32_t timer;
};

uint32_t pm_timer_ticks(uint32_t from, uint32_t to)
{
	return (to - from) & (uint32_t)FIELD(23, 0);
}

/* Both at the same time, as nearly as possible: the try with the least time in between. */
static struct moment read_both(const struct pm_timer_probe *probe, uint16_t port)
{
	struct moment nearest = {0};
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t tsc = probe->rdtsc();
		uint32_t timer = probe->inl(port);
		uint64_t between = probe->rdtsc() - tsc;

		if (between < least) {
			least = between;
			nearest = (struct moment){tsc, timer};
		}
	}
	return nearest;
}

uint64_t pm_timer_tsc_per_ms(const struct pm_timer_probe *probe, uint16_t port)
{
	const struct moment began = read_both(probe, port);
	struct moment ended;
	uint32_t passed, readings = 0;

	while (pm_timer_ticks(began.timer, probe->inl(port)) < MEASURED)
		if (probe->rdtsc() - began.tsc >= TICKS_MAX || ++readings == READINGS_MAX)
			return 0;
	ended = read_both(probe, port);
	passed = pm_timer_ticks(began.timer, ended.timer);
	return passed ? (ended.tsc - began.tsc) * PM_TIMER_HZ / passed / 1000 : 0;
}
