/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the records of the last branches, by what the facet says of them.
 *
 * Room: what is claimed of any records of branches.
 * Uses: tests/lib
 */
#pragma once

#include "tests/lib/test.h"

/* Branches of all kinds, in all rings. */
extern const struct pmu_branching all_branches;
/* All but these kinds, or these alone. */
struct pmu_branching branches_but(uint32_t kinds);

/* Empties the records and starts; ends the test as our error where the driver refuses. */
void branches_start(struct run *t, const struct pmu_branching *what);
/* Empties them and calls code that starts and stops by itself: its first argument is a struct
 * msr_switch.  False: the driver refuses, and nothing has happened. */
bool branches_call(struct run *t, const struct pmu_branching *what, asm_code *code,
		   const void *argument);

/* How many records there are to be of n branches, where there is room for so many. */
unsigned branches_kept(const struct pmu *pmu, unsigned entries, unsigned n);
/* How many records are not zero. */
unsigned branches_recorded(const struct pmu *pmu);
void check_branch(struct run *t, unsigned age, const char *from, const char *to);

#pragma GCC visibility push(hidden)
/* Branches of which none is taken, between both writes of its argument, a struct msr_switch. */
extern asm_code branch_untaken;
/* Many: a jump, so many iterations but one of a loop from its end back, and a jump out of it.  The
 * loop is told by a second argument. */
extern asm_code branch_stretch;
extern const char branch_stretch_end[], branch_stretch_back[], branch_stretch_out[],
	branch_stretch_off[];
#pragma GCC visibility pop

static inline bool in_user_text(uint64_t ip)
{
	return ip >= (uintptr_t)user_text_start && ip < (uintptr_t)user_text_end;
}

/* Each record of so many is looked at, if all windows up to this one are. */
enum { BRANCHES_IN_A_ROW = 256 };

/* For .absent. */
const char *no_branch_filter(const struct pmu *pmu, unsigned ctr);
