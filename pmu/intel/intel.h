/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations that the files of the Intel driver and the tests of this driver alone share.
 *
 * Room: core counters of Intel processors: P6, and architectural versions 1 to 5
 * Uses: pmu, kernel/lib
 */
#pragma once

#include "pmu/pmu.h"
#include "regs.h"

extern const struct pmu_ops pmu_intel;

/* Cores with event lists of their own. */
enum intel_part {
	INTEL_UNKNOWN, /* architectural events alone */
	INTEL_PENTIUM_PRO,
	INTEL_P6, /* Pentium II to Pentium M */
	INTEL_YONAH,
	INTEL_CORE2,
	INTEL_NEHALEM, /* Westmere too */
	INTEL_SANDY_BRIDGE,
	INTEL_IVY_BRIDGE,
	INTEL_HASWELL,
	INTEL_BROADWELL,
	INTEL_SKYLAKE,
	INTEL_ICELAKE,
	INTEL_GOLDEN_COVE, /* Redwood Cove too */
	INTEL_LION_COVE,
	INTEL_COUGAR_COVE,
	INTEL_BONNELL,
	INTEL_SILVERMONT, /* Airmont too */
	INTEL_KNIGHTS,
	INTEL_GOLDMONT,
	INTEL_GOLDMONT_PLUS,
	INTEL_TREMONT,
	INTEL_GRACEMONT, /* Crestmont too */
	INTEL_SKYMONT,
	INTEL_DARKMONT,
};

/* CPUID as it answers, each leaf all zero where it does not exist. */
struct intel_leaves {
	struct cpuid_regs leaf_0, leaf_1, leaf_7, leaf_7_1, leaf_a, leaf_1a, leaf_23_1;
};

struct intel_cpu {
	unsigned family, model, stepping;
	enum intel_part part;
	unsigned version; /* of architectural performance monitoring; 0: P6 */
	unsigned general, width; /* general counters that the driver uses, and their bits */
	unsigned general_promised; /* as many as CPUID 0AH shows */
	uint32_t fixed; /* bit i: IA32_FIXED_CTRi, of those that the driver uses */
	uint32_t fixed_promised;
	/* Counters that this core has not, as bits 47:0 of the global registers.  Where CPUID does
	 * not tell all that there are, it is no counter of which that is not known. */
	uint64_t absent;
	uint32_t unavailable; /* architectural events, by their bits in CPUID 0AH EBX */
	unsigned shortest_period; /* struct pmu */
	bool single_enable; /* EN of PERFEVTSEL0 is for both counters */
	bool force_abort; /* TSX takes counter 3 unless MSR_TSX_FORCE_ABORT says otherwise */
	bool any_thread, tsx, pdcm, ds, arch_lbr, perfmon_ext, hybrid;
	const char *silent; /* why a PMU that CPUID promises is none */
	const char *note; /* parts of CPUID that the driver does not follow, or NULL */
};

/* False: not a PMU of this driver; or one, and cpu->silent says why it cannot be used. */
bool intel_decode(const struct intel_leaves *leaves, struct intel_cpu *cpu);

/* By the signature in *cpu, and whether it is hybrid. */
enum intel_part intel_part(const struct intel_leaves *leaves, const struct intel_cpu *cpu);

/*
 * By part a test demands more only if intel_is(), and less if intel_may_be(): a part that no table
 * knows is none for the first, and for the second each whose version CPUID 0AH can show.  So it is
 * never judged more strictly than a sister that is known.
 */
bool intel_is(const struct intel_cpu *cpu, enum intel_part first, enum intel_part last);
bool intel_may_be(const struct intel_cpu *cpu, enum intel_part first, enum intel_part last);

/* The highest version that parts of the kind have. */
unsigned intel_version(enum intel_part part);

/* Members of struct intel_cpu, by those that are decoded already. */
uint64_t intel_absent(const struct intel_leaves *leaves, const struct intel_cpu *cpu);
unsigned intel_shortest_period(const struct intel_cpu *cpu);

/* Bits of an event select that keep what is written, and that raise #GP; any others may do either.
 * capabilities: IA32_PERF_CAPABILITIES. */
