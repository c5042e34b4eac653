/* SPDX-License-Identifier: BSD-2-Clause */
/* One test, run under guard and reported. */
#pragma once

#include "tests/lib/test.h"

/* KVM on AMD enters its guest, after each interrupt of the host, by a VMRUN that the counters of
 * the guest count as an instruction and a branch: kvm-unit-tests 89126fa4.  So many entries at most
 * are in the windows that a check compares: one behind the write that starts each counter, of two
 * windows of six, and one behind each exit meanwhile. */
#define ENTRIES_MOST 16u

/* "claim:" and "clause:" as diagnostics. */
void attempt_report_claim(const struct test *test);

/* Undoes what a body that was ended has changed of the processor, but for PMUs. */
void attempt_put_right(void);

/*
 * Runs t->test, which has t->pmu and t->counter, and reports its result as id.  Every PMU is in the
 * known state; settle(t->pmu) brings back those that the test may have touched.  A test that fails
 * while SMIs or NMIs come, or where an erratum may have made the counts too high, is run again, a
 * bounded number of times; under KVM on AMD, whose VMRUN is counted, any that fails.  There counts
 * that are off by a few each time are known.
 */
void attempt(const struct run *t, const char *id, const struct battery *battery,
	     void (*settle)(const struct pmu *pmu));
