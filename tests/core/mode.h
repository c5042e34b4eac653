/* SPDX-License-Identifier: BSD-2-Clause */
/* Modes: all that a counter can be told at once, and what then follows for its counts. */
#pragma once

#include "core.h"

enum mode_start { FROM_ZERO, FROM_AFAR, BEFORE_WRAP };
enum mode_interrupt { NO_INTERRUPT, BY_VECTOR, BY_NMI };
/* The twin counts the same; one that wrapped has done so before anything is counted. */
enum mode_company { ALONE, TWIN, TWIN_OVERFLOWS, ONE_THAT_WRAPPED };
/* The past of the counter; WRITTEN_TWICE: none, but all is written twice. */
enum mode_past { AS_IT_WAS, INTERRUPTED, OTHER_SELECT, WRITTEN_TWICE };

/* A mode of the counter under test, while payload_apart runs. */
struct mode {
	enum ring ring;
	struct pmu_config cfg; /* but for .interrupt */
	enum mode_start start;
	enum mode_interrupt interrupt;
	enum mode_company company;
	enum mode_past past;
};

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

/* Pure. */
struct mode_bounds mode_expect(const struct mode *mode, const struct mode_event *event);

/* Does the counter count while the payload runs? */
bool mode_passes(const struct mode *mode);

/* Has it neither threshold nor edge? */
bool mode_is_plain(const struct mode *mode);

/* ---- the array ---- */

enum { MODE_EVENTS_MAX = 8 };

/* The subject of its rows: a counter, and the events that it counts. */
struct mode_subject {
	struct run *t;
	unsigned event[MODE_EVENTS_MAX];
	unsigned events;
	uint64_t iterations;
};

/* NULL, or why the counter has no event. */
const char *mode_no_event(const struct pmu *pmu, unsigned ctr);
/* Chooses the events that it does count: whether it counts them rightly, other groups tell. */
void mode_choose_events(struct mode_subject *s);

/* Refers to s. */
struct cover mode_array(const struct mode_subject *s);
struct mode mode_of(const struct mode_subject *s, const uint8_t level[COVER_AXES]);

/* One or two counters, without start values. */
struct window mode_window(const struct run *t, const struct mode *mode);

/* ---- alone.c: windows ---- */

/* The results of a window. */
struct mode_seen {
	uint64_t iterations;
	uint64_t count, twin; /* without the start values */
	uint64_t interrupts; /* of the counter under test */
	uint64_t all_interrupts;
	bool last_in_ring3;
};

/* Is nothing counted but the payload, and the IRETQ of the gate and of each interrupt? */
bool mode_is_gated(const struct run *t, const struct mode *mode);

/* A window of the mode; those that are to overflow do so after period events. */
struct mode_seen mode_see(struct run *t, const struct mode *mode, uint64_t iterations,
			  uint64_t period);

/* The same with nothing beside it that could make a difference; plain: without threshold and edge.
 * To stop two counters takes other instructions than to stop one.  Counted once, and remembered
 * until mode_forget(): the counter under test must be the same. */
struct mode_seen mode_alone(struct run *t, const struct mode *mode, bool plain,
			    uint64_t iterations);
void mode_forget(void);
