/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of a loop, and of the same loop twice as long: the difference has nothing else in it.  The
 * count of the whole run is what "perf stat" would say of a program with the loop. */
#include "guest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An interrupt from the machine may add something to a count, but takes nothing from it. */
enum { SHORT = 10000, LONG = 5000000, TRIES = 5 };

/* The event on all processors but NetBurst, with the threshold in bits 31:24; no model retires more
 * in a clock. */
enum { RETIRED_INSTRUCTIONS = 0xc0, WIDEST = 8 };

static uint64_t least(int fd, uint64_t loops)
{
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t count = event_read(fd);

		spin(loops);
		count = event_read(fd) - count;
		if (count < best)
			best = count;
	}
	return best;
}

static void count(const char *name, uint64_t hardware)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .config = hardware, .exclude_kernel = 1};
	int fd = event_open(&attr, 0, -1);
	uint64_t whole, short_one;

	if (fd < 0) {
		printf("linux: %s refused: %s\n", name, strerror(errno));
		return;
	}
	event_enable(fd, true);
	spin(SHORT);
	event_enable(fd, false);
	whole = event_read(fd);
	event_enable(fd, true);
	short_one = least(fd, SHORT);
	printf("linux: %s %lld of a run %llu\n", name,
	       (long long)(least(fd, 2 * SHORT) - short_one), (unsigned long long)whole);
	close(fd);
}

/* The clocks with at least one instruction, with at least two, and so on: together, the
 * instructions. */
static void count_thresholds(void)
{
	int64_t sum = 0;

	for (uint64_t threshold = 1; threshold <= WIDEST; threshold++) {
		struct perf_event_attr attr = {.type = PERF_TYPE_RAW,
					       .config = threshold << 24 | RETIRED_INSTRUCTIONS,
					       .exclude_kernel = 1};
		int fd = event_open(&attr, 0, -1);
		uint64_t short_one;

		if (fd < 0) {
			printf("linux: thresholds refused: %s\n", strerror(errno));
			return;
		}
		event_enable(fd, true);
		short_one = least(fd, SHORT);
		sum += (int64_t)(least(fd, 2 * SHORT) - short_one);
		close(fd);
	}
	printf("linux: thresholds %lld\n", (long long)sum);
}

void count_all(void)
{
	count("instructions", PERF_COUNT_HW_INSTRUCTIONS);
	count("branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	count("cycles", PERF_COUNT_HW_CPU_CYCLES);
	count_thresholds();
}

void count_long(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
				       .config = PERF_COUNT_HW_INSTRUCTIONS,
				       .exclude_kernel = 1};
	int fd = event_open(&attr, 0, -1);

	if (fd < 0) {
		printf("linux: long refused: %s\n", strerror(errno));
		return;
	}
	printf("linux: long begins\n");
	event_enable(fd, true);
	spin(LONG);
	event_enable(fd, false);
	printf("linux: long ends %llu\n", (unsigned long long)event_read(fd));
	close(fd);
}
