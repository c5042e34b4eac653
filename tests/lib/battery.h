/* SPDX-License-Identifier: BSD-2-Clause */
/* The battery: all tests, and what the user wants of them. */
#pragma once

#include <stdbool.h>

struct cpu_identity;

/* Runs the battery: filter is a comma-separated list of globs over ids, NULL: all not hidden. */
struct battery {
	const struct cpu_identity *cpu;
	const char *filter;
	unsigned timeout_ms; /* per test; of a rare one, per RARE_TIMED events */
	unsigned rare; /* events in a window of a rare test; 0: there are none */
	unsigned repeat;
	bool verbose;
	bool stop_on_fail; /* the first fail or error is the last test that runs */
	/* Before each test that runs, by its number in the plan, and after the last: the machine
	 * may be given back meanwhile.  NULL: none. */
	void (*checkpoint)(void *arg, unsigned number);
	void *checkpoint_arg;
	/* Number of the test during which the machine was reset; the report has all before it and
	 * the plan.  0: it begins here. */
	unsigned resume_at;
};
void battery_run(const struct battery *battery);
/* Prints the PMUs known, and every test id with its claim and clause, through console_print(). */
void battery_list(const char *filter);
