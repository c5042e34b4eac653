/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the failures of a report have in common.  Each result is noted with the things that its test
 * programmed; the thing that all failures have, and the fewest of the passed, is named.
 *
 * Room: the things that tests program, and those that failures share.
 * Uses: kernel/console, kernel/lib
 */
#pragma once

#include "things.h"

/* The bit of the event of that name, which lives as long as the report; 0: none, or its list is
 * full. */
uint64_t cause_event(const char *name);

/* Another report begins: nothing is noted. */
void cause_begin(void);
void cause_note(const struct cause_result *result);
/* Reports what the failures of each PMU have in common, in CAUSE_LINES lines at most; nothing where
 * there is nothing.  In a guest of a hypervisor, too, what of the host is the likely cause. */
#define CAUSE_LINES 5u
void cause_report(bool is_guest);
