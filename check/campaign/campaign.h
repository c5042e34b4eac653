/* SPDX-License-Identifier: BSD-2-Clause */
/* The fault campaign, a program of the host: it plans runs of pmutest86 on the silicon model, boots
 * them in QEMU and judges them by what comes over the serial line.  main.c lists its options. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define DIRECTORY "build/campaign"
#define NO_FAULT  "none"

struct options {
	bool full, generated, plan, resume, lawful, varied, strict, once;
	/* NULL: not given */
	const char *model, *fault, *tests, *alone, *results, *only, *group, *bits;
	unsigned every;
	unsigned seeds; /* 0: a campaign of faults */
};

/* One run of the program, and what its report says. */
struct program_run {
	const char *model, *fault;
	unsigned seed;
	const char *lawful; /* variations of the model, with commas; NULL: none */
	const char *claims; /* globs over the tests that are said to see the fault */
	const char *tests; /* globs over the tests that are run */
	const char *by_hand; /* the test that a fault seeded by hand names; NULL: it is none */
	unsigned rare; /* events that it takes at least; 0: any number will do */
	unsigned cpus; /* processors that it takes, each of which is tested; 0: one */
	const char *why; /* no test can see the fault; NULL: one can */
	unsigned boot;

	bool begun, ended, seen;
	bool judged; /* a test that claims the fault has passed */
	unsigned planned, reported;
	char verdict[8];
	char *failed; /* ids of tests, each with " " before it, or " !" where the test claims the
			 fault */
};

/* Runs of the same boot are neighbours. */
struct plan {
	struct program_run **run;
	size_t count;
	unsigned boots, in_boot; /* the number of the last one, and of the faults in it */
	unsigned met; /* lawful runs, with those that --every leaves out */
};

/* ---- plan.c ---- */
bool matches(const char *globs, const char *name);
struct plan plan_faults(const struct options *o);
struct plan plan_seeds(const struct options *o);
struct plan plan_lawful(const struct options *o);
/* Faults that their own tests have missed, against the whole battery. */
struct plan plan_again(const struct plan *first, const struct options *o);
void plan_pair(struct plan *plan, struct program_run *pair, const struct options *o);
/* Behind the last pair. */
void plan_close(struct plan *plan);
void plan_print(FILE *out, const struct plan *plan);

/* ---- judge.c ---- */
/* Reads what the runs of one boot say, from next on. */
struct reader {
	struct program_run **next, **end;
	bool under_way; /* *next has begun */
	bool gathered; /* the last result is of tests that have none of their own */
	unsigned steps; /* runs that have begun or ended */
};

/* This line in a log says that QEMU has ended. */
#define BOOT_ENDED "campaign: QEMU has ended"
/* False: the line is of another campaign. */
bool judge_line(struct reader *reader, const char *line);
/* caught, missed, invisible or seen-but-listed; not-judged: a lawful variation takes away what its
 * tests look at; without a fault passed, skipped or failed; no-verdict, not-run. */
const char *run_ending(const struct program_run *run);

/* ---- machine.c ---- */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
FILE *open_file(const char *path, const char *mode);
/* Boots all runs, in two machines at once; with resume only those that no log has yet. */
void machine_run(const struct plan *plan, const struct options *o);
