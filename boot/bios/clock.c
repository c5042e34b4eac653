/* SPDX-License-Identifier: BSD-2-Clause */
/* The rate of the time-stamp counter, by a timer that proves to run. */
#include "bios.h"

#define MEASURED_MS 10u
#define ROUNDS      3u
/* No time-stamp counter runs so far in that time. */
#define TICKS_MAX (UINT64_C(1) << 32)

/* ---- channel 2 of the timer: Intel 8254 data sheet ---- */

#define TIMER_2        0x42u
#define TIMER_CONTROL  0x43u
#define TIMER_2_COUNT  0xb0u /* both bytes, mode 0: the output rises when all is counted */
#define TIMER_HZ       1193182u
#define PORT_B         0x61u
#define PORT_B_GATE    0x01u
#define PORT_B_SPEAKER 0x02u
#define PORT_B_OUTPUT  0x20u

static bool output_is_high(void)
{
	return (inb(PORT_B) & PORT_B_OUTPUT) != 0;
}

/* Ticks per millisecond; 0: the timer cannot be believed.  The output is low at first: where
 * nothing answers at the port, or where it is stuck, it reads as high; so it does if this code was
 * held up for all the time. */
static uint64_t measure_once(void)
{
	const uint32_t count = TIMER_HZ * MEASURED_MS / 1000;
	uint64_t start, ticks = 0;

	outb(TIMER_CONTROL, TIMER_2_COUNT);
	outb(TIMER_2, (uint8_t)count);
	outb(TIMER_2, (uint8_t)(count >> 8));
	start = rdtsc();
	if (output_is_high())
		return 0;
	while (!output_is_high() && ticks < TICKS_MAX)
		ticks = rdtsc() - start;
	return ticks < TICKS_MAX ? (rdtsc() - start) / MEASURED_MS : 0;
}

/* The shortest of some rounds: whatever disturbs a round can only lengthen it. */
static uint64_t measure(void)
{
	uint64_t shortest = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t ticks = measure_once();

		if (ticks && (!shortest || ticks < shortest))
			shortest = ticks;
	}
	return shortest;
}

static uint64_t by_timer_2(void)
{
	uint8_t port = inb(PORT_B);
	uint64_t rate;

	outb(PORT_B, (uint8_t)((port & ~PORT_B_SPEAKER) | PORT_B_GATE));
	rate = measure();
	outb(PORT_B, port);
	return rate;
}

uint64_t clock_tsc_per_ms(const void *rsdp)
{
	uint64_t rate = by_timer_2();

	return rate ? rate : clock_by_pm_timer(rsdp);
}
