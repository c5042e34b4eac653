/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program between the firmware's call and its end, whatever the firmware.
 *
 * Room: options, the run, the report file, the record of a run that a reset may interrupt
 * Uses: boot/display, tests/lib, kernel, kernel/console
 */
#pragma once

#include "boot/display/display.h"
#include "firmware.h"
#include "processors.h"

/* The program's version and commit. */
extern const char version[];

/* ---- journal.c: \pmutest86.run says how far a run has come, for the boot after a reset ---- */

#define JOURNAL_MAGIC "pmutest86 run 1\n"

/* The file begins with it; the report so far follows. */
struct journal_head {
	char magic[sizeof(JOURNAL_MAGIC) - 1];
	uint64_t run; /* identifies the run, and the machine */
	uint32_t begun; /* number of the last test begun; 0: none yet */
	uint32_t length; /* of the report so far */
	struct report_progress progress;
};

struct journal {
	struct file *file; /* NULL: none is kept */
	struct journal_head head; /* as it is in the file */
	bool resumed; /* the file was there: head and report are of this run, which did not end */
	bool foreign; /* it was there, but of another run */
};

/* Opens the file, or makes it.  If it is of this run, its report goes into the buffer of size
 * bytes; if not, it begins anew.  NULL, or why no journal can be kept. */
const char *journal_open(struct journal *journal, const struct firmware *fw, uint64_t run,
			 char *buffer, size_t size);

/* Writes the report so far, and that test number begins now.  NULL, or why no journal is kept from
 * now on. */
const char *journal_write(struct journal *journal, unsigned number);

/* The run has ended: no later boot will continue it. */
void journal_delete(struct journal *journal);

/* ---- the program's state, and the run: between two states of the firmware, the machine is ours
 * ---- */

#define SCREEN_BUFFER   (SCREEN_CELLS_MAX * sizeof(uint16_t))
#define PROGRAM_BUFFERS (REPORT_BUFFER_SIZE + SCREEN_BUFFER + sizeof(struct board))

struct program {
	struct firmware *fw;
	struct options options;
	bool binary_load_options;
	struct machine_facts facts;
	const char *refusal; /* why the machine is not taken over; NULL: it may be */
	char *buffers; /* PROGRAM_BUFFERS bytes: of the report, of the screen, of the display */
	struct serial_places serial;

	struct processors processors; /* with cpus= */
	unsigned results; /* planned for the firmware's processor */

	struct journal journal; /* with resume=auto */
	const char *no_journal; /* why there is none */
	unsigned resume_at; /* number of the test during which the machine was reset; 0: none */
	uint64_t look_at; /* TSC: when the firmware's keys are to be looked at again */

	/* For the file, once program_run() has returned. */
	const char *no_report; /* why it cannot be had, as far as is known beforehand */
	const char *report;
	size_t report_length;
	char report_name[32]; /* of the file; empty: none yet */
	char tally[128]; /* a line in front of the report; empty but with repeat=forever */
};

/* ---- serial.c ---- */

/* Where the options, as far as they are read, allow a serial line: the UART that they name, or
 * those of SPCR, of the firmware's console, COM1, and if none of these answers, of PCI. */
void program_find_serial(struct program *program);
/* Opens the first that answers; ours: on the machine taken over. */
bool program_open_serial(const struct program *program, bool ours);
/* While the firmware lives: why none can be opened, and what would help; NULL: one can, or none is
 * wanted. */
const char *program_lacks_serial(const struct program *program);

/* ---- clock.c ---- */

/* Ticks of the time-stamp counter per millisecond, by the power management timer that ACPI's tables
 * below the limit of acpi_identity() name.  0: there is none, or it stands still. */
uint64_t clock_by_pm_timer(const void *rsdp);

/* ---- takeover.c ---- */

/* Takes over (leaving the firmware first if the options say so), runs the battery, gives the
 * machine back; with a refusal nothing of this: the firmware lives, the report says why. */
enum verdict program_run(struct program *program);

/* ---- forever.c ---- */

/* repeat=forever, on the machine taken over, within the buffer: the verdict over all rounds. */
enum verdict rounds_forever(struct program *program, const char *error);

/* ---- round.c ---- */

/* One report, on the machine taken over; error: why it was not.  round: of repeat=forever, else
 * 0. */
enum verdict round_report(struct program *program, const char *error, unsigned round);

/* After a machine_give_back() in the middle of a run. */
void take_over_again(const struct program *program);

/* The same for the same program, options and processor. */
uint64_t program_identity(const struct program *program);

/* ---- plan.c ---- */

/* The battery that the options ask for. */
struct battery program_battery(const struct program *program);

/* ---- report_file.c in the room of each kind of firmware ---- */

/* Before the run: why there can be no file; NULL: nothing that is known then stands against it. */
const char *report_file_refuse(const struct firmware *fw);

/* Writes tally and report to a file on the volume that the program came from, and its name to
 * report_name: always the same file in one run.  The machine is the firmware's.  A sentence saying
 * why there is no file, or NULL. */
const char *report_file_write(struct program *program);

/* ---- qemu.c ---- */

/* Ends QEMU with status 2 * status + 1, if this is QEMU and has a device for it. */
void qemu_exit(unsigned status);

/* ---- main.c: what the room of the firmware calls ---- */

/* A verdict if the run is over, or this: the options are wrong. */
#define PROGRAM_REFUSED (VERDICT_ERROR + 1)

/* Does not return if the options say so. */
unsigned program_main(struct firmware *fw);
