/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's core events: which code counts what, on which counters, and whether PEBS takes it. */
#include "intel.h"

/* What the profile does not list never occurs. */
#define LAST_EVENT                                                                                 \
	{                                                                                          \
		0, INTEL_NOTHING, 0, false                                                         \
	}

/* The seven of version 1 on. */
#define ARCHITECTURAL_EVENTS                                                                       \
	{0x003c, INTEL_CYCLES, 0, false}, {0x013c, INTEL_BUS_CYCLES, 0, false},                    \
		{0x00c0, INTEL_INSTRUCTIONS, 0, true}, {0x4f2e, INTEL_MISSED_LOADS, 0, false},     \
		{0x412e, INTEL_MISSED_LOADS, 0, false}, {0x00c4, INTEL_BRANCHES, 0, true},         \
	{                                                                                          \
		0x00c5, INTEL_MISPREDICTED, 0, true                                                \
	}

const struct intel_event intel_p6_events[] = {
	{0x0006, INTEL_SEGMENT_LOADS, 0, false},
	{0x0079, INTEL_CYCLES, 0, false},
	{0x00c0, INTEL_INSTRUCTIONS, 0, false},
	{0x00c2, INTEL_UOPS, 0, false},
	{0x00c4, INTEL_BRANCHES, 0, false},
	{0x00c5, INTEL_MISPREDICTED, 0, false},
	{0x00c6, INTEL_MASKED_CYCLES, 0, false},
	{0x00c8, INTEL_INTERRUPTS, 0, false},
	{0x00c9, INTEL_TAKEN, 0, false},
	{0x01b3, INTEL_MMX_TYPE + MMX_MULTIPLY, 0, false},
	{0x02b3, INTEL_MMX_TYPE + MMX_SHIFT, 0, false},
	{0x04b3, INTEL_MMX_TYPE + MMX_PACK, 0, false},
	{0x08b3, INTEL_MMX_TYPE + MMX_UNPACK, 0, false},
	{0x10b3, INTEL_MMX_TYPE + MMX_LOGICAL, 0, false},
	{0x20b3, INTEL_MMX_TYPE + MMX_ARITHMETIC, 0, false},
	LAST_EVENT,
};

const struct intel_event intel_core2_events[] = {
	ARCHITECTURAL_EVENTS,
	{0x01c0, INTEL_LOADS, 0, false},
	{0x02c0, INTEL_STORES, 0, false},
	{0x0fc2, INTEL_UOPS, 0, false},
	{0x10c7, INTEL_SSE_INTEGER, 0, false},
	{0x20b3, INTEL_SSE_INTEGER, 0, false},
	{0xfec1, INTEL_X87, 0, false},
	{0x00c8, INTEL_INTERRUPTS, 0, false},
	LAST_EVENT,
};

const struct intel_event intel_nehalem_events[] = {
	ARCHITECTURAL_EVENTS,
	{0x01c0, INTEL_INSTRUCTIONS, 0, true},
	{0x04c4, INTEL_BRANCHES, 0, true},
	{0x01c4, INTEL_CONDITIONAL, 0, true},
	{0x02c4, INTEL_CALLS, 0, true},
	{0x010b, INTEL_LOADS, 0, true},
	{0x020b, INTEL_STORES, 0, true},
	{0x01c2, INTEL_UOPS, 0, true},
	{0x02c2, INTEL_UOPS, 0, true},
	{0x1010, INTEL_SSE_PACKED, 0, false},
	{0x2010, INTEL_SSE_SCALAR, 0, false},
	{0x8010, INTEL_SSE_DOUBLE, 0, false},
	{0x011d, INTEL_INTERRUPTS, 0, false},
	LAST_EVENT,
};

#define BRANCH_EVENTS                                                                              \
	{0x02c4, INTEL_CALLS, 0, true}, {0x08c4, INTEL_RETURNS, 0, true},                          \
		{0x10c4, INTEL_NOT_TAKEN, 0, true}, {0x20c4, INTEL_NEAR_TAKEN, 0, true},           \
	{                                                                                          \
		0x40c4, INTEL_FAR, 0, true                                                         \
	}

#define MEMORY_EVENTS                                                                              \
	{0x81d0, INTEL_LOADS, 0xf, true},                                                          \
	{                                                                                          \
		0x82d0, INTEL_STORES, 0xf, true                                                    \
	}

