/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that can only be read in two halves. */
#include "pmu.h"

/* A carry into the high dword comes once in seconds. */
#define TORN_READS_MAX 4u

uint64_t pmu_read_split(uint32_t (*get)(const void *arg, uint32_t offset), const void *arg,
			uint32_t offset)
{
	uint32_t high, low, again = get(arg, offset + 4);
	unsigned reads = 0;

	do {
		high = again;
		low = get(arg, offset);
		again = get(arg, offset + 4);
	} while (again != high && ++reads < TORN_READS_MAX);
	return (uint64_t)high << 32 | low;
}
