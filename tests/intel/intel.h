/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the Intel driver alone.
 *
 * Room: what is claimed of Intel's core counters and of no others.
 * Uses: pmu/intel, tests/branches, tests/lib, tests/samples
 */
#pragma once

#include "pmu/intel/intel.h"
#include "pmu/intel/regs.h"
#include "tests/branches/branches.h"
#include "tests/lib/test.h"

#define ARCHITECTURAL                "SDM vol. 3B, 20.2: architectural performance monitoring"

#define INTEL_TEST(name, claim, ...) TEST(name, claim, .driver = &pmu_intel, __VA_ARGS__)

/* For .absent: another maker has Intel's registers, and has said less of them. */
const char *intel_alone(const struct pmu *pmu, unsigned ctr);

static inline uint64_t all_counters(const struct pmu *pmu)
{
	return BIT(pmu->counters) - 1;
}

/* ANY of a counter's select register, or of its field in that of the fixed counters.  Not where
 * erratum BJ091 makes it wrong. */
uint64_t any_bit(const struct pmu *pmu, unsigned ctr);
bool any_counts(const struct pmu *pmu, unsigned event);

/* IA32_PERFEVTSEL of an event in both rings, without EN. */
uint64_t select_of(const struct pmu *pmu, unsigned event);

/* Slots that say what the select register of a general counter is to hold, beside EN.  All open and
 * close at once if PMU_ATOMIC_START. */
extern const struct window_ops intel_selects;

/* The counter under test and another one with these selects, beside EN, in a window of so much
 * work.
 */
struct select_pair {
	unsigned next; /* the other one */
	uint64_t select[2], out[2];
};
void select_pair_run(struct run *t, struct select_pair *pair, const struct work *work);

/* Each counter on the first event that it can count, in both rings, for some hundred clocks in
 * ring 0; slot n is counter n. */
struct window window_of_each(const struct run *t);

/* Runs a window that one write of the global register opens.  Each slot must count something, and
 * as much as the first, which is of a general counter. */
void check_at_once(struct run *t, struct window *w);

/* Shorter windows give shares of few slots. */
#define SLOTS_LEAST 1000000u

/* ---- groups.c: groups of a record that is of the loop of tests/samples ---- */

/* Vector registers have known values, until vectors_restore(). */
void known_vectors_load(void);
/* For records to have branches of the loop: those of ring 3 are recorded from now on. */
void branches_of_user(struct run *t);
/* Are they told apart from others? */
bool has_branches_of_user(const struct pmu *pmu);
uint64_t record_word(const uint8_t *record, unsigned n);
/* Each returns where the group ends. */
const uint8_t *check_gprs(struct run *t, const uint8_t *group);
const uint8_t *check_xmms(struct run *t, const uint8_t *group);
const uint8_t *check_upper_halves(struct run *t, const uint8_t *group);
const uint8_t *check_lbrs(struct run *t, const uint8_t *group, unsigned entries);

/* ---- values.c: values of counters in a record ---- */

/* For .absent. */
const char *not_of_values(const struct pmu *pmu, unsigned ctr);
/* MSR_PEBS_DATA_CFG, to have values of these counters, as bits of the global registers; and those
 * of which it has some. */
uint64_t values_wanted(uint64_t counters);
uint64_t values_of(uint64_t data_cfg);
/* All counters hold values, each another one, and so do the shares of slots.  They must be stopped.
 */
void known_values_load(struct run *t);
/* The group of a record of a period of ctr, while the others stood: the values of these counters,
 * as bits of the global registers, and slots with their shares.  Returns where it ends. */
struct valued {
	uint64_t counters;
	bool metrics;
};
const uint8_t *check_values(struct run *t, const uint8_t *group, struct valued what, unsigned ctr);

/* ---- arch_pebs.c: records of architectural PEBS ---- */

/* A window of so many events at least, in which the counter under test has this CFG_C, but for its
 * reset value; off: but nothing is recorded. */
struct recording {
	uint64_t cfg_c, events;
	bool off;
};
struct recorded {
	const uint8_t *buffer;
	uint64_t index, written; /* IA32_PEBS_INDEX, and bytes */
};
struct recorded arch_record(struct run *t, const struct recording *what);
/* Groups for values of counters: of the one under test alone, which allows it. */
uint64_t arch_values(const struct run *t);

/* Checks for each bit of the mask that writing it to the MSR raises #GP and changes nothing. */
void check_bits_fault(struct run *t, uint32_t msr, uint64_t bits);
