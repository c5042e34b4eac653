/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the AMD core counters at register level: K7 to Zen 5.
 * Uses: model/pmu, kernel/lib
 */
#pragma once

#include "ibs.h"
#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

enum {
	AMD_COUNTERS = 6,
	/* For defects these are counters, too: the stack of branches, the pair of them, branch
	 * sampling, the engines of IBS. */
	AMD_LBR = AMD_COUNTERS,
	AMD_PAIR,
	AMD_BRS,
	AMD_IBS_OPS,
	AMD_IBS_FETCHES,
	AMD_LBR_DEPTH = 16,
};
enum { SMI_INSTRUCTIONS = 40 };

#define AMD_COUNTER_MASK FIELD(47, 0)

/* PerfEvtSel, PERF_CTL: besides the bits that all event selects have. */
#define SELECT_EVENT_HIGH FIELD(35, 32)
#define SELECT_GUEST      BIT(40)
#define SELECT_HOST       BIT(41)
/* Of an odd counter with this event so many bits go on where the even one before it ends. */
#define EVENT_MERGE 0xfffu
#define MERGED      FIELD(15, 0)

/* CPUID 8000_0022: of EAX, and of EBX. */
#define PERFMON_LBR       BIT(1)
#define PERFMON_FREEZE    BIT(2)
#define PERFMON_LBR_DEPTH FIELD(9, 4)

#define LBR_ENABLE        BIT(6) /* of DebugExtnCtl */
/* DebugExtnCfg, in its place on Zen 3. */
#define BRS_ENABLE               BIT(2)
#define BRS_MUST_BE_1            FIELD(4, 3)
#define BRS_VALID                BIT(5) /* there are records */
#define BRS_NEXT                 FIELD(19, 16) /* of them; 0: all */
#define BRS_COUNTER              FIELD(26, 24) /* whose overflow begins it */
#define DEBUGCTL_LBR             BIT(0) /* the pair */
#define DEBUGCTL_BTF             BIT(1)
#define DEBUGCTL_MUST_BE_0       BIT(6)
#define DEBUGCTL_FREEZE_LBR      BIT(11)
#define DEBUGCTL_FREEZE_COUNTERS BIT(12)
#define STATUS_LBR_FROZEN        BIT(58)
#define STATUS_COUNTERS_FROZEN   BIT(59)

/* One event code: the signal of struct clock that it counts.  With sub-events, signal is the first
 * of so many, and each is added by a bit of the unit mask, the first one by first_bit; more of them
 * may follow in another row of the same code.  Where the unit mask is a code, all_code stands for
 * all of them, and no other is modelled. */
struct amd_event {
	uint16_t code;
	uint8_t signal;
	uint8_t sub_events, first_bit, all_code;
};

/* Events whose numbers lie between these two occur on these counters alone, as bits. */
struct amd_limit {
	uint16_t first, last;
	uint8_t counters;
};

/* Of CPUID 8000_0001 ECX. */
#define AMD_SVM      (uint32_t) BIT(2)
#define AMD_EXT_APIC (uint32_t) BIT(3)
#define AMD_IBS      (uint32_t) BIT(10)

struct amd_traits {
	uint32_t features; /* CPUID 8000_0001 ECX, the bits that concern the PMU */
	uint32_t perfmon[3]; /* CPUID 8000_0022 EAX, EBX, ECX */
	uint32_t ibs; /* CPUID 8000_001B EAX; 0: no IBS is modelled */
	uint32_t ibs_control; /* IbsControl */
	const struct ibs_bits *ibs_bits; /* NULL: there is no IBS */
	bool val_sticks; /* IbsFetchVal, while IbsFetchEn stays set: families 15h to 18h */
	unsigned counters;
	bool extended; /* registers at C001_0200 too, and legacy names as aliases of them */
	bool global; /* PerfMonV2: registers of all counters at C000_0300 */
	bool brs; /* branch sampling */
	bool merges; /* counters in pairs */
	bool pair; /* the last branch, and the last one before an exception */
	bool northbridge; /* its events are counted here */
	unsigned threshold_most; /* that the manual documents */
	uint64_t select_bits; /* bits that stick in an event select register; the rest is dropped */
	const struct amd_event *events; /* ends with code 0 */
	struct amd_limit limit; /* counters 0: each counter counts all events */
};

