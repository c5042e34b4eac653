/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declarations that the files of the Intel driver and the tests of this driver alone share.
 *
 * Room: core counters of Intel processors: P6, and architectural versions 1 to 6; and of others
 * that have the same registers
 * Uses: pmu, kernel/lib
 */
#pragma once

#include "pmu/pmu.h"
#include "regs.h"

extern const struct pmu_ops pmu_intel, pmu_zhaoxin;

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
	INTEL_ZXD, /* these are Zhaoxin's: zhaoxin.c */
	INTEL_ZXE,
	INTEL_ZHAOXIN, /* later ones */
};

/* CPUID as it answers, each leaf all zero where it does not exist. */
struct intel_leaves {
	struct cpuid_regs leaf_0, leaf_1, leaf_7, leaf_7_1, leaf_a, leaf_14, leaf_1a, leaf_1c,
		leaf_23[6];
};

struct intel_cpu {
	unsigned family, model, stepping;
	enum intel_part part;
	unsigned version; /* of architectural performance monitoring; 0: P6 */
	unsigned general, width; /* general counters that the driver uses, and their bits */
	uint32_t numbers; /* bit n: IA32_PMCn is one of them */
	unsigned general_promised; /* as many as CPUID 0AH shows */
	uint32_t fixed; /* bit i: IA32_FIXED_CTRi, of those that the driver uses */
	uint32_t fixed_promised;
	/* Counters that this core has not, as bits 47:0 of the global registers.  Where CPUID does
	 * not tell all that there are, it is no counter of which that is not known. */
	uint64_t absent;
	uint32_t unavailable; /* architectural events, by their bits in CPUID 0AH EBX */
	/* As bits of the global registers: counters that others can reload, and those others. */
	uint64_t reloaded, reloading;
	/* Architectural PEBS: counters that it records, the same way; 0: it is not there.  And the
	 * bits of their IA32_PMC_*_CFG_C. */
	uint64_t recorded, cfg_c;
	bool leaf_23; /* it tells of this core: what follows, and counters */
	bool umask2, eq, user_disable; /* fields of event selects */
	bool new_names; /* counters have registers from 1900H on, too */
	unsigned shortest_period; /* struct pmu */
	bool single_enable; /* EN of PERFEVTSEL0 is for both counters */
	bool force_abort; /* TSX takes counter 3 unless MSR_TSX_FORCE_ABORT says otherwise */
	bool any_thread, tsx, logs_trace, pdcm, ds, arch_lbr, perfmon_ext, hybrid;
	struct cpuid_regs leaf_1c; /* of architectural LBRs */
	const char *silent; /* why a PMU that CPUID promises is none */
	const char *note; /* parts of CPUID that the driver does not follow, or NULL */
};

/* False: not a PMU of this driver; or one, and cpu->silent says why it cannot be used. */
bool intel_decode(const struct intel_leaves *leaves, struct intel_cpu *cpu);

/* The same of Zhaoxin's.  False: not a PMU that is driven. */
bool zhaoxin_decode(const struct cpu_identity *id, const struct cpuid_regs *leaf_a,
		    struct intel_cpu *cpu);

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

/* Fixed counters whose event is known of the part, by its table of events. */
uint32_t intel_fixed_known(enum intel_part part);

/* leaf_23.c: what that leaf tells, which is of this very core.  After all that leaf 0AH tells. */
void intel_decode_leaf_23(const struct intel_leaves *leaves, struct intel_cpu *cpu);

/* Counters by their number, as bits of the global registers. */
uint64_t intel_global_bits(unsigned general, uint64_t fixed);

/* Members of struct intel_cpu, by those that are decoded already. */
uint64_t intel_absent(const struct intel_leaves *leaves, const struct intel_cpu *cpu);
unsigned intel_shortest_period(const struct intel_cpu *cpu);

/* Bits of an event select that keep what is written, and that raise #GP; any others may do either.
 * capabilities: IA32_PERF_CAPABILITIES. */
struct intel_select {
	uint64_t writable, reserved;
};
struct intel_select intel_select(const struct intel_cpu *cpu, uint64_t capabilities);

/* The event select, without privileges, of what MSR_OFFCORE_RSP(n) lets through, which counters
 * below INTEL_OFFCORE_COUNTERS count; 0: it is not known of this part. */
#define INTEL_OFFCORE_COUNTERS 4u
uint32_t intel_offcore(const struct intel_cpu *cpu, unsigned n);

/* Events that a register qualifies; all 0: none is known of this part.  Counters below
 * INTEL_OFFCORE_COUNTERS count by MSR_PEBS_FRONTEND, whose width is in its place. */
struct intel_frontend {
	uint32_t select, width;
};
struct intel_frontend intel_frontend(const struct intel_cpu *cpu);
/* By MSR_PEBS_LD_LAT_THRESHOLD, beside an event of another counter, and with a bit of
 * MSR_PEBS_ENABLE for counter 0 and those behind it for others, if these are not 0. */
struct intel_load_latency {
	uint32_t select, company;
	uint64_t enable;
};
struct intel_load_latency intel_load_latency(const struct intel_cpu *cpu);

/* NULL, or why counters cannot be reached as this version does. */
const char *intel_try_gate(const struct pmu *pmu);

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

/* Architectural ones, by CPUID 1CH: how many there can be, 0: they are not there; and the bits that
 * IA32_LBR_CTL has. */
unsigned intel_arch_lbr_entries(const struct intel_cpu *cpu);
uint64_t intel_arch_lbr_control(const struct intel_cpu *cpu);

