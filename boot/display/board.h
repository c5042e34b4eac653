/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a run, as its report tells it line by line: no hardware, no screen. */
#pragma once

#include "kernel/console/console.h"

#define BOARD_GROUPS     64u
#define BOARD_COLUMNS    96u
#define BOARD_FAILURES   24u
#define BOARD_PROCESSORS 512u
#define BOARD_LATE       32u /* the last one is of all that are later */
#define BOARD_LAWS       16u
#define BOARD_BARS       256u

/* Marks that a cell can show; for several results, the last one of them in this list. */
enum mark {
	MARK_NONE,
	MARK_WAITING,
	MARK_RUNNING,
	MARK_SKIP,
	MARK_PASS,
	MARK_KNOWN,
	MARK_FAIL,
	MARK_ERROR,
	MARKS
};

struct cell {
	uint32_t planned, done;
	uint8_t worst; /* enum mark */
};

/* One counter of a PMU, or all of a box outside of the cores. */
struct column {
	char pmu[16]; /* "-": none */
	char counter[4]; /* "-": a test of no single one; empty: all */
};

/* The tests of a group. */
struct group {
	char name[16];
	struct cell cell[BOARD_COLUMNS];
};

/* A result, and what stands below it. */
struct told {
	char id[80];
	enum mark mark;
	char also[64]; /* other counters, or boxes, on which the same test has failed */
	char claim[160];
	char check[112]; /* the comparison, or why the test was ended; empty: nothing is said */
	char got[96]; /* and expected; empty: nothing is said */
	char details[1024]; /* all lines, each ended; the first may be why it was skipped, or is
			       known */
	size_t length;
};

/* A test of counts that must add up. */
struct law {
	char test[40], claim[160];
};

/* The counts of a law on one counter: the first that were measured, or the first that did not add
 * up. */
struct bar {
	unsigned law, column;
	struct measured measured;
};

struct board {
	char line[512]; /* of the report, so far */
	size_t length;

	/* The header. */
	char title[48], cpu[100], name[64], microcode[32], hypervisor[100], tsc[48];
	char pmu[2][120]; /* the first ones */
	unsigned pmus;
	unsigned processors,
		own; /* how many there are, and which one is the firmware's: with cpus= */

	unsigned plan, results, count[MARKS];
	char note[200]; /* why there is nothing to test, or why the run ended early; or a round */
	bool bailed_out, panicked;

	struct column column[BOARD_COLUMNS];
	struct group group[BOARD_GROUPS];
	unsigned columns, groups;
	unsigned last_group, last_column; /* of the last result */
	char last_id[80];

	struct told failure[BOARD_FAILURES]; /* of each test the first */
	unsigned failures, kept; /* all, and those that are kept */
	struct told other; /* the last result that is not kept */
	struct told
		*last; /* of all results; NULL: none yet, or lines do not belong to it any more */

	uint8_t processor[BOARD_PROCESSORS]; /* enum mark */

	char running[80], claim[160]; /* empty: nothing runs */
	unsigned running_group, running_column; /* BOARD_GROUPS: it has no cell */
	char running_on[12]; /* "cpu3"; empty: on the firmware's processor */

	/* For each column, interrupts that came so many instructions late. */
	uint32_t late[BOARD_COLUMNS][BOARD_LATE];
	struct law law[BOARD_LAWS];
	struct bar bar[BOARD_BARS];
	unsigned laws, bars;
	unsigned bars_before; /* the running test */

	/* The last one that was measured, or the last one that is broken. */
	unsigned measured; /* how often anything was */
	unsigned latest_column, latest_bar; /* BOARD_BARS: how late interrupts came */
};

void board_begin(struct board *board);

/* Cut to what fits. */
void board_copy(char *to, size_t size, const char *text);

/* lines.c: text of the report, cut anywhere. */
void board_write(struct board *board, const char *text, size_t length);

/* Events in the report: a result; the last one was an error; another report begins. */
void board_result(struct board *board, const char *id, enum mark mark);
void board_worsen(struct board *board);
void board_forget_results(struct board *board);

/* A test of that name will be run so often. */
void board_plan(struct board *board, const char *id, bool box, unsigned times);

/* It runs now; on: the processor, if the name does not say it. */
void board_run(struct board *board, const char *on, const char *id, const char *claim);

/* Takes what the running test has measured, as report_measured() gives it. */
void board_measured(struct board *board, const struct measured *measured);

/* The mark of a cell; for all cells of a group, the last of their marks in the list. */
enum mark board_mark(const struct board *board, unsigned group, unsigned column);
enum mark board_group_mark(const struct board *board, unsigned group);
/* The mark of a processor, below BOARD_PROCESSORS. */
enum mark board_processor(const struct board *board, unsigned n);
/* The processor on which something runs. */
unsigned board_running_processor(const struct board *board);
