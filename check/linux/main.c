/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/linux/unharmed/unharmed.h"
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Rounds of drawn code: as many as the argument says, and then nothing else; else a few. */
enum { ROUNDS = 20 };

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	forget_time_limit();
	if (argc > 1) {
		unharmed_all((unsigned)strtoul(argv[1], NULL, 10));
		return 0;
	}
	count_all();
	sample_all();
	uncore_all();
	unharmed_all(ROUNDS);
	printf("linux: done\n");
	return 0;
}
