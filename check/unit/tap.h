/* SPDX-License-Identifier: BSD-2-Clause */
/* TAP of the host's unit tests: OK() and SAME() print a line each, tap_end() the plan. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned tap_count, tap_failed;

static inline bool tap_ok(bool ok, const char *what, int line)
{
	printf("%s %u - line %d: %s\n", ok ? "ok" : "not ok", ++tap_count, line, what);
	tap_failed += !ok;
	return ok;
}

static inline bool tap_same(const char *got, const char *want, const char *what, int line)
{
	bool ok = tap_ok(!strcmp(got, want), what, line);

	if (!ok)
		printf("#   got  \"%s\"\n#   want \"%s\"\n", got, want);
	return ok;
}

static inline void tap_skip(const char *why)
{
	printf("ok %u # SKIP %s\n", ++tap_count, why);
}

static inline int tap_end(void)
{
	printf("1..%u\n", tap_count);
	return tap_failed != 0;
}

/* # is a comment in TAP: conditions must not hold one. */
#define OK(cond)        tap_ok(cond, #cond, __LINE__)
#define SAME(got, want) tap_same(got, want, #got, __LINE__)
