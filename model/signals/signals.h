/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the types in which the parts of the model tell each other what happens: instructions,
 * clocks, accesses to memory and to registers.  No code.
 */
#ifndef MODEL_SIGNALS_H
#define MODEL_SIGNALS_H

#include "access.h"
#include "clock.h"
#include "insn.h"
#include "machine.h"
#include "memory.h"

#endif
