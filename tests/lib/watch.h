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
	bool told; /* the test has not used the counter, up to the last look at it */
	uint64_t count; /* at that look */
	uint64_t kept; /* of that: in windows whose counts the test goes by */
};

/* Ahead of a test, all counters of t->pmu being in the known state. */
void watch_begin(struct watch watch[WATCHES], const struct run *t);
/* After it, before anything is reset. */
void watch_end(struct watch watch[WATCHES], const struct run *t);

/* One of them: what it has counted up to now; and in a window, since the last look. */
void watch_look(const struct pmu *pmu, struct watch *w);
void watch_window(const struct pmu *pmu, struct watch *w);
/* It watches again, behind a window that has used its counter. */
void watch_again(const struct pmu *pmu, struct watch *w);

/* The meaning of a test with failed checks.  Pure. */
enum meaning {
	MEANS_FAILURE,
	MEANS_ERRATUM, /* it has happened, and may be all that is wrong */
	MEANS_NOTHING /* nothing tells whether it has happened */
};
enum meaning watch_judge(const struct run *t, const struct watch *witness);
