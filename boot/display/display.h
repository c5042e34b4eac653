/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The display: a run as the people in front of the machine see it, and the keys that they type
 * meanwhile.
 *
 * The display reads the report like everybody else: it is a console sink.  The battery tells it
 * what is planned and what runs next; the tests give it numbers to draw.  Nothing is drawn but in
 * these calls, and none of them is made while something counts.
 *
 * Room: pages made of the report, drawn on the screen of kernel/console; keys
 * Uses: kernel, kernel/console
 */
#pragma once

#include "board.h"

/* The screen must have so many cells. */
#define DISPLAY_COLUMNS 80u
#define DISPLAY_ROWS    25u

/* On an open screen.  False: it is too small, or there is none, or no board is given; nothing is
 * drawn then, but keys work all the same.  whole_rounds: a run that the user ends goes on to the
 * end of its round. */
bool display_open(struct board *board, uint64_t tsc_per_ms, bool whole_rounds);
bool display_is_open(void);

/* A console sink: the report. */
void display_write(const char *text, size_t length);

/* As struct battery_watch wants them; true: the user wants the run to end. */
void display_planned(const char *id, bool box, unsigned times);
bool display_begins(const char *processor, const char *id, const char *claim);

/* Does what has been typed; has q been among it so far? */
bool display_quit(void);

/* As long as the user wants the run to wait, but not for ever: does what is typed, which next(arg)
 * tells as input_key() does. */
void display_pause(int (*next)(const void *arg), const void *arg);

/* Does what a key asks for; -1: none.  True: it has no meaning here. */
bool display_key(int key);

/* The run has ended: a banner. */
void display_end(enum verdict verdict);
/* Where the report is, or why it is nowhere.  All is drawn anew, for the firmware may have drawn
 * meanwhile. */
void display_file(const char *where);

/* How long drawing took so far, and all since display_open(), in milliseconds; false: nothing is
 * displayed. */
bool display_cost(unsigned *drawing, unsigned *all);
