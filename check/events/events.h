/* SPDX-License-Identifier: BSD-2-Clause */
/* The drivers' tables of events against libpfm4's, a program of the host: every row of
 * pmu/.../events.c, for each processor that has it.  Events that libpfm4 lacks, spells otherwise or
 * does not tell of are in listed.c, with their source. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ALL_COUNTERS UINT32_MAX

/* An event of one processor, as a driver's table has it. */
struct fact {
	const char *pmu; /* libpfm4's name of it, or one of ours if it has none */
	char name[80]; /* the driver's */
	char theirs[80]; /* as libpfm4 spells it by rule */
	char fixed_name[80]; /* what libpfm4 calls it on a fixed counter; "": nothing */
	uint64_t fields; /* bits of what libpfm4 makes of a name that say which event it is */
	uint64_t code; /* in these */
	uint32_t counters; /* bit n: (general) counter n counts it */
	uint32_t fixed; /* bit i: fixed counter i does; with .counters 0: the table does not say */
};

/* Each calls check_fact() with all that its driver's tables say. */
void check_amd(void);
void check_intel(void);
void check_netburst(void);

/* ---- main.c ---- */

void check_fact(const struct fact *fact);
void check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- library.c: libpfm4 ---- */

/* The first call: false if libpfm4 cannot be initialised. */
bool library_begin(void);

/* Does it know more PMUs than the one that listed.c was written for?  It then may know more events,
 * too. */
bool library_is_newer(void);

/* Finds the code of an event by its name, letter for letter.  False: it knows no such name. */
bool library_encode(const char *pmu, const char *name, uint64_t *code);

/* Has it an event, or a single unit mask of one, with this code? */
bool library_has_code(const char *pmu, uint64_t fields, uint64_t code);

/* Bit i: the event of this name is that of fixed counter i; 0: it does not tell so. */
uint32_t library_fixed(const char *pmu, const char *name);

/* Calls visit() with the name of each core PMU of Intel and AMD. */
void library_each_pmu(void (*visit)(const char *pmu));

/* ---- listed.c: .pmus are globs with " " between ---- */

struct spelling {
	const char *pmus, *name;
	const char *theirs;
	const char *why;
};
struct lacking {
	const char *pmus, *name;
	uint64_t code;
	const char *source;
};
struct counting {
	const char *pmus, *name;
	uint32_t counters, fixed;
	const char *source;
};

/* NULL: not listed. */
const struct spelling *listed_spelling(const struct fact *fact);
const struct lacking *listed_lacking(const struct fact *fact);
const struct counting *listed_counting(const struct fact *fact);

/* Is the PMU one that is deliberately compared with no table? */
bool listed_apart(const char *pmu);

/* Calls check() with each row that was never asked for. */
void listed_end(void);
