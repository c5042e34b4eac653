/* SPDX-License-Identifier: BSD-2-Clause */
/* The run itself: between two states of the firmware, the machine is ours. */
#ifndef RUN_H
#define RUN_H

#include "journal.h"

struct program {
	struct firmware fw;
	struct options options;
	bool binary_load_options;
	struct memory memory;
	struct machine_facts facts;
	struct serial_uart firmware_uart; /* of the ACPI SPCR table */

	struct journal journal; /* with resume=auto */
	const char *no_journal; /* why there is none */

	/* For the file, once run_battery() has returned. */
	const char *report;
	size_t report_length;
	unsigned report_number; /* of the file; 0: none yet */
	char tally[128]; /* a line in front of the report; empty but with repeat=forever */
};

/* Takes over (leaving the boot services first if the options say so), runs the battery, gives the
 * machine back. */
enum verdict run_battery(struct program *program);

/* One report, on the machine taken over; error: why it was not.  round: of repeat=forever, else
 * 0. */
enum verdict run_report(struct program *program, const char *error, unsigned round);

/* repeat=forever, on the machine taken over, within the buffer: the verdict over all rounds. */
enum verdict run_forever(struct program *program, const char *error);

/* After a machine_give_back() in the middle of a run. */
void run_take_over_again(const struct program *program);

/* The firmware lives.  A sentence saying why there is no file, or NULL. */
const char *program_write_report(struct program *program);

#endif
