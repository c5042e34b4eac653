/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations that the files of the AMD drivers and the tests of AMD processors share.
 *
 * Room: core counters of AMD processors, from the Athlon on
 * Uses: pmu, kernel/lib
 */
#pragma once

#include "pmu/pmu.h"
#include "regs.h"

struct amd_cpu {
	unsigned family, model;
	uint32_t signature; /* CPUID 1 EAX */
	unsigned counters;
	bool extended; /* counters live in the PERF_CTL block; the legacy names are aliases */
	bool perfmon_v2;
	bool svm;
	unsigned branches; /* records of the last ones; 0: there is no stack of them */
	bool freezes; /* PerfMonV2: an interrupt may stop counters and records */
	bool brs; /* branch sampling: of Zen 3 alone */
	bool pair; /* of records: the last branch, and the last one before an exception */
	uint32_t ibs; /* CPUID 8000_001B EAX; 0: there is no instruction-based sampling */
};

/* False: not a processor whose registers may be touched (vendor, family, MSR and TSC flags). */
bool amd_identify(const struct cpu_identity *id, struct amd_cpu *cpu);

/* Fills *pmu, the state of which is a struct amd, and tries counter 0; false with pmu->silent set
 * when that does not respond. */
bool amd_fill(struct pmu *pmu, const struct amd_cpu *cpu);

extern const struct pmu_ops pmu_amd, pmu_amd_v2;
extern const struct pmu_erratum amd_errata[], amd_op_errata[], amd_fetch_errata[];
extern const struct pmu_overcount amd_overcounts[];

/* As many as CPUID can promise. */
#define AMD_COUNTERS_MAX 15u

/* Registers of no counter: see amd_fill(). */
enum { AMD_SHARED_MAX = 4 };

struct amd {
	struct pmu_bank bank;
	struct pmu_counter counter[AMD_COUNTERS_MAX];
	struct pmu_reg shared[AMD_SHARED_MAX];
	uint64_t saved[PMU_SAVED(AMD_COUNTERS_MAX, AMD_SHARED_MAX)];
	struct pmu_branches branches;
	struct amd_cpu cpu;
	struct pmu_event events[PMU_EVENTS_MAX];
};

/* Cores with event lists of their own. */
enum amd_part {
	AMD_K7,
	AMD_K8, /* 10h, 11h and 12h, too: the same pipeline */
	AMD_BOBCAT, /* Jaguar, too: 14h and 16h */
	AMD_BULLDOZER,
	AMD_ZEN, /* Zen+, too */
	AMD_ZEN2,
	AMD_ZEN3,
	AMD_ZEN4,
	AMD_ZEN5,
	AMD_ZEN6 /* and what no list knows: so nothing is judged more strictly than it may be */
};
enum amd_part amd_part(unsigned family, unsigned model);

/* Which of its counters can count the event of this number, as pmu_event.counters. */
uint32_t amd_counters_of(enum amd_part part, unsigned code);

/* The events of a part that shows so many counters, into events[PMU_EVENTS_MAX]: those that none of
 * these can count are left out. */
void amd_events(enum amd_part part, unsigned counters, struct pmu_event *events);

/* ---- branches.c: the pair of branch records from K8 on, branch sampling of Zen 3, and the stack
 * from Zen 4 on ---- */

/* Do the registers of the pair answer?  DebugCtl, which switches it, is as it was. */
bool amd_has_pair(void);
/* Do those of branch sampling?  They are as they were. */
bool amd_has_brs(void);

/* The facet, where amd->cpu has a stack that answers; NULL: it has none. */
const struct pmu_branches *amd_branches(struct amd *amd);
/* An interrupt of an overflow is to freeze what, of the bits of: DEBUGCTL_FREEZE_*. */
void amd_freeze_on_interrupt(uint64_t what, uint64_t of);

/* ---- driver.c ---- */

/* Members of struct pmu_counting: the same in all generations. */
uint64_t amd_select_all(const struct pmu_event *event);
const char *amd_program(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg);
