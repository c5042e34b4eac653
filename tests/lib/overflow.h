/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows in which the counter under test overflows, and what there is to know of them. */
#pragma once

#include "window.h"

/* The start value from which a counter interrupts at the n-th event. */
uint64_t preset_for(const struct run *t, uint64_t n);

/* The shortest of periods from n on of which an interrupt comes just once. */
uint64_t period_from(const struct run *t, uint64_t n);

/* Where the interrupt waits for the next event after the overflow, instructions that retire in the
 * same clock as the overflow do not raise it; where the window ends in the write that stops its
 * counters, and not on the way to ring 0, nothing is documented of those in the clock of that
 * write: at most so many. */
uint64_t unseen_by_interrupt(const struct run *t);

/* One window of the counter under test from a start value, with interrupts by lvt.  Returns the
 * final value. */
uint64_t count_overflows(struct run *t, struct pmu_config cfg, uint64_t from, struct work work,
			 uint32_t lvt);

/* Was the last interrupt taken in ring 3?  A late one may come after the way back to ring 0. */
bool taken_in_ring3(const struct run *t);
