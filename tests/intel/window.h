/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the Intel driver share: windows over registers that they write themselves. */
#ifndef INTEL_WINDOW_H
#define INTEL_WINDOW_H

#include "kernel/fault.h"
#include "pmu/intel/intel.h"
#include "pmu/intel/regs.h"
#include "tests/lib/laws.h"

#define ARCHITECTURAL                "Intel SDM vol. 3B, 20.2: architectural performance monitoring"

#define INTEL_TEST(name, claim, ...) TEST(name, claim, .driver = &pmu_intel, __VA_ARGS__)

/* The CPU that this runs on. */
struct intel_cpu this_cpu(void);

/* The first event that a counter can count. */
enum pmu_event_id first_event(const struct pmu *pmu, unsigned ctr);

/* IA32_PERFEVTSEL of an event in both rings, without EN. */
uint64_t select_of(const struct pmu *pmu, enum pmu_event_id event);

/* A window in ring 0 over general counters whose select registers hold ctl[i] and EN.  All open and
 * close at once if PMU_ATOMIC_START. */
void raw_window(struct run *t, unsigned n, const unsigned *ctr, const uint64_t *ctl,
		const struct payload *payload, uint64_t iterations, uint64_t *out);

/* All counters of the PMU on the first event that each can count, in both rings, from 0, stopped;
 * with the interrupts of mask interrupts. */
void program_all(struct run *t, uint64_t interrupts);

/* Some hundred clocks in ring 0 with the counters of the mask enabled. */
void run_counting(struct run *t, uint64_t ctrs);

/* Bits 47:0 of the global registers that stand for no counter; 0 where CPUID 0AH does not tell. */
uint64_t no_counter_bits(void);

/* Checks for each bit of the mask that writing it to the MSR raises #GP and changes nothing. */
void check_bits_fault(struct run *t, uint32_t msr, uint64_t bits);

#endif
