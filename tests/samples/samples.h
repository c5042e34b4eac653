/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Windows in which counters write records (PEBS), and what must be in a record.
 *
 * Room: what is claimed of samples.
 * Uses: tests/intel
 */
#pragma once

#include "tests/intel/intel.h"

#define PEBS "Intel SDM vol. 3B, 20.3.1.1, 20.9: precise event based sampling"

/* Long beside ARMING, and its low six bits are zero, as Broadwell wants them (BDM055; Linux,
 * bdw_limit_period()). */
#define PERIOD 1024u
/*
 * A record is of the first event after the counter is armed, which takes its time after the
 * overflow, and an event may be lost on the way.  No document bounds either.  So this is an
 * assumption: so many events at most for both.  It rests on errata BJ103, HSD011 and BDM011, by
 * which even the counter that is armed ahead of its overflow needs 100 events for that.
 */
#define ARMING  100u
#define RECORDS 5u
#define ROOM    8u
/* Ends half-way between the last of n records, if all are as late as can be, and the overflow of
 * the next, if none is: what happens at the end of a window is not judged. */
#define EVENTS_FOR(n) (((n) * (PERIOD + ARMING) + ((n) + 1) * PERIOD) / 2)

_Static_assert(PERIOD > 2 * RECORDS * ARMING, "room for the end of a window");

#pragma GCC visibility push(hidden)
extern const char precise_loop[], precise_branch[], precise_end[];
#pragma GCC visibility pop

/* Are the records adaptive ones? */
bool is_adaptive(const struct pmu *pmu);
/* With so many branches, or so many instructions at least. */
struct work sampled_loop(bool branches, uint64_t events);
bool in_loop(uint64_t ip);

/* The event that this processor records; ends the test as skipped where it is not known, or the
 * format of the records. */
const struct intel_precise *sampled_event(struct run *t);
/* Arms these counters, programs them by the select registers in the slots, runs the window, disarms
 * them.  Returns the bytes written. */
uint64_t sampled_run(struct run *t, struct window *w, const struct pmu_sampling *what);

/* Checks the registers, addresses and size of a record of the loop that has all groups. */
void check_record(struct run *t, unsigned record, uint64_t counters);
