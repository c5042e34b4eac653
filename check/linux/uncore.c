/* SPDX-License-Identifier: BSD-2-Clause */
/* CAS commands of the memory controllers: reads of lines that are in no cache. */
#include "guest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 1024, LINE = 64, CONTROLLERS = 4 };

/* Intel 327043-001, table 2-62: CAS_COUNT with RD. */
enum { CAS_COUNT_READ = 0x0304 };

static char memory[LINES * LINE] __attribute__((aligned(4096)));

/* Each is flushed while the counter runs: the model's caches know nothing of what was before. */
static void read_lines(uint64_t lines)
{
	for (uint64_t i = 0; i < lines; i++)
		__asm__ volatile("clflush %0\n\tmfence\n\tmovb %0, %%al"
				 : "+m"(memory[i * LINE])
				 :
				 : "al", "memory");
	__asm__ volatile("mfence" : : : "memory");
}

static uint64_t reads_of(unsigned type, uint64_t lines)
{
	struct perf_event_attr attr = {.type = type, .config = CAS_COUNT_READ};
	int fd = event_open(&attr, -1, 0);
	uint64_t count;

	if (fd < 0)
		return 0;
	event_enable(fd, true);
	read_lines(lines);
	event_enable(fd, false);
	count = event_read(fd);
	close(fd);
	return count;
}

void uncore_all(void)
{
	uint64_t none = 0, all = 0;
	unsigned controllers = 0;
	char device[32];

	memset(memory, 1, sizeof(memory)); /* pages of its own, not the one of zeros */
	for (unsigned i = 0; i < CONTROLLERS; i++) {
		unsigned type;

		snprintf(device, sizeof(device), "uncore_imc_%u", i);
		type = (unsigned)event_number(device, "type");
		if (!type)
			continue;
		controllers++;
		none += reads_of(type, 0);
		all += reads_of(type, LINES);
	}
	if (controllers)
		printf("linux: uncore %lld controllers %u without %llu\n", (long long)(all - none),
		       controllers, (unsigned long long)none);
}
