/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the Intel core PMU at register level: P6, and architectural versions 2 to 5.
 * Uses: model/pmu, kernel/lib
 */
#pragma once

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

enum {
	INTEL_GENERAL = 8, /* fixed counter i is number INTEL_GENERAL + i */
	INTEL_FIXED = 4,
	INTEL_COUNTERS = INTEL_GENERAL + INTEL_FIXED,
	INTEL_LBR = INTEL_COUNTERS, /* for defects the LBR stack is one more */
	INTEL_LBR_DEPTH = 32,
};

/* IA32_PERFEVTSELn: beside what all event selects have. */
#define SELECT_CODE     (SELECT_UNIT_MASK | SELECT_EVENT)
#define SELECT_ANY      BIT(21)
#define SELECT_ADAPTIVE BIT(34)

/* IA32_FIXED_CTR_CTRL, the four bits of one counter. */
#define FIXED_EN_OS  BIT(0)
#define FIXED_EN_USR BIT(1)
#define FIXED_ANY    BIT(2)
#define FIXED_PMI    BIT(3)

/* IA32_PERF_GLOBAL_STATUS and its kin. */
#define STATUS_LBR_FRZ    BIT(58)
#define STATUS_CTR_FRZ    BIT(59)
#define STATUS_OVF_UNCORE BIT(61)
#define STATUS_OVF_BUFFER BIT(62)
#define STATUS_COND_CHGD  BIT(63)

/* IA32_PERF_CAPABILITIES. */
#define CAPS_LBR_FMT       FIELD(5, 0)
#define CAPS_PEBS_FMT      FIELD(11, 8)
#define CAPS_FW_WRITE      BIT(13)
#define CAPS_PEBS_BASELINE BIT(14)

/* IA32_DEBUGCTL. */
#define DEBUGCTL_LBR                   BIT(0)
#define DEBUGCTL_BTF                   BIT(1)
#define DEBUGCTL_FREEZE_LBRS_ON_PMI    BIT(11)
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI BIT(12)

/* IA32_MISC_ENABLE. */
#define MISC_PERFMON          BIT(7)
#define MISC_BTS_UNAVAILABLE  BIT(11)
#define MISC_PEBS_UNAVAILABLE BIT(12)

/* Numbers that no signal of struct clock says alone.  Counters count these and the signals. */
enum intel_signal {
	INTEL_NOTHING = SIGNAL_COUNT,
	INTEL_TSC_CYCLES, /* of fixed counter 2 */
	INTEL_BUS_CYCLES,
	INTEL_RING0_CYCLES,
	INTEL_SLOTS,
	INTEL_LBR_INSERTS,
	INTEL_LOADS_AND_STORES,
	INTEL_CONDITIONAL_TAKEN,
	INTEL_NOT_TAKEN,
	INTEL_NEAR_TAKEN,
	INTEL_INDIRECT, /* without returns */
	INTEL_MISPREDICTED,
	INTEL_SEGMENT_LOADS,
	INTEL_SSE_PACKED, /* arithmetic in XMM registers */
	INTEL_SSE_SCALAR,
	INTEL_SSE_DOUBLE,
};

/* A signal as the number of an event, which is not 0. */
#define INTEL_EVENT(signal) ((signal) + 1u)

struct intel_event {
	uint16_t code; /* unit mask, event select */
	uint8_t signal; /* enum signal, or enum intel_signal */
	uint64_t models; /* MODEL_*: where it means that */
	uint8_t counters; /* bit n: counter n can count it; 0: all of them */
	bool precise; /* PEBS takes it */
};

/* The LBR stack. */
struct intel_lbr_traits {
	unsigned depth;
	uint32_t from, to; /* addresses of the first MSRs */
	bool has_tos, has_info;
	uint64_t select_bits; /* of MSR_LBR_SELECT; 0: there is none */
	bool jump_bits_drop_calls; /* erratum of Nehalem: bits 6 and 7 reach calls and returns */
};

/* Traits: the models differ in these. */
struct intel_traits {
	bool hyper_threading; /* two logical processors; these are the counters of number 0 */
	uint32_t perfmon[4]; /* leaf 0AH */
	unsigned version; /* of architectural performance monitoring; 0: P6 */
	unsigned counters, fixed;
	unsigned width;
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES; 0: there is none */
	uint64_t select_bits; /* of IA32_PERFEVTSELn; others fault */
	uint64_t debugctl_bits;
	uint64_t global_ctrl; /* after reset */
	bool enables_metrics; /* IA32_PERF_GLOBAL_CTRL has the bit for PERF_METRICS */
	uint64_t pebs_counters; /* bits that IA32_PEBS_ENABLE has; 0: no PEBS */
	uint64_t pebs_without_c0; /* of these, counters that write no record of event C0h */
	uint64_t precise_distribution; /* counters that record the event that overflows itself, */
	uint16_t precise_event; /* if they count this one; 0: any that is precise */
	bool load_latency;
	bool precise_store; /* bit 63 of IA32_PEBS_ENABLE */
	bool frontend; /* MSR_PEBS_FRONTEND */
	bool force_abort; /* MSR_TSX_FORCE_ABORT */
	unsigned offcore_registers;
	unsigned bus_ratio; /* clocks to one of the bus */
	unsigned slots; /* in a clock */
	struct intel_lbr_traits lbr;
	uint64_t model; /* MODEL_*: whose events it has */
};

