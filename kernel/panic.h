/* SPDX-License-Identifier: BSD-2-Clause */
/* panic(), declared in bits.h, and where it ends. */
#ifndef PANIC_H
#define PANIC_H

/*
 * Where a panic() goes once it has reported "Bail out!" and its backtrace: hook is called with
 * interrupts off, on this call's stack, one page below the caller's frame, so the caller's frame
 * and its callers' are whole.  The hook gives the machine back and must not return.  Without a
 * hook panic() halts.
 */
void panic_set_exit(void (*hook)(void));

#endif
