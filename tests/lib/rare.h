/* SPDX-License-Identifier: BSD-2-Clause */
/* The length of windows that look for rare defects: the option rare=. */
#pragma once

/* A rare test has the time of an ordinary one for each so many events: on a model, on a host that
 * has much else to do, they may take that long.  Times the longest, the longest option timeout= and
 * 1000 it fits into 32 bits. */
#define RARE_TIMED 100000u

/* Events in a window; 0: rare tests are not here. */
unsigned rare_events(void);
void rare_set(unsigned events);
