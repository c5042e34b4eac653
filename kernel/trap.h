/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps: the frame that every vector builds, and who is called for which vector. */
#ifndef TRAP_H
#define TRAP_H

#include <stdbool.h>
#include <stdint.h>

/* Mirrors the push order of trap.asm; offsets are asserted in trap.c. */
struct trap_frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
	uint64_t rbp, rdi, rsi, rdx, rcx, rbx, rax;
	uint64_t vector, error;
	uint64_t rip, cs, rflags, rsp, ss;
};

/* Vectors that are ours.  Task priority is raised to TRAP_TPR, so of all fixed interrupts only
 * those in classes above it pass; whatever firmware left pending waits until it is given back. */
#define VECTOR_DB       1
#define VECTOR_NMI      2
#define VECTOR_USER     0x81 /* gate with DPL 3: ring 3 returns by INT VECTOR_USER */
#define TRAP_TPR        0xd0
#define VECTOR_PMI      0xe1
#define VECTOR_SIBLING  0xe2 /* the sibling is done */
#define VECTOR_WATCHDOG 0xf2
#define VECTOR_SPURIOUS 0xff

/*
 * Called with interrupts off on the trap's own stack.  True: handled, resume the frame (which the
 * handler may have changed).  False: not mine, treat as an unexpected trap.
 */
typedef bool trap_handler(struct trap_frame *frame, void *arg);

/* Installs handler for vector, replacing the one there; NULL removes it.  For VECTOR_PMI the
 * caller of the handler sends the EOI after it returns true; NMI and exceptions need none. */
void trap_set_handler(unsigned vector, trap_handler *handler, void *arg);

/* NMIs so far that no handler took: from outside, or of a counter that should not have sent one.
 * One in a guarded body ends it; between two it is only counted. */
unsigned trap_stray_nmis(void);

/*
 * Runs body(arg) guarded.  Returns NULL when body returned; else a sentence that says why it was
 * ended early: an unexpected trap (registers and backtrace have then been written with
 * report_diag()), guard_abort(), or the watchdog after timeout_ms.  Interrupts are enabled while
 * body runs unless body disables them, and afterwards as they were before.
 */
const char *guard_run(void (*body)(void *arg), void *arg, unsigned timeout_ms);

/* Ends the innermost guard_run() with this reason (a string that stays valid).  From a trap
 * handler as well as from plain code.  Without a guard: panic. */
_Noreturn void guard_abort(const char *reason);

/* The same from inside a trap handler: rewrites frame so that returning from it ends the guard. */
void guard_abort_frame(struct trap_frame *frame, const char *reason);

#endif
