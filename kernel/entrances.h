/* SPDX-License-Identifier: BSD-2-Clause */
/* Ways into ring 0 that lead past the stubs of trap.asm. */
#pragma once

#include <stdbool.h>

/*
 * From now on this vector comes to code of the caller's in ring 0, which ends by IRET, and not to
 * any handler; ring 3 may ask for it by INT n if open.  entry NULL: it comes to its handler, as
 * ever.  For vectors without a stack of their own.
 * Until entrances_restore(), which the runner calls after each test: what faults meanwhile finds no
 * handler, be it allowed to fault or not.
 */
void entrance_set(unsigned vector, const char *entry, bool open);
/* SYSCALL comes there, with all arithmetic flags, TF and IF clear, on the stack of ring 3.  Only in
 * 64-bit code, and where the processor has it: in 32-bit code it is of AMD's alone. */
bool entrance_has_syscall(void);
void entrance_set_syscall(const char *entry);
/* SYSENTER comes there, with IF clear, and TF as it was, on a stack that begins a page below the
 * caller's frame: ring 3 is to be called from not deeper than that.  Where the processor has it: in
 * 64-bit code it is of Intel's alone. */
bool entrance_has_sysenter(void);
void entrance_set_sysenter(const char *entry);
/* A far call of this selector comes there, with all flags as they were, on the stack of ring 0; the
 * code ends by a far return. */
#define ENTRANCE_CALL_GATE 0x5Bu
void entrance_set_call_gate(const char *entry);
void entrances_restore(void);
