/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events and modes of NetBurst alone, for tests of this driver alone: events by the manual's names,
 * and modes of its counters that struct pmu_config has no word for.
 *
 * pmu_start(), pmu_stop(), pmu_read() and pmu_write() work on counters that are programmed here,
 * too.  A counter preset to -N overflows at the N-th event and interrupts at the one after it
 * (pmu->interrupt_after).
 *
 * Room: the counters of NetBurst processors, Intel family 0Fh
 * Uses: pmu, kernel/lib
 */
#pragma once

#include "pmu/pmu.h"
#include "regs.h"

extern const struct pmu_ops pmu_netburst;

/* Counters by the unit that they sit in. */
enum netburst_group { NB_BPU, NB_MS, NB_FLAME, NB_IQ, NB_GROUPS };

/*
 * Events: id, the manual's name, group of the counters, ESCR_EVENT_SELECT, CCCR_ESCR_SELECT, and
 * the mask bits that the manual documents.  Mask bit n is ESCR bit 9 + n.  TI: of the core, which
 * both logical processors share; TS: of one of them.
 */
#define NETBURST_EVENTS(X)                                                                         \
	X(INSTR_RETIRED, instr_retired, IQ, 0x02, 4, 0x000f, TS)                                   \
	X(UOPS_RETIRED, uops_retired, IQ, 0x01, 4, 0x0003, TS)                                     \
	X(MISPRED_BRANCH_RETIRED, mispred_branch_retired, IQ, 0x03, 4, 0x0001, TS)                 \
	X(INSTR_COMPLETED, instr_completed, IQ, 0x07, 4, 0x0003, TS)                               \
	X(BRANCH_RETIRED, branch_retired, IQ, 0x06, 5, 0x000f, TS)                                 \
	X(FRONT_END_EVENT, front_end_event, IQ, 0x08, 5, 0x0003, TS)                               \
	X(EXECUTION_EVENT, execution_event, IQ, 0x0c, 5, 0x00ff, TS)                               \
	X(REPLAY_EVENT, replay_event, IQ, 0x09, 5, 0x0003, TS)                                     \
	X(X87_ASSIST, x87_assist, IQ, 0x03, 5, 0x001f, TS)                                         \
	X(MACHINE_CLEAR, machine_clear, IQ, 0x02, 5, 0x0045, TS)                                   \
	X(UOP_TYPE, uop_type, IQ, 0x02, 2, 0x0006, TS)                                             \
	X(RESOURCE_STALL, resource_stall, IQ, 0x01, 1, 0x0020, TS)                                 \
	X(GLOBAL_POWER_EVENTS, global_power_events, BPU, 0x13, 6, 0x0001, TS)                      \
	X(FSB_DATA_ACTIVITY, FSB_data_activity, BPU, 0x17, 6, 0x003f, TI)                          \
	X(IOQ_ALLOCATION, IOQ_allocation, BPU, 0x03, 6, 0xefff, TS)                                \
	X(IOQ_ACTIVE_ENTRIES, IOQ_active_entries, BPU, 0x1a, 6, 0xefff, TS)                        \
	X(BSQ_CACHE_REFERENCE, BSQ_cache_reference, BPU, 0x0c, 7, 0x073f, TS)                      \
	X(BSQ_ALLOCATION, BSQ_allocation, BPU, 0x05, 7, 0x3fef, TS)                                \
	X(BSQ_ACTIVE_ENTRIES, bsq_active_entries, BPU, 0x06, 7, 0x3fef, TS)                        \
	X(PAGE_WALK_TYPE, page_walk_type, BPU, 0x01, 4, 0x0003, TI)                                \
	X(ITLB_REFERENCE, ITLB_reference, BPU, 0x18, 3, 0x0007, TS)                                \
	X(MOB_LOAD_REPLAY, MOB_load_replay, BPU, 0x03, 2, 0x003a, TS)                              \
	X(BPU_FETCH_REQUEST, BPU_fetch_request, BPU, 0x03, 0, 0x0001, TS)                          \
	X(TC_DELIVER_MODE, TC_deliver_mode, MS, 0x01, 1, 0x00ff, TI)                               \
	X(TC_MISC, TC_misc, MS, 0x06, 1, 0x0010, TS)                                               \
	X(TC_MS_XFER, tc_ms_xfer, MS, 0x05, 0, 0x0001, TS)                                         \
	X(UOP_QUEUE_WRITES, uop_queue_writes, MS, 0x09, 0, 0x0007, TS)                             \
	X(RETIRED_BRANCH_TYPE, retired_branch_type, MS, 0x04, 2, 0x001f, TS)                       \
	X(RETIRED_MISPRED_BRANCH_TYPE, retired_mispred_branch_type, MS, 0x05, 2, 0x001e, TS)       \
	X(PACKED_SP_UOP, packed_SP_uop, FLAME, 0x08, 1, 0x8000, TI)                                \
	X(PACKED_DP_UOP, packed_DP_uop, FLAME, 0x0c, 1, 0x8000, TI)                                \
	X(SCALAR_SP_UOP, scalar_SP_uop, FLAME, 0x0a, 1, 0x8000, TI)                                \
	X(SCALAR_DP_UOP, scalar_DP_uop, FLAME, 0x0e, 1, 0x8000, TI)                                \
	X(64BIT_MMX_UOP, 64bit_MMX_uop, FLAME, 0x02, 1, 0x8000, TI)                                \
	X(128BIT_MMX_UOP, 128bit_MMX_uop, FLAME, 0x1a, 1, 0x8000, TI)                              \
	X(X87_FP_UOP, x87_FP_uop, FLAME, 0x04, 1, 0x8000, TI)                                      \
	X(X87_SIMD_MOVES_UOP, x87_SIMD_moves_uop, FLAME, 0x2e, 1, 0x0018, TI)                      \
	X(WC_BUFFER, WC_Buffer, FLAME, 0x05, 5, 0x0003, TI)                                        \
	X(MEMORY_CANCEL, memory_cancel, FLAME, 0x02, 5, 0x000c, TS)                                \
	X(MEMORY_COMPLETE, memory_complete, FLAME, 0x08, 2, 0x000f, TS)                            \
	X(LOAD_PORT_REPLAY, load_port_replay, FLAME, 0x04, 2, 0x0002, TS)                          \
	X(STORE_PORT_REPLAY, store_port_replay, FLAME, 0x05, 2, 0x0002, TS)

