/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ways from ring 3 to ring 0 and back, as data: what each is in code, where it comes to, and what
 * is written of which instructions retire on which side.
 *
 * Room: crossings of rings, and what counters make of them
 * Uses: tests/lib
 */
#pragma once

#include "tests/lib/test.h"

enum { CROSSING_CODE = 8 };

/* An instruction of ring 3 that goes to ring 0, where a few instructions without a branch and one
 * that comes back, behind it, are executed. */
struct crossing {
	const char *name;
	uint8_t code[CROSSING_CODE], length;
	uint8_t vector; /* by which it comes; 0: it is SYSCALL */
	bool open; /* ring 3 asks for the vector by an instruction */
	bool faults; /* the instruction itself does not retire */
	uint8_t handler; /* instructions of ring 0, with the one that comes back */
	const char *entry;
};

/* NULL behind the last. */
const struct crossing *crossing(unsigned i);
/* Can this processor take it?  Some are of one size of code. */
bool crossing_is_here(const struct crossing *way);

/* Those whose cost in ring 3 is published of this PMU, as bits by their places: that of INT n,
 * which is what the user gate costs, and of those that cost as much. */
uint32_t crossings_of(const struct pmu *pmu);
/* Of these the faults. */
uint32_t crossings_that_fault(uint32_t ways);

/* One divides by this place of the buffer, which is at ESI and is to hold zeroes there. */
enum { CROSSING_ZERO = 256 };

/* Opens ways, as bits by their places, and closes them.  What faults in between finds no handler:
 * nothing is to run there but code that crosses. */
void crossings_open(uint32_t ways);
void crossings_close(void);
