/* SPDX-License-Identifier: BSD-2-Clause */
/* The KTAP report: plan first, one line per planned test, one summary, one verdict. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stddef.h>

enum outcome { OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_KNOWN, OUTCOME_FAIL, OUTCOME_ERROR };

/* Value written to QEMU's isa-debug-exit, and the EFI status' origin. */
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP, VERDICT_ERROR };

/* Starts a report: drops the last one's buffer and prints "KTAP version 1". */
void report_begin(void);
/* "# ..." header line. */
void report_header(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "1..n", or "1..0 # SKIP reason" when n is 0 (reason must then be given). */
void report_plan(unsigned n, const char *reason);
/* "#   ..." diagnostic, buffered until the result line of the running test, printed below it. */
void report_diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "ok n name", "ok n name # SKIP why", "not ok n name # TODO why" (known), "not ok n name". */
void report_result(const char *name, enum outcome outcome, const char *why);
/* "Bail out! why": the verdict becomes error. */
void report_bail_out(const char *why);
/* Summary and "# verdict: ..." lines; error when the plan was not met. */
enum verdict report_end(void);
/* All that the report holds since report_begin(), for the file. */
const char *report_text(size_t *length);

#endif
