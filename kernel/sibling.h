/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sibling: the other logical processor of this core.  Nothing of it runs unless a test asks.
 *
 * Firmware has it wait in HLT, in MWAIT or in a loop, and it cannot be put back there: after
 * sibling_stop() it waits for a start-up IPI instead.  EDK2 wakes processors that it left in HLT,
 * as it does by default, by INIT and start-up IPIs, which wake the sibling, too.  Processors in
 * MWAIT or in a loop it wakes by a word in memory and then waits for all of them to answer, which
 * the sibling never would.  It does so at ExitBootServices at the latest, so a sibling that was
 * used before may hang whatever is booted after us: the user must have allowed it.
 */
#ifndef SIBLING_H
#define SIBLING_H

#include <stdbool.h>
#include <stdint.h>

/* Why there is none that could be used, or NULL: by CPUID the core has two threads, the MADT lists
 * as enabled the one whose APIC ID differs in bit 0 only, the local APIC is in xAPIC mode, there is
 * a page below 1 MiB to start in, the page tables can be loaded from there, and the user allows it.
 */
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
 * What it is to run: entry(rdi, rsi).  In ring 3 entry lies in .user.text, as for user_call().  In
 * ring 0 it may neither report nor panic nor end a guard, so rdmsr_safe() and not rdmsr().
 * Instructions that may fault resume as they do here; any other trap but VECTOR_PMI stops the
 * sibling.
 */
struct sibling_job {
	uint64_t (*entry)(uint64_t rdi, void *rsi);
	uint64_t rdi;
	void *rsi;
	bool ring_3;
	bool interrupts; /* on while it runs */
};

/* Hands it over, which begins at once, with an empty TLB; spins with PAUSE until it is done, and
 * returns the RAX it left.  The sibling must be waiting.  The guard's watchdog bounds this; if a
 * trap stops the sibling, the guard ends with a sentence that names the trap. */
uint64_t sibling_call(const struct sibling_job *job);

/* The same, but this processor waits in HLT, and the sibling wakes it by VECTOR_SIBLING. */
uint64_t sibling_call_halted(const struct sibling_job *job);

/* The performance-counter LVT entry of its own local APIC: it writes this before its next job.  Not
 * while it is busy.  Masked from sibling_start() on. */
void sibling_set_lvtpc(uint32_t lvt);

/* Its interrupts by VECTOR_PMI since sibling_start(). */
struct sibling_pmis {
	uint32_t count;
	uint32_t lvt; /* as its handler found it, which leaves it so; 0: none came */
};
struct sibling_pmis sibling_pmis(void);

#endif
