/* SPDX-License-Identifier: BSD-2-Clause */
/* What finds boxes, by their places or by tables of discovery, says of each. */
#pragma once

#include "sockets.h"

/* Behind those that were added before it; where there is no more room, in the place of the last. */
struct box *box_add(const struct box_kind *kind, unsigned number, const struct box_socket *socket);
/* The first so many that have been added. */
const struct box *box_added(unsigned *count);

/* It is not to be tested, and why. */
void box_silence(struct box *box, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Its silence is empty where all is well with its registers, from this one on. */
void box_say_silence(struct box *box, struct pmu_reg reg, const char *what);
#define NO_ECAM "no memory-mapped PCI configuration space (ACPI MCFG)"

/* ---- units.c ---- */

/* Adds the boxes that tables of discovery tell of. */
void box_find_units(const struct box_part *part);
