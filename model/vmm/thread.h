/* SPDX-License-Identifier: BSD-2-Clause */
/* The second logical processor of a core with Hyper-Threading. */
#pragma once

#include "model/vmm/guest/guest.h"

/* Number 0 executes, as g; number 1, if there is one, waits for a SIPI. */
void thread_reset(struct guest *g, bool has_two);
extern bool thread_started; /* number 1 is: what follows matters */
unsigned thread_now(void);

/* Has number 0 given a command that starts or ends number 1?  Asked behind each PAUSE, which exits
 * where there are two, and each access to an MSR. */
void thread_look(struct guest *g);
/* Behind a PAUSE. */
void thread_paused(struct guest *g);
/* Would a HLT leave the core to the other one?  Then what to do behind it. */
bool thread_halts(void);
void thread_halted(struct guest *g);
/* An interrupt or NMI of the machine made the guest exit; false: it is for the thread that runs. */
bool thread_interrupted(struct guest *g);

/* Before each instruction, and before each entry. */
void thread_take_interrupt(struct guest *g);
void thread_prepare(struct guest *g);
