/* SPDX-License-Identifier: BSD-2-Clause */
/* From retired instructions to what happened in each clock. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "hierarchy.h"
#include "silicon.h"

enum signal {
	SIGNAL_CYCLES,
	SIGNAL_MASKED_CYCLES, /* clocks with IF = 0 */
	SIGNAL_INSTRUCTIONS,
	SIGNAL_UOPS,
	SIGNAL_BRANCHES,
	SIGNAL_TAKEN,
	SIGNAL_FAR,
	SIGNAL_NEAR_RETURNS,
	SIGNAL_CONDITIONAL,
	SIGNAL_INTERRUPTS,
	SIGNAL_FP, /* eight, one for each unit-mask bit of 0CBh */
	SIGNAL_SEGMENT = SIGNAL_FP + 8, /* eight, one for each unit-mask bit of the K7's 20h */
	SIGNAL_MMX_TYPE = SIGNAL_SEGMENT + 8, /* by enum mmx_type */
	SIGNAL_LOAD_UOPS = SIGNAL_MMX_TYPE + MMX_TYPES,
	SIGNAL_STORE_UOPS,
	SIGNAL_MISSED_STORES, /* those that missed the cache */
	SIGNAL_MISSED_LOADS,
	SIGNAL_LOADING, /* instructions with a load, with a store, with both */
	SIGNAL_STORING,
	SIGNAL_LOADING_AND_STORING,
	SIGNAL_MICROCODED, /* instructions out of the microcode ROM, and their micro-ops */
	SIGNAL_ROM_UOPS,
	SIGNAL_OUTCOME, /* of branches, by enum outcome */
	SIGNAL_UNCONDITIONAL = SIGNAL_OUTCOME + 4, /* direct jumps */
	SIGNAL_BRANCH_TYPE, /* others by enum branch_type, also mispredicted ones */
	SIGNAL_MISPREDICTED_TYPE = SIGNAL_BRANCH_TYPE + 4,
	SIGNAL_COMPUTE = SIGNAL_MISPREDICTED_TYPE + 4, /* operations, by enum compute */
	SIGNAL_MET = SIGNAL_COMPUTE + COMPUTES, /* by enum met: only while they are watched */
	SIGNAL_COUNT = SIGNAL_MET + METS,
};

enum outcome { NOT_TAKEN_PREDICTED, NOT_TAKEN_MISPREDICTED, TAKEN_PREDICTED, TAKEN_MISPREDICTED };
/* Returns are indirect as well. */
enum branch_type { TYPE_CONDITIONAL, TYPE_CALL, TYPE_RETURN, TYPE_INDIRECT };

/* What happened in one clock, and in which mode. */
struct clock {
	unsigned cpl;
	unsigned thread; /* of the core's two: the one that retired it */
	bool other_active; /* the other one, */
	unsigned other_cpl; /* and in which mode */
	bool guest; /* inside an SVM guest; the modelled processor has no SVM */
	bool bogus; /* all of it lay on a mispredicted path, and was thrown away */
	uint8_t n[SIGNAL_COUNT];
};

/* How a processor retires. */
struct retirement {
	unsigned width; /* what retires in one clock at most: */
	bool by_uops; /* micro-ops, each with a slot of its own; else instructions */
	bool counts_deliveries; /* of interrupts and exceptions, as instructions and branches */
	bool writes_first; /* WRMSR takes effect before it retires, not when it does */
};

enum { PREDICTOR_ENTRIES = 256 };

/* How fast: what a manual leaves open, and what no test may depend on. */
struct pace {
	unsigned width; /* at most that of the rules */
	unsigned latency, miss_every, miss, refill; /* see pipeline.c */
	unsigned stall_one_in, stall_most; /* instructions; clocks of a stall; 0: none */
	uint32_t random; /* state of the generator */
};

struct pipeline {
	const struct retirement *rules;
	struct pace pace;
	void (*sink)(void *arg, const struct clock *clock); /* receives every finished clock */
	void *arg;
	struct clock now; /* the clock being filled */
	unsigned filled; /* slots of it */
	uint32_t written; /* bit n: register n was written in it */
	unsigned loads, stores; /* since the last miss of each */
	bool missed; /* the instruction at hand did, with a load */
	bool mispredicted; /* the last instruction was, as a conditional branch */
	bool discarding; /* what comes is bogus */
	unsigned cpl; /* of the last instruction, */
	bool iflag; /* and its IF */
	struct threads threads;
	bool was_taken[PREDICTOR_ENTRIES]; /* conditional branches, by address */
	struct hierarchy hierarchy; /* what it meets is of the instruction that retires next */
};

void pipeline_reset(struct pipeline *p, const struct retirement *rules,
		    void (*sink)(void *arg, const struct clock *clock), void *arg);
/* Another pace, by seed; 0: the one of pipeline_reset(). */
void pipeline_vary(struct pipeline *p, uint32_t seed);
/* A number below limit, the next of the pace's sequence; 0 where it has none. */
unsigned pipeline_random(struct pipeline *p, unsigned limit);
/* As silicon_switch(), silicon_retire() and silicon_delivered(). */
void pipeline_switch(struct pipeline *p, const struct threads *threads);
void pipeline_retire(struct pipeline *p, const struct insn *insn, unsigned cpl, bool taken,
		     bool iflag);
void pipeline_deliver(struct pipeline *p, enum delivery what, unsigned cpl);
/* insn lay on the path of a mispredicted branch.  False: that path ends before it. */
bool pipeline_discard(struct pipeline *p, const struct insn *insn);
/* Ends the clock being filled, so that everything retired so far has been counted. */
void pipeline_close(struct pipeline *p);

#endif
