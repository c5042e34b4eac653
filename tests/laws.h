/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of laws share: who measures what on one run, and one shot at an overflow. */
#ifndef LAWS_H
#define LAWS_H

#include <stddef.h>

#include "bits.h"
#include "image.h"
#include "test.h"

/*
 * A law is about several counters on the same run, each with a role.  The counter under test takes
 * the role under scrutiny; the counters that follow it, in a circle, take the roles that follow.
 */
static inline void roles_assign(const struct run *t, unsigned roles, unsigned scrutinised,
				unsigned *ctr)
{
	for (unsigned i = 0; i < roles; i++)
		ctr[(scrutinised + i) % roles] = (t->counter + i) % t->pmu->counters;
}

/* User only: the ring crossing then opens and closes every counter in the same instant. */
static inline struct pmu_config gated(enum pmu_event_id event)
{
	return (struct pmu_config){.event = event, .user = true};
}

static inline bool has_event(const struct run *t, enum pmu_event_id event)
{
	return t->pmu->events[event].name != NULL;
}

/* Iterations after which the payload has retired at least so many instructions. */
static inline uint64_t iterations_for(const struct payload *payload, uint64_t instructions)
{
	return instructions / (uint64_t)payload->per_iteration.instructions + 1;
}

/* The start value from which the counter overflows at the n-th event. */
static inline uint64_t minus(const struct run *t, uint64_t n)
{
	return (0 - n) & pmu_mask(t->pmu);
}

/* What one window of this configuration counts when nothing interrupts it. */
static inline uint64_t window_total(struct run *t, const struct pmu_config *cfg,
				    const struct payload *payload, uint64_t iterations,
				    enum ring ring)
{
	struct pmu_config quiet = *cfg;
	uint64_t total;

	quiet.interrupt = false;
	measure(t, 1, &t->counter, &quiet, NULL, payload, iterations, ring, &total);
	return total;
}

/*
 * One window on the counter under test with interrupts armed; *log must be zero but for
 * rearm_from.  Returns the final value.  Disarms, so that the caller may REQUIRE.
 */
static inline uint64_t shoot(struct run *t, const struct pmu_config *cfg, uint64_t from,
			     const struct payload *payload, uint64_t iterations, uint32_t lvt,
			     struct pmi_log *log)
{
	uint64_t value;

	log->armed = BIT(t->counter);
	pmi_arm(t, log, lvt);
	measure(t, 1, &t->counter, cfg, &from, payload, iterations, RING_3, &value);
	pmi_disarm();
	return value;
}

/* Was the last interrupt taken in ring 3?  A late one may come after the way back to ring 0. */
static inline bool taken_in_ring3(const struct pmi_log *log)
{
	return log->count && log->rip >= (uintptr_t)user_text_start &&
	       log->rip < (uintptr_t)user_text_end;
}

#endif