const struct intel_event intel_sandybridge_events[] = {
	ARCHITECTURAL_EVENTS,
	BRANCH_EVENTS,
	MEMORY_EVENTS,
	{0x01c0, INTEL_INSTRUCTIONS, BIT(1), true}, /* PREC_DIST */
	{0x04c4, INTEL_BRANCHES, 0, true},
	{0x01c4, INTEL_CONDITIONAL, 0, true},
	{0x01c2, INTEL_UOPS, 0, true},
	{0x02c2, INTEL_UOPS, 0, true},
	{0x1010, INTEL_SSE_PACKED_DOUBLE, 0, false},
	{0x8010, INTEL_SSE_SCALAR_DOUBLE, 0, false},
	{0x023c, INTEL_BUS_CYCLES, 0, false}, /* the only thread is alone */
	{0x015c, INTEL_RING0_CYCLES, 0, false},
	{0x01cb, INTEL_INTERRUPTS, 0, false},
	{0x20cc, INTEL_LBR_INSERTS, 0, false},
	LAST_EVENT,
};

const struct intel_event intel_skylake_events[] = {
	ARCHITECTURAL_EVENTS,
	BRANCH_EVENTS,
	MEMORY_EVENTS,
	{0x01c0, INTEL_INSTRUCTIONS, BIT(1), true}, /* PREC_DIST */
	{0x04c4, INTEL_BRANCHES, 0, true},
	{0x01c4, INTEL_CONDITIONAL, 0, true},
	{0x83d0, INTEL_LOADS_AND_STORES, 0xf, true},
	{0x80b0, INTEL_MISSED_LOADS, 0, false},
	{0x02c2, INTEL_UOPS, 0, true},
	{0x023c, INTEL_BUS_CYCLES, 0, false},
	{0x01cb, INTEL_INTERRUPTS, 0, false},
	{0x20cc, INTEL_LBR_INSERTS, 0, false},
	LAST_EVENT,
};

const struct intel_event intel_icelake_events[] = {
	ARCHITECTURAL_EVENTS,
	BRANCH_EVENTS,
	MEMORY_EVENTS,
	{0x01a4, INTEL_SLOTS, 0, false},
	{0x11c4, INTEL_CONDITIONAL, 0, true},
	{0x01c4, INTEL_CONDITIONAL_TAKEN, 0, true},
	{0x80c4, INTEL_INDIRECT, 0, true},
	{0x83d0, INTEL_LOADS_AND_STORES, 0xf, true},
	{0x02c2, INTEL_UOPS, 0, true},
	{0x023c, INTEL_BUS_CYCLES, 0, false},
	{0x20cc, INTEL_LBR_INSERTS, 0, false},
	LAST_EVENT,
};

const struct intel_event *intel_event_find(const struct intel_traits *traits, unsigned event,
					   unsigned ctr)
{
	const struct intel_event *row = traits->events;

	while (row->code && (row->code != event || (row->counters && !(row->counters >> ctr & 1))))
		row++;
	return row;
}

/* ---- what is counted ---- */

/* Neighbouring signals of a clock. */
struct signals {
	uint8_t first, count;
};

#define ONE(signal)                                                                                \
	{                                                                                          \
		signal, 1                                                                          \
	}
#define TWO(signal)                                                                                \
	{                                                                                          \
		signal, 2                                                                          \
	}
#define NOT_TAKEN     TWO(SIGNAL_OUTCOME + NOT_TAKEN_PREDICTED) /* only conditional branches are */
#define PACKED_DOUBLE ONE(SIGNAL_COMPUTE + COMPUTE_PACKED_DP)
#define SCALAR_DOUBLE ONE(SIGNAL_COMPUTE + COMPUTE_SCALAR_DP)

