/* SPDX-License-Identifier: BSD-2-Clause */
/* The battery: all tests, and what the user wants of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/console/console.h"

struct cpu_identity;
struct cpu_seat;

/* On another processor than the firmware's the boxes outside of the cores are tested apart, and
 * only those that no other package reaches; and the boxes that it has in common with the firmware's
 * processor, for being the same ones. */
enum battery_part {
	BATTERY_ALL,
	BATTERY_CORE,
	BATTERY_BOXES,
	BATTERY_COMMON,
	BATTERY_TOGETHER, /* one result, by the functions at the end */
	BATTERY_PARTS
};

/* A watcher that wants to know of each test beforehand. */
struct battery_watch {
	/* Ahead of the first test: so many results of this name are planned; is it of a box outside
	 * of the cores? */
	void (*planned)(const char *id, bool box, unsigned times);
	/* Nothing counts.  processor: as in struct battery.  True: it is not to run, nor any behind
	 * it. */
	bool (*begins)(const char *processor, const char *id, const char *claim);
};

/* Runs the battery: filter is a comma-separated list of globs over ids, NULL: all not hidden. */
struct battery {
	const struct cpu_identity *cpu;
	const char *filter;
	unsigned timeout_ms; /* per test; of a rare one, per RARE_TIMED events; of a drawn one, per
				PROGRAMS_TIMED programs */
	unsigned rare; /* events in a window of a rare test; 0: there are none */
	unsigned random; /* programs of a drawn test; 0: there are none */
	uint64_t seed; /* which ones */
	unsigned repeat;
	bool all_facts; /* all of CPUID, and the bits of the PMUs' registers */
	bool stop_on_fail; /* the first fail or error is the last test that runs */
	/* Before each test that runs, by its number in the plan, and after the last: the machine
	 * may be given back meanwhile.  NULL: none. */
	void (*checkpoint)(void *arg, unsigned number);
	void *checkpoint_arg;
	const struct battery_watch *watch; /* NULL: nobody */
	/* Number of the test during which the machine was reset; the report has all before it and
	 * the plan.  0: it begins here. */
	unsigned resume_at;
	bool survives_reset; /* another boot would go on with this run */
	unsigned more; /* results of other processors, which the plan has besides */

	/* ---- on another processor than the firmware's ---- */
	enum battery_part part; /* BATTERY_ALL: it is the firmware's */
	const char *processor; /* "cpu12", in front of its core's ids; NULL in BATTERY_ALL */
	unsigned number; /* of the processor */
	bool gathered; /* one result, for a processor that is like one which has been reported */
	unsigned kind; /* of the processor, below BATTERY_KINDS */
	uint64_t until; /* what the TSC then shows: no test begins later; 0: there is no end */
	const struct cpu_seat *first; /* the seat of the firmware's processor */
};
#define BATTERY_KINDS 8u

/* On the processor that is tested, the machine taken over.  Returns how many results were planned
 * for it. */
unsigned battery_run(const struct battery *battery);
/* There too: battery_run() has been ended from outside, or by its time.  What it has touched is
 * given back; where it had come to its end, nothing happens. */
void battery_abandon(void);
/* The same beforehand. */
unsigned battery_count(const struct battery *battery);
/* On the firmware's processor, the machine taken over: the counters of boxes that others may have
 * in common with it stand still, and hold what BATTERY_COMMON looks for there; and as they were
 * before.  The machine may be given back meanwhile. */
void battery_mark(void);
void battery_unmark(void);
/* On the firmware's processor: another one did not come back from battery_run().  The results that
 * it still owes are reported: an error for why, the rest as not run. */
void battery_give_up(const struct battery *battery, const char *why);
/* Prints the PMUs known, and the id of every test that the filter selects with its claim and
 * clause, or that there is none, through console_print(). */
void battery_list(const char *filter);

/* ---- other processors in company: see runner/company.c ---- */

struct company_seat; /* one's part of memory, of so many bytes for all */
size_t company_size(unsigned members);
struct company_seat *company_seat(void *memory, unsigned member);
/* Does the filter select the result of this one? */
bool company_selected(const char *processor, const char *filter);

/* On the firmware's processor, before: which one has the seat; and so many will come, and
 * wait for each other for so long at most. */
void company_take(struct company_seat *seat, unsigned number);
void company_begin(unsigned members, uint64_t tsc_per_ms, unsigned most_ms);
/* On each, which has joined: its work, to be guarded; and what is to be done behind that however it
 * has ended. */
void company_run(void *seat);
void company_leave(struct company_seat *seat);
/* On the firmware's processor, behind all.  why: its guard was ended; or NULL.  Or of one that did
 * not come back from there. */
void company_report(const struct company_seat *seat, const char *processor, const char *why);
void company_report_lost(const char *processor, enum outcome outcome, const char *why);
