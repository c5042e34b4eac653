/* SPDX-License-Identifier: BSD-2-Clause */
/* Cascades: a source, the target that its overflow starts, and one that counts all along. */
#ifndef NETBURST_CASCADE_H
#define NETBURST_CASCADE_H

#include "netburst.h"

/* The slots of a cascade. */
enum { TOTAL, SOURCE, TARGET, CASCADE_SLOTS };

/* Five iterations of payload_spaced, all of the same event, the target with CASCADE; presets 0. */
struct window nb_cascade(unsigned target, unsigned source);

/* The source was preset to -n, the target to 0: between them they have counted every event. */
void nb_check_sum(struct run *t, const struct window *w, uint64_t n);

/* One window in which the source overflows early: the target counts from then on. */
void nb_check_takes_over(struct run *t, struct window *w);

#endif
