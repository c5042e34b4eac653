/* SPDX-License-Identifier: BSD-2-Clause */
/* Breakpoints of the debug registers, and a debugger that steps through its child: they come alike
 * whether instructions are counted or not. */
#include "guest.h"

#include <linux/hw_breakpoint.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 5, KINDS = 3 };

static volatile uint64_t written, accessed;

/* Its first instruction is met once, and two locations are accessed. */
static __attribute__((noinline)) void turn(void)
{
	written = accessed;
	accessed = 0;
}

/* What is watched, and how often it is met in a turn. */
static const struct kind {
	uint32_t type;
	const volatile void *at;
	unsigned times;
} kinds[KINDS] = {{HW_BREAKPOINT_X, turn, 1},
		  {HW_BREAKPOINT_W, &written, 1},
		  {HW_BREAKPOINT_RW, &accessed, 2}};

static int open_breakpoint(const struct kind *kind)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = kind->type,
		.bp_addr = (uintptr_t)kind->at,
		.bp_len = HW_BREAKPOINT_LEN_8,
		.exclude_kernel = 1,
	};

	return event_open(&attr, 0, -1);
}

/* Instructions of this process, or of another; -1: they are not counted. */
static int open_counter(int pid, bool counted)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
				       .config = PERF_COUNT_HW_INSTRUCTIONS,
				       .exclude_kernel = 1};

	return counted ? event_open(&attr, pid, -1) : -1;
}

/* How often breakpoints of all kinds at once were met, out of wanted. */
static uint64_t meet(bool counted, uint64_t *wanted)
{
	int fds[KINDS], counter = open_counter(0, counted);
	uint64_t met = 0;

	*wanted = 0;
	for (unsigned i = 0; i < KINDS; i++) {
		fds[i] = open_breakpoint(&kinds[i]);
		event_enable(fds[i], true);
	}
	event_enable(counter, true);
	for (unsigned i = 0; i < TURNS; i++)
		turn();
	event_enable(counter, false);
	for (unsigned i = 0; i < KINDS; i++) {
		met += event_read(fds[i]);
		*wanted += (uint64_t)kinds[i].times * TURNS;
		close(fds[i]);
	}
	close(counter);
	return met;
}

/* The child, stopped ahead of what is stepped through. */
static int start(void)
{
	int pid = fork();

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		spin(TURNS);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return pid;
}

static unsigned step(bool counted)
{
	int pid = start(), counter = open_counter(pid, counted), status = 0;
	unsigned steps = 0;

	event_enable(counter, true);
	do {
		ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
		waitpid(pid, &status, 0);
		steps++;
	} while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
	close(counter);
	return WIFEXITED(status) ? steps : 0;
}

void breakpoint_all(void)
{
	uint64_t wanted, uncounted = meet(false, &wanted), counted = meet(true, &wanted);
	unsigned steps = step(false);

	printf("linux: breakpoints %llu uncounted %llu counted %llu\n", (unsigned long long)wanted,
	       (unsigned long long)uncounted, (unsigned long long)counted);
	printf("linux: steps %u counted %u\n", steps, step(true));
}
