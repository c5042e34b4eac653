/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of last-branch records. */
#ifndef INTEL_BRANCHES_H
#define INTEL_BRANCHES_H

#include "window.h"

/* The ring of this CPU, all records zero. */
struct intel_lbr branches_clear(void);

/* How many records are not zero. */
unsigned branches_recorded(const struct intel_lbr *lbr);

#endif
