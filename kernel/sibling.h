/* SPDX-License-Identifier: BSD-2-Clause */
/* The sibling: the other logical processor of this core. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <word.h>

/*
 * It runs nothing unless a test asks.
 *
 * Firmware has it wait in HLT, in MWAIT or in a loop, and it cannot be put back there: after
 * sibling_stop() it waits for a start-up IPI instead.  EDK2 wakes processors that it left in HLT,
 * as it does by default, by INIT and start-up IPIs, which wake the sibling, too.  Processors in
 * MWAIT or in a loop it wakes by a word in memory and then waits for all of them to answer, which
 * the sibling never would.  It does so at ExitBootServices at the latest, so a sibling that was
 * used before may hang whatever is booted after us: the user must have allowed it.
 */

/* Why the sibling cannot be used, or NULL: CPUID says that the core has two threads, the MADT lists
 * as enabled the processor whose APIC ID differs only in bit 0, the local APIC is in xAPIC mode,
 * there is a page below 1 MiB to start in, the page tables can be loaded from there, and the user
 * allows it. */
const char *sibling_missing(void);

/*
 * Starts it by INIT and two start-up IPIs, also when it runs already.  NULL: it is in ring 0 of our
 * own page tables, with CR0, CR4 and EFER as here, interrupts off, and spins with PAUSE until it is
 * called.  Else why it did not come up, within 100 ms.  Only where sibling_missing() is NULL.
 */
const char *sibling_start(void);

/* Back to waiting for a start-up IPI, by INIT, whatever it does; no effect if it was not started.
 * The runner calls it after each test. */
void sibling_stop(void);

/*
 * A job for the sibling, which runs it guarded and with interrupts on.  In ring 3 entry lies in
 * .user.text, as for user_call().  Only VECTOR_PMI of its interrupts has a handler.
 */
struct sibling_job {
	asm_code *entry;
	uint64_t di;
	void *si;
	bool ring_3;
};

/* Hands it over, which begins at once, with an empty TLB; spins with PAUSE until it is done, and
 * returns what it returned.  The sibling must be waiting.  This processor's watchdog bounds the
 * job; if a trap ends the job, it ends this processor's guard too. */
uint64_t sibling_call(const struct sibling_job *job);

/* The same, but this processor waits in HLT, and the sibling wakes it by VECTOR_SIBLING. */
uint64_t sibling_call_halted(const struct sibling_job *job);

/* The performance-counter LVT entry of its own local APIC: it writes this before its next job.  Not
 * while it is busy.  Masked from sibling_start() on. */
void sibling_set_lvtpc(uint32_t lvt);

/* Its interrupts by VECTOR_PMI since sibling_start(). */
struct sibling_pmis {
	uint32_t count;
	uint32_t lvt; /* as the handler found it, and left it; 0: none came */
};
struct sibling_pmis sibling_pmis(void);
