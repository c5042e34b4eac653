/* SPDX-License-Identifier: BSD-2-Clause */
/* Rates against a reference clock. */
#include "test.h"

void brackets_run(struct bracket *b, unsigned n, uint32_t us)
{
	for (unsigned i = 0; i < n; i++) {
		b[i].before = b[i].now(b[i].of);
		b[i].gate(b[i].of, true);
		b[i].open = b[i].now(b[i].of);
	}
	machine_delay_us(us);
	for (unsigned i = 0; i < n; i++) {
		b[i].close = b[i].now(b[i].of);
		b[i].gate(b[i].of, false);
		b[i].after = b[i].now(b[i].of);
	}
}

struct span bracket_span(const struct bracket *b, uint64_t count)
{
	return (struct span){b->close - b->open, b->after - b->before, count};
}

uint64_t bracket_tsc(const void *of)
{
	(void)of;
	return rdtsc();
}

bool all_sharp(const struct span *s, unsigned n, unsigned sharpness)
{
	for (unsigned i = 0; i < n; i++)
		if (s[i].outer - s[i].inner > s[i].inner / sharpness)
			return false;
	return true;
}

/* A test has 10 s, for all its tries, and accesses may take half as long again. */
#define LONGEST_US 640000u

/* How long a window must be to be so sharp, by the time that accesses took in this one. */
static uint32_t sharp_us(const struct span *s, unsigned n, unsigned sharpness, uint32_t us)
{
	uint64_t longest = us;

	for (unsigned i = 0; i < n; i++) {
		uint64_t least = (s[i].outer - s[i].inner) * sharpness * 3 / 2;
		uint64_t next = s[i].inner ? us * least / s[i].inner + 1 : 2 * (uint64_t)us;

		longest = next > longest ? next : longest;
	}
	return longest < LONGEST_US ? (uint32_t)longest : LONGEST_US;
}

/* After i tries. */
static bool goes_on(unsigned i, unsigned sharpness, unsigned n, const struct span *s)
{
	return i < SHARP_TRIES ? !all_sharp(s, n, sharpness)
			       : i < ROUGH_TRIES && !all_sharp(s, n, SHARP);
}

void spans_sharpen(spans_measure *measure, const void *arg, uint32_t us, unsigned sharpness,
		   unsigned n, struct span *s)
{
	measure(arg, us, s);
	for (unsigned i = 1; goes_on(i, sharpness, n, s); i++) {
		us = sharp_us(s, n, sharpness, us);
		measure(arg, us, s);
	}
}

bool is_same_rate(const struct span *s, uint64_t slack)
{
	return s->inner > 0 && s->count + slack >= s->inner && s->count <= s->outer + slack;
}

bool may_be_rate(const struct span *s, uint64_t rate, uint64_t reference_rate, uint64_t slack)
{
	uint64_t least = s->count > slack ? s->count - slack : 0, most = s->count + slack;

	return s->inner > 0 && least * reference_rate / 201 <= rate * s->outer / 200 &&
	       most * reference_rate / 199 >= rate * s->inner / 200;
}

void report_span(const char *what, const struct span *s)
{
	report_diag("%s: %llu in %llu to %llu", what, (unsigned long long)s->count,
		    (unsigned long long)s->inner, (unsigned long long)s->outer);
}
