/* SPDX-License-Identifier: BSD-2-Clause */
/* The KTAP report: plan first, one line per planned test, one summary, one verdict. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outcome { OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_KNOWN, OUTCOME_FAIL, OUTCOME_ERROR };

/* Value written to QEMU's isa-debug-exit, and the EFI status' origin. */
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP, VERDICT_ERROR };

/*
 * The memory of all reports.  Its last REPORT_DIAG_SIZE bytes hold the diagnostics of the running
 * test; a report that fills the rest says where it was truncated, and still ends with its verdict.
 * REPORT_BUFFER_SIZE: 1,500 result lines and some 50 failures with all their registers.
 */
#define REPORT_BUFFER_SIZE (512u * 1024u)
#define REPORT_BUFFER_MIN  (REPORT_DIAG_SIZE + 4096u)
#define REPORT_DIAG_SIZE   (16u * 1024u)
/* Kept free behind the text, so that a full buffer still ends with its mark and the verdict. */
#define REPORT_TAIL_SIZE 1024u
#define REPORT_MARK_SIZE 160u
/* What a buffer may hold of a report that has not ended, for report_resume(). */
#define REPORT_TEXT_MAX(size) ((size)-REPORT_DIAG_SIZE - REPORT_TAIL_SIZE + REPORT_MARK_SIZE)
void report_set_buffer(char *buffer, size_t size);

/* Starts a report: drops what the buffer holds and prints "KTAP version 1".  quiet: the consoles
 * get nothing, or the whole report from its first failure or error on. */
void report_begin(bool quiet);
/* "# ..." header line. */
void report_header(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "1..n", or "1..0 # SKIP reason" when n is 0 (reason must then be given). */
void report_plan(unsigned n, const char *reason);
/* "#   ..." diagnostic, buffered until the result line of the running test, printed below it. */
void report_diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Drops what waits for that line. */
void report_drop_diag(void);
/* "ok n name", "ok n name # SKIP why", "not ok n name # TODO known: why", "not ok n name" (below
 * it, as a diagnostic, why, unless NULL). */
void report_result(const char *name, enum outcome outcome, const char *why);
/* "Bail out! why": the verdict becomes error. */
void report_bail_out(const char *why);
/* Results of this outcome so far. */
unsigned report_count(enum outcome outcome);
/* How far the report has come; goes with the text of report_text(). */
struct report_progress {
	uint32_t planned, plan;
	uint32_t truncated;
	uint32_t count[OUTCOME_ERROR + 1];
};
void report_save(struct report_progress *progress);
/* In place of report_begin(): goes on with a report whose first length bytes the buffer holds. */
void report_resume(size_t length, const struct report_progress *progress);
/* "pass", "fail", "skip" or "error". */
const char *report_verdict_name(enum verdict verdict);
/* Summary and "# verdict: ..." lines; error when the plan was not met. */
enum verdict report_end(void);
/* All that the report holds since report_begin(), for the file. */
const char *report_text(size_t *length);

#endif
