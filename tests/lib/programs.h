/* SPDX-License-Identifier: BSD-2-Clause */
/* How many programs are drawn, and by which seed: the options random= and seed=. */
#pragma once

#include <stdint.h>

/* A drawn test has the time of an ordinary one for each so many programs. */
#define PROGRAMS_TIMED 100u

/* 0: drawn tests are not here. */
unsigned programs_drawn(void);
uint64_t programs_seed(void);
void programs_set(unsigned drawn, uint64_t seed);
