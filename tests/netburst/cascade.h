/* SPDX-License-Identifier: BSD-2-Clause */
/* Cascades: a source, the target that its overflow starts, and one that counts all along. */
#ifndef NETBURST_CASCADE_H
#define NETBURST_CASCADE_H

#include "window.h"

enum nb_cascade_role { TOTAL, SOURCE, TARGET, CASCADE_ROLES };

struct nb_cascade {
	struct nb_counter c[CASCADE_ROLES];
};

/* All of the same event; the target with CASCADE; presets 0. */
struct nb_cascade nb_cascade(unsigned target, unsigned source);

/* The source was preset to -n, the target to 0: between them they have counted every event. */
void nb_check_sum(struct run *t, const struct nb_cascade *c, uint64_t n);

/* One window in which the source overflows early: the target counts from then on. */
void nb_check_takes_over(struct run *t, struct nb_cascade *c);

#endif
