/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Intel core counters: architectural ones by CPUID, the others core by core.
 * SDM vol. 3B 20.2.1 and ch. 19 "Performance Monitoring Events"; Intel's event lists. */
#include "intel.h"

#define PART(part)    (UINT32_C(1) << INTEL_##part)

#define P6            (PART(PENTIUM_PRO) | PART(P6))
#define EXCEPT(parts) (~(P6 | (parts)))
#define FROM_ICELAKE  (PART(ICELAKE) | PART(GOLDEN_COVE) | PART(LION_COVE))
#define FROM_IVY_BRIDGE                                                                            \
	(PART(IVY_BRIDGE) | PART(HASWELL) | PART(BROADWELL) | PART(SKYLAKE) | FROM_ICELAKE)
#define FROM_SANDY_BRIDGE (PART(SANDY_BRIDGE) | FROM_IVY_BRIDGE)
#define RECENT            (PART(COUGAR_COVE) | PART(DARKMONT))
/* Atoms whose sub-events of BR_INST_RETIRED are coded as Silvermont's; E-cores name them anew. */
#define E_CORES (PART(GRACEMONT) | PART(SKYMONT))
#define ATOMS                                                                                      \
	(PART(SILVERMONT) | PART(KNIGHTS) | PART(GOLDMONT) | PART(GOLDMONT_PLUS) | PART(TREMONT) | \
	 E_CORES)

/* Cores whose lists give the architectural events other names than most do. */
#define FIRST       (PART(CORE2) | PART(BONNELL))
#define CORE_CLOCKS (FIRST | PART(DARKMONT) | (ATOMS & ~PART(KNIGHTS)))
#define REF_CLOCKS  (FIRST | PART(NEHALEM))

#define NEAR_TAKEN  "BR_INST_RETIRED.NEAR_TAKEN"
#define NEAR_RETURN "BR_INST_RETIRED.NEAR_RETURN"
#define NOT_TAKEN   "BR_INST_RETIRED.NOT_TAKEN"
#define FAR_BRANCH  "BR_INST_RETIRED.FAR_BRANCH"
#define COMPUTED    "FP_COMP_OPS_EXE."
#define DEMAND      "L2_RQSTS.SELF.DEMAND."

/* In CPUID 0AH EBX. */
enum {
	NOT_LISTED = 31,
	NOT_GENERAL = 30,
	CORE_CYCLES = 0,
	INSTRUCTIONS = 1,
	LLC_REFERENCES = 3,
	LLC_MISSES = 4,
	BRANCHES = 5,
	MISPREDICTS = 6,
	SLOTS = 7
};

enum why { CLOCKS, RETIRED, TAKEN, ERRATUM, RARE, REFERENCE, AHEAD, PREDICTED, EXECUTED, OTHERS };

static const struct pmu_reason reasons[] = {
	[CLOCKS] = {PMU_AT_LEAST, "clocks are whatever the pipeline takes"},
	[RETIRED] = {PMU_EXACT, "exact: one at retirement of the last micro-operation"},
	[TAKEN] = {PMU_EXACT, "exact: one at retirement of a branch taken"},
	[ERRATUM] = {PMU_AT_LEAST, "erratum BJ090: may overcount"},
	[RARE] = {PMU_EXACT, "exact: nothing but these"},
	[REFERENCE] = {PMU_AT_LEAST, "a clock of its own rate"},
	[AHEAD] = {PMU_AT_LEAST, "lines fetched ahead count, too"},
	[PREDICTED] = {PMU_AT_LEAST, "predictions depend on all that ran before"},
	[OTHERS] = {PMU_AT_LEAST, "errata of some steppings: other instructions may count, too"},
	[EXECUTED] = {PMU_AT_LEAST, "work that is executed and does not retire counts, too"},
};

#define EVENT(id_, parts_, code_, mask, text, listed_, fixed_, why_, occasion_)                    \
	{                                                                                          \
		.id = id_, .parts = parts_, .listed = listed_, .fixed = fixed_, .event = {         \
			.name = text,                                                              \
			.code = code_,                                                             \
			.unit_mask = mask,                                                         \
			.why = &reasons[why_],                                                     \
			.occasion = occasion_                                                      \
		}                                                                                  \
	}
#define ARCH_CYCLES(parts, text)                                                                   \
	EVENT(EV_CYCLES, parts, 0x3c, 0, text, CORE_CYCLES, BIT(1), CLOCKS, NULL)
