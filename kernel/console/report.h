/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the files of the report share, and nobody else needs. */
#pragma once

#include "console.h"

#define REPORT_LINE_SIZE 512

/* ---- diagnostics.c ---- */

/*
 * A line of prefix and formatted text, ended by one "\n".  Text from firmware or hardware may hold
 * anything: only printable ASCII goes out, or a brand string could forge a result line.
 */
size_t report_line(char line[REPORT_LINE_SIZE], const char *prefix, const char *format,
		   va_list args);

/* memory: REPORT_DIAG_SIZE bytes, which are empty. */
void diagnostics_use(char *memory);
/* The diagnostics that wait for a result. */
const char *diagnostics(size_t *length);
/* Puts a line in front of those of the running test, and keeps both for a later result.  Where the
 * others have no room any more, there is room for REPORT_NAMES_SIZE bytes of such lines. */
void diagnostics_keep(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* All that were kept are the next result's. */
void diagnostics_release(void);

/* ---- measured.c ---- */

/* Has what the test of that name has measured wait as a finding, and forgets it. */
void measured_tell(const char *test);

/* ---- gather.c ---- */

/* Another report begins. */
void gather_begin(void);
bool gathering(void);
void gather(const char *name, enum outcome outcome, const char *why);
/* A result that is none of those that are gathered says why it was skipped, or is known. */
void gather_told(enum outcome outcome, const char *why);
unsigned gather_count(enum outcome outcome);
/* "failed" */
const char *outcome_adjective(enum outcome outcome);
