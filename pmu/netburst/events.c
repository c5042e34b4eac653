/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst: tables of events, by the manual's names of their mask bits. */

#include "wiring.h"

#define COUNTERS_0_3   0x0000fu
#define COUNTERS_4_7   0x000f0u
#define COUNTERS_8_11  0x00f00u
#define COUNTERS_12_17 0x3f000u

/* The manual calls no count exact: where this does so, the event's definition leaves no room, on
 * differences of windows that differ in nothing but the number of iterations. */
enum why { CLOCKS, RETIRED, FENCES, TYPES, EXECUTED, PERHAPS };

static const struct pmu_reason reasons[] = {
	[CLOCKS] = {PMU_AT_LEAST, "clocks depend on all that the machine does"},
	[RETIRED] = {PMU_EXACT, "exact on code free of interrupts and faults"},
	[FENCES] = {PMU_EXACT, "exact on code free of interrupts and faults; a Pentium D counts "
			       "SFENCE, MFENCE, EMMS, FLDENV, FRSTOR, FLDCW, MASKMOVQ, and "
			       "CVTPD2PI and CVTTPD2PI of memory twice"},
	[TYPES] = {PMU_AT_LEAST, "branch types may overcount, says the manual"},
	[EXECUTED] = {PMU_AT_LEAST, "counts what executes, even if it is replayed or discarded"},
	[PERHAPS] = {PMU_UNCERTAIN, "its causes are known only roughly"},
};

/* ---- what struct pmu_config can name ---- */

#define GENERIC(id, mask, text, counters_, width, why_)                                            \
	{                                                                                          \
		.name = text, .code = NB_##id, .unit_mask = mask, .counters = counters_,           \
		.max_per_clock = width, .why = &reasons[why_], .twice = (why_) == FENCES           \
	}

const struct pmu_event netburst_generic_events[] = {
	[EV_CYCLES] = GENERIC(GLOBAL_POWER_EVENTS, BIT(0), "global_power_events RUNNING",
			      COUNTERS_0_3, 1, CLOCKS),
	/* At most three micro-operations retire in a clock. */
	[EV_INSTRUCTIONS] =
		GENERIC(INSTR_RETIRED, FIELD(1, 0), "instr_retired NBOGUSNTAG NBOGUSTAG",
			COUNTERS_12_17, 3, FENCES),
	[EV_BRANCHES] = GENERIC(BRANCH_RETIRED, FIELD(3, 0), "branch_retired MMNP MMNM MMTP MMTM",
				COUNTERS_12_17, 0, RETIRED),
	[EV_TAKEN_BRANCHES] = GENERIC(BRANCH_RETIRED, FIELD(3, 2), "branch_retired MMTP MMTM",
				      COUNTERS_12_17, 0, RETIRED),
	[EV_NEAR_RETURNS] = GENERIC(RETIRED_BRANCH_TYPE, BIT(3), "retired_branch_type RETURN",
				    COUNTERS_4_7, 0, TYPES),
	[EV_OWN] = {.name = "64bit_MMX_uop ALL",
		    .code = NB_64BIT_MMX_UOP,
		    .unit_mask = BIT(15),
		    .counters = COUNTERS_8_11,
		    .why = &reasons[EXECUTED],
		    .occasion = "spaced.mmx"},
	{.name = NULL},
};

/* ---- what an ESCR can select ---- */

/* An edition's number: not in every edition of the manual, independently of others. */
#define EDITION(number, id, mask, text, why_, occasion_)                                           \
	{                                                                                          \
		.name = text, .code = NB_##id, .unit_mask = mask, .why = &reasons[why_],           \
		.occasion = occasion_, .edition = number, .twice = (why_) == FENCES                \
	}
#define ROW(...) EDITION(0, __VA_ARGS__)

