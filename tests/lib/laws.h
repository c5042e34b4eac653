/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of laws share: who measures what on one run, and one shot at an overflow. */
#ifndef LAWS_H
#define LAWS_H

#include <stddef.h>

#include "kernel/image.h"
#include "kernel/lib/bits.h"
#include "test.h"

/*
 * A law is about several counters on the same run, each with a role.  The counter under test takes
 * the role under scrutiny; counters after it take the roles that follow in a circle.  False, and
 * the test skipped: this PMU cannot measure all roles at once.
 */
bool roles_assign(struct run *t, unsigned roles, unsigned scrutinised, const struct pmu_config *cfg,
		  unsigned *ctr);

/* All counters that can count the event, from the one under test on in a circle; their number. */
unsigned counters_for(const struct run *t, enum pmu_event_id event, unsigned *ctr);

/* User only: the ring crossing then opens and closes every counter in the same instant. */
static inline struct pmu_config gated(enum pmu_event_id event)
{
	return (struct pmu_config){.event = event, .user = true};
}

/* Can the counter under test count it? */
static inline bool can_count(const struct run *t, enum pmu_event_id event)
{
	return pmu_can_count(t->pmu, t->counter, event);
}

/* Iterations after which the payload has retired at least so many instructions. */
static inline uint64_t iterations_for(const struct payload *payload, uint64_t instructions)
{
	return instructions / (uint64_t)payload->per_iteration.instructions + 1;
}

/* The start value from which the counter interrupts at the n-th event. */
uint64_t minus(const struct run *t, uint64_t n);

/* Where the interrupt waits for the next event after the overflow, instructions that retire in the
 * same clock as the overflow do not raise it: at most so many. */
uint64_t unseen_by_interrupt(const struct run *t);

/* What one window of this configuration counts when nothing interrupts it. */
uint64_t window_total(struct run *t, const struct pmu_config *cfg, const struct payload *payload,
		      uint64_t iterations, enum ring ring);

/*
 * One window on the counter under test with interrupts armed; *log must be zero but for
 * rearm_from.  Returns the final value.  Disarms, so that the caller may REQUIRE.
 */
uint64_t shoot(struct run *t, const struct pmu_config *cfg, uint64_t from,
	       const struct payload *payload, uint64_t iterations, uint32_t lvt,
	       struct pmi_log *log);

/* Was the last interrupt taken in ring 3?  A late one may come after the way back to ring 0. */
bool taken_in_ring3(const struct pmi_log *log);

#endif
