/* SPDX-License-Identifier: BSD-2-Clause */
/* The battery on other processors than the firmware's, by the option cpus=. */
#pragma once

#include "firmware.h"
#include "tests/lib/battery.h"

struct program;

struct member {
	unsigned number; /* as the firmware has it */
	char name[12]; /* "cpu12" */
	struct firmware_processor is;
	struct cpu_kind kind;
	unsigned kind_number;
	bool gathered; /* another one of its kind comes before it */
	unsigned planned[BATTERY_PARTS]; /* results; of its core 0: it is not tested */
	bool speaks_for_package; /* the first that is, of a package that is not the firmware's */
	const char *why; /* it cannot be tested; NULL: it can */
	bool refused; /* by the firmware, which is no error of the processor's */
	/* Of the round together: it came, and went back; it could not join, or its guard was ended.
	 */
	bool left;
	const char *ended;
};

struct processors {
	struct program *program;
	struct member *member; /* [count], in the order of their numbers */
	unsigned count; /* 0: only the firmware's is tested */
	const char *missing; /* why the firmware cannot start others, though asked for; or NULL */
	unsigned own; /* number of the firmware's, which is of kind 0 */
	struct cpu_seat seat; /* of the firmware's */
	void *company; /* memory for company_begin(), as for so many as there are */
	unsigned planned; /* results of the others, */
	unsigned in_common, together; /* and of those BATTERY_COMMON, BATTERY_TOGETHER */
	unsigned kinds, of_kind[BATTERY_KINDS]; /* how many of each were asked */
	const struct member *first[BATTERY_KINDS];
};

/* NULL, or why the list of cpus= names what is not there. */
const char *processors_refuse(const struct program *program, char sentence[OPTIONS_ERROR_MAX]);

/* How many processors there are, if cpus= asks for others than the firmware's, else 0; 0 as well if
 * the firmware cannot start them, *why. */
unsigned processors_count(const struct program *program, const char **why);

/* On the firmware's processor, the machine not taken over, as for all below: asks each of
 * all->count in all->member what it is, and plans. */
void processors_plan(struct processors *all);

/* Header lines: one for each kind, or why there are none. */
void processors_report(const struct processors *all);

typedef void processors_begin(struct program *program, unsigned number);

/* processors_run.c.  begin() is called with the number in the plan of the first result of each,
 * before it runs; offset: results of the firmware's processor; resume_at as in struct battery. */
void processors_run(struct processors *all, unsigned offset, unsigned resume_at,
		    processors_begin *begin);

/* ---- errand.c: on another processor; why it was not done is in m->why afterwards ---- */

/* The firmware does not start it; NULL: nothing is known against it. */
void member_refuse(struct member *m, const char *why);
struct battery member_battery(const struct program *program, const struct member *m,
			      enum battery_part part);
/* Asks the processor for its kind: to m->kind. */
void member_ask_kind(const struct program *program, struct member *m);
/* How many results that part will be; 0 if it cannot be told. */
unsigned member_count(const struct program *program, struct member *m, enum battery_part part);
void member_run(const struct program *program, struct member *m, const struct battery *battery);

/* ---- together.c ---- */

/* On the firmware's processor: the round of all that have it planned, and its results. */
void together_run(const struct processors *all);
