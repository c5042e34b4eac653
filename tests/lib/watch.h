/* SPDX-License-Identifier: BSD-2-Clause */
/* Spare counters that watch, while a test runs, for what may spoil its counts; and what its failure
 * means by them. */
#pragma once

#include "test.h"

enum watched { WATCH_WITNESS, WATCH_SMIS, WATCHES };

struct watch {
	const struct pmu_event *event; /* NULL: it is not watched */
	unsigned ctr;
	uint64_t select;
	/* After watch_end().  Not told: the test has used the counter, or it was not watched. */
	bool told;
	uint64_t count;
};

/* Ahead of a test, all counters of t->pmu being in the known state. */
void watch_begin(struct watch watch[WATCHES], const struct run *t);
/* After it, before anything is reset. */
void watch_end(struct watch watch[WATCHES], const struct run *t);

/* Of a test with failed checks; published: what pmu_overcount() says of t->doubtful.  Pure. */
enum meaning {
	MEANS_FAILURE,
	MEANS_ERRATUM, /* it has happened, and nothing else is wrong */
	MEANS_NOTHING /* it may have happened: the test must be run again */
};
enum meaning watch_judge(const struct run *t, const struct pmu_overcount *published,
			 const struct watch *witness);