#define ARCH_INSTRUCTIONS(parts, text)                                                             \
	EVENT(EV_INSTRUCTIONS, parts, 0xc0, 0, text, INSTRUCTIONS, BIT(0), RETIRED, NULL)
#define ARCH_BRANCHES(parts, text)                                                                 \
	EVENT(EV_BRANCHES, parts, 0xc4, 0, text, BRANCHES, 0, RETIRED, NULL)
#define ARCH_REF_CYCLES(parts, text)                                                               \
	EVENT(EV_OWN, parts, 0, 0, text, NOT_GENERAL, BIT(2), REFERENCE, NULL)
#define ARCH_MISPREDICTS(parts, text)                                                              \
	EVENT(EV_OWN, parts, 0xc5, 0, text, MISPREDICTS, 0, PREDICTED, "guess")
#define ARCH_LLC_REFERENCE(parts, text)                                                            \
	EVENT(EV_OWN, parts, 0x2e, 0x4f, text, LLC_REFERENCES, 0, AHEAD, "misses")
#define ARCH_LLC_MISS(parts, text)                                                                 \
	EVENT(EV_OWN, parts, 0x2e, 0x41, text, LLC_MISSES, 0, AHEAD, "misses")
#define TOPDOWN(code, mask, text, fixed)                                                           \
	EVENT(EV_OWN, PART(SKYMONT) | PART(DARKMONT), code, mask, text, NOT_LISTED, fixed, CLOCKS, \
	      NULL)
