/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of whole programs from exec to exit, as "perf stat" makes them: of one whose instructions
 * are known, and of some that are linked dynamically, each run more than once. */
#include "guest.h"

#include <signal.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

/* The timer's interrupt may add to one of the runs, but hardly to two. */
enum { RUNS = 3, ENOUGH = 2 };

struct program {
	const char *path;
	char *words[4];
};

struct outcome {
	uint64_t least; /* instructions, without the returns from page faults */
	unsigned alike; /* runs that had this count */
	unsigned whole; /* runs that ended as they should */
};

/* Programs to count from exec to exit.  Pages of them that the kernel has not mapped yet are found
 * by page faults. */
static const struct program programs[] = {{"/bin/true", {"true"}},
					  {"/bin/dash", {"dash", "-c", ":"}},
					  {"/bin/busybox", {"busybox", "true"}}};

/* Stopped before it becomes the program, which is then at the same addresses in each run. */
static int start(const struct program *program)
{
	int pid = fork();

	if (!pid) {
		personality(ADDR_NO_RANDOMIZE);
		raise(SIGSTOP);
		execv(program->path, program->words);
		_exit(127);
	}
	waitpid(pid, NULL, WUNTRACED);
	return pid;
}

static int open_for(int pid, uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type, .config = config, .exclude_kernel = 1, .enable_on_exec = 1};

	return event_open(&attr, pid, -1);
}

/* The IRET at the end of a page fault is an instruction that ends in user mode. */
static uint64_t count(const struct program *program, bool *whole)
{
	int pid = start(program), status;
	int instructions = open_for(pid, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	int faults = open_for(pid, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	uint64_t counted;

	kill(pid, SIGCONT);
	waitpid(pid, &status, 0);
	*whole = !status;
	counted = event_read(instructions) - event_read(faults);
	close(instructions);
	close(faults);
	return counted;
}

static struct outcome count_runs(const struct program *program)
{
	struct outcome o = {.least = UINT64_MAX};

	for (unsigned run = 0; run < RUNS; run++) {
		bool whole;
		uint64_t counted = count(program, &whole);

		if (counted < o.least)
			o = (struct outcome){counted, 0, o.whole};
		o.alike += counted == o.least;
		o.whole += whole;
	}
	return o;
}

static void count_known(void)
{
	const struct program known = {"/proc/self/exe", {"="}};

	printf("linux: known %llu of %llu\n", (unsigned long long)count_runs(&known).least,
	       (unsigned long long)known_instructions);
}

void exec_all(void)
{
	unsigned n = sizeof(programs) / sizeof(programs[0]), whole = 0, alike = 0;

	count_known();
	for (unsigned i = 0; i < n; i++) {
		struct outcome o = count_runs(&programs[i]);

		printf("linux: program %s %llu in %u of %u runs\n", programs[i].path,
		       (unsigned long long)o.least, o.alike, RUNS);
		whole += o.whole == RUNS;
		alike += o.alike >= ENOUGH;
	}
	printf("linux: programs %u whole %u alike %u\n", n, whole, alike);
}