/* Kinds of registers; those from AMD_GLOBAL_STATUS on are of PerfMonV2. */
enum amd_register {
	AMD_SELECT = CORE_SELECT,
	AMD_COUNTER = CORE_COUNTER,
	AMD_GLOBAL_STATUS = CORE_OTHERS,
	AMD_GLOBAL_CTL,
	AMD_GLOBAL_STATUS_CLR,
	AMD_GLOBAL_STATUS_SET,
	AMD_LBR_SELECT,
	AMD_LBR_CONFIG, /* DebugExtnCtl */
	AMD_BRS_CONFIG, /* DebugExtnCfg */
	AMD_LBR_FROM, /* of samples, too */
	AMD_LBR_TO,
	AMD_DEBUGCTL, /* of parts that have the pair, or freeze */
	AMD_LAST_BRANCH, /* its two halves; each a From and a To */
	AMD_LAST_EXCEPTION,
	AMD_IBS_FETCH_CTL, /* in the order of their numbers */
	AMD_IBS_FETCH_LINEAR,
	AMD_IBS_FETCH_PHYSICAL,
	AMD_IBS_OP_CTL,
	AMD_IBS_OP_RIP,
	AMD_IBS_OP_DATA,
	AMD_IBS_OP_DATA2,
	AMD_IBS_OP_DATA3,
	AMD_IBS_OP_LINEAR,
	AMD_IBS_OP_PHYSICAL,
	AMD_IBS_CONTROL,
	AMD_IBS_TARGET,
	AMD_IBS_FETCH_EXTD,
	AMD_IBS_OP_CTL2,
	AMD_IBS_FETCH_CTL2,
};

/* A record, as its two registers have it. */
struct amd_lbr {
	uint64_t from, to;
};

/* The last branch, and the last one before an exception or an interrupt. */
struct amd_pair {
	struct amd_lbr branch, exception;
};

/* Branch sampling, once its counter has overflowed. */
struct brs {
	uint64_t config;
	bool filling; /* branches are recorded, */
	unsigned held; /* and so many interrupts wait for the last one; */
	unsigned due; /* so many have waited long enough */
};

struct pmu_amd {
	struct core_pmu core;
	const struct amd_traits *traits;
	const struct amd_event
		*event[AMD_COUNTERS]; /* that it counts; NULL: none that ever occurs */
	bool alone[AMD_COUNTERS]; /* its event is one signal, whatever the unit mask */
	/* PerfCntrGlobalCtl and PerfCntrGlobalStatus; without PerfMonV2 all are enabled. */
	uint64_t global_ctl, global_status;
	struct amd_lbr lbr[AMD_LBR_DEPTH]; /* the newest first; of samples the oldest */
	struct brs brs;
	uint64_t lbr_select, lbr_config, debugctl;
	struct amd_pair pair;
	struct ibs ibs;
	enum world world;
};

extern const struct kind_ops pmu_amd_ops;

/* The bits of all counters in global registers. */
static inline uint64_t amd_counter_bits(const struct pmu_amd *p)
{
	return BIT(p->traits->counters) - 1;
}

/* Of the stack of branch records; 0: there is none. */
static inline unsigned amd_lbr_depth(const struct amd_traits *traits)
{
	bool has = traits->perfmon[0] & PERFMON_LBR;

	return has ? (unsigned)field_get(PERFMON_LBR_DEPTH, traits->perfmon[1]) : 0;
}

/* ---- clock.c ---- */

/* As the member of struct core_kind; AMD_LBR and what follows: the records of branches. */
bool amd_runs(const void *pmu, unsigned ctr);
/* As these members of struct core_ops. */
unsigned amd_clock(void *pmu, const struct clock *clock);
void amd_pass(void *pmu, const struct passed *passed, unsigned kinds);
uint64_t amd_room(const void *pmu);
bool amd_counting(const void *pmu);

/* ---- events.c ---- */

/* The next row of the same code; NULL: there is none. */
static inline const struct amd_event *amd_event_next(const struct amd_event *event)
{
	return event[1].code == event->code ? event + 1 : NULL;
}
/* Looks up what the counter is set to.  Events of the northbridge belong to no ring: before family
 * 15h counters of the core have these. */
void amd_event_select(struct pmu_amd *p, unsigned ctr);
/* As these members of struct core_ops. */
bool amd_watches_hierarchy(const void *pmu);
bool amd_watches_northbridge(const void *pmu);

/* ---- registers.c ---- */

/* Finds out which registers the model has. */
void amd_lay_out(struct pmu_amd *p);
/* As the member of struct kind_ops. */
const char *amd_unseen(const void *traits, const struct pmu_register *reg, uint64_t bit,
		       bool inverted);

/* ---- branches.c ---- */

/* As the member of struct core_ops. */
void amd_branched(void *pmu, const struct branch *branch);
/* Puts it on the stack, as the newest. */
void amd_record(struct pmu_amd *p, const struct amd_lbr *entry);
/* A counter has overflowed that interrupts: freezes what is to be frozen. */
void amd_freeze(struct pmu_amd *p);

/* ---- pair.c ---- */

void amd_pair_branched(struct pmu_amd *p, const struct branch *branch);

/* ---- brs.c ---- */

void amd_brs_branched(struct pmu_amd *p, const struct branch *branch);
void amd_brs_put(struct pmu_amd *p, uint64_t config);
/* These counters have overflowed, with so many requests; returns how many of them come at once. */
unsigned amd_brs_overflowed(struct pmu_amd *p, uint64_t interrupting, unsigned requests);
/* And so many that it has held come now. */
unsigned amd_brs_released(struct pmu_amd *p);
