/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline: turns retired instructions into clocks, and what happened in each. */
#pragma once

#include "hierarchy.h"
#include "model/signals/signals.h"
#include "pace.h"

enum { PREDICTOR_ENTRIES = 256 };

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
	bool discarding; /* instructions that come are bogus */
	unsigned cpl; /* of the last instruction, */
	bool iflag; /* and its IF */
	struct threads threads;
	bool was_taken[PREDICTOR_ENTRIES]; /* conditional branches, by address */
	struct hierarchy
		hierarchy; /* events met there count for the instruction that retires next */
};

void pipeline_reset(struct pipeline *p, const struct retirement *rules,
		    void (*sink)(void *arg, const struct clock *clock), void *arg);
/* Another pace, by seed; 0: the one of pipeline_reset(). */
void pipeline_vary(struct pipeline *p, uint32_t seed);
/* As silicon_switch(), silicon_retire() and silicon_delivered(). */
void pipeline_switch(struct pipeline *p, const struct threads *threads);
void pipeline_retire(struct pipeline *p, const struct insn *insn, unsigned cpl, bool taken,
		     bool iflag);
void pipeline_deliver(struct pipeline *p, enum delivery what, unsigned cpl);
/* insn lay on the path of a mispredicted branch.  False: that path ends before it. */
bool pipeline_discard(struct pipeline *p, const struct insn *insn);
/* Ends the clock being filled, so that everything retired so far has been counted. */
void pipeline_close(struct pipeline *p);
/* After that a clock passes at that level, in which nothing retires. */
void pipeline_wait(struct pipeline *p, unsigned cpl);
