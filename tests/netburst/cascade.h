/* SPDX-License-Identifier: BSD-2-Clause */
/* Cascades: a source, the target that its overflow starts, and a counter that counts all along. */
#pragma once

#include "netburst.h"

/* The slots of a cascade. */
enum { TOTAL, SOURCE, TARGET, CASCADE_SLOTS };

/* Laws that must hold after a window. */
#define TAKES_OVER BIT(0) /* the target has counted what came after the overflow */
#define WAITS      BIT(1) /* the target has counted nothing */
#define COUNTS_ALL BIT(2) /* the target has counted everything */
#define GOES_ON    BIT(3) /* the source has counted everything, from 0 on after its overflow */
#define HAS_OVF    BIT(4) /* the source */

/* One window, and its laws. */
struct nb_cascade {
	uint64_t laws;
	uint64_t after; /* the source overflows with its after-th event */
	uint64_t target_from;
	bool enabled; /* the target, from the beginning */
	bool no_flag; /* the target lacks its flag */
};

/* Five iterations of payload_spaced, all slots of the same event, the target with the flag: CASCADE
 * or its extended form; presets 0. */
struct window nb_cascade(unsigned target, bool extended);
void nb_check_cascade(struct run *t, unsigned target, bool extended, const struct nb_cascade *rows,
		      unsigned n);

/* The source was preset to -n, the target to 0: between them they have counted every event. */
void nb_check_sum(struct run *t, const struct window *w, uint64_t n);
