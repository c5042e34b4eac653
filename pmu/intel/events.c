/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Intel core counters: architectural ones by CPUID, the others core by core.
 * SDM vol. 3B 20.2.1 and ch. 19 "Performance Monitoring Events"; Intel's event lists. */
#include "intel.h"

#define PART(part) (UINT32_C(1) << INTEL_##part)

#define P6         (PART(PENTIUM_PRO) | PART(P6))
#define NOT_P6     (~P6)
#define FROM_SANDY_BRIDGE                                                                          \
	(PART(SANDY_BRIDGE) | PART(IVY_BRIDGE) | PART(SKYLAKE) | PART(ICELAKE) |                   \
	 PART(GOLDEN_COVE) | PART(LION_COVE))
/* Atoms whose sub-events of BR_INST_RETIRED are coded as Silvermont's. */
#define ATOMS                                                                                      \
	(PART(SILVERMONT) | PART(KNIGHTS) | PART(GOLDMONT) | PART(GOLDMONT_PLUS) | PART(TREMONT) | \
	 PART(GRACEMONT) | PART(SKYMONT))

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

enum why {
	CLOCKS,
	RETIRED,
	TAKEN,
	BRANCH_INEXACT,
	RARE,
	REFERENCE,
	SPECULATIVE,
	PREDICTOR,
	EXECUTED,
	OTHERS
};

static const struct {
	const char *text;
	bool exact;
} reasons[] = {
	[CLOCKS] = {"clocks are whatever the pipeline takes", false},
	[RETIRED] = {"exact: one at retirement of the last micro-operation", true},
	[TAKEN] = {"exact: one at retirement of a branch taken", true},
	[BRANCH_INEXACT] = {"erratum BJ090: may overcount", false},
	[RARE] = {"exact: nothing but these", true},
	[REFERENCE] = {"a clock of its own rate", false},
	[SPECULATIVE] = {"what is fetched ahead counts, too", false},
	[PREDICTOR] = {"what is predicted depends on all that ran before", false},
	[OTHERS] = {"errata of some steppings: other instructions may count, too", false},
	[EXECUTED] = {"what is executed and does not retire counts, too", false},
};