#define INTEL_COUNTERS_MAX (INTEL_GENERAL_MAX + INTEL_FIXED_MAX)
#define INTEL_SHARED_MAX   (15u + 2 * INTEL_COUNTERS_MAX)

struct intel {
	struct intel_cpu cpu;
	struct pmu_bank bank;
	struct pmu_counter counter[INTEL_COUNTERS_MAX];
	struct pmu_reg shared[INTEL_SHARED_MAX];
	uint64_t saved[PMU_SAVED(INTEL_COUNTERS_MAX, INTEL_SHARED_MAX)];
	struct pmu_event events[PMU_EVENTS_MAX];
	char promised[112]; /* CPUID's promise, in words */
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES, 0 where there is none */
	struct intel_lbr lbr;
	struct pmu_branches branches;
	struct pmu_metrics metrics;
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

/* What reloads a counter of version 6, and with what. */
static inline struct pmu_reg intel_cfg_b(const struct pmu_counter *c)
{
	return pmu_msr(c->fixed ? MSR_IA32_PMC_FX_CFG_B(c->global_bit - GLOBAL_FIXED_FIRST)
				: MSR_IA32_PMC_GP_CFG_B(c->global_bit));
}

static inline struct pmu_reg intel_cfg_c(const struct pmu_counter *c)
{
	return pmu_msr(pmu_number(intel_cfg_b(c)) + 1);
}

/* n of IA32_PMCn of a general counter. */
static inline unsigned intel_number(const struct pmu *pmu, unsigned ctr)
{
	return pmu->counter[ctr].rdpmc;
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

/* May a part that does not show PERF_METRICS have it?  Erratum RPL018: where there are E-cores it
 * may be hidden.  By themselves these have none. */
bool intel_may_have_metrics(const struct intel_cpu *cpu);

static inline uint64_t intel_pebs_format(const struct intel *intel)
{
	return field_get(PERF_CAPABILITIES_PEBS_FMT, intel->capabilities);
}

/* Of which kind records are that the processor writes: each counter says of what they are; or so it
 * does, and there is no debug store.  Neither: all are alike. */
static inline bool intel_pebs_is_architectural(const struct intel *intel)
{
	return intel_pebs_format(intel) == PEBS_FMT_ARCHITECTURAL;
}

static inline bool intel_pebs_is_adaptive(const struct intel *intel)
{
	return intel->capabilities & PERF_CAPABILITIES_PEBS_BASELINE &&
	       intel_pebs_format(intel) <= PEBS_FMT_VALUES;
}

/* The general registers in a layout: flags, RIP, and those of ModRM in their order. */
#define INTEL_GPR_GROUP(at)                                                                        \
	.word = 8, .gprs = SAMPLE_GPRS, .flags = (at), .ip = (at) + 0x08,                          \
	.gpr = {(at) + 0x10, (at) + 0x18, (at) + 0x20, (at) + 0x28, (at) + 0x30, (at) + 0x38,      \
		(at) + 0x40, (at) + 0x48, (at) + 0x50, (at) + 0x58, (at) + 0x60, (at) + 0x68,      \
		(at) + 0x70, (at) + 0x78, (at) + 0x80, (at) + 0x88}

/* ---- answers.c: what CPUID promises, and whether it is there.  All is left as it was found. ----
 */

/* IA32_MISC_ENABLE, as of a processor that has counters where there is no such register. */
uint64_t intel_misc_enable(void);
/* Branch records of a model's own, and architectural ones; samples by the debug store, and
 * architectural ones.  capabilities of *intel must be known. */
bool intel_has_branches(const struct intel_lbr *lbr);
bool intel_has_arch_branches(const struct intel_cpu *cpu);
bool intel_has_samples(const struct intel *intel);
bool intel_has_arch_samples(const struct intel *intel);

/* Does this program know what the debug store's records are like? */
bool intel_pebs_is_known(const struct intel *intel);

/* Facets. */
const struct pmu_sampler *intel_sampler(struct intel *intel);
const struct pmu_sampler *intel_arch_sampler(struct intel *intel);

/* What the latter stands on, for tests of its own.  The counter's records have these groups, of
 * CFG_C_GPRS and so on, and it goes on from preset. */
void intel_arch_pebs_ask(const struct pmu *pmu, unsigned ctr, uint64_t groups, uint64_t preset);
/* Records are made from now on, into an empty buffer of a page, which it returns.  threshold: in
 * bytes. */
enum { INTEL_ARCH_BUFFER = 4096, INTEL_ARCH_NO_THRESHOLD = 0x7fffff0 };
const uint8_t *intel_arch_pebs_open(uint64_t threshold);
/* Ends that, for all counters.  Returns how many bytes have been written, and have been joined. */
uint64_t intel_arch_pebs_close(const struct pmu *pmu);
/* A record may come in fragments: all but the last say that it goes on, or have nothing but a size
 * in their header.  Joins them, in place, and returns how many bytes all records now have; as
 * many as before where one has no size that can be.  Pure. */
size_t intel_arch_pebs_join(uint8_t *records, size_t written);
const struct pmu_branches *intel_branches(struct intel *intel);
const struct pmu_branches *intel_arch_branches(struct intel *intel);
/* NULL: its registers are not there, or not its counter. */
const struct pmu_metrics *intel_metrics(const struct pmu *pmu);

/* An overflow interrupt freezes the counters, or not: IA32_DEBUGCTL, and all that it holds. */
void intel_freeze_on_interrupt(bool freezes);
uint64_t intel_debugctl(void);
