/* SPDX-License-Identifier: BSD-2-Clause */
/* The things that a window is programmed for, and results that have them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How counters of a window count, interrupt and start, and where its work is done. */
enum trait {
	TRAIT_EDGE,
	TRAIT_THRESHOLD,
	TRAIT_INVERSION,
	TRAIT_USER, /* in ring 3, and perhaps in ring 0 */
	TRAIT_KERNEL, /* in ring 0, and perhaps in ring 3 */
	TRAIT_KERNEL_ALONE,
	TRAIT_USER_ALONE,
	TRAIT_BOTH_RINGS,
	TRAIT_NO_RING,
	TRAIT_UNIT_MASK,
	TRAIT_FIXED,
	TRAIT_OVERFLOW, /* it begins short of its overflow */
	TRAIT_REARM, /* the handler presets it again */
	TRAIT_INTERRUPT,
	TRAIT_NMI,
	TRAIT_HELD, /* interrupts wait for the end of the window */
	TRAIT_RING_0,
	TRAIT_RING_1,
	TRAIT_RING_2,
	TRAIT_OTHER_THREAD,
	TRAIT_CASCADE,
	TRAIT_FORCE_OVF,
	TRAIT_TAG,
	TRAIT_LONG, /* of more instructions than a test needs that is about something else */
	TRAIT_FAULT, /* no window: an instruction that is to raise a fault */
	TRAIT_OFF, /* it is not enabled, and nothing starts it */
	TRAITS
};

/* Things, as bits: enum trait, counters, and events by their places in the list of the report. */
struct traits {
	uint32_t modes, counters;
	uint64_t events;
};

/* The bit of a mode that is in use. */
static inline uint32_t trait_if(bool used, enum trait trait)
{
	return (uint32_t)used << trait;
}

static inline uint32_t traits_of_rings(bool user, bool kernel)
{
	return trait_if(user, TRAIT_USER) | trait_if(kernel, TRAIT_KERNEL) |
	       trait_if(kernel && !user, TRAIT_KERNEL_ALONE) |
	       trait_if(user && !kernel, TRAIT_USER_ALONE) |
	       trait_if(user && kernel, TRAIT_BOTH_RINGS) |
	       trait_if(!user && !kernel, TRAIT_NO_RING);
}

static inline void traits_add(struct traits *to, const struct traits *more)
{
	to->modes |= more->modes;
	to->counters |= more->counters;
	to->events |= more->events;
}

/* Bits that were 1 and should have been 0, and the reverse, of values that were to be equal. */
struct flips {
	uint64_t up, down;
};

/* A result that is not skipped, known or our own error. */
struct cause_result {
	const char *pmu; /* of boxes the name of their kind; NULL: its test needs none */
	const char *group, *after; /* that it leans on, or NULL */
	const char *test;
	int counter; /* under test; -1: none in particular */
	bool failed;
	struct traits used; /* by all windows of the test */
	struct traits shown; /* by the last one before the check that failed first */
	struct flips flips;
};
