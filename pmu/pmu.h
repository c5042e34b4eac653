/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The driver interface: one const struct pmu_ops per PMU generation, one struct pmu per PMU found.
 *
 * How the other worlds fit without change here:
 * - NetBurst: a counter n is one of the 18 counters; program() picks a free ESCR that the event and
 *   the counter share and refuses impossible pairs with a message; at_least c is compare with
 *   threshold c-1, below c the complement; start()/stop() write CCCR enable; overflowed() reads the
 *   sticky OVF bits, acknowledge() clears them.  Cascades, FORCE_OVF and tagging stay in that
 *   driver's own header.
 * - Intel architectural: fixed counters follow the general ones in the same numbering; start() and
 *   stop() are one write of IA32_PERF_GLOBAL_CTRL, hence .atomic_start; overflowed() is
 *   GLOBAL_STATUS, acknowledge() its reset register.
 * - Uncore boxes: one struct pmu per box, PMU_PRIVILEGE absent from .features, start()/stop() are
 *   unfreeze/freeze (.atomic_start), registers reached by PCI or MSR inside the driver.
 */
#ifndef PMU_H
#define PMU_H

#include <stdbool.h>
#include <stdint.h>

/* Generic events.  A driver's table says how each is encoded and how exact it is. */
enum pmu_event_id {
	EV_NONE,
	EV_CYCLES,
	EV_INSTRUCTIONS,
	EV_BRANCHES,
	EV_TAKEN_BRANCHES,
	EV_FAR_TRANSFERS,
	EV_NEAR_RETURNS,
	EV_INTERRUPTS, /* hardware interrupts taken */
	EV_SUB_A, /* two sub-events of one event, selected by unit-mask bits ... */
	EV_SUB_B,
	EV_SUB_BOTH, /* ... and their union */
	EV_SEGMENT_LOADS, /* loads of segment registers, whichever, and of one */
	EV_CS_LOADS,
	EV_SS_LOADS,
	EV_DS_LOADS,
	EV_FS_LOADS,
	EV_GS_LOADS,
	EV_SSE, /* SSE instructions of all kinds */
	EV_L2_STORES, /* of the second-level cache: stores, data reads and fills that miss, code
			 reads */
	EV_L2_READS,
	EV_L2_MISSES,
	EV_L2_CODE_READS,
	EV_L2_READ_MODIFY_WRITES,
	EV_CACHEABLE_REQUESTS, /* for memory of type WB */
	EV_STREAMED_LINES, /* written past the caches */
	EV_OP_CACHE, /* look-ups in the cache of decoded operations, and switches to it */
	EV_TO_OP_CACHE,
	EV_PACKED_FP, /* operations on packed floating-point numbers */
	EV_NOT_TAKEN_BRANCHES,
	EV_INDIRECT_BRANCHES, /* no returns */
	EV_SSE_PACKED, /* operations on floating-point numbers in XMM registers */
	EV_SSE_SCALAR,
	EV_SSE_DOUBLE,
	EV_SSE_PACKED_DOUBLE,
	EV_SSE_SCALAR_DOUBLE,
	EV_SSE_INTEGER,
	EV_SIMD_ARITHMETIC, /* on integers in MMX and XMM registers */
	EV_MMX_MULTIPLY, /* MMX instructions by what they do */
	EV_MMX_SHIFT,
	EV_MMX_PACK,
	EV_MMX_UNPACK,
	EV_MMX_LOGICAL,
	EV_MMX_ARITHMETIC,
	EV_X87, /* x87 instructions */
	EV_OFFCORE_REQUESTS,
	EV_MMX_UOPS, /* micro-operations on 64-bit MMX operands */
	EV_REFERENCE_CYCLES, /* clocks at a rate of their own */
	EV_SLOTS, /* micro-operations that could have been issued */
	EV_MISPREDICTED, /* branches, AMD: taken ones */
	EV_MISPREDICTED_DIRECTION, /* conditional branches */
	EV_LLC_REFERENCES, /* requests to the last-level cache, and those that miss it */
	EV_LLC_MISSES,
	EV_COUNT
};

struct pmu_event {
	const char *name; /* the manual's name; NULL: this PMU has no such event */
	uint16_t code, unit_mask;
	uint8_t max_per_clock; /* most occurrences in one clock; 0: not known */
	bool exact; /* repeatable to the last count on interrupt-free code */
	const char *reason; /* why it is exact, or what it over-counts */
	bool optional; /* not in every edition of the manual: may count nothing */
	uint32_t counters; /* bit n: counter n can count it; 0: every counter can */
};

/* What a counter is to count.  at_least and below are the threshold and its inversion: clocks with
 * n >= at_least, clocks with n < below; 0: none; never both. */