/* The event that a counter counts, and how: all that its setting does not say. */
struct intel_counted {
	unsigned signal;
	bool precise; /* PEBS takes it */
	bool any; /* also of the other thread */
};

/* A branch that was taken, an interrupt or an exception. */
struct intel_lbr {
	uint64_t from, to, info;
};

struct intel_pebs {
	uint64_t enable, data_cfg, ds_area;
	uint32_t due; /* bit n: the event of counter n came that is to be recorded */
	unsigned armed[INTEL_COUNTERS]; /* in so many events it comes; 0: no overflow waits */
};

/* Kinds of registers. */
enum intel_kind {
	INTEL_EVTSEL = CORE_SELECT,
	INTEL_PMC = CORE_COUNTER,
	INTEL_A_PMC = CORE_OTHERS, /* full width */
	INTEL_FIXED_CTR,
	INTEL_FIXED_CTR_CTRL,
	INTEL_GLOBAL_STATUS,
	INTEL_STATUS_RESET, /* OVF_CTRL before version 4 */
	INTEL_GLOBAL_CTRL,
	INTEL_STATUS_SET,
	INTEL_GLOBAL_INUSE,
	INTEL_PEBS_ENABLE,
	INTEL_PEBS_DATA_CFG,
	INTEL_LD_LAT_THRESHOLD,
	INTEL_FRONTEND,
	INTEL_OFFCORE_RSP,
	INTEL_DS_AREA,
	INTEL_PERF_CAPABILITIES,
	INTEL_MISC_ENABLE,
	INTEL_DEBUGCTL,
	INTEL_SMI_COUNT,
	INTEL_LBR_SELECT,
	INTEL_LBR_TOS,
	INTEL_LBR_FROM,
	INTEL_LBR_TO,
	INTEL_LBR_INFO,
	INTEL_LASTINT,
	INTEL_FORCE_ABORT,
};

struct pmu_intel {
	struct core_pmu core;
	const struct intel_traits *traits;
	struct intel_counted counted[INTEL_COUNTERS];
	uint64_t fixed_ctrl, global_ctrl, status, debugctl, misc_enable, capabilities, smi_count,
		force_abort;
	uint64_t idle[5]; /* registers that do nothing */
	uint64_t clocks; /* passed */
	struct intel_pebs pebs;
	struct intel_lbr lbr[INTEL_LBR_DEPTH];
	uint64_t lbr_select, lbr_tos;
	uint64_t lbr_clock; /* when the last was recorded */
	unsigned lbr_inserts; /* since the last clock */
	uint64_t last_int[2]; /* of the P6: from and to of the last interrupt */
};

extern const struct kind_ops pmu_intel_ops;

/* The bit of a counter in the global registers, and in IA32_PEBS_ENABLE. */
static inline uint64_t intel_bit(unsigned ctr)
{
	return ctr < INTEL_GENERAL ? BIT(ctr) : BIT(32 + ctr - INTEL_GENERAL);
}

/* The bits of all counters. */
uint64_t intel_counter_bits(const struct intel_traits *traits);

/* ---- events.c ---- */

extern const struct intel_event intel_event_table[]; /* of all models; ends with code 0 */
/* Can counter ctr of the model count what row says? */
bool intel_has_event(const struct intel_traits *traits, const struct intel_event *row,
		     unsigned ctr);
/* The row of event on counter ctr; if there is none, a row that counts nothing. */
const struct intel_event *intel_event_find(const struct intel_traits *traits, unsigned event,
					   unsigned ctr);
/* Occurrences in this clock. */
unsigned intel_occurrences(const struct pmu_intel *p, unsigned signal, const struct clock *clock);

/* ---- registers.c ---- */

/* Finds out which registers the model has. */
void intel_lay_out(struct pmu_intel *p);
/* As the member of struct kind_ops. */
const char *intel_unseen(const void *traits, const struct pmu_register *reg, uint64_t bit,
			 bool inverted);

/* ---- clock.c ---- */

/* As the member of struct core_kind; INTEL_LBR: the records of last branches. */
bool intel_runs(const void *pmu, unsigned ctr);
uint32_t intel_held_by(const void *pmu, unsigned thread);
unsigned intel_clock(void *pmu, const struct clock *clock);
/* As these members of struct kind_ops. */
void intel_pass(void *pmu, const struct clock *clock, uint64_t times);
uint64_t intel_room(const void *pmu);
bool intel_counts_tsc(const void *pmu);
uint64_t intel_tsc_ticks(const void *pmu);
uint64_t intel_tsc_clocks(uint64_t ticks);
unsigned intel_period(const void *pmu);
void intel_skipped(void *pmu, uint64_t clocks);
/* Freezes what an interrupt request freezes. */
void intel_freeze(struct pmu_intel *p);

/* ---- lbr.c ---- */

void intel_branched(void *pmu, const struct branch *branch);

/* ---- pebs.c ---- */

/* Does the counter write records? */
bool intel_records(const struct pmu_intel *p, unsigned ctr);
/* The counter's event came; overflowed: and was its last. */
void intel_pebs_event(struct pmu_intel *p, unsigned ctr, bool overflowed);
unsigned intel_assist(void *pmu, const struct machine *machine);
