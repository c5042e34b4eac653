/* SPDX-License-Identifier: BSD-2-Clause */
/* What trap entry, guards and the watchdog know of each other.  Private to kernel/. */
#ifndef GUARD_H
#define GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "trap.h"

/* trap.asm: leaves the current stack for the frame's. */
_Noreturn void trap_resume(const struct trap_frame *frame);

/* True while a guard_run() has not yet left its body. */
bool guard_active(void);

/* Drops all guards: their stack frames are being left. */
void guard_forget(void);

/* dump.c: what and where, registers and backtrace as diagnostics; returns the first as a sentence
 * that stays valid until the next call.  vector: say which. */
const char *dump_trap(const struct trap_frame *frame, const char *what, bool vector);

/* "#GP" and the like. */
const char *dump_vector_name(uint64_t vector);

/* Calls line("symbol+offset") for rip and each frame that the chain from rbp leads to. */
void dump_backtrace(uint64_t rip, uint64_t rbp, void (*line)(const char *place));

/* Lets fixed interrupts that are still waiting come in, and ignores them. */
void trap_drain(void);

/* The innermost active guard is ended at this TSC value; 0: never.  Returns the last one set. */
uint64_t watchdog_set(uint64_t deadline);

#endif