struct pmu_config {
	enum pmu_event_id event;
	unsigned at_least, below;
	bool edge, user, kernel, interrupt, pin_control;
};

enum pmu_feature {
	PMU_THRESHOLD = 1 << 0,
	PMU_EDGE = 1 << 1,
	PMU_PRIVILEGE = 1 << 2,
	PMU_INTERRUPT = 1 << 3,
	PMU_PIN_CONTROL = 1 << 4,
	PMU_UNIT_MASK = 1 << 5,
	PMU_ATOMIC_START = 1 << 6, /* start() opens all counters in the same clock */
	PMU_LVT_MASKS = 1 << 7, /* delivery of an interrupt sets the mask bit of the LVT entry */
	PMU_HT = 1 << 8, /* the two logical processors of a core share the counters */
	PMU_XCASCADE = 1 << 9, /* NetBurst: extended cascading */
	PMU_CASCADE_PMI = 1 << 10, /* NetBurst: a cascaded counter can interrupt */
	PMU_SELECT =
		1 << 11, /* counters have select registers; fixed ones have none of their own */
	PMU_GLOBAL = 1 << 12, /* Intel: IA32_PERF_GLOBAL_* registers, version 2 */
	PMU_STATUS_SET = 1 << 13, /* Intel: STATUS_SET, INUSE, streamlined freezing, version 4 */
	PMU_SINGLE_ENABLE = 1 << 14, /* Intel: one enable bit for both counters */
	PMU_ANY_THREAD = 1 << 15, /* Intel: a counter can count for both threads of the core */
	PMU_FREEZE = 1 << 16, /* Intel: an overflow interrupt can freeze counters */
	PMU_BRANCH_RECORDS = 1 << 17, /* Intel: last branches in a ring of registers */
	PMU_PEBS = 1 << 18, /* precise event-based sampling: records of events in memory */
	PMU_FREEZE_SMM = 1 << 19, /* Intel: counters can stand still in system management mode */
	PMU_HOST_GUEST = 1 << 20, /* AMD: a counter can count for hosts or guests alone */
	PMU_INVERT_FILTERED =
		1 << 21, /* an inverted counter counts nothing of a ring filtered out */
};

/* What a counter does by its select register, so what a fixed one cannot. */
#define PMU_BY_SELECT    (PMU_SELECT | PMU_THRESHOLD | PMU_EDGE | PMU_PIN_CONTROL | PMU_UNIT_MASK)

#define PMU_COUNTERS_MAX 32
#define PMU_SHARED_MAX   47

struct pmu_ops;

struct pmu {
	const struct pmu_ops *ops;
	char name[16]; /* first part of every test id: that of ops, but for a box its own */
	unsigned instance; /* which of the boxes of ops this is to be, from 0 */
	const void *box; /* the driver's own of this instance */
	uint32_t kinds; /* which of the kinds of box that ops tells apart, as bits */
	const struct pmu_event *events; /* [EV_COUNT] */
	unsigned counters;
	unsigned width; /* bits of a counter */
	unsigned write_bits; /* of them a write loads; the bits above become copies of the last */
	uint32_t fixed; /* bit n: counter n is for one event only, without a select register */
	uint32_t strict; /* bit n: a value wider than counter n is not cut but raises #GP */
	unsigned features; /* enum pmu_feature */
	unsigned max_threshold; /* largest documented threshold */
	unsigned interrupt_after; /* events from an overflow to the one that raises the interrupt */
	const char *interrupts_lost; /* erratum by which only the first of several comes, or NULL */
	const char *silent; /* probe(): why what CPUID promises does not respond, or NULL */
	const char *idle; /* why nothing drives the clocks of a box now, or NULL */
	uint32_t ctl_msr[PMU_COUNTERS_MAX]; /* event select and counter register of each counter */
	uint32_t ctr_msr[PMU_COUNTERS_MAX];
	uint32_t ctl_alias[PMU_COUNTERS_MAX]; /* another name of the same register, or 0 */
	uint32_t ctr_alias[PMU_COUNTERS_MAX];
	uint64_t ctl_writable; /* bits of the select register that must read back as written */
	uint64_t ctl_enable; /* of these: what makes the counter run */
	uint64_t ctl_reserved; /* bits of the select register that we always write 0 */
	uint64_t saved_ctl[PMU_COUNTERS_MAX], saved_ctr[PMU_COUNTERS_MAX];
	uint64_t saved_global;
	uint32_t saved_shared[PMU_SHARED_MAX]; /* registers that counters share */
	uint64_t running_at_entry; /* bit n: firmware left counter n enabled */
	uint8_t model, stepping, thread; /* of the processor probed, for drivers that must know */
	struct pmu_event own_events[EV_COUNT]; /* for drivers whose events depend on the part */
};

