/* SPDX-License-Identifier: BSD-2-Clause */
/* The power management timer of ACPI, and the time-stamp counter against it: pure computation on
 * what is read.  ACPI specification 6.4, 4.8.3.3. */
#pragma once

#include <stdint.h>

#define PM_TIMER_HZ 3579545u

/* How both are read. */
struct pm_timer_probe {
	uint32_t (*inl)(uint16_t port);
	uint64_t (*rdtsc)(void);
};

/* Ticks from one reading to a later one, at most 4.6 s later: some timers have 24 bits. */
uint32_t pm_timer_ticks(uint32_t from, uint32_t to);

/* Ticks of the time-stamp counter per millisecond, by the timer at this port, in 10 ms.  Both run
 * on while this code is held up.  0: the timer stands still. */
uint64_t pm_timer_tsc_per_ms(const struct pm_timer_probe *probe, uint16_t port);