/* The sum of two, without a third. */
static const struct {
	struct signals plus, also, minus;
} sums[] = {
	[INTEL_CYCLES] = {.plus = ONE(SIGNAL_CYCLES)},
	[INTEL_MASKED_CYCLES] = {.plus = ONE(SIGNAL_MASKED_CYCLES)},
	[INTEL_INSTRUCTIONS] = {.plus = ONE(SIGNAL_INSTRUCTIONS)},
	[INTEL_UOPS] = {.plus = ONE(SIGNAL_UOPS)},
	[INTEL_LOADS] = {.plus = ONE(SIGNAL_LOADING)},
	[INTEL_STORES] = {.plus = ONE(SIGNAL_STORING)},
	[INTEL_LOADS_AND_STORES] = {.plus = ONE(SIGNAL_LOADING), .also = ONE(SIGNAL_STORING)},
	[INTEL_MISSED_LOADS] = {.plus = ONE(SIGNAL_MISSED_LOADS)},
	[INTEL_BRANCHES] = {.plus = ONE(SIGNAL_BRANCHES)},
	[INTEL_CONDITIONAL] = {.plus = ONE(SIGNAL_CONDITIONAL)},
	[INTEL_CONDITIONAL_TAKEN] = {.plus = ONE(SIGNAL_CONDITIONAL), .minus = NOT_TAKEN},
	[INTEL_NOT_TAKEN] = {.plus = NOT_TAKEN},
	[INTEL_CALLS] = {.plus = ONE(SIGNAL_BRANCH_TYPE + TYPE_CALL)},
	[INTEL_RETURNS] = {.plus = ONE(SIGNAL_NEAR_RETURNS)},
	[INTEL_TAKEN] = {.plus = ONE(SIGNAL_TAKEN)},
	[INTEL_NEAR_TAKEN] = {.plus = ONE(SIGNAL_TAKEN), .minus = ONE(SIGNAL_FAR)},
	[INTEL_FAR] = {.plus = ONE(SIGNAL_FAR)},
	[INTEL_INDIRECT] = {.plus = ONE(SIGNAL_BRANCH_TYPE + TYPE_INDIRECT),
			    .minus = ONE(SIGNAL_NEAR_RETURNS)},
	[INTEL_MISPREDICTED] = {.plus = ONE(SIGNAL_OUTCOME + NOT_TAKEN_MISPREDICTED),
				.also = ONE(SIGNAL_OUTCOME + TAKEN_MISPREDICTED)},
	[INTEL_INTERRUPTS] = {.plus = ONE(SIGNAL_INTERRUPTS)},
	[INTEL_SEGMENT_LOADS] = {.plus = {SIGNAL_SEGMENT, 8}},
	[INTEL_SSE_PACKED] = {.plus = TWO(SIGNAL_COMPUTE + COMPUTE_PACKED_SP)},
	[INTEL_SSE_SCALAR] = {.plus = TWO(SIGNAL_COMPUTE + COMPUTE_SCALAR_SP)},
	[INTEL_SSE_DOUBLE] = {.plus = PACKED_DOUBLE, .also = SCALAR_DOUBLE},
	[INTEL_SSE_PACKED_DOUBLE] = {.plus = PACKED_DOUBLE},
	[INTEL_SSE_SCALAR_DOUBLE] = {.plus = SCALAR_DOUBLE},
	[INTEL_SSE_INTEGER] = {.plus = ONE(SIGNAL_COMPUTE + COMPUTE_INTEGER_128)},
	[INTEL_X87] = {.plus = ONE(SIGNAL_COMPUTE + COMPUTE_X87)},
	[INTEL_MMX_TYPE + MMX_MULTIPLY] = {.plus = ONE(SIGNAL_MMX_TYPE + MMX_MULTIPLY)},
	[INTEL_MMX_TYPE + MMX_SHIFT] = {.plus = ONE(SIGNAL_MMX_TYPE + MMX_SHIFT)},
	[INTEL_MMX_TYPE + MMX_PACK] = {.plus = ONE(SIGNAL_MMX_TYPE + MMX_PACK)},
	[INTEL_MMX_TYPE + MMX_UNPACK] = {.plus = ONE(SIGNAL_MMX_TYPE + MMX_UNPACK)},
	[INTEL_MMX_TYPE + MMX_LOGICAL] = {.plus = ONE(SIGNAL_MMX_TYPE + MMX_LOGICAL)},
	[INTEL_MMX_TYPE + MMX_ARITHMETIC] = {.plus = ONE(SIGNAL_MMX_TYPE + MMX_ARITHMETIC)},
};

_Static_assert(NOT_TAKEN_MISPREDICTED == NOT_TAKEN_PREDICTED + 1 &&
		       COMPUTE_PACKED_DP == COMPUTE_PACKED_SP + 1 &&
		       COMPUTE_SCALAR_DP == COMPUTE_SCALAR_SP + 1,
	       "TWO() are neighbours");

static unsigned sum(const struct signals *of, const struct clock *clock)
{
	unsigned n = 0;

	for (unsigned i = 0; i < of->count; i++)
		n += clock->n[of->first + i];
	return n;
}

unsigned intel_occurrences(const struct pmu_intel *p, enum intel_signal signal,
			   const struct clock *clock)
{
	switch (signal) {
	/* The time-stamp counter ticks a little slower than the core. */
	case INTEL_TSC_CYCLES:
		return p->clocks % 4 != 0;
	case INTEL_BUS_CYCLES:
		return p->clocks % p->traits->bus_ratio == 0;
	case INTEL_RING0_CYCLES:
		return clock->cpl == 0;
	case INTEL_SLOTS:
		return p->traits->slots;
	case INTEL_LBR_INSERTS:
		return p->lbr_inserts;
	default:
		return sum(&sums[signal].plus, clock) + sum(&sums[signal].also, clock) -
		       sum(&sums[signal].minus, clock);
	}
}
