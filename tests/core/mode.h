/* SPDX-License-Identifier: BSD-2-Clause */
/* Modes: all that a counter can be told at once, and what then follows for its counts. */
#pragma once

#include "core.h"

enum axis { WHERE, COMPARISON, EDGE, INTERRUPT, START, COMPANY, PAST, EVENT, AXES };

enum { NO_INTERRUPT, BY_VECTOR, BY_NMI, BY_OTHER_VECTOR, INTERRUPTS };
enum { FROM_ZERO, FROM_AFAR, BEFORE_WRAP, STARTS };
/* The twin counts the same, and its opposite the event in the rings where this one does not; one
 * that wrapped has done so before anything is counted. */
enum { ALONE, TWIN, OPPOSITE, TWIN_OVERFLOWS, ONE_THAT_WRAPPED, COMPANIES };
/* The past of the counter; none, but all is written twice, or, while it runs, the select once more
 * by the other name that it has, or that of a counter that is not in use. */
enum { AS_IT_WAS, INTERRUPTED, OTHER_SELECT, WRITTEN_TWICE, OTHER_NAME, NEIGHBOUR_WRITTEN, PASTS };

/* How often the payload makes an event occur. */
struct mode_event {
	unsigned event; /* EV_CYCLES: in every clock, whatever stands here */
	uint64_t once, each; /* a call, an iteration; each 0: nobody knows */
	bool exact; /* to the last one */
};
struct mode_event mode_event(const struct pmu *pmu, unsigned event);

/* Bounds of what n iterations add to a count: at least n * least, at most n * most / share.  exact:
 * it is n * least, without any clock that could be counted or not. */
struct mode_bounds {
	bool exact;
	uint64_t least, most, share;
};
#define MODE_NO_BOUND (UINT64_C(1) << 40)

/* A mode of the counter under test, while payload_apart runs. */
struct mode {
	const uint8_t *at; /* the level of each axis */
	enum ring ring;
	struct pmu_config cfg; /* but for .interrupt */
	bool passes; /* the counter counts while the payload runs */
	bool plain; /* neither threshold nor edge */
	/* Nothing is counted but the payload, and the IRETQ of the gate and of each interrupt. */
	bool gated;
	struct mode_event event;
	struct mode_bounds each;
	/* How often the event itself occurs around the payload, where that is counted: there it
	 * may meet the condition or not.  All windows have the same code there. */
	uint64_t around;
};
/* Its bounds, by the rest of it.  Pure. */
struct mode_bounds mode_expect(const struct mode *mode);

/* ---- axes.c ---- */

/* NULL, or why the counter has no event. */
const char *mode_no_event(const struct pmu *pmu, unsigned ctr);
/* Chooses from now on those events of the counter under test that it counts, with so many
 * iterations: whether it counts them rightly, other groups tell.  Returns how many. */
unsigned mode_choose_events(struct run *t, uint64_t iterations);

struct cover mode_array(const struct run *t);
struct mode mode_of(const struct pmu *pmu, const uint8_t *level);

/* One or two counters, without start values. */
struct window mode_window(const struct run *t, const struct mode *mode);
