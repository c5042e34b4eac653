/* SPDX-License-Identifier: BSD-2-Clause */
/* Performance-monitoring interrupts: counted, explained, and ended when they do not end. */
#pragma once

#include "pmu/pmu.h"
#include "window.h"

/* The handler's findings since pmi_arm(): t->log. */
struct pmi_log {
	uint64_t count; /* interrupts taken */
	uint64_t unexplained; /* of these: found no armed counter overflowed, though some was */
	uint64_t full; /* of these: found the sampler's buffer full */
	uint64_t latest; /* highest value of a counter found overflowed */
	uint64_t rip; /* at the last one */
	uint32_t lvt; /* the LVT entry as the last one found it */
	uint64_t per_counter[PMU_COUNTERS_MAX];
	uint64_t value_at_pmi[PMU_COUNTERS_MAX]; /* counter value first seen by the handler */

	/* The handler's orders.  A test may set these after pmi_arm(). */
	uint64_t armed; /* bit n: counter n may interrupt */
	uint64_t rearm_from[PMU_COUNTERS_MAX], rearm_by[PMU_COUNTERS_MAX]; /* struct slot */
	bool samples; /* the sampler may interrupt */
	bool leaves_masked; /* the LVT entry, if delivery masks it */
	unsigned due; /* so many may come without being a storm */
	unsigned most; /* with so many it leaves the entry masked and stops what is armed; 0: any */

	/* The handler's own. */
	uint32_t asked; /* the LVT entry as armed; 0: never armed */
	unsigned entry; /* which one: that of counters, or extended one number entry - 1 */
	bool on; /* else it swallows what still comes */
	uint64_t seen; /* counters found overflowed and not armed again since */
	uint64_t total;
};

/* With PMU_INTERRUPT only: interrupts from now on, until the end of the test at the latest.  lvt:
 * APIC_LVT_MODE_NMI, VECTOR_PMI or VECTOR_OTHER, plus APIC_LVT_MASKED. */
void pmi_arm(struct run *t, uint32_t lvt, uint64_t armed);
/* The same of a sampler that interrupts through an entry of its own: without counters. */
void pmi_arm_sampler(struct run *t, uint32_t lvt);
/* After pmi_settle().  Returns the armed counters, as bits, that show an overflow that no interrupt
 * has told of; 0 where the entry is masked. */
uint64_t pmi_disarm(struct run *t);
/* What the log's interrupts are, if any may come. */
uint32_t interrupt_traits(const struct pmi_log *log);
/* Waits the 50 us in which a late interrupt may still come (AMD: Linux 914123fa3904). */
void pmi_settle(void);
/* The runner, after each test: takes what is still armed or under way.  Interrupts off.  NULL, or
 * what came that is none of it. */
const char *pmi_clean_up(struct run *t);
/* So many interrupts more than are due since pmi_arm() end the test. */
#define PMI_STORM 200u
