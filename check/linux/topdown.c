/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots and what has become of them, as "perf stat --topdown" reads them: by fixed counter 3 and
 * PERF_METRICS, in one group with clocks and with micro-operations, which general counters count.
 */
#include "guest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOOPS = 1000000 };

/* Linux, arch/x86/include/asm/perf_event.h: INTEL_TD_SLOTS, INTEL_TD_METRIC_RETIRING and the three
 * behind it; beside them CPU_CLK_UNHALTED.THREAD_P and UOPS_RETIRED.SLOTS. */
enum { SLOTS, RETIRING, BAD_SPECULATION, FRONTEND, BACKEND, CLOCKS, UOPS, EVENTS };
static const uint64_t events[EVENTS] = {0x0400, 0x8000, 0x8100, 0x8200, 0x8300, 0x003c, 0x02c2};

/* What a read of a group gives. */
struct group {
	uint64_t count, value[EVENTS];
};

/* Opens what is beside the slots; false: the kernel refuses it. */
static bool open_others(struct perf_event_attr attr, int slots, int *fd)
{
	for (unsigned i = SLOTS + 1; i < EVENTS; i++) {
		attr.config = events[i];
		fd[i] = event_open_beside(&attr, slots);
		if (fd[i] < 0) {
			printf("linux: topdown refused: %s\n", strerror(errno));
			return false;
		}
	}
	return true;
}

static void count(int slots)
{
	struct group g;

	event_enable(slots, true);
	spin(LOOPS);
	event_enable(slots, false);
	if (read(slots, &g, sizeof(g)) != sizeof(g)) {
		printf("linux: topdown cannot be read\n");
		return;
	}
	printf("linux: topdown %llu slots %llu clocks %llu uops %llu retiring %llu shares\n",
	       (unsigned long long)g.value[SLOTS], (unsigned long long)g.value[CLOCKS],
	       (unsigned long long)g.value[UOPS], (unsigned long long)g.value[RETIRING],
	       (unsigned long long)(g.value[RETIRING] + g.value[BAD_SPECULATION] +
				    g.value[FRONTEND] + g.value[BACKEND]));
}

void topdown_all(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_RAW,
				       .config = events[SLOTS],
				       .read_format = PERF_FORMAT_GROUP,
				       .exclude_kernel = 1};
	int fd[EVENTS] = {-1};

	if (!event_is_known(event_core(), "events/slots"))
		return;
	fd[SLOTS] = event_open(&attr, 0, -1);
	if (fd[SLOTS] < 0)
		printf("linux: topdown refused: %s\n", strerror(errno));
	else if (open_others(attr, fd[SLOTS], fd))
		count(fd[SLOTS]);
	for (unsigned i = 0; i < EVENTS; i++)
		if (fd[i] > 0)
			close(fd[i]);
}
