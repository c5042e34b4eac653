/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the AMD core counters at register level: K7 to Zen 4.
 * Uses: model/pmu, model/signals, kernel/lib
 */
#ifndef PMU_AMD_H
#define PMU_AMD_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/bits.h"
#include "model/pmu/pmu.h"

#define PMU_AMD_COUNTERS 6

#define COUNTER_BITS     48
#define COUNTER_MASK     (BIT(COUNTER_BITS) - 1)

/* PerfEvtSel / PERF_CTL. */
#define SELECT_EVENT_LOW  FIELD(7, 0)
#define SELECT_UNIT_MASK  FIELD(15, 8)
#define SELECT_USR        BIT(16)
#define SELECT_OS         BIT(17)
#define SELECT_EDGE       BIT(18)
#define SELECT_PC         BIT(19)
#define SELECT_INT        BIT(20)
#define SELECT_EN         BIT(22)
#define SELECT_INV        BIT(23)
#define SELECT_CNT_MASK   FIELD(31, 24)
#define SELECT_EVENT_HIGH FIELD(35, 32)
#define SELECT_GUEST      BIT(40)
#define SELECT_HOST       BIT(41)

/* One event code: the signal of struct clock that it counts.  With sub-events, signal is the first
 * of so many, and each is added by a bit of the unit mask, the first one by first_bit; more of them
 * may follow in another row of the same code.  Where the unit mask is a code, all_code stands for
 * all of them, and no other is modelled. */
struct event {
	uint16_t code;
	uint8_t signal;
	uint8_t sub_events, first_bit, all_code;
};

struct amd_traits {
	uint32_t features; /* CPUID 8000_0001 ECX, the bits that concern the PMU */
	unsigned counters;
	bool extended; /* registers at C001_0200 too, and legacy names as aliases of them */
	bool global; /* PerfMonV2: registers of all counters at C000_0300 */
	uint64_t select_bits; /* what sticks in an event select register; the rest is dropped */
	const struct event *events; /* ends with code 0 */
};

/* A select register, taken apart: what the counter goes by, so what a fault may twist. */
struct setting {
	unsigned counter; /* whose */
	bool was_enabled; /* EN before the write that set this */
	unsigned event, unit_mask, threshold;
	bool user, os, edge, pin_control, interrupt, enable, invert, guest_only, host_only;
};

struct counter {
	uint64_t select, value;
	struct setting set;
	const struct event *event; /* that set.event names, NULL: none */
	bool condition; /* the edge detector's memory: C of the clock before */
};

struct pmu_amd {
	const struct amd_traits *traits;
	const struct amd_hooks *hooks; /* never NULL: all of it NULL where healthy */
	struct counter counter[PMU_AMD_COUNTERS];
	uint32_t running; /* counters that a clock may change, as bits */
	/* PerfCntrGlobalCtl and PerfCntrGlobalStatus; without PerfMonV2 all are enabled. */
	uint64_t global_ctl, global_status;
	bool svme; /* EFER.SVME; the modelled processor has no SVM, so always clear */
	uint64_t defect[PMU_AMD_COUNTERS]; /* memory of a seeded fault */
};

/* A PMU register by name: which counter's, which of its two. */
struct reg {
	unsigned counter;
	bool select, legacy;
};

extern const struct pmu_ops pmu_amd_ops;

/* Finds running anew.  A seeded fault may wake a counter that is not enabled: with one they all
 * run. */
void amd_update_running(struct pmu_amd *p);

/* ---- global.c ---- */

#define AMD_MSR_GLOBAL_CTL UINT32_C(0xc0000301)

/* One bit for each counter. */
uint64_t amd_all_counters(const struct pmu_amd *p);
/* Is it one of the registers below, and this processor has PerfMonV2? */
bool amd_is_global(const struct pmu_amd *p, uint32_t msr);
/* Those that are commands read as 0, as KVM has it. */
uint64_t amd_read_global(const struct pmu_amd *p, uint32_t msr);
void amd_write_global(struct pmu_amd *p, uint32_t msr, uint64_t value);

#endif
