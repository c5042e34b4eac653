/* SPDX-License-Identifier: BSD-2-Clause */
/* The pace of the pipeline: what the rules of pipeline.c leave open. */
#pragma once

#include "model/signals/signals.h"

/* The usual one. */
enum { LATENCY = 3, MISS_EVERY = 8, MISS = 5, REFILL = 4, ROM_UOPS = 7 };
/* Long stalls: one of so many, and its clocks. */
enum { STALLS_RARE = 97, STALL_LONG = 200 };

/* The pace, which manuals leave open, and on which no test may depend. */
struct pace {
	unsigned width; /* at most the width of the rules */
	unsigned latency, miss_every, miss, refill; /* see pipeline.c */
	unsigned stall_one_in, stall_most; /* instructions; clocks of a stall; 0: none */
	uint32_t random; /* state of the generator */
};

struct pace pace_usual(const struct retirement *rules);
/* Another one, by seed, at most as wide; 0: the same. */
void pace_vary(struct pace *pace, uint32_t seed, unsigned width);
/* A number below limit, the next of the pace's sequence; 0 where it has none. */
unsigned pace_random(struct pace *pace, unsigned limit);
/* All signals together occur no more often in the clocks of these instructions, at the usual
 * pace, but for what they meet on their way to memory. */
unsigned pace_most(const struct insn *const *insn, unsigned count);

/* ---- what an instruction is ---- */

static inline bool is_far(const struct insn *insn)
{
	return insn->class >= INSN_FAR && insn->class <= INSN_SYSRET;
}

static inline bool is_branch(const struct insn *insn)
{
	return insn->class >= INSN_JCC && insn->class <= INSN_SYSRET;
}

static inline bool is_alone(const struct insn *insn)
{
	return insn->serializing || is_far(insn);
}

static inline bool is_microcoded(const struct insn *insn)
{
	return is_alone(insn) || insn->class == INSN_REP_STRING;
}
