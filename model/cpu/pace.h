/* SPDX-License-Identifier: BSD-2-Clause */
/* The pace of the pipeline, for the files that are it. */
#pragma once

#include "pipeline.h"

/* Of pipeline.c's rules. */
enum { LATENCY = 3, MISS_EVERY = 8, MISS = 5, REFILL = 4, ROM_UOPS = 7 };
/* Long stalls: one of so many, and its clocks. */
enum { STALLS_RARE = 97, STALL_LONG = 200 };

struct pace pace_usual(const struct retirement *rules);

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
