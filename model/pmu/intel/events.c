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

static unsigned mispredicted(const uint8_t *n)
{
	return n[SIGNAL_OUTCOME + NOT_TAKEN_MISPREDICTED] + n[SIGNAL_OUTCOME + TAKEN_MISPREDICTED];
}

/* Only conditional branches are ever not taken. */
static unsigned not_taken(const uint8_t *n)
{
	return n[SIGNAL_OUTCOME + NOT_TAKEN_PREDICTED] + n[SIGNAL_OUTCOME + NOT_TAKEN_MISPREDICTED];
}

static unsigned of_branches(enum intel_signal signal, const uint8_t *n)
{
	switch (signal) {
	case INTEL_BRANCHES:
		return n[SIGNAL_BRANCHES];
	case INTEL_CONDITIONAL:
		return n[SIGNAL_CONDITIONAL];
	case INTEL_CONDITIONAL_TAKEN:
		return n[SIGNAL_CONDITIONAL] - not_taken(n);
	case INTEL_NOT_TAKEN:
		return not_taken(n);
	case INTEL_CALLS:
		return n[SIGNAL_BRANCH_TYPE + TYPE_CALL];
	case INTEL_RETURNS:
		return n[SIGNAL_NEAR_RETURNS];
	case INTEL_TAKEN:
		return n[SIGNAL_TAKEN];
	case INTEL_NEAR_TAKEN:
		return n[SIGNAL_TAKEN] - n[SIGNAL_FAR];
	case INTEL_FAR:
		return n[SIGNAL_FAR];
	case INTEL_INDIRECT:
		return n[SIGNAL_BRANCH_TYPE + TYPE_INDIRECT] - n[SIGNAL_NEAR_RETURNS];
	case INTEL_MISPREDICTED:
		return mispredicted(n);
	default:
		return 0;
	}
}

static unsigned of_clocks(const struct pmu_intel *p, enum intel_signal signal,
			  const struct clock *clock)
{
	switch (signal) {
	case INTEL_CYCLES:
		return 1;
	/* The time-stamp counter ticks a little slower than the core. */
	case INTEL_TSC_CYCLES:
		return p->clocks % 4 != 0;
	case INTEL_BUS_CYCLES:
		return p->clocks % p->traits->bus_ratio == 0;
	case INTEL_RING0_CYCLES:
		return clock->cpl == 0;
	case INTEL_MASKED_CYCLES:
		return clock->n[SIGNAL_MASKED_CYCLES];
	case INTEL_SLOTS:
		return p->traits->slots;
	default:
		return 0;
	}
}

static unsigned segment_loads(const uint8_t *n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 8; i++)
		sum += n[SIGNAL_SEGMENT + i];
	return sum;
}

static unsigned of_instructions(enum intel_signal signal, const uint8_t *n)
{
	switch (signal) {
	case INTEL_INSTRUCTIONS:
		return n[SIGNAL_INSTRUCTIONS];
	case INTEL_UOPS:
		return n[SIGNAL_UOPS];
	case INTEL_LOADS:
		return n[SIGNAL_LOADING];
	case INTEL_STORES:
		return n[SIGNAL_STORING];
	case INTEL_LOADS_AND_STORES:
		return n[SIGNAL_LOADING] + n[SIGNAL_STORING];
	case INTEL_MISSED_LOADS:
		return n[SIGNAL_MISSED_LOADS];
	case INTEL_INTERRUPTS:
		return n[SIGNAL_INTERRUPTS];
	case INTEL_SEGMENT_LOADS:
		return segment_loads(n);
	default:
		return 0;
	}
}

static unsigned of_arithmetic(enum intel_signal signal, const uint8_t *n)
{
	const uint8_t *kinds = n + SIGNAL_COMPUTE;

	switch (signal) {
	case INTEL_SSE_PACKED:
		return kinds[COMPUTE_PACKED_SP] + kinds[COMPUTE_PACKED_DP];
	case INTEL_SSE_SCALAR:
		return kinds[COMPUTE_SCALAR_SP] + kinds[COMPUTE_SCALAR_DP];
	case INTEL_SSE_DOUBLE:
		return kinds[COMPUTE_PACKED_DP] + kinds[COMPUTE_SCALAR_DP];
	case INTEL_SSE_PACKED_DOUBLE:
		return kinds[COMPUTE_PACKED_DP];
	case INTEL_SSE_SCALAR_DOUBLE:
		return kinds[COMPUTE_SCALAR_DP];
	case INTEL_SSE_INTEGER:
		return kinds[COMPUTE_INTEGER_128];
	case INTEL_X87:
		return kinds[COMPUTE_X87];
	default:
		return 0;
	}
}

unsigned intel_occurrences(const struct pmu_intel *p, enum intel_signal signal,
			   const struct clock *clock)
{
	if (signal == INTEL_LBR_INSERTS)
		return p->lbr_inserts;
	if (signal <= INTEL_SLOTS)
		return of_clocks(p, signal, clock);
	if (signal >= INTEL_BRANCHES && signal <= INTEL_MISPREDICTED)
		return of_branches(signal, clock->n);
	if (signal >= INTEL_MMX_TYPE && signal <= INTEL_MMX_TYPE_LAST)
		return clock->n[SIGNAL_MMX_TYPE + (signal - INTEL_MMX_TYPE)];
	if (signal >= INTEL_SSE_PACKED && signal <= INTEL_X87)
		return of_arithmetic(signal, clock->n);
	return of_instructions(signal, clock->n);
}
