/* SPDX-License-Identifier: BSD-2-Clause */
#include "guest.h"

#include <stdio.h>

/* Samples come by the model's time, which is short: the kernel must not think that they take too
 * much of it. */
static void forget_time_limit(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_cpu_time_max_percent", "w");

	if (!file)
		return;
	fputs("0\n", file);
	fclose(file);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	forget_time_limit();
	count_all();
	sample_all();
	uncore_all();
	printf("linux: done\n");
	return 0;
}
