/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: what every kind of PMU is to the modelled processor: profile, ops, faults.
 * Uses: model/signals, kernel/lib
 */
#ifndef CORE_PMU_H
#define CORE_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"
#include "model/signals/signals.h"
#include "profile.h"

/* Room for the state of any kind of PMU, which asserts that it fits. */
enum { CORE_PMU_STATE = 8192 };

/* A register of a PMU, whatever its kind. */
struct core_register {
	uint32_t msr;
	uint32_t neighbour; /* the next of its kind, after the last the first */
	int counter; /* whose, -1: not of one counter */
	bool cells; /* the counter itself, else what controls it */
	uint64_t bits; /* that a write changes */
	const char *tests; /* globs of those that ask for all of it; NULL: any may */
};

/* pmu is that room. */
struct core_pmu_ops {
	/* The threads of a core share it; else it is that of number 0, and number 1 must not touch
	 * its own. */
	bool of_core;
	/* Power-on state; fault is NULL where healthy. */
	void (*reset)(void *pmu, const struct profile *profile, const struct fault *fault);
	/* ACCESS_NOT_MINE: no register of this kind. */
	enum access (*rdmsr)(void *pmu, uint32_t msr, uint64_t *value);
	enum access (*wrmsr)(void *pmu, uint32_t msr, uint64_t value);
	enum access (*rdpmc)(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce,
			     uint64_t *value);
	/* True while a counter may increment in some mode. */
	bool (*counting)(const void *pmu);
	/* One clock passes; returns the number of interrupt requests that it makes, each of which
	 * reaches the LVT entry once. */
	unsigned (*clock)(void *pmu, const struct clock *clock);
	/* Does delivery set the mask bit of the LVT entry? */
	bool (*masks_lvt)(const void *pmu);

	/* -- for faults that are generated -- */

	/* The index-th register that software programs; false: past the end. */
	bool (*register_at)(const void *pmu, unsigned index, struct core_register *reg);
	/* Where a counter keeps its value; may it count as things stand? */
	uint64_t *(*cell)(void *pmu, unsigned counter);
	bool (*enabled)(const void *pmu, unsigned counter);

	/* The rest may be NULL: nothing. */

	/* Counters, as bits, that hold a request for a thread, which reaches its LVT entry whenever
	 * that is not masked. */
	uint32_t (*held_by)(const void *pmu, unsigned thread);
	/* A branch was taken, or an interrupt or exception delivered, by what retires next. */
	void (*branched)(void *pmu, const struct branch *branch);
	/* May the next instruction want an assist?  Then it needs clocks of its own, so that it is
	 * known whose the assist is. */
	bool (*precise)(const void *pmu);
	/* After an instruction: is there something to do to the memory of the machine?  Does it,
	 * and returns the number of interrupt requests. */
	bool (*wants_assist)(const void *pmu);
	unsigned (*assist)(void *pmu, const struct machine *machine);
	/* Does it count what enum met names? */
	bool (*watches_hierarchy)(const void *pmu);
	/* Does it count what lay on a mispredicted path? */
	bool (*watches_bogus)(const void *pmu);
	/* Does a counter count ticks of the TSC?  Then how many there have been. */
	bool (*counts_tsc)(const void *pmu);
	uint64_t (*tsc_ticks)(const void *pmu);
	/* A system management interrupt is to be counted. */
	void (*smi)(void *pmu);
};

#endif
