/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A window: counters are programmed, opened, something happens, they are closed and read.  There is
 * one engine for all PMUs; what a counter is to count is said in this project's general terms
 * (struct pmu_config), or, with window.ops, in the terms of one driver.
 */
#pragma once

#include "payload.h"
#include "pmu/pmu.h"
#include "tests/lib/cause/cause.h"

struct run;

/* Where a payload is called: through the user gate, in ring 0, or through a gate of its own. */
enum ring { RING_3, RING_0, RING_1, RING_2 };

/* The work in a window: a payload, or whatever act() does. */
struct work {
	const struct payload *payload;
	uint64_t iterations;
	enum ring ring;
	bool walks; /* the TLB forgets the pages before that the payload loads from */
	bool on_sibling; /* the other thread of this core, which has been started; this one waits */
	void (*act)(void);
};

static inline struct work in_ring(enum ring ring, const struct payload *payload, uint64_t n)
{
	return (struct work){.payload = payload, .iterations = n, .ring = ring};
}

static inline struct work in_ring3(const struct payload *payload, uint64_t n)
{
	return in_ring(RING_3, payload, n);
}

static inline struct work in_ring0(const struct payload *payload, uint64_t n)
{
	return in_ring(RING_0, payload, n);
}

/* In ring 3, with so many iterations that at least so many instructions retire. */
struct work work_for(const struct payload *payload, uint64_t instructions);
void work_do(const struct work *work);

/* One counter of a window.  Its configuration is in general terms, or, for window.ops, in .own, in
 * those of a driver. */
#define SLOT_OWN 40u
struct slot {
	unsigned ctr;
	uint64_t from; /* start value, modulo the counter's width */
	bool waits; /* it is not enabled: its cascade source starts it */
	union {
		struct pmu_config cfg;
		uint8_t own[SLOT_OWN] __attribute__((aligned(8))); /* a driver's configuration */
		uint64_t select; /* the select register itself */
	};
	uint64_t extra; /* bits of the select register that no configuration has a word for */
	/* Where it interrupts, the handler presets it to rearm_from, or moves it back by rearm_by,
	 * whichever is not 0. */
	uint64_t rearm_from, rearm_by;
	uint64_t out; /* of window_run() */
};

struct window {
	const struct window_ops *ops; /* NULL: slots have a cfg */
	uint64_t kinds; /* not 0: on all boxes of these kinds; out is their sum */
	bool nested; /* opened slot by slot, closed the other way round: each holds the next */
	uint32_t lvt; /* not 0: with interrupts of the slots whose cfg asks for them: pmi.h */
	bool held; /* interrupts, but NMIs, wait until it is closed */
	unsigned due; /* so many interrupts are expected, if that is more than some */
	/* Behind its start selects are written as they are: its own by their other names, or that
	 * of this counter; NULL: of none. */
	bool renamed;
	const struct pmu_counter *beside;
	bool twice; /* all that programs and opens it is written once more, as it is */
	struct work work;
	unsigned n;
	struct slot c[PMU_COUNTERS_MAX];
};

/* Operations on the counters of one PMU; NULL: as the generic driver interface has them. */
struct window_ops {
	void (*prepare)(const struct pmu *pmu);
	/* Counter stopped.  NULL, or why that is impossible, which ends the test as our error. */
	const char *(*program)(const struct pmu *pmu, const struct slot *slot);
	/* What a slot is programmed for, but for its counter and its start value; NULL: as its cfg
	 * has it, or, with program(), nothing that is known. */
	struct traits (*traits)(const struct pmu *pmu, const struct slot *slot);
	void (*open)(const struct pmu *pmu, const struct window *w);
	void (*close)(const struct pmu *pmu, const struct window *w);
};

/* Programs, opens, works, closes and reads.  In ring 3, with user-only configurations, the ring
 * crossing opens and closes all counters in the same instant.  The counters that were programmed
 * are shown when a check fails. */
void window_run(struct run *t, struct window *w);
/* The same with n and 2n iterations: out is the difference, without any constant overhead. */
void window_difference(struct run *t, struct window *w);

/* For who takes the steps below one by one, as window_run() does: has a published miscount come
 * since the last try?  Then the window is to be taken again, some times at most. */
struct window_tries {
	uint64_t kept;
	unsigned taken;
};
struct window_tries window_tries(const struct run *t);
bool window_spoilt(const struct run *t, struct window_tries *tries);

/* The counter that watches for them, never the first one in a test of all, -1: none does; and,
 * behind a window that has used it, that it watches again. */
int window_watching(const struct run *t);
void window_watch(const struct run *t);

