/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the counters in a core, whichever driver they have, and of the runner itself.
 *
 * Room: what is claimed of every PMU in a core.
 * Uses: pmu/meters, tests/lib
 */
#pragma once

#include "tests/lib/test.h"

/* ---- privilege.c ---- */

/* Checks a count of instructions: it is what is expected, or no less where that is all that is
 * known of the event. */
void check_instructions(struct run *t, uint64_t got, uint64_t want);

/* ---- handler.c ---- */

/* Calls the handler of an NMI, or of the vector of overflows, without an interrupt; with one near
 * return of its own.  Returns 0. */
uint64_t interrupt_by_instruction(uint64_t nmi, void *unused);

/* ---- rare.c: what tests of rare defects share ---- */

/* Each counter on the first event that it counts exactly, if there is one.  An event that it can
 * count only roughly is counted by another one, too, if any can. */
struct window window_of_mixed(const struct run *t, struct pmu_config levels);

/* Is its count known from the payload? */
bool slot_is_exact(const struct run *t, const struct slot *slot);

/* Starts it so that it carries into this bit when that many events have come; false: no such value
 * can be written, it starts from 0. */
bool slot_carries(const struct run *t, struct slot *slot, unsigned bit, uint64_t after);

/* Checks a count of the event, or a difference of counts, in a window of so many; 0: nothing has
 * counted.  Where it is published that the event is rarely miscounted, and nothing tells when, the
 * test goes on and ends as known if it is only that. */
void check_count(struct run *t, unsigned event, uint64_t got, uint64_t want, uint64_t of);

/* Checks that slots which count the same event have counted the same. */
void check_peers(struct run *t, const struct window *w);

#define RARE_TEST(name, claim, needs_, ...)                                                        \
	TEST(name, claim, .needs = PMU_PRIVILEGE | (needs_), .rare = true, __VA_ARGS__)
