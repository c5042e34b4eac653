/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that nobody seeded by hand: every defect of a few simple classes, in every register, bit
 * and counter of a modelled PMU, whatever its kind. */
#pragma once

#include "classes.h"
#include "model/pmu/pmu.h"

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

/* One clock, as clock() of ops, with what the fault g, which is not NULL, does to its requests. */
unsigned generated_clock(const struct generated *g, const struct core_ops *ops, void *pmu,
			 const struct clock *clock);
/* Instructions more that a request is on its way.  g NULL: none; and so on. */
unsigned generated_delay(const struct generated *g);
/* The counters, of those that hold a request, whose request gets to the local APIC. */
uint32_t generated_held(const struct generated *g, uint32_t held);