/* Once more as the counters are still programmed, from the start values, or from where they stand.
 */
void window_again(struct run *t, struct window *w);
void window_go_on(struct run *t, struct window *w);

/* A window with nothing in it but a look at its first counter from ring 3, by RDPMC: returns what
 * it shows there. */
uint64_t window_look(struct run *t, struct window *w);

/* The count of one of its counters, from its start value on. */
uint64_t slot_counted(const struct run *t, const struct slot *slot);

/* Its steps, for what has to happen in between. */
void window_program(struct run *t, const struct window *w);
void window_open(struct run *t, const struct window *w);
void window_close(struct run *t, struct window *w);

/* The counter under test and these others, all programmed, are as pmu_start() leaves them, but for
 * one register: its on starts the counter under test, at least, and its off stops it. */
struct msr_switch start_by_one(struct run *t, uint64_t ctrs);
/* Programs, starts all counters of the window by one register, or the one that there is, calls
 * payload_apart in ring 0, stops them by the same register, and reads: between both writes is
 * nothing but a CALL.  w.work is not used. */
void window_call(struct run *t, struct window *w, uint64_t iterations);

/* One counter from 0: its count, and the difference of 2n and n iterations. */
uint64_t count(struct run *t, unsigned ctr, struct pmu_config cfg, struct work work);
uint64_t count_difference(struct run *t, unsigned ctr, struct pmu_config cfg, struct work work);

/* ---- traits.c: what windows are programmed for ---- */

struct traits slot_traits(const struct pmu *pmu, const struct slot *slot);
struct traits window_traits(const struct pmu *pmu, const struct window *w);

/* ---- which.c: which counters ---- */

/* A law is about several counters on the same run.  The counter under test takes the slot under
 * scrutiny; counters after it take the slots that follow in a circle.  Where this PMU cannot have
 * them all at once, the test ends as skipped. */
void window_assign(struct run *t, struct window *w, unsigned scrutinised);
/* NULL, or why it cannot. */
const char *window_unfit(const struct pmu *pmu, unsigned ctr, struct window *w,
			 unsigned scrutinised);

/* The first counter with a select of its own that is not in the window; NULL: there is none. */
const struct pmu_counter *window_neighbour(const struct pmu *pmu, const struct window *w);

/* The configuration on each counter that can count its event, from the one under test on in a
 * circle; not on those that are deaf to it, unless the one under test is. */
struct window window_of_all(const struct run *t, struct pmu_config cfg);

/* User only: the ring crossing opens and closes every counter in the same instant.  If a counter of
 * the window is deaf to ring 3 alone (pmu_is_deaf()), all count in both rings instead, and the
 * global enables open and close them; a test that wants no ring 0 needs PMU_USER_ALONE. */
static inline struct pmu_config gated(unsigned event)
{
	return (struct pmu_config){.event = event, .user = true};
}

static inline struct pmu_config in_all_rings(unsigned event)
{
	return (struct pmu_config){.event = event, .user = true, .kernel = true};
}

/* Ring 3 and back; an interrupt from there adds as many. */
enum { GATE_CHANGES = 2 };

/* By an erratum a counter of one ring may stand still for some clocks at each change of ring.  Each
 * of these three is the most that it may miss, in a window with so many changes of ring, and that
 * another counter does not; 0 where it is exact. */

/* clocks_hidden(): clocks, if it is configured so. */
uint64_t clocks_hidden(const struct run *t, const struct pmu_config *cfg, unsigned changes);
/* edges_hidden(): edges, if it detects them. */
uint64_t edges_hidden(const struct run *t, unsigned changes);
/* counts_hidden(): what it counts if it is configured so, be it clocks or edges. */
uint64_t counts_hidden(const struct run *t, const struct pmu_config *cfg, unsigned changes);

/* opens_late(): is this a fixed counter that by an erratum may count up to 32 too far behind the
 * write of the global register that starts it last? */
bool opens_late(const struct pmu *pmu, unsigned ctr);

/* Bit n: counter n is not 0. */
uint64_t counters_not_zero(const struct run *t);
/* Bit n: counter n goes on during this work, as all of them are now. */
uint64_t counters_moving(const struct run *t, const struct work *work);

/* Can the counter under test count it? */
bool can_count(const struct run *t, unsigned event);
/* The first event that a counter can count; EV_NONE: none. */
unsigned first_event(const struct pmu *pmu, unsigned ctr);
/* The one by which a counter shows best that it counts: the first that every edition of the manual
 * has, an exact one if it can count any; EV_NONE: there is none. */
unsigned telling_event(const struct pmu *pmu, unsigned ctr);
