/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Modes in combination: all that a counter can be told, every two things together, since what works
 * alone may fail beside another.  A mode is a row of a covering array, a level of each axis.  A
 * test gives the axes, the levels that can come together, the window of a mode, and what must be
 * true of its counts.
 */
#pragma once

#include "tests/lib/cover/cover.h"
#include "window.h"

/* The results of a window of the counter under test and of its twin, which is told the same. */
struct mode_seen {
	uint64_t iterations;
	uint64_t count, twin; /* without the start values; the same where there is no twin */
	uint64_t interrupts; /* of the counter under test */
	uint64_t all_interrupts;
	bool last_in_ring3;
	bool ovf, twin_ovf; /* NetBurst */
};

/* Of a window that has been run, by its slots; with interrupts: since pmi_arm(). */
struct mode_seen modes_seen(const struct run *t, const struct window *w, unsigned twin,
			    unsigned tested, bool interrupts);

/* What many rows are compared with: a mode that is seen once, and remembered for all of them. */
struct mode_seen modes_once(struct run *t, const uint8_t *mode,
			    struct mode_seen (*see)(struct run *t, const uint8_t *mode));

/* Checks each row, until one fails, and reports how many it were.  So many neighbouring counters
 * share the rows, where counters are many: each meets every level, if not every pair. */
void modes_run(struct run *t, struct cover rows, unsigned sharers,
	       void (*check)(struct run *t, const uint8_t *mode));

/* How often something short is tried before it is judged: more than once where one of the events,
 * as bits, is published to be miscounted, rarely, or a hypervisor's entries are counted, and
 * nothing tells when. */
unsigned tries_for(const struct run *t, uint64_t events);