const struct pmu_event netburst_escr_events[] = {
	ROW(GLOBAL_POWER_EVENTS, BIT(0), "RUNNING", CLOCKS, "chain.iterations"),
	ROW(FSB_DATA_ACTIVITY, BIT(0), "DRDY_DRV", EXECUTED, "awkward.iterations"),
	ROW(FSB_DATA_ACTIVITY, BIT(1), "DRDY_OWN", EXECUTED, "awkward"),
	ROW(FSB_DATA_ACTIVITY, BIT(3), "DBSY_DRV", EXECUTED, "store_misses"),
	ROW(FSB_DATA_ACTIVITY, BIT(4), "DBSY_OWN", EXECUTED, "awkward"),
	ROW(BSQ_CACHE_REFERENCE, BIT(8), "RD_2ndL_MISS", EXECUTED, "awkward"),
	ROW(PAGE_WALK_TYPE, BIT(0), "DTMISS", EXECUTED, "awkward"),
	ROW(PAGE_WALK_TYPE, BIT(1), "ITMISS", EXECUTED, "awkward"),
	ROW(ITLB_REFERENCE, BIT(0), "HIT", EXECUTED, "awkward"),
	ROW(ITLB_REFERENCE, BIT(1), "MISS", EXECUTED, "awkward"),
	ROW(BPU_FETCH_REQUEST, BIT(0), "TCMISS", EXECUTED, "awkward"),
	ROW(MOB_LOAD_REPLAY, BIT(4), "PARTIAL_DATA", EXECUTED, "awkward.blocked_loads"),
	ROW(WC_BUFFER, BIT(0), "WCB_EVICTS", EXECUTED, "awkward.iterations"),
	ROW(WC_BUFFER, BIT(1), "WCB_FULL_EVICT", EXECUTED, "awkward.iterations"),
	ROW(MEMORY_COMPLETE, BIT(0), "LSC", EXECUTED, "awkward.split_loads"),
	ROW(MEMORY_COMPLETE, BIT(1), "SSC", EXECUTED, "awkward.split_stores"),
	ROW(LOAD_PORT_REPLAY, BIT(1), "SPLIT_LD", EXECUTED, "awkward.split_loads"),
	ROW(STORE_PORT_REPLAY, BIT(1), "SPLIT_ST", EXECUTED, "awkward.split_stores"),
	/* Modes of the first logical processor, whatever the other one is in. */
	ROW(TC_DELIVER_MODE, FIELD(2, 0), "DD DB DI", EXECUTED, "straight.iterations"),
	ROW(TC_DELIVER_MODE, FIELD(5, 3), "BD BB BI", EXECUTED, "straight"),
	ROW(UOP_QUEUE_WRITES, BIT(0), "FROM_TC_BUILD", EXECUTED, "straight"),
	ROW(UOP_QUEUE_WRITES, FIELD(1, 0), "FROM_TC_BUILD FROM_TC_DELIVER", EXECUTED,
	    "straight.iterations"),
	ROW(UOP_QUEUE_WRITES, BIT(2), "FROM_ROM", EXECUTED, "strings.from_rom"),
	ROW(TC_MS_XFER, BIT(0), "CISC", EXECUTED, "strings.from_rom"),
	ROW(RETIRED_BRANCH_TYPE, BIT(1), "CONDITIONAL", TYPES, "branches.conditional"),
	ROW(RETIRED_BRANCH_TYPE, BIT(2), "CALL", TYPES, "calls.calls"),
	ROW(RETIRED_BRANCH_TYPE, BIT(3), "RETURN", TYPES, "calls.near_returns"),
	ROW(RETIRED_BRANCH_TYPE, BIT(4), "INDIRECT", TYPES, "calls.near_returns"),
	ROW(PACKED_SP_UOP, BIT(15), "ALL", EXECUTED, "kinds.packed_single"),
	ROW(PACKED_DP_UOP, BIT(15), "ALL", EXECUTED, "kinds.packed_double"),
	ROW(SCALAR_SP_UOP, BIT(15), "ALL", EXECUTED, "kinds.scalar_single"),
	ROW(SCALAR_DP_UOP, BIT(15), "ALL", EXECUTED, "kinds.scalar_double"),
	ROW(128BIT_MMX_UOP, BIT(15), "ALL", EXECUTED, "kinds.integer"),
	ROW(64BIT_MMX_UOP, BIT(15), "ALL", EXECUTED, "spaced.mmx"),
	ROW(X87_FP_UOP, BIT(15), "ALL", EXECUTED, "vector.x87"),
	ROW(INSTR_RETIRED, BIT(0), "NBOGUSNTAG", FENCES, "straight.instructions"),
	ROW(UOPS_RETIRED, BIT(0), "NBOGUS", RETIRED, "straight.instructions"),
	ROW(INSTR_COMPLETED, BIT(0), "NBOGUS", RETIRED, "straight.instructions"),
	ROW(BRANCH_RETIRED, FIELD(3, 0), "MMNP MMNM MMTP MMTM", RETIRED, "branches.branches"),

	EDITION(1, RETIRED_BRANCH_TYPE, BIT(0), "UNCONDITIONAL", TYPES, "branches.jumps"),
	EDITION(2, X87_SIMD_MOVES_UOP, BIT(3), "ALLP0", EXECUTED, "moves.stores"),
	EDITION(3, X87_SIMD_MOVES_UOP, BIT(4), "ALLP2", EXECUTED, "moves.loads"),
	EDITION(4, RESOURCE_STALL, BIT(5), "SBFULL", EXECUTED, "stores"),

	ROW(MOB_LOAD_REPLAY, BIT(1), "NO_STA", PERHAPS, "replays.iterations"),
	ROW(MOB_LOAD_REPLAY, BIT(3), "NO_STD", PERHAPS, "replays.iterations"),
	ROW(MOB_LOAD_REPLAY, BIT(5), "UNALGN_ADDR", PERHAPS, "replays.iterations"),
	ROW(TC_MISC, BIT(4), "FLUSH", PERHAPS, "code_misses.iterations"),
	ROW(FSB_DATA_ACTIVITY, BIT(2), "DRDY_OTHER", PERHAPS, "awkward.iterations"),
	ROW(MEMORY_CANCEL, BIT(2), "ST_RB_FULL", PERHAPS, "stores.iterations"),
	ROW(MEMORY_CANCEL, BIT(3), "64K_CONF", PERHAPS, "aliases.iterations"),
	{.name = NULL},
};

/* One table names USC and ULC, and none describes them. */
const struct pmu_event netburst_uncacheable_events[] = {
	ROW(MEMORY_COMPLETE, BIT(2), "USC", PERHAPS, "awkward.iterations"),
	ROW(MEMORY_COMPLETE, BIT(3), "ULC", PERHAPS, "awkward.iterations"),
	{.name = NULL},
};
