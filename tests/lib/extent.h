/* SPDX-License-Identifier: BSD-2-Clause */
/* How much is done: the length of windows that look for rare defects, and how many programs are
 * drawn, by which seed; the options rare=, random= and seed=. */
#pragma once

#include <stdint.h>

/* A rare test has the time of an ordinary one for each so many events: on a model, on a host that
 * has much else to do, they may take that long.  Times the longest, the longest option timeout= and
 * 1000 it fits into 32 bits.  A drawn test has it for each so many programs. */
#define RARE_TIMED     100000u
#define PROGRAMS_TIMED 100u

/* Events in a window; 0: rare tests are not here. */
unsigned rare_events(void);
void rare_set(unsigned events);

/* 0: drawn tests are not here. */
unsigned programs_drawn(void);
uint64_t programs_seed(void);
void programs_set(unsigned drawn, uint64_t seed);
