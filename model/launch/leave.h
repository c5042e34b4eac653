/* SPDX-License-Identifier: BSD-2-Clause */
/* Around the program: the stage is set, and what it left is compared with what it found. */
#pragma once

#include "model/cpu/cpu.h"

/* Brings about setup->stages; all interrupts that the firmware itself needs still come.  Until
 * stage_leave() nothing but the program should run. */
void stage_enter(const struct silicon_setup *setup);
/* Behind the program of run number: prints "silicon: run N left NAME changed: OLD -> NEW" for each
 * register that is not as stage_enter() left it, then ends the stage. */
void stage_leave(const struct silicon_setup *setup, unsigned run);