struct intel_select {
	uint64_t writable, reserved;
};
struct intel_select intel_select(const struct intel_cpu *cpu, uint64_t capabilities);

/* Member of struct pmu_ops. */
void intel_reset(const struct pmu *pmu);

/* An event select for that, without EN. */
uint64_t intel_encode(const struct pmu *pmu, const struct pmu_config *cfg);

/* Version 1; P6, which has one enable bit; version 2 and later. */
extern const struct pmu_counting intel_counting, intel_counting_single, intel_counting_global;
extern const struct pmu_erratum intel_errata[];
extern const struct pmu_overcount intel_overcounts[];
/* Member of struct pmu_ops. */
bool intel_may_have(const struct pmu *pmu, const struct pmu_erratum *erratum);

/* The events of this CPU, into events[PMU_EVENTS_MAX]. */
void intel_events(const struct intel_cpu *cpu, struct pmu_event *events);

/* Last-branch records in the format of a core's own: a ring of FROM and TO registers. */
struct intel_lbr {
	uint32_t from, to; /* first of each */
	uint8_t entries; /* 0: none, or not of this kind */
	bool select; /* MSR_LBR_SELECT exists */
	bool jumps_drop; /* its bits for jumps keep calls and returns out, too */
	bool call_stack; /* it has the bit for that, and documented */
};
struct intel_lbr intel_lbr(const struct intel_cpu *cpu);
/* NULL, or why the ring cannot record just that. */
const char *intel_lbr_refuses(const struct intel_lbr *lbr, const struct pmu_branching *what);

#define INTEL_COUNTERS_MAX (INTEL_GENERAL_MAX + INTEL_FIXED_MAX)
#define INTEL_SHARED_MAX   6u

struct intel {
	struct intel_cpu cpu;
	struct pmu_bank bank;
	struct pmu_counter counter[INTEL_COUNTERS_MAX];
	struct pmu_reg shared[INTEL_SHARED_MAX];
	uint64_t saved[PMU_SAVED(INTEL_COUNTERS_MAX, INTEL_SHARED_MAX)];
	struct pmu_event events[PMU_EVENTS_MAX];
	char promised[80]; /* CPUID's promise, in words */
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES, 0 where there is none */
	struct intel_lbr lbr;
	struct pmu_branches branches;
	struct pmu_sampler sampler;
	struct pmu_store store;
};

static inline const struct intel *intel(const struct pmu *pmu)
{
	return pmu->state;
}

/* How many counters are general ones: they come first. */
static inline unsigned intel_general(const struct pmu *pmu)
{
	return intel(pmu)->cpu.general;
}

/* i of IA32_FIXED_CTRi of a fixed counter. */
static inline unsigned intel_fixed_index(const struct pmu *pmu, unsigned ctr)
{
	return pmu_number(pmu->counter[ctr].ctr) - MSR_IA32_FIXED_CTR(0);
}

/* Erratum HSD143, for as long as the core is split between two threads, of four counters each:
 * fixed counter 0 may count up to 32 too far if its own enables are set before its global one. */
#define INTEL_TOO_FAR 32u
static inline bool intel_fixed_0_last(const struct pmu *pmu)
{
	const struct intel_cpu *cpu = &intel(pmu)->cpu;

	return cpu->part == INTEL_HASWELL && cpu->general_promised < 8 && cpu->fixed & BIT(0);
}

/* An event that PEBS records precisely, and the general counters that do so. */
struct intel_precise {
	uint16_t select; /* unit mask, event select; 0: none is known */
	uint8_t counters; /* bit n: general counter n does, if it is there */
	bool branches; /* else instructions */
};
const struct intel_precise *intel_precise_event(const struct intel_cpu *cpu);

/* Facets. */
const struct pmu_sampler *intel_sampler(struct intel *intel);
const struct pmu_branches *intel_branches(struct intel *intel);

/* An overflow interrupt freezes the counters, or not: IA32_DEBUGCTL, and all that it holds. */
void intel_freeze_on_interrupt(bool freezes);
uint64_t intel_debugctl(void);
