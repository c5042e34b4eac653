/* SPDX-License-Identifier: BSD-2-Clause */
/* From retired instructions to what happened in each clock. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

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
	SIGNAL_COUNT = SIGNAL_SEGMENT + 8,
};

/* What happened in one clock, and in which mode. */
struct clock {
	unsigned cpl;
	bool guest; /* inside an SVM guest; the modelled processor has no SVM */
	uint8_t n[SIGNAL_COUNT];
};

struct pipeline {
	unsigned width;
	void (*sink)(void *arg, const struct clock *clock); /* receives every finished clock */
	void *arg;
	struct clock now; /* the clock being filled */
	unsigned filled; /* instructions in it */
	uint32_t written; /* bit n: register n was written in it */
	unsigned loads; /* since the last miss */
	unsigned cpl; /* of the last instruction, */
	bool iflag; /* and its IF */
};

void pipeline_reset(struct pipeline *p, unsigned width,
		    void (*sink)(void *arg, const struct clock *clock), void *arg);
/* As silicon_retire() and silicon_delivered(). */
void pipeline_retire(struct pipeline *p, const struct insn *insn, unsigned cpl, bool taken,
		     bool iflag);
void pipeline_deliver(struct pipeline *p, enum delivery what, unsigned cpl);
/* Ends the clock being filled, so that everything retired so far has been counted. */
void pipeline_close(struct pipeline *p);

#endif
