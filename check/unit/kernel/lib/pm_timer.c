/* SPDX-License-Identifier: BSD-2-Clause */
/* The time-stamp counter against the power management timer, which run on while a reading waits. */
#include "kernel/lib/pm_timer.h"

#include "check/unit/tap.h"

#define PORT       0x608u
#define TSC_PER_MS 2100000u
/* Of 10 ms both ends are known to a reading: two microseconds in all. */
#define TOLERANCE (TSC_PER_MS / 5000)

static uint64_t ns; /* the time */
static uint32_t begins_at; /* what the timer read at time 0 */
static uint32_t bits; /* of the timer */
static bool timer_stands, counter_stands;
static unsigned reads, held_at, strays; /* reading held_at, from 1 on, waits before it is made */

static void pass(void)
{
	ns += ++reads == held_at ? 40000000 : 1000;
}

static uint32_t fake_inl(uint16_t port)
{
	pass();
	strays += port != PORT;
	return timer_stands ? begins_at
			    : (uint32_t)(begins_at + ns * PM_TIMER_HZ / 1000000000) & bits;
}

static uint64_t fake_rdtsc(void)
{
	pass();
	/* So fast that one that is compared with nothing soon comes to its end. */
	return counter_stands ? 5 : ns * (timer_stands ? 1000 : 1) * TSC_PER_MS / 1000000;
}

static uint64_t rate(void)
{
	static const struct pm_timer_probe probe = {fake_inl, fake_rdtsc};

	ns = 0;
	reads = 0;
	return pm_timer_tsc_per_ms(&probe, PORT);
}

static bool is_right(uint64_t got)
{
	return got >= TSC_PER_MS - TOLERANCE && got <= TSC_PER_MS + TOLERANCE;
}

static void test_ticks(void)
{
	OK(pm_timer_ticks(5, 12) == 7);
	OK(pm_timer_ticks(0xfffffe, 1) == 3);
	OK(pm_timer_ticks(0xfffffffe, 1) == 3);
	OK(pm_timer_ticks(0x00fffffe, 0x01000001) == 3);
}

static void test_widths(void)
{
	bits = 0xffffff;
	OK(is_right(rate()));
	bits = 0xffffffff;
	OK(is_right(rate()));
	begins_at = 0xffff8000;
	OK(is_right(rate()));
	bits = 0xffffff;
	begins_at = 0xff8000;
	OK(is_right(rate()));
	begins_at = 0;
}

/* Wherever one reading waits for longer than all others take. */
static void test_held_up(void)
{
	unsigned wrong = 0, most;

	rate();
	most = reads;
	for (held_at = 1; held_at <= most; held_at++)
		wrong += !is_right(rate());
	held_at = 0;
	OK(most > 1000);
	OK(wrong == 0);
}

static void test_stands_still(void)
{
	timer_stands = true;
	OK(rate() == 0);
	counter_stands = true;
	OK(rate() == 0);
	timer_stands = false;
	OK(rate() == 0);
	counter_stands = false;
}

int main(void)
{
	test_ticks();
	test_widths();
	test_held_up();
	test_stands_still();
	OK(strays == 0);
	return tap_end();
}
