/* SPDX-License-Identifier: BSD-2-Clause */
#include "check/linux/unharmed/unharmed.h"
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void all(void)
{
	enum { ROUNDS = 10 };

	count_all();
	exec_all();
	sample_all();
	topdown_all();
	uncore_all();
	breakpoint_all();
	unharmed_all(ROUNDS);
	printf("linux: done\n");
}

/* Without arguments what each row of the table needs. */
int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 1)
		all();
	else if (argc == 2 && !strcmp(argv[1], "programs"))
		exec_all();
	else if (argc == 2 && !strcmp(argv[1], "breakpoints"))
		breakpoint_all();
	else if (argc == 2 && !strcmp(argv[1], "multiplex"))
		multiplex_all();
	else if (argc == 2 && !strcmp(argv[1], "long"))
		count_long();
	else if (argc == 3 && !strcmp(argv[1], "unharmed"))
		unharmed_all((unsigned)strtoul(argv[2], NULL, 10));
	else
		printf("linux: allowed are nothing, programs, breakpoints, multiplex, long, "
		       "unharmed ROUNDS\n");
	return 0;
}
