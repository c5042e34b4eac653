/* SPDX-License-Identifier: BSD-2-Clause */
/* More events than there are counters, of the same kind, so that they take turns: what each is said
 * to have counted, by the part of the time for which it did, must be what the loop has. */
#include "guest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Turns of the shortest kind that Linux knows, a millisecond each; and some tens of them. */
enum { EVENTS = 12, INTERVAL = 1, TURNS = 100000000 };

struct reading {
	uint64_t count, enabled, running;
};

static void set_interval(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms", "w");

	if (!file)
		return;
	fprintf(file, "%d\n", INTERVAL);
	fclose(file);
}

static int open_branches(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		.exclude_kernel = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return event_open(&attr, 0, -1);
}

static void read_all(const int *fds, struct reading *readings)
{
	for (unsigned i = 0; i < EVENTS; i++)
		if (read(fds[i], &readings[i], sizeof(*readings)) != sizeof(*readings))
			printf("linux: multiplexed unread: %s\n", strerror(errno));
}

/* As perf stat does it, of the loop alone: to enable the events takes long, too. */
static uint64_t scaled(const struct reading *before, const struct reading *after)
{
	uint64_t running = after->running - before->running;
	double part = (double)running / (double)(after->enabled - before->enabled);

	return running ? (uint64_t)((double)(after->count - before->count) / part) : 0;
}

static void say(const struct reading *before, const struct reading *after)
{
	uint64_t least = UINT64_MAX, most = 0, running = 0, enabled = 0;

	for (unsigned i = 0; i < EVENTS; i++) {
		uint64_t count = scaled(&before[i], &after[i]);

		least = count < least ? count : least;
		most = count > most ? count : most;
		running += after[i].running;
		enabled += after[i].enabled;
	}
	printf("linux: multiplexed least %llu most %llu of %u running %llu %%\n",
	       (unsigned long long)least, (unsigned long long)most, (unsigned)TURNS,
	       (unsigned long long)(enabled ? 100 * running / enabled : 0));
}

void multiplex_all(void)
{
	struct reading before[EVENTS] = {0}, after[EVENTS] = {0};
	int fds[EVENTS];

	set_interval();
	for (unsigned i = 0; i < EVENTS; i++) {
		fds[i] = open_branches();
		if (fds[i] >= 0)
			continue;
		printf("linux: multiplexed refused: %s\n", strerror(errno));
		return;
	}
	for (unsigned i = 0; i < EVENTS; i++)
		event_enable(fds[i], true);
	read_all(fds, before);
	spin(TURNS);
	read_all(fds, after);
	say(before, after);
}
