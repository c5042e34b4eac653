/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways into ring 0 that lead past the stubs of trap.asm. */
#pragma once

#include <stdbool.h>

/*
 * From now on this vector comes to code of the caller's in ring 0, which ends by IRET, and not to
 * any handler; ring 3 may ask for it by INT n if open.  For vectors without a stack of their own.
 * Until entrances_restore(), which the runner calls after each test: what faults meanwhile finds no
 * handler, be it allowed to fault or not.
 */
void entrance_set(unsigned vector, const char *entry, bool open);
/* SYSCALL comes there, with all arithmetic flags, TF and IF clear, on the stack of ring 3.  Only in
 * 64-bit code, and where the processor has it: in 32-bit code it is of AMD's alone. */
bool entrance_has_syscall(void);
void entrance_set_syscall(const char *entry);
void entrances_restore(void);
