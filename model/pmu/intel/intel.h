/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the Intel core PMU at register level: P6, and architectural versions 2 to 6.
 * Uses: model/pmu, kernel/lib
 */
#pragma once

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

enum {
	INTEL_GENERAL = 10, /* fixed counter i is number INTEL_GENERAL + i */
	INTEL_FIXED = 7,
	INTEL_OLD_NAMES = 8, /* so many general counters have names of before version 6 */
	INTEL_COUNTERS = INTEL_GENERAL + INTEL_FIXED,
	INTEL_LBR = INTEL_COUNTERS, /* for defects the LBR stack is one more */
	INTEL_LBR_DEPTH = 32,
};

/* IA32_PERFEVTSELn: beside what all event selects have. */
#define SELECT_CODE        (SELECT_UNIT_MASK | SELECT_EVENT)
#define SELECT_ANY         BIT(21)
#define SELECT_ADAPTIVE    BIT(34)
#define SELECT_LBR_LOG     BIT(35) /* CPUID 1CH */
#define SELECT_EQ          BIT(36) /* these two: CPUID 23H */
#define SELECT_UNIT_MASK_2 FIELD(47, 40)

/* IA32_FIXED_CTR_CTRL, the four bits of one counter. */
#define FIXED_EN_OS  BIT(0)
#define FIXED_EN_USR BIT(1)
#define FIXED_ANY    BIT(2)
#define FIXED_PMI    BIT(3)

/* Of all: RDPMC of PERF_METRICS empties them and fixed counter 3. */
#define FIXED_METRICS_CLEAR BIT(14)

/* IA32_PERF_GLOBAL_STATUS and its kin. */
#define STATUS_OVF_METRICS BIT(48)
#define STATUS_OVF_PEBS    BIT(54) /* architectural */
#define STATUS_LBR_FRZ     BIT(58)
#define STATUS_CTR_FRZ     BIT(59)
#define STATUS_OVF_UNCORE  BIT(61)
#define STATUS_OVF_BUFFER  BIT(62)
#define STATUS_COND_CHGD   BIT(63)

/* IA32_PERF_CAPABILITIES. */
#define CAPS_LBR_FMT       FIELD(5, 0)
#define CAPS_PEBS_FMT      FIELD(11, 8)
#define CAPS_FW_WRITE      BIT(13)
#define CAPS_PEBS_BASELINE BIT(14)
#define CAPS_METRICS_CLEAR BIT(19)

/* IA32_DEBUGCTL. */
#define DEBUGCTL_LBR                   BIT(0)
#define DEBUGCTL_BTF                   BIT(1)
#define DEBUGCTL_FREEZE_LBRS_ON_PMI    BIT(11)
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI BIT(12)
#define DEBUGCTL_UNCORE_PMI            BIT(13)

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
	INTEL_OFFCORE_0, /* offcore responses that MSR_OFFCORE_RSP lets through */
	INTEL_OFFCORE_1,
	INTEL_LATE_LOADS, /* that MSR_PEBS_LD_LAT_THRESHOLD lets through */
	INTEL_LATE_FETCHES, /* and instructions, MSR_PEBS_FRONTEND */
	INTEL_BAD_SPECULATION, /* slots, as are those that follow */
	INTEL_FRONTEND_BOUND,
	INTEL_BACKEND_BOUND,
	INTEL_RETIRING,
};

/* A signal as the number of an event, which is not 0. */
#define INTEL_EVENT(signal) ((signal) + 1u)

struct intel_event {
	uint32_t code; /* second unit mask, unit mask, event select */
	uint8_t signal; /* enum signal, or enum intel_signal */
	uint64_t models; /* MODEL_*: where it means that */
	uint8_t counters; /* bit n: counter n can count it; 0: all of them */
	bool precise; /* PEBS takes it */
};

/* The LBR stack. */
struct intel_lbr_traits {
	unsigned depth; /* the largest */
	uint32_t from, to, info; /* addresses of the first MSRs; info 0: there is none */
	/* Architectural: bit n: IA32_LBR_DEPTH may be 8 * (n + 1).  0: a ring, of a model's own. */
	uint8_t depths;
	bool has_tos;
	uint64_t select_bits; /* of MSR_LBR_SELECT; 0: there is none */
	uint8_t logs; /* bit n: records log events of counter n that ask for it */
	bool jump_bits_drop_calls; /* erratum of Nehalem: bits 6 and 7 reach calls and returns */
};

