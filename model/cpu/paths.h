/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths: what a block of instructions does to the pipeline, learnt once for each state in which it
 * is met.  Nothing of a PMU is in a path, so that all are kept from window to window and from run
 * to run, until there are too many.
 */
#pragma once

#include "pipeline.h"
#include "silicon.h"

/* Things met in the hierarchy, and by which instructions of a block, in their order. */
enum { METS_MOST = 256, METS_KNOWN = 6 };
struct mets {
	unsigned count;
	struct {
		uint8_t index, what; /* enum met */
	} met[METS_MOST];
};
/* Takes what the hierarchy has met for that instruction. */
void mets_take(struct mets *mets, unsigned index, struct hierarchy *h);
/* Has it meet that again; *next is the first not given back yet. */
void mets_give(const struct mets *mets, unsigned *next, unsigned index, struct hierarchy *h);

/* All that a path depends on: of mets no more than METS_KNOWN. */
struct path_from {
	const struct block *block;
	unsigned state; /* of the pipeline, by number */
	unsigned loads, stores; /* since the last miss of each */
	unsigned mode; /* PATH_* */
	const struct mets *mets;
};
enum {
	PATH_CPL = 3,
	PATH_IF = 4,
	PATH_CLOSES = 8, /* a clock with each instruction */
	PATH_TAKEN = 16, /* the conditional branch at its end is, */
	PATH_WAS_TAKEN = 32, /* or was the last time */
	PATH_EDGES = 64, /* of its clocks it matters what comes before them */
};

struct path {
	uint64_t key; /* 0: none */
	uint64_t met; /* the key of what was met */
	uint32_t times; /* that it was gone, since paths_count() */
	uint32_t first; /* of its clocks, */
	uint16_t clocks; /* which are so many */
	uint16_t to; /* the state behind it */
	unsigned most; /* occurrences of all signals, in a clock that is not over, too */
	uint8_t loads, stores; /* by which these go on */
	bool missed, mispredicted; /* as in the pipeline behind it */
};

/* No more can be learnt: it is time for paths_forget(). */
extern bool paths_full;
/* From now on the pipeline has these rules.  What was learnt of others is forgotten. */
void paths_begin(const struct pipeline *p);
/* While no path is gone that was not counted. */
void paths_forget(void);

/* The number of the state in which the pipeline is, and the state of that number. */
unsigned paths_state(const struct pipeline *p);
void paths_restore(struct pipeline *p, unsigned state);
/* Occurrences of all signals in the clock that is not over then. */
unsigned paths_pending(unsigned state);

/* What tells one path from another: two numbers, the second of which is 0 where nothing was met. */
uint64_t paths_key(const struct block *b, unsigned state, unsigned loads, unsigned stores,
		   unsigned mode);
uint64_t mets_key(const struct mets *mets);
/* The only place where such a path can be. */
struct path *paths_at(uint64_t key, uint64_t met);
/* Fills it in by sending the block through the pipeline, whose state is then no longer its own. */
void paths_learn(struct path *path, const struct path_from *from, struct pipeline *p);
/* It is gone once more. */
void paths_go(struct path *path);
/* The clocks of all paths gone since. */
struct paths_passed {
	const struct passed *passed; /* all but the last clock; the one before that at the end */
	unsigned kinds;
	const struct clock *last; /* NULL: none has passed */
	uint64_t total;
};
struct paths_passed paths_count(void);