#define ARCH_SLOTS(parts, text) EVENT(EV_OWN, parts, 0xa4, 0x01, text, SLOTS, BIT(3), CLOCKS, NULL)
#define GENERIC(id, parts, code, mask, text, why)                                                  \
	EVENT(EV_##id, parts, code, mask, text, NOT_LISTED, 0, why, NULL)
#define OWN(parts, code, mask, text, why, occasion)                                                \
	EVENT(EV_OWN, parts, code, mask, text, NOT_LISTED, 0, why, occasion)

/* Whether an event is listed in CPUID says nothing of a fixed counter for it. */
static const struct row {
	uint32_t parts;
	uint8_t id;
	uint8_t listed; /* bit in CPUID 0AH EBX, NOT_LISTED, or NOT_GENERAL: fixed counters alone */
	uint8_t fixed; /* bit i: IA32_FIXED_CTRi counts it, too */
	struct pmu_event event;
} rows[] = {
	/* Where fixed counters count the same, the name is that of general ones: it ends in _P. */
	ARCH_CYCLES(EXCEPT(CORE_CLOCKS | PART(YONAH)), "CPU_CLK_UNHALTED.THREAD_P"),
	ARCH_CYCLES(CORE_CLOCKS, "CPU_CLK_UNHALTED.CORE_P"),
	ARCH_CYCLES(PART(YONAH), "Unhalted_Core_Cycles"),
	ARCH_INSTRUCTIONS(EXCEPT(PART(YONAH)), "INST_RETIRED.ANY_P"),
	ARCH_INSTRUCTIONS(PART(YONAH), "Instr_Ret"),
	ARCH_BRANCHES(EXCEPT(FIRST | PART(YONAH)), "BR_INST_RETIRED.ALL_BRANCHES"),
	ARCH_BRANCHES(FIRST, "BR_INST_RETIRED.ANY"),
	ARCH_BRANCHES(PART(YONAH), "Br_Instr_Ret"),
	ARCH_REF_CYCLES(EXCEPT(REF_CLOCKS), "CPU_CLK_UNHALTED.REF_TSC"),
	ARCH_REF_CYCLES(REF_CLOCKS, "CPU_CLK_UNHALTED.REF"),
	ARCH_MISPREDICTS(EXCEPT(FIRST | PART(YONAH)), "BR_MISP_RETIRED.ALL_BRANCHES"),
	ARCH_MISPREDICTS(FIRST, "BR_INST_RETIRED.MISPRED"),
	ARCH_MISPREDICTS(PART(YONAH), "Br_MisPred_Ret"),
	ARCH_LLC_REFERENCE(EXCEPT(FIRST | PART(YONAH) | PART(KNIGHTS)),
			   "LONGEST_LAT_CACHE.REFERENCE"),
	ARCH_LLC_REFERENCE(FIRST, DEMAND "MESI"),
	ARCH_LLC_REFERENCE(PART(YONAH), "LLC_Reference"),
	ARCH_LLC_REFERENCE(PART(KNIGHTS), "L2_REQUESTS.REFERENCE"),
	ARCH_LLC_MISS(EXCEPT(FIRST | PART(YONAH) | PART(KNIGHTS)), "LONGEST_LAT_CACHE.MISS"),
	ARCH_LLC_MISS(FIRST, DEMAND "I_STATE"),
	ARCH_LLC_MISS(PART(YONAH), "LLC_Misses"),
	ARCH_LLC_MISS(PART(KNIGHTS), "L2_REQUESTS.MISS"),
	ARCH_SLOTS(EXCEPT(0), "TOPDOWN.SLOTS_P"),

	/* Fixed counter 4 counts slots lost to mispredictions: none, where nothing is mispredicted,
	 * so that no test can lean on it. */
	TOPDOWN(0x73, 0x00, "TOPDOWN_BAD_SPECULATION.ALL_P", 0),
	TOPDOWN(0x9c, 0x01, "TOPDOWN_FE_BOUND.ALL_P", BIT(5)),
	TOPDOWN(0xc2, 0x02, "TOPDOWN_RETIRING.ALL_P", BIT(6)),

	GENERIC(CYCLES, P6, 0x79, 0, "CPU_CLK_UNHALTED", CLOCKS),
	/* Two instructions fused into one micro-operation: more than that retires at most. */
	GENERIC(INSTRUCTIONS, P6, 0xc0, 0, "INST_RETIRED", RETIRED),
	GENERIC(BRANCHES, P6, 0xc4, 0, "BR_INST_RETIRED", RETIRED),
	GENERIC(TAKEN_BRANCHES, P6, 0xc9, 0, "BR_TAKEN_RETIRED", TAKEN),
	GENERIC(TAKEN_BRANCHES, PART(CORE2) | PART(BONNELL), 0xc4, 0x0c, "BR_INST_RETIRED.TAKEN",
		TAKEN),
	GENERIC(TAKEN_BRANCHES, PART(SANDY_BRIDGE), 0xc4, 0x20, NEAR_TAKEN, ERRATUM),
	GENERIC(TAKEN_BRANCHES, FROM_IVY_BRIDGE, 0xc4, 0x20, NEAR_TAKEN, TAKEN),
	GENERIC(TAKEN_BRANCHES, RECENT, 0xc4, 0xfb, NEAR_TAKEN, TAKEN),
	GENERIC(TAKEN_BRANCHES, PART(SILVERMONT) | PART(GOLDMONT) | PART(GOLDMONT_PLUS), 0xc4, 0x80,
		"BR_INST_RETIRED.ALL_TAKEN_BRANCHES", TAKEN),
	GENERIC(TAKEN_BRANCHES, E_CORES, 0xc4, 0xc0, NEAR_TAKEN, TAKEN),
	GENERIC(NOT_TAKEN_BRANCHES, PART(SANDY_BRIDGE), 0xc4, 0x10, NOT_TAKEN, ERRATUM),
	GENERIC(NOT_TAKEN_BRANCHES, FROM_IVY_BRIDGE & ~FROM_ICELAKE, 0xc4, 0x10, NOT_TAKEN, RARE),
	GENERIC(NOT_TAKEN_BRANCHES, FROM_ICELAKE, 0xc4, 0x10, "BR_INST_RETIRED.COND_NTAKEN", RARE),
	GENERIC(FAR_TRANSFERS, FROM_SANDY_BRIDGE, 0xc4, 0x40, FAR_BRANCH, RARE),
	GENERIC(FAR_TRANSFERS, ATOMS, 0xc4, 0xbf, FAR_BRANCH, RARE),
	GENERIC(NEAR_RETURNS, FROM_SANDY_BRIDGE | RECENT, 0xc4, 0x08, NEAR_RETURN, RARE),
	GENERIC(NEAR_RETURNS, ATOMS & ~E_CORES, 0xc4, 0xf7, "BR_INST_RETIRED.RETURN", RARE),
	GENERIC(NEAR_RETURNS, E_CORES, 0xc4, 0xf7, NEAR_RETURN, RARE),
	GENERIC(INTERRUPTS, P6, 0xc8, 0, "HW_INT_RX", RARE),
	GENERIC(INTERRUPTS, PART(YONAH), 0xc8, 0, "HW_Int_Rx", RARE),
	GENERIC(INTERRUPTS, PART(CORE2), 0xc8, 0, "HW_INT_RCV", RARE),
	GENERIC(INTERRUPTS, PART(SKYLAKE) | PART(GOLDMONT) | PART(GOLDMONT_PLUS) | PART(TREMONT),
		0xcb, 0x01, "HW_INTERRUPTS.RECEIVED", RARE),

	OWN(FROM_ICELAKE, 0xc4, 0x80, "BR_INST_RETIRED.INDIRECT", RARE, "calls.indirect"),
	/* Bits 15:8 of the unit mask are of the second one. */
	OWN(PART(LION_COVE), 0xc4, 0x111, "BR_INST_RETIRED.COND", RARE, "branches.conditional"),
	OWN(P6, 0xc5, 0, "BR_MISS_PRED_RETIRED", PREDICTED, "guess"),
	/* Does a far return count? */
	OWN(P6, 0x06, 0, "SEGMENT_REG_LOADS", EXECUTED, "segments.moved"),
	/* The manual lists these by number of the unit mask alone. */
	OWN(PART(P6), 0xb3, 0x01, "MMX_INSTR_TYPE_EXEC 01H", EXECUTED, "mmx.multiply"),
	OWN(PART(P6), 0xb3, 0x02, "MMX_INSTR_TYPE_EXEC 02H", EXECUTED, "mmx.shift"),
	OWN(PART(P6), 0xb3, 0x04, "MMX_INSTR_TYPE_EXEC 04H", EXECUTED, "mmx.pack"),
	OWN(PART(P6), 0xb3, 0x08, "MMX_INSTR_TYPE_EXEC 08H", EXECUTED, "mmx.unpack"),
	OWN(PART(P6), 0xb3, 0x10, "MMX_INSTR_TYPE_EXEC 10H", EXECUTED, "mmx.logical"),
	OWN(PART(P6), 0xb3, 0x20, "MMX_INSTR_TYPE_EXEC 20H", EXECUTED, "mmx.arithmetic"),
	OWN(PART(CORE2), 0xc1, 0xfe, "X87_OPS_RETIRED.ANY", OTHERS, "vector.x87"),
	OWN(PART(CORE2), 0xc7, 0x10, "SIMD_INST_RETIRED.VECTOR", OTHERS, "kinds.integer"),
	OWN(PART(CORE2), 0xb3, 0x20, "SIMD_UOP_TYPE_EXEC.ARITHMETIC", EXECUTED, "kinds.integer"),
	OWN(PART(NEHALEM), 0x10, 0x10, COMPUTED "SSE_FP_PACKED", EXECUTED, "kinds.packed"),
	OWN(PART(NEHALEM), 0x10, 0x20, COMPUTED "SSE_FP_SCALAR", EXECUTED, "kinds.scalar"),
	OWN(PART(NEHALEM), 0x10, 0x80, COMPUTED "SSE_DOUBLE_PRECISION", EXECUTED, "kinds.double"),
	OWN(PART(SANDY_BRIDGE), 0x10, 0x10, COMPUTED "SSE_PACKED_DOUBLE", EXECUTED,
	    "kinds.packed_double"),
	OWN(PART(SANDY_BRIDGE), 0x10, 0x80, COMPUTED "SSE_SCALAR_DOUBLE", EXECUTED,
	    "kinds.scalar_double"),
	OWN(PART(SKYLAKE), 0xb0, 0x80, "OFFCORE_REQUESTS.ALL_REQUESTS", AHEAD, "misses"),
};

/* Bits of the PMU's counters that can count it: fixed ones follow the general ones. */
static uint32_t counters_of(const struct intel_cpu *cpu, const struct row *row)
{
	bool listed = row->listed == NOT_LISTED ||
		      (row->listed != NOT_GENERAL && !(cpu->unavailable >> row->listed & 1));
	uint32_t counters = 0;
	unsigned ctr = cpu->general;

	if (row->event.unit_mask > 0xff && !cpu->umask2)
		return 0;
	if (listed)
		counters = (uint32_t)(BIT(cpu->general) - 1);
	for (unsigned i = 0; i < INTEL_FIXED_MAX; i++) {
		if (!(cpu->fixed >> i & 1))
			continue;
		counters |= (uint32_t)(row->fixed >> i & 1) << ctr;
		ctr++;
	}
	return counters;
}

uint32_t intel_fixed_known(enum intel_part part)
{
	uint32_t known = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		known |= rows[i].parts >> part & 1 ? rows[i].fixed : 0;
	return known;
}

void intel_events(const struct intel_cpu *cpu, struct pmu_event *events)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pmu_event event = rows[i].event;

		event.counters = counters_of(cpu, &rows[i]);
		if (rows[i].parts >> cpu->part & 1 && event.counters)
			pmu_take_event(events, rows[i].id, &event);
	}
	events[EV_CYCLES].max_per_clock = 1;
}
