/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/linux/unharmed/unharmed.h"
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(const char *setting, const char *value)
{
	FILE *file = fopen(setting, "w");

	if (!file)
		return;
	fputs(value, file);
	fclose(file);
}

/* Samples come by the model's time, which is short: the kernel must not think that they take too
 * much of it, as it may have thought of the watchdog's.  The second forbids the first. */
static void forget_time_limit(void)
{
	set("/proc/sys/kernel/perf_event_max_sample_rate", "100000\n");
	set("/proc/sys/kernel/perf_cpu_time_max_percent", "0\n");
}

static void all(void)
{
	enum { ROUNDS = 20 };

	count_all();
	exec_all();
	sample_all();
	uncore_all();
	unharmed_all(ROUNDS);
	printf("linux: done\n");
}

/* Without arguments what each row of the table needs. */
int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	forget_time_limit();
	if (argc == 1)
		all();
	else if (argc == 2 && !strcmp(argv[1], "multiplex"))
		multiplex_all();
	else if (argc == 3 && !strcmp(argv[1], "unharmed"))
		unharmed_all((unsigned)strtoul(argv[2], NULL, 10));
	else
		printf("linux: allowed are nothing, multiplex, unharmed ROUNDS\n");
	return 0;
}
