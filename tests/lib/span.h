/* SPDX-License-Identifier: BSD-2-Clause */
/* Rates: what a counter counts in a window, against a reference clock that is read around the
 * accesses which open and close it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Between opening and closing lies at least inner, at most outer of the reference clock; so a rate
 * is known within the time that the two accesses take, whatever that is. */
struct span {
	uint64_t inner, outer, count;
};

/* One counter of a window. */
struct bracket {
	const void *of; /* the argument of both functions */
	uint64_t (*now)(const void *of); /* the reference clock */
	/* The counter counts, or stands still; one that runs all the time is read. */
	void (*gate)(const void *of, bool open);
	uint64_t before, open, close, after; /* values of now() */
};

/* One window over n counters, one opened and closed after the other, with so many microseconds
 * between. */
void brackets_run(struct bracket *b, unsigned n, uint32_t us);
struct span bracket_span(const struct bracket *b, uint64_t count);

/* The time stamp counter, as now(). */
uint64_t bracket_tsc(const void *of);

/* Known to one clock in so many: to 5 %, or else something such as an SMI came between two
 * accesses, and almost any rate would do; or so that one clock lost in 1024 is seen. */
enum { SHARP = 20, VERY_SHARP = 1200 };
#define SHARP_TRIES 5u
#define ROUGH_TRIES 10u /* while no rate is known at all: the host may be busy */
#define NOT_SHARP   "each time something came between the accesses: no rate is known to 5 %"

/* All n of them? */
bool all_sharp(const struct span *s, unsigned n, unsigned sharpness);

/* Measures n spans, the first time in a window of so many microseconds, and if not all are as sharp
 * as they should be again in a longer one: at most SHARP_TRIES times, or ROUGH_TRIES times. */
typedef void spans_measure(const void *arg, uint32_t us, struct span *s);
void spans_sharpen(spans_measure *measure, const void *arg, uint32_t us, unsigned sharpness,
		   unsigned n, struct span *s);

/* Is the counter driven by the reference clock?  slack: counts that may be missing or too many. */
bool is_same_rate(const struct span *s, uint64_t slack);

/* May its rate be this one, if the reference has that one?  To 0.5 %: the clock of the bus may be
 * spread, and others need not be. */
bool may_be_rate(const struct span *s, uint64_t rate, uint64_t reference_rate, uint64_t slack);

void report_span(const char *what, const struct span *s);
