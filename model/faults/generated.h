/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that nobody seeded by hand: every defect of a few simple classes, in every register, bit
 * and counter of a modelled PMU, whatever its kind. */
#pragma once

#include "model/faults/common/pair.h"
#include "model/pmu/pmu.h"

enum generated_class {
	GENERATED_STUCK_0, /* bit of a counter */
	GENERATED_STUCK_1,
	GENERATED_IGNORED, /* bit of a control register: reads back as written, but acts as 0 */
	GENERATED_INVERTED, /* reads back as written, but acts as its opposite */
	GENERATED_SHARE_FULL, /* a byte of shares, when they have gone on from what was written */
	GENERATED_SHARE_STANDS,
	GENERATED_ALIASED, /* a register's address reaches the next one of its kind */
	GENERATED_PMI_DROPPED, /* interrupts of one counter */
	GENERATED_PMI_DOUBLED,
	GENERATED_PMI_DELAYED, /* by instructions more than the profile says */
	GENERATED_ONE_MORE_PER_START, /* of one counter */
	GENERATED_ONE_MORE_PER_STOP,
	GENERATED_ONE_MORE_PER_OVERFLOW,
	GENERATED_ONE_MORE_PER_INTERRUPT,
	GENERATED_LOST, /* one in every 2^n events of one counter */
	/* Faults in something that is right nearly always. */
	GENERATED_RARE_LOST, /* the same, n above 10 */
	GENERATED_RARE_DOUBLED,
	GENERATED_RARE_CARRY, /* no carry out of one bit, while it counts */
	GENERATED_RARE_STOP, /* after 2^n events */
	GENERATED_RARE_PMI_LOST, /* one in every 2^n interrupts of all counters */
	GENERATED_RARE_PMI_DOUBLED,
	GENERATED_RARE_RELOAD, /* by PEBS */
	GENERATED_RARE_FREEZE,
	/* Faults in one record of many. */
	GENERATED_RECORD_FROM,
	GENERATED_RECORD_TO,
	GENERATED_RECORD_LOST,
	GENERATED_RECORD_PEBS_IP,
	GENERATED_RECORD_PEBS_LOST,
	GENERATED_RECORD_SAMPLE,
	/* Three for each effect: on a counter while a condition holds, on all counters, and on one
	 * while two conditions hold. */
	GENERATED_PAIRS,
	GENERATED_CLASSES = GENERATED_PAIRS + 3 * PAIR_EFFECTS,
};

/* One of those between the PMU and the local APIC. */
struct generated {
	enum generated_class class;
	unsigned counter;
	unsigned delay; /* instructions */
};

/* ---- which there are ---- */

/* A walk over the generated faults of a processor: the one at which it is, and the way to the next.
 */
struct generated_walk {
	const struct profile *profile;
	struct fault fault;
	struct defect defect;
	struct generated generated;
	uint64_t one; /* the bit of the register, or the 2^n events */
	char name[96], says[240], tests[256];
	unsigned part, class, index; /* of its register */
	uint64_t met; /* counters of the core whose registers came before, as bits, */
	bool again; /* and the register is of one of them */
	struct pmu_register reg;
	uint64_t left; /* one bit for each fault of this class that the register still has */
};

void generated_begin(struct generated_walk *walk, const struct profile *profile);
/* Steps to the next one; false: past the end. */
bool generated_next(struct generated_walk *walk);
/* By name; NULL: none.  The fault lives until the next call. */
const struct fault *generated_find(const struct profile *profile, const char *name);

/* "simple", "rare", "pairs" or "triples". */
const char *generated_group(const struct generated_walk *walk);

/* unseen.c: why no test can see the fault at which the walk is; NULL: one can. */
const char *generated_unseen(const struct generated_walk *walk);

/* ---- pairs.c ---- */

bool generated_is_pair(const struct generated_walk *walk);
enum pair_effect pair_effect(const struct generated_walk *walk);
/* The arg of its defect. */
uint64_t pair_arg(const struct generated_walk *walk);
/* Sets name and says, by the words of its class. */
void pair_name(struct generated_walk *walk, const char *class, const char *says);
void pair_tests(struct generated_walk *walk); /* sets tests, of the core */
/* As generated_unseen(). */
const char *pair_unseen(const struct generated_walk *walk);

/* ---- evens.c ---- */

/* Why no test can tell of a fault that changes what a counter does; NULL: one can. */
const char *pair_evens_out(const struct generated_walk *walk);

/* ---- where they reach into the modelled processor ---- */

/* One clock of the PMU, as its own, with g not NULL; returns the number of interrupt requests. */
unsigned generated_clock(const struct generated *g, const struct kind_ops *ops, void *pmu,
			 const struct clock *clock);
/* Instructions more that a request is on its way.  g NULL: none; and so on. */
unsigned generated_delay(const struct generated *g);
/* The counters, of those that hold a request, whose request gets to the local APIC. */
uint32_t generated_held(const struct generated *g, uint32_t held);