/* One PMU generation.  Called on the CPU measured, interrupts off.  Only probe() may run before
 * probe() has returned true.  NULL: this PMU cannot do that. */
struct pmu_ops {
	const char *name; /* "amd" */
	const char *title; /* "AMD legacy event-select counters" */
	const char *manual; /* document, section, revision */
	const char *processors; /* which ones have it, as the list of PMUs says */

	/* Boxes outside of the cores, many of a kind: probe() is called with each pmu->instance
	 * until one is false, and gives each a name; only tests that name this driver apply.  A box
	 * that should be there and is not is found with .silent set: nothing of it is touched, and
	 * its tests are skipped for that reason. */
	bool uncore;

	/* CPUID first, then a harmless write-and-read-back of counter 0's select register (put
	 * back).  True: fills *pmu.  False with pmu->silent set: promised but does not respond. */
	bool (*probe)(struct pmu *pmu);

	/* Saves every register (called once, after probe), and puts the saved state back. */
	void (*save)(struct pmu *pmu);
	void (*restore)(const struct pmu *pmu);

	/* Brings every register to the known state: all counters disabled and zero. */
	void (*reset)(const struct pmu *pmu);

	/* Programs counter ctr, disabled.  NULL, or a message why the combination is impossible. */
	const char *(*program)(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg);

	/* NULL, or why counters ctr_a and ctr_b cannot hold these configurations at the same time.
	 * NULL instead of a function: any two counters can. */
	const char *(*conflict)(const struct pmu *pmu, unsigned ctr_a, const struct pmu_config *a,
				unsigned ctr_b, const struct pmu_config *b);

	/* Enables / disables the counters of the mask (bit n: counter n), keeping their values. */
	void (*start)(const struct pmu *pmu, uint64_t ctrs);
	void (*stop)(const struct pmu *pmu, uint64_t ctrs);

	/* Value in .width bits. */
	uint64_t (*read)(const struct pmu *pmu, unsigned ctr);
	void (*write)(const struct pmu *pmu, unsigned ctr, uint64_t value);

	/* Of the counters armed with the top bit set: those that have overflowed since; and the
	 * status register's acknowledgement where there is one (NULL: none). */
	uint64_t (*overflowed)(const struct pmu *pmu, uint64_t armed);
	void (*acknowledge)(const struct pmu *pmu, uint64_t ctrs);

	/* RDPMC index of a counter. */
	uint32_t (*rdpmc_index)(const struct pmu *pmu, unsigned ctr);

	/* Reports "name = value" of the registers of one counter, for diagnostics. */
	void (*describe)(const struct pmu *pmu, unsigned ctr);

	/* Writes a header line for each published erratum of this very processor; NULL: none. */
	void (*report_errata)(void);
};

/* All drivers, in probing order; NULL ends it.  A new PMU is one file and one line there. */
extern const struct pmu_ops *const pmu_drivers[];

/* Probes all drivers; returns how many PMUs were found, at most max.  When none in the
 * cores: *why says why not, as exactly as a driver could tell. */
unsigned pmu_find_all(struct pmu *pmus, unsigned max, const char **why);

static inline uint64_t pmu_mask(const struct pmu *pmu)
{
	return ~UINT64_C(0) >> (64 - pmu->width);
}

/* Can a write to counter ctr load this value?  One that refuses what is too wide loads all bits. */
static inline bool pmu_can_write(const struct pmu *pmu, unsigned ctr, uint64_t value)
{
	unsigned shift = 64 - (pmu->strict >> ctr & 1 ? pmu->width : pmu->write_bits);

	return ((uint64_t)((int64_t)(value << shift) >> shift) & pmu_mask(pmu)) == value;
}

/* Of pmu->features: those of counter ctr. */
static inline unsigned pmu_features(const struct pmu *pmu, unsigned ctr)
{
	return pmu->fixed >> ctr & 1 ? pmu->features & ~(unsigned)PMU_BY_SELECT : pmu->features;
}

/* Can counter ctr count the event? */
static inline bool pmu_can_count(const struct pmu *pmu, unsigned ctr, enum pmu_event_id event)
{
	uint32_t counters = pmu->events[event].counters;

	return pmu->events[event].name && (!counters || counters >> ctr & 1);
}

/* A counter for each of the n configurations, such that all can be programmed at once.  ctr[0] is
 * given; ctr[1] and so on are chosen, each the next free one after its predecessor that will do.
 * NULL, or why there is no such choice. */
const char *pmu_plan(const struct pmu *pmu, unsigned n, const struct pmu_config *const *cfg,
		     unsigned *ctr);

#endif
