/* SPDX-License-Identifier: BSD-2-Clause */
/* A clock of the core: the signals in it, and its mode. */
#pragma once

#include "insn.h"
#include "memory.h"

/* The logical processors of a core with Hyper-Threading, which executes them by turns. */
enum { THREADS = 2 };
enum thread_state { THREAD_WAITS_FOR_SIPI, THREAD_HALTED, THREAD_ACTIVE };
struct threads {
	unsigned now; /* which thread executes */
	enum thread_state state[THREADS];
	unsigned cpl[THREADS];
};

/* By unit-mask bits of AMD's event 1CFh. */
enum fate { FATE_TAGGED, FATE_RETIRED, FATE_OVERTAKEN, FATE_FILTERED, FATE_RECORDED, FATES };

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
	SIGNAL_INTERRUPTS, /* NMIs, too */
	SIGNAL_NMIS,
	SIGNAL_SMIS,
	SIGNAL_FP, /* eight, one for each unit-mask bit of 0CBh */
	SIGNAL_SEGMENT = SIGNAL_FP + 8, /* eight, one for each unit-mask bit of the K7's 20h */
	SIGNAL_MMX_TYPE = SIGNAL_SEGMENT + 8, /* by enum mmx_type */
	SIGNAL_TWICE = SIGNAL_MMX_TYPE + MMX_TYPES, /* instructions that a Pentium D counts twice */
	SIGNAL_LOAD_UOPS,
	SIGNAL_STORE_UOPS,
	SIGNAL_MISSED_STORES, /* stores that missed the cache */
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
	SIGNAL_ADDITIONS = SIGNAL_COMPUTE + COMPUTES, /* of SSE: each number of a vector */
	SIGNAL_FATES, /* of sampled ops, by enum fate: AMD's PMU knows */
	SIGNAL_MET = SIGNAL_FATES + FATES, /* by enum met: only while they are watched */
	SIGNAL_COUNT = SIGNAL_MET + METS,
};

enum outcome { NOT_TAKEN_PREDICTED, NOT_TAKEN_MISPREDICTED, TAKEN_PREDICTED, TAKEN_MISPREDICTED };
/* Returns are indirect, too. */
enum branch_type { TYPE_CONDITIONAL, TYPE_CALL, TYPE_RETURN, TYPE_INDIRECT };

/* One clock: how often each signal occurred in it, and in which mode. */
struct clock {
	unsigned cpl;
	unsigned thread; /* which of the core's two retired it */
	bool other_active; /* the other one, */
	unsigned other_cpl; /* and in which mode */
	bool bogus; /* all of it lay on a mispredicted path, and was thrown away */
	uint8_t n[SIGNAL_COUNT];
};

/* How a processor retires. */
struct retirement {
	unsigned width; /* most that retire in one clock: */
	bool by_uops; /* micro-ops, each with a slot of its own; else instructions */
	bool counts_deliveries; /* of interrupts and exceptions, as instructions and branches */
	bool writes_first; /* WRMSR takes effect before it retires, not when it does */
};