#define NETBURST_ID(id, ...) NB_##id,
enum netburst_event_id { NB_NO_EVENT, NETBURST_EVENTS(NETBURST_ID) NB_EVENTS };

/* In what state the logical processors of the core must be for a counter to count.  Anything but
 * NB_ANY_THREAD needs PMU_HT. */
enum netburst_active_thread {
	NB_ANY_THREAD, /* the usual: at least one is active */
	NB_BOTH_THREADS,
	NB_ONE_THREAD, /* exactly one */
	NB_NO_THREAD,
};

/* A member that is zero is off.  event and at least one of the four privilege flags are needed to
 * count anything. */
struct netburst_config {
	enum netburst_event_id event;
	unsigned mask; /* documented bits of NETBURST_EVENTS only */
	bool user, kernel; /* of the logical processor that runs this code */
	bool other_user, other_kernel; /* of the other one: needs PMU_HT */
	bool compare, complement, edge; /* complement and edge are written as they are given */
	unsigned threshold; /* 0 to 15: clocks with more than, or complement: at most so many */
	bool force_ovf;
	bool ovf_pmi; /* to the logical processor that runs this code */
	bool cascade, extended_cascade; /* started by its source: do not start() such a counter */
	bool tag_enable;
	unsigned tag_value; /* 0 to 15 */
	enum netburst_active_thread active_thread;
};

/* How the counters are wired. */
struct netburst_counter {
	uint8_t group; /* enum netburst_group */
	uint8_t half; /* 0 or 1: which ESCR of a pair it can select */
	uint8_t pair_mate; /* another counter that can select the same ESCRs */
	int8_t cascade_source; /* whose overflow starts it if .cascade */
	int8_t extended_source; /* if .extended_cascade; -1: it has no such bit */
};
extern const struct netburst_counter netburst_counters[NETBURST_COUNTERS];

/*
 * Programs the ESCR and the CCCR of counter ctr, with ENABLE and OVF clear.  NULL, or a message why
 * event, counter, CPU and flags do not fit.  An ESCR serves both or all three counters of its half:
 * the last one programmed decides its event, mask, privilege and tag.
 */
const char *netburst_program(const struct pmu *pmu, unsigned ctr,
			     const struct netburst_config *cfg);

/* Programs only the event's ESCR of that half: the upstream of a tagging mechanism.  It works while
 * some counter of its group is enabled, of either half.  A configuration with anything set that an
 * ESCR does not hold is refused. */
const char *netburst_program_upstream(const struct pmu *pmu, unsigned half,
				      const struct netburst_config *cfg);

/* The events that one mask selects, and of these the ones of uncacheable memory alone: .code is an
 * enum netburst_event_id, .name is that of the mask.  The first one without a name ends them. */
extern const struct pmu_event netburst_escr_events[], netburst_uncacheable_events[];
const char *netburst_event_name(enum netburst_event_id event);

/* TI in NETBURST_EVENTS. */
bool netburst_is_thread_independent(enum netburst_event_id event);

/* Is the event documented for this CPU? */
bool netburst_has_event(const struct pmu *pmu, enum netburst_event_id event);

/* The event's ESCR of that half. */
uint32_t netburst_escr_msr(enum netburst_event_id event, unsigned half);

/* All ESCRs of this CPU: fills msr[], returns how many (45 or 43). */
unsigned netburst_escrs(const struct pmu *pmu, uint32_t msr[NETBURST_ESCRS_MAX]);

/* Replays are tagged that come of misses of the first-level cache, if misses, and of loads, if
 * loads: by PEBS_ENABLE and PEBS_MATRIX_VERT. */
void netburst_tag_replays(const struct pmu *pmu, bool misses, bool loads);

/* The OVF flag; clearing it leaves all other bits of the CCCR. */
bool netburst_ovf(const struct pmu *pmu, unsigned ctr);
void netburst_clear_ovf(const struct pmu *pmu, unsigned ctr);

#define NETBURST_SHARED_MAX (NETBURST_ESCRS_MAX + 3)

struct netburst {
	uint8_t model, stepping;
	uint8_t thread; /* which of the core's logical processors this is */
	struct pmu_bank bank;
	struct pmu_counter counter[NETBURST_COUNTERS];
	struct pmu_reg shared[NETBURST_SHARED_MAX];
	uint64_t saved[PMU_SAVED(NETBURST_COUNTERS, NETBURST_SHARED_MAX)];
	struct pmu_store store;
	struct pmu_sampler sampler;
};

static inline const struct netburst *netburst(const struct pmu *pmu)
{
	return pmu->state;
}

extern const struct pmu_erratum netburst_errata[];