/* Whether an event is listed in CPUID says nothing of a fixed counter for it. */
static const struct row {
	const char *name;
	uint32_t parts;
	uint8_t id, code, unit_mask;
	uint8_t max_per_clock;
	uint8_t listed; /* bit in CPUID 0AH EBX, NOT_LISTED, or NOT_GENERAL: fixed counters alone */
	uint8_t fixed; /* bit i: IA32_FIXED_CTRi counts it, too */
	uint8_t why;
} rows[] = {
	{"CPU_CLK_UNHALTED", P6, EV_CYCLES, 0x79, 0, 1, NOT_LISTED, 0, CLOCKS},
	{
		"CPU_CLK_UNHALTED.CORE",
		NOT_P6,
		EV_CYCLES,
		0x3c,
		0,
		1,
		CORE_CYCLES,
		BIT(1),
		CLOCKS,
	},
	/* Two instructions fused into one micro-operation: more than that retires at most. */
	{"INST_RETIRED", P6, EV_INSTRUCTIONS, 0xc0, 0, 0, NOT_LISTED, 0, RETIRED},
	{
		"INST_RETIRED.ANY",
		NOT_P6,
		EV_INSTRUCTIONS,
		0xc0,
		0,
		0,
		INSTRUCTIONS,
		BIT(0),
		RETIRED,
	},
	{"BR_INST_RETIRED", P6, EV_BRANCHES, 0xc4, 0, 0, NOT_LISTED, 0, RETIRED},
	{
		"BR_INST_RETIRED.ALL_BRANCHES",
		NOT_P6,
		EV_BRANCHES,
		0xc4,
		0,
		0,
		BRANCHES,
		0,
		RETIRED,
	},
	{"BR_TAKEN_RETIRED", P6, EV_TAKEN_BRANCHES, 0xc9, 0, 0, NOT_LISTED, 0, TAKEN},
	{"BR_INST_RETIRED.TAKEN", PART(BONNELL), EV_TAKEN_BRANCHES, 0xc4, 0x0c, 0, NOT_LISTED, 0,
	 TAKEN},
	{"BR_INST_RETIRED.NEAR_TAKEN", PART(SANDY_BRIDGE), EV_TAKEN_BRANCHES, 0xc4, 0x20, 0,
	 NOT_LISTED, 0, BRANCH_INEXACT},
	{"BR_INST_RETIRED.NEAR_TAKEN", FROM_SANDY_BRIDGE & ~PART(SANDY_BRIDGE), EV_TAKEN_BRANCHES,
	 0xc4, 0x20, 0, NOT_LISTED, 0, TAKEN},
	{"BR_INST_RETIRED.NEAR_TAKEN", PART(COUGAR_COVE) | PART(DARKMONT), EV_TAKEN_BRANCHES, 0xc4,
	 0xfb, 0, NOT_LISTED, 0, TAKEN},
	{"BR_INST_RETIRED.ALL_TAKEN", PART(SILVERMONT) | PART(GOLDMONT) | PART(GOLDMONT_PLUS),
	 EV_TAKEN_BRANCHES, 0xc4, 0x80, 0, NOT_LISTED, 0, TAKEN},
	{"BR_INST_RETIRED.NEAR_TAKEN", PART(GRACEMONT) | PART(SKYMONT), EV_TAKEN_BRANCHES, 0xc4,
	 0xc0, 0, NOT_LISTED, 0, TAKEN},
	{"BR_INST_RETIRED.NOT_TAKEN", PART(SANDY_BRIDGE), EV_NOT_TAKEN_BRANCHES, 0xc4, 0x10, 0,
	 NOT_LISTED, 0, BRANCH_INEXACT},
	{"BR_INST_RETIRED.NOT_TAKEN", FROM_SANDY_BRIDGE & ~PART(SANDY_BRIDGE),
	 EV_NOT_TAKEN_BRANCHES, 0xc4, 0x10, 0, NOT_LISTED, 0, RARE},
	{"BR_INST_RETIRED.INDIRECT", PART(ICELAKE) | PART(GOLDEN_COVE) | PART(LION_COVE),
	 EV_INDIRECT_BRANCHES, 0xc4, 0x80, 0, NOT_LISTED, 0, RARE},
	{"BR_INST_RETIRED.FAR_BRANCH", FROM_SANDY_BRIDGE, EV_FAR_TRANSFERS, 0xc4, 0x40, 0,
	 NOT_LISTED, 0, RARE},
	{
		"BR_INST_RETIRED.FAR_BRANCH",
		ATOMS,
		EV_FAR_TRANSFERS,
		0xc4,
		0xbf,
		0,
		NOT_LISTED,
		0,
		RARE,
	},
	{"BR_INST_RETIRED.NEAR_RETURN", FROM_SANDY_BRIDGE | PART(COUGAR_COVE) | PART(DARKMONT),
	 EV_NEAR_RETURNS, 0xc4, 0x08, 0, NOT_LISTED, 0, RARE},
	{
		"BR_INST_RETIRED.RETURN",
		ATOMS,
		EV_NEAR_RETURNS,
		0xc4,
		0xf7,
		0,
		NOT_LISTED,
		0,
		RARE,
	},
	{"HW_INT_RX", P6 | PART(YONAH) | PART(CORE2), EV_INTERRUPTS, 0xc8, 0, 1, NOT_LISTED, 0,
	 RARE},
	{"HW_INTERRUPTS.RECEIVED",
	 PART(SKYLAKE) | PART(GOLDMONT) | PART(GOLDMONT_PLUS) | PART(TREMONT), EV_INTERRUPTS, 0xcb,
	 0x01, 1, NOT_LISTED, 0, RARE},
	{"CPU_CLK_UNHALTED.REF_TSC", NOT_P6, EV_REFERENCE_CYCLES, 0, 0, 0, NOT_GENERAL, BIT(2),
	 REFERENCE},
	{"BR_MISS_PRED_RETIRED", P6, EV_MISPREDICTED, 0xc5, 0, 0, NOT_LISTED, 0, PREDICTOR},
	{"BR_MISP_RETIRED.ALL_BRANCHES", NOT_P6, EV_MISPREDICTED, 0xc5, 0, 0, MISPREDICTS, 0,
	 PREDICTOR},
	{"LONGEST_LAT_CACHE.REFERENCE", NOT_P6, EV_LLC_REFERENCES, 0x2e, 0x4f, 0, LLC_REFERENCES, 0,
	 SPECULATIVE},
	{"LONGEST_LAT_CACHE.MISS", NOT_P6, EV_LLC_MISSES, 0x2e, 0x41, 0, LLC_MISSES, 0,
	 SPECULATIVE},
	{"SEGMENT_REG_LOADS", P6, EV_SEGMENT_LOADS, 0x06, 0, 0, NOT_LISTED, 0, EXECUTED},
	/* The manual lists these by number of the unit mask alone. */
	{"MMX_INSTR_TYPE_EXEC 01H", PART(P6), EV_MMX_MULTIPLY, 0xb3, 0x01, 0, NOT_LISTED, 0,
	 EXECUTED},
	{"MMX_INSTR_TYPE_EXEC 02H", PART(P6), EV_MMX_SHIFT, 0xb3, 0x02, 0, NOT_LISTED, 0, EXECUTED},
	{"MMX_INSTR_TYPE_EXEC 04H", PART(P6), EV_MMX_PACK, 0xb3, 0x04, 0, NOT_LISTED, 0, EXECUTED},
	{"MMX_INSTR_TYPE_EXEC 08H", PART(P6), EV_MMX_UNPACK, 0xb3, 0x08, 0, NOT_LISTED, 0,
	 EXECUTED},
	{"MMX_INSTR_TYPE_EXEC 10H", PART(P6), EV_MMX_LOGICAL, 0xb3, 0x10, 0, NOT_LISTED, 0,
	 EXECUTED},
	{"MMX_INSTR_TYPE_EXEC 20H", PART(P6), EV_MMX_ARITHMETIC, 0xb3, 0x20, 0, NOT_LISTED, 0,
	 EXECUTED},
	{"X87_OPS_RETIRED.ANY", PART(CORE2), EV_X87, 0xc1, 0xfe, 0, NOT_LISTED, 0, OTHERS},
	{"SIMD_INST_RETIRED.VECTOR", PART(CORE2), EV_SSE_INTEGER, 0xc7, 0x10, 0, NOT_LISTED, 0,
	 OTHERS},
	{"SIMD_UOP_TYPE_EXEC.ARITHMETIC", PART(CORE2), EV_SIMD_ARITHMETIC, 0xb3, 0x20, 0,
	 NOT_LISTED, 0, EXECUTED},
	{"FP_COMP_OPS_EXE.SSE_FP_PACKED", PART(NEHALEM), EV_SSE_PACKED, 0x10, 0x10, 0, NOT_LISTED,
	 0, EXECUTED},
	{"FP_COMP_OPS_EXE.SSE_FP_SCALAR", PART(NEHALEM), EV_SSE_SCALAR, 0x10, 0x20, 0, NOT_LISTED,
	 0, EXECUTED},
	{"FP_COMP_OPS_EXE.SSE_DOUBLE_PRECISION", PART(NEHALEM), EV_SSE_DOUBLE, 0x10, 0x80, 0,
	 NOT_LISTED, 0, EXECUTED},
	{"FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE", PART(SANDY_BRIDGE), EV_SSE_PACKED_DOUBLE, 0x10, 0x10,
	 0, NOT_LISTED, 0, EXECUTED},
	{"FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE", PART(SANDY_BRIDGE), EV_SSE_SCALAR_DOUBLE, 0x10, 0x80,
	 0, NOT_LISTED, 0, EXECUTED},
	{"OFFCORE_REQUESTS.ALL_REQUESTS", PART(SKYLAKE), EV_OFFCORE_REQUESTS, 0xb0, 0x80, 0,
	 NOT_LISTED, 0, SPECULATIVE},
	{"TOPDOWN.SLOTS", NOT_P6, EV_SLOTS, 0xa4, 0x01, 0, SLOTS, BIT(3), CLOCKS},
};

/* Bits of the PMU's counters that can count it: fixed ones follow the general ones. */
static uint32_t counters_of(const struct intel_cpu *cpu, const struct row *row)
{
	bool listed = row->listed == NOT_LISTED ||
		      (row->listed != NOT_GENERAL && !(cpu->unavailable >> row->listed & 1));
	uint32_t counters = 0;
	unsigned ctr = cpu->general;

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

void intel_events(const struct intel_cpu *cpu, struct pmu_event *events)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		uint32_t counters = counters_of(cpu, row);

		if (!(row->parts >> cpu->part & 1) || !counters)
			continue;
		events[row->id] = (struct pmu_event){
			.name = row->name,
			.code = row->code,
			.unit_mask = row->unit_mask,
			.max_per_clock = row->max_per_clock,
			.exact = reasons[row->why].exact,
			.reason = reasons[row->why].text,
			.counters = counters,
		};
	}
}
