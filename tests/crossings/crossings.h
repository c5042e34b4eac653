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

enum { CROSSING_CODE = 12, CROSSING_SETUP = 2 };
enum { CROSSINGS_MAX = 16 };

enum crossing_by { BY_VECTOR, BY_SYSCALL, BY_SYSENTER, BY_CALL_GATE };

/* An instruction of ring 3 that goes to ring 0, where a few instructions without a branch and one
 * that comes back, behind it, are executed. */
struct crossing {
	const char *name;
	uint8_t code[CROSSING_CODE], length;
	/* Lengths of instructions at its begin that stay in ring 3: they say where to come back to.
	 */
	uint8_t setup[CROSSING_SETUP];
	uint8_t behind; /* not 0: the address behind it stands in the four bytes up to here */
	uint8_t by; /* enum crossing_by */
	uint8_t vector; /* by which it comes */
	bool open; /* ring 3 asks for the vector by an instruction */
	bool faults; /* the instruction itself does not retire */
	uint8_t returns; /* to ring 3: another one for an interrupt that comes behind the first */
	/* Instructions of ring 0, with the one that comes back; 0: they are C code's, and nobody
	 * knows how many. */
	uint8_t handler;
	union {
		const char *entry;
		trap_handler *in_c;
	};
};

/* NULL behind the last. */
const struct crossing *crossing(unsigned i);
/* Its code at this address; returns the length. */
unsigned crossing_put(const struct crossing *way, uint8_t *code, uintptr_t address);
/* Where in its code the instruction stands that crosses. */
static inline unsigned crossing_begins(const struct crossing *way)
{
	return way->setup[0] + way->setup[1];
}
/* Can this processor take it?  Some are of one size of code. */
bool crossing_is_here(const struct crossing *way);

/* Those that are here and count each time alike by this PMU, as bits by their places. */
uint32_t crossings_of(const struct pmu *pmu);
/* Of these those whose cost in ring 3 is published: of each return as much as that from INT n,
 * which is what the user gate costs. */
uint32_t crossings_published(const struct pmu *pmu);
/* Of these the faults. */
uint32_t crossings_that_fault(uint32_t ways);

/* One divides by this place of the buffer, which is at ESI, and one calls what it has there. */
enum { CROSSING_ZERO = 256, CROSSING_FAR = 264 };

/* Opens ways, as bits by their places, and closes them; the buffer has what they need.  What faults
 * in between finds no handler: nothing is to run there but code that crosses. */
void crossings_open(uint32_t ways);
void crossings_close(void);