/* Traits: the models differ in these. */
struct intel_traits {
	bool hyper_threading; /* two logical processors; these are the counters of number 0 */
	uint32_t perfmon[4]; /* leaf 0AH */
	unsigned version; /* of architectural performance monitoring; 0: P6 */
	unsigned counters;
	uint32_t fixed; /* bit i: there is fixed counter i */
	unsigned width;
	uint64_t capabilities; /* IA32_PERF_CAPABILITIES; 0: there is none */
	uint64_t select_bits; /* of IA32_PERFEVTSELn; others fault */
	uint64_t debugctl_bits;
	uint64_t global_ctrl; /* after reset */
	unsigned metrics; /* fields of PERF_METRICS: 4, 8; 0: there is none */
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
	const uint8_t *fixed_signals; /* what fixed counters count; NULL: as most do */
	bool debug_store; /* CPUID tells of it though there is no PEBS */
	bool new_names; /* of counters from 1900H on, beside the others */
	/* As the global registers have them: counters that others reload, and that do so. */
	uint64_t reloaded, reloading;
	/* Architectural PEBS: counters of which it makes records, the same way, and the upper bits
	 * of their CFG_C. */
	uint64_t recorded, cfg_c;
	bool loads_all; /* IA32_PMCn takes all bits that a counter has */
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

/* PERF_METRICS: slots of its fields, of all that have passed; and as what it reads until some do.
 */
enum { INTEL_METRICS = 8 };
struct intel_metrics {
	uint64_t slots[INTEL_METRICS], passed;
	uint64_t written;
	bool moves;
};

struct intel_pebs {
	uint64_t enable, data_cfg, ds_area;
	uint64_t base, index; /* architectural */
	uint32_t due; /* bit n: the event of counter n came that is to be recorded */
	unsigned armed[INTEL_COUNTERS]; /* in so many events it comes; 0: no overflow waits */
};

/* Auto counter reload of a counter: whose overflows reload it, and with what. */
struct intel_reload {
	uint64_t sources, value;
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
	INTEL_ARCH_LBR_CTL,
	INTEL_ARCH_LBR_DEPTH,
	INTEL_LER,
	INTEL_LER_INFO,
	INTEL_LBR_TOS,
	INTEL_LBR_FROM,
	INTEL_LBR_TO,
	INTEL_LBR_INFO,
	INTEL_LASTINT,
	INTEL_FORCE_ABORT,
	INTEL_PERF_METRICS,
	INTEL_CFG_B, /* whose overflows reload the counter */
	INTEL_CFG_C, /* with what; and what a record of its overflow has */
	INTEL_PEBS_BASE,
	INTEL_PEBS_INDEX,
};

struct pmu_intel {
	struct core_pmu core;
	const struct intel_traits *traits;
	struct intel_counted counted[INTEL_COUNTERS];
	uint64_t fixed_ctrl, global_ctrl, status, debugctl, misc_enable, capabilities, smi_count,
		force_abort;
	uint64_t ld_lat, frontend; /* which loads, and which fetches, count */
	uint64_t offcore[2], offcore_acts[2]; /* what they hold, and what they act as */
	uint64_t clocks; /* passed */
	struct intel_pebs pebs;
	struct intel_metrics metrics;
	struct intel_reload reload[INTEL_COUNTERS];
	struct intel_lbr lbr[INTEL_LBR_DEPTH];
	uint64_t lbr_select, lbr_tos;
	uint64_t lbr_ctl, lbr_depth; /* architectural */
	struct intel_lbr ler; /* the last one before an interrupt or an exception */
	uint64_t lbr_clock; /* when the last was recorded */
	bool lbr_timed; /* that is known */
	unsigned lbr_inserts; /* since the last clock */
	uint8_t lbr_logging; /* bit n: counter n logs its events in records */
	uint64_t lbr_log; /* since the last record: two bits of each counter, 3 for all above */
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
/* As the member of struct kind_ops. */
bool intel_watches_hierarchy(const void *pmu);

/* ---- registers.c ---- */

/* Finds out which registers the model has. */
void intel_lay_out(struct pmu_intel *p);
/* As the member of struct kind_ops. */
const char *intel_unseen(const void *traits, const struct pmu_register *reg, uint64_t bit,
			 bool inverted);

/* ---- clock.c ---- */

/* As the member of struct core_kind; INTEL_LBR: the records of last branches. */
bool intel_runs(const void *pmu, unsigned ctr);
/* As these members of struct core_ops. */
uint32_t intel_held_by(const void *pmu, unsigned thread);
unsigned intel_clock(void *pmu, const struct clock *clock);
void intel_pass(void *pmu, const struct passed *passed, unsigned kinds);
uint64_t intel_room(const void *pmu);
bool intel_counts_tsc(const void *pmu);
uint64_t intel_tsc_ticks(const void *pmu);
uint64_t intel_tsc_clocks(uint64_t ticks);
unsigned intel_period(const void *pmu);
void intel_skipped(void *pmu, uint64_t clocks);
/* Freezes what an interrupt request freezes. */
void intel_freeze(struct pmu_intel *p);

/* ---- metrics.c ---- */

#define GLOBAL_CTRL_METRICS BIT(48)
#define INTEL_SLOTS_COUNTER (INTEL_GENERAL + 3)

/* So many clocks alike pass into the fields. */
void intel_metrics_pass(struct pmu_intel *p, const struct clock *clock, uint64_t times);
uint64_t intel_metrics_shown(const struct pmu_intel *p);
void intel_metrics_write(struct pmu_intel *p, uint64_t value);
void intel_metrics_clear(struct pmu_intel *p); /* and the counter of slots */

/* ---- reload.c ---- */

/* What reloads a counter, and CFG_C, as they act. */
uint64_t intel_sources(const struct pmu_intel *p, unsigned ctr);
uint64_t intel_cfg_c(const struct pmu_intel *p, unsigned ctr);

/* Counters overflow, as bits of the global registers; returns those whose status bits it sets. */
uint64_t intel_reload(struct pmu_intel *p, uint64_t overflowed);

/* ---- lbr.c ---- */

void intel_branched(void *pmu, const struct branch *branch);
bool intel_lbr_is_call_stack(const struct pmu_intel *p);

/* ---- arch_lbr.c: what IA32_LBR_CTL and IA32_LBR_DEPTH say, where they are ---- */

#define LBR_CTL_EN         BIT(0)
#define LBR_CTL_CALL_STACK BIT(3)
#define LBR_CTL_BITS       (FIELD(22, 16) | FIELD(3, 0))
#define LBR_INFO_TIMED     BIT(60)
#define LBR_INFO_MISSED    BIT(63)
#define LBR_INFO_BITS      (FIELD(63, 56) | FIELD(39, 32) | FIELD(15, 0))

static inline bool intel_lbr_is_architectural(const struct intel_traits *traits)
{
	return traits->lbr.depths;
}

/* The record of that age, 0 for the newest. */
const struct intel_lbr *intel_lbr_of_age(const struct pmu_intel *p, unsigned age);
/* The clock passes that retires what has just been recorded. */
void intel_lbr_clock(struct pmu_intel *p, const struct clock *clock);
/* Freezing aside, are branches recorded? */
bool intel_lbr_enabled(const struct pmu_intel *p);
/* As IA32_LBR_CTL acts. */
uint64_t intel_lbr_ctl(const struct pmu_intel *p);
/* The entries that there are. */
unsigned intel_lbr_depth(const struct pmu_intel *p);
bool intel_lbr_takes_depth(const struct intel_traits *traits, uint64_t depth);
void intel_lbr_write_ctl(struct pmu_intel *p, uint64_t value);
void intel_lbr_write_depth(struct pmu_intel *p, uint64_t value);
/* Counter ctr, which logs, has gone on by so much. */
void intel_lbr_note(struct pmu_intel *p, unsigned ctr, uint64_t amount);
/* What the filter keeps out, as the bits that MSR_LBR_SELECT has for it. */
uint64_t intel_lbr_left_out(const struct pmu_intel *p);
/* The record of a branch, so many clocks behind the last one. */
struct intel_lbr intel_lbr_record(const struct pmu_intel *p, const struct branch *branch,
				  uint64_t cycles);
/* On the stack, whose newest entry is number 0. */
void intel_lbr_push(struct pmu_intel *p, const struct intel_lbr *entry);
void intel_lbr_pop(struct pmu_intel *p);

/* ---- pebs.c ---- */

/* IA32_PEBS_ENABLE as it acts. */
uint64_t intel_pebs_enable(const struct pmu_intel *p);
/* Does the counter write records? */
bool intel_records(const struct pmu_intel *p, unsigned ctr);
/* The counter's event came; overflowed: and was its last. */
void intel_pebs_event(struct pmu_intel *p, unsigned ctr, bool overflowed);
unsigned intel_assist(void *pmu, const struct machine *machine);

/* ---- arch_pebs.c ---- */

#define PEBS_BASE_BITS  (FIELD(45, 12) | FIELD(3, 0))
#define PEBS_INDEX_BITS (FIELD(58, 36) | FIELD(32, 31) | FIELD(26, 4))

bool intel_arch_pebs_records(const struct pmu_intel *p, unsigned ctr);
/* One of its registers has been written. */
void intel_arch_pebs_look(struct pmu_intel *p);
/* The record of ctr.  True: the buffer has reached its threshold. */
bool intel_arch_pebs_write(struct pmu_intel *p, unsigned ctr, const struct machine *machine);
