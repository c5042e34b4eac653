/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the AMD core counters at register level: K7 to Zen 5.
 * Uses: model/pmu, kernel/lib
 */
#pragma once

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

enum {
	AMD_COUNTERS = 6,
	AMD_LBR = AMD_COUNTERS, /* for defects the stack of branches is one more */
	AMD_LBR_DEPTH = 16,
};
enum { SMI_INSTRUCTIONS = 40 };

#define AMD_COUNTER_MASK FIELD(47, 0)

/* PerfEvtSel, PERF_CTL: besides the bits that all event selects have. */
#define SELECT_EVENT_HIGH FIELD(35, 32)
#define SELECT_GUEST      BIT(40)
#define SELECT_HOST       BIT(41)

/* CPUID 8000_0022: of EAX, and of EBX. */
#define PERFMON_LBR              BIT(1)
#define PERFMON_FREEZE           BIT(2)
#define PERFMON_LBR_DEPTH        FIELD(9, 4)

#define LBR_ENABLE               BIT(6) /* of DebugExtnCtl */
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

#define AMD_SVM (uint32_t) BIT(2) /* of CPUID 8000_0001 ECX */

struct amd_traits {
	uint32_t features; /* CPUID 8000_0001 ECX, the bits that concern the PMU */
	uint32_t perfmon[3]; /* CPUID 8000_0022 EAX, EBX, ECX */
	unsigned counters;
	bool extended; /* registers at C001_0200 too, and legacy names as aliases of them */
	bool global; /* PerfMonV2: registers of all counters at C000_0300 */
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
	AMD_LBR_FROM,
	AMD_LBR_TO,
	AMD_DEBUGCTL, /* of parts that freeze */
};

/* A record, as its two registers have it. */
struct amd_lbr {
	uint64_t from, to;
};

struct pmu_amd {
	struct core_pmu core;
	const struct amd_traits *traits;
	const struct amd_event
		*event[AMD_COUNTERS]; /* that it counts; NULL: none that ever occurs */
	bool alone[AMD_COUNTERS]; /* its event is one signal, whatever the unit mask */
	/* PerfCntrGlobalCtl and PerfCntrGlobalStatus; without PerfMonV2 all are enabled. */
	uint64_t global_ctl, global_status;
	struct amd_lbr lbr[AMD_LBR_DEPTH]; /* the newest first */
	uint64_t lbr_select, lbr_config, debugctl;
};

extern const struct kind_ops pmu_amd_ops;

/* As the member of struct core_kind; AMD_LBR: the stack of branches. */
bool amd_runs(const void *pmu, unsigned ctr);

/* ---- branches.c ---- */

/* 0: there is no stack. */
unsigned amd_lbr_depth(const struct amd_traits *traits);
/* As the member of struct kind_ops. */
void amd_branched(void *pmu, const struct branch *branch);
/* Puts it on the stack, as the newest. */
void amd_record(struct pmu_amd *p, const struct amd_lbr *entry);
/* A counter has overflowed that interrupts: freezes what is to be frozen. */
void amd_freeze(struct pmu_amd *p);
