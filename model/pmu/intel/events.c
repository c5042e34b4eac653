/* SPDX-License-Identifier: BSD-2-Clause */
/* Intel's core events: which code counts what, on which counters, and whether PEBS takes it. */
#include "intel.h"

/* Masks of models, with those that the masks of faults leave out: model/pmu/profile.h. */
#define RECENT       (MODEL_COUGARCOVE | MODEL_DARKMONT)
#define P_CORES      (MODEL_GOLDENCOVE | MODEL_LIONCOVE | MODEL_COUGARCOVE)
#define E_CORES      (MODEL_GRACEMONT | MODEL_SKYMONT | MODEL_DARKMONT)
#define ERRATA_CORES (MODEL_HASWELL | MODEL_BROADWELL | P_CORES)
#define ALL_V2       (MODEL_V2 | ERRATA_CORES | E_CORES)
#define ALL_INTEL    (MODEL_P6 | ALL_V2)
#define V3           (MODEL_V3 | ERRATA_CORES)
#define FROM_SANDY   (MODEL_SANDY_ON | ERRATA_CORES)
#define FROM_ICELAKE (MODEL_ICELAKE | P_CORES)
#define TSC_RATE     (P_CORES | E_CORES)
#define TOP_DOWN     (MODEL_SKYMONT | MODEL_DARKMONT)

const struct intel_event intel_event_table[] = {
	/* The architectural events, of which the P6 has three. */
	{0x00c0, SIGNAL_INSTRUCTIONS, ALL_INTEL, 0, true},
	{0x00c4, SIGNAL_BRANCHES, ALL_INTEL, 0, true},
	{0x00c5, INTEL_MISPREDICTED, ALL_INTEL, 0, true},
	{0x003c, SIGNAL_CYCLES, ALL_V2, 0, false},
	{0x013c, INTEL_TSC_CYCLES, TSC_RATE, 0, false}, /* REF_TSC_P */
	{0x013c, INTEL_BUS_CYCLES, ALL_V2 & ~TSC_RATE, 0, false},
	{0x4f2e, SIGNAL_MISSED_LOADS, ALL_V2, 0, false},
	{0x412e, SIGNAL_MISSED_LOADS, ALL_V2, 0, false},
	/* P6 and Core 2. */
	{0x0006, INTEL_SEGMENT_LOADS, MODEL_P6, 0, false},
	{0x0079, SIGNAL_CYCLES, MODEL_P6, 0, false},
	{0x00c2, SIGNAL_UOPS, MODEL_P6, 0, false},
	{0x00c6, SIGNAL_MASKED_CYCLES, MODEL_P6, 0, false},
	{0x00c8, SIGNAL_INTERRUPTS, MODEL_P6 | MODEL_CORE2, 0, false},
	{0x00c9, SIGNAL_TAKEN, MODEL_P6, 0, false},
	{0x01b3, SIGNAL_MMX_TYPE + MMX_MULTIPLY, MODEL_P6, 0, false},
	{0x02b3, SIGNAL_MMX_TYPE + MMX_SHIFT, MODEL_P6, 0, false},
	{0x04b3, SIGNAL_MMX_TYPE + MMX_PACK, MODEL_P6, 0, false},
	{0x08b3, SIGNAL_MMX_TYPE + MMX_UNPACK, MODEL_P6, 0, false},
	{0x10b3, SIGNAL_MMX_TYPE + MMX_LOGICAL, MODEL_P6, 0, false},
	{0x20b3, SIGNAL_MMX_TYPE + MMX_ARITHMETIC, MODEL_P6, 0, false},
	{0x01c0, SIGNAL_LOADING, MODEL_CORE2, 0, false},
	{0x02c0, SIGNAL_STORING, MODEL_CORE2, 0, false},
	{0x0cc4, SIGNAL_TAKEN, MODEL_CORE2, 0, false},
	{0x0fc2, SIGNAL_UOPS, MODEL_CORE2, 0, false},
	{0x10c7, SIGNAL_COMPUTE + COMPUTE_INTEGER_128, MODEL_CORE2, 0, false},
	{0x20b3, SIGNAL_COMPUTE + COMPUTE_INTEGER_128, MODEL_CORE2, 0, false},
	{0xfec1, SIGNAL_COMPUTE + COMPUTE_X87, MODEL_CORE2, 0, false},
	/* From Nehalem on. */
	{0x01c0, SIGNAL_INSTRUCTIONS, MODEL_NEHALEM, 0, true},
	{0x01c0, SIGNAL_INSTRUCTIONS, FROM_SANDY & ~FROM_ICELAKE, BIT(1), true}, /* PREC_DIST */
	{0x01c2, SIGNAL_UOPS, MODEL_NEHALEM | MODEL_SANDY, 0, true},
	{0x02c2, SIGNAL_UOPS, V3, 0, true},
	{0x04c4, SIGNAL_BRANCHES, V3 & ~FROM_ICELAKE, 0, true},
	{0x01c4, SIGNAL_CONDITIONAL, V3 & ~FROM_ICELAKE, 0, true},
	{0x01c4, INTEL_CONDITIONAL_TAKEN, FROM_ICELAKE & ~(MODEL_LIONCOVE | RECENT), 0, true},
	{0x101c4, INTEL_CONDITIONAL_TAKEN, MODEL_LIONCOVE, 0, true},
	{0x11c4, SIGNAL_CONDITIONAL, FROM_ICELAKE & ~(MODEL_LIONCOVE | RECENT), 0, true},
	{0x111c4, SIGNAL_CONDITIONAL, MODEL_LIONCOVE, 0, true},
	{0x02c4, SIGNAL_BRANCH_TYPE + TYPE_CALL, V3 & ~RECENT, 0, true},
	{0x08c4, SIGNAL_NEAR_RETURNS, FROM_SANDY | RECENT, 0, true},
	{0x10c4, INTEL_NOT_TAKEN, FROM_SANDY & ~RECENT, 0, true},
	{0x20c4, INTEL_NEAR_TAKEN, FROM_SANDY & ~RECENT, 0, true},
	{0x40c4, SIGNAL_FAR, FROM_SANDY & ~RECENT, 0, true},
	{0x80c4, INTEL_INDIRECT, FROM_ICELAKE & ~RECENT, 0, true},
	{0x010b, SIGNAL_LOADING, MODEL_NEHALEM, 0, true},
	{0x020b, SIGNAL_STORING, MODEL_NEHALEM, 0, true},
	{0x81d0, SIGNAL_LOADING, FROM_SANDY, 0xf, true},
	{0x82d0, SIGNAL_STORING, FROM_SANDY, 0xf, true},
	{0x83d0, INTEL_LOADS_AND_STORES, MODEL_V4 | MODEL_GOLDENCOVE, 0xf, true},
	{0x80b0, SIGNAL_MISSED_LOADS, MODEL_SKYLAKE, 0, false},
	{0x1010, INTEL_SSE_PACKED, MODEL_NEHALEM, 0, false},
	{0x2010, INTEL_SSE_SCALAR, MODEL_NEHALEM, 0, false},
	{0x8010, INTEL_SSE_DOUBLE, MODEL_NEHALEM, 0, false},
	{0x1010, SIGNAL_COMPUTE + COMPUTE_PACKED_DP, MODEL_SANDY, 0, false},
	{0x8010, SIGNAL_COMPUTE + COMPUTE_SCALAR_DP, MODEL_SANDY, 0, false},
	{0x023c, INTEL_BUS_CYCLES, FROM_SANDY, 0, false}, /* the only thread is alone */
	{0x015c, INTEL_RING0_CYCLES, MODEL_SANDY, 0, false},
	{0x011d, SIGNAL_INTERRUPTS, MODEL_NEHALEM, 0, false},
	{0x01cb, SIGNAL_INTERRUPTS, FROM_SANDY & ~FROM_ICELAKE, 0, false},
	{0x01a4, INTEL_SLOTS, FROM_ICELAKE, 0, false},
	{0x01b7, INTEL_OFFCORE_0, FROM_SANDY & ~P_CORES, 0xf, false},
	{0x01bb, INTEL_OFFCORE_1, FROM_SANDY & ~P_CORES, 0xf, false},
	{0x012a, INTEL_OFFCORE_0, P_CORES, 0xf, false},
	{0x012b, INTEL_OFFCORE_1, P_CORES, 0xf, false},
	{0x20cc, INTEL_LBR_INSERTS, FROM_SANDY, 0, false},
	{0x01cd, INTEL_LATE_LOADS, FROM_SANDY & ~(MODEL_V4 | P_CORES), BIT(3), true},
	{0x01cd, INTEL_LATE_LOADS, MODEL_V4 | P_CORES, BIT(3) | BIT(2), true},
	{0x01c6, INTEL_LATE_FETCHES, MODEL_V4 | MODEL_GOLDENCOVE, 0, true},
	{0x03c6, INTEL_LATE_FETCHES, P_CORES, 0, true},
	/* A bit for each kind of branch, added up at will: here as their lists do. */
	{0x07c4, SIGNAL_CONDITIONAL, RECENT, 0, true},
	{0x03c4, INTEL_CONDITIONAL_TAKEN, RECENT, 0, true},
	{0x04c4, INTEL_NOT_TAKEN, RECENT, 0, true},
	{0x30c4, SIGNAL_BRANCH_TYPE + TYPE_CALL, RECENT, 0, true},
	{0x50c4, INTEL_INDIRECT, RECENT, 0, true},
	{0xfbc4, INTEL_NEAR_TAKEN, RECENT, 0, true},
	{0xc0c4, INTEL_NEAR_TAKEN, E_CORES & ~RECENT, 0, true},
	{0xf7c4, SIGNAL_NEAR_RETURNS, E_CORES & ~RECENT, 0, true},
	{0xbfc4, SIGNAL_FAR, E_CORES & ~RECENT, 0, true},
	{0x0073, INTEL_BAD_SPECULATION, TOP_DOWN, 0, false},
	{0x019c, INTEL_FRONTEND_BOUND, TOP_DOWN, 0, false},
	{0x02a4, INTEL_BACKEND_BOUND, TOP_DOWN, 0, false},
	{0x02c2, INTEL_RETIRING, TOP_DOWN, 0, false},
	/* Zhaoxin's. */
	{0x00c0, SIGNAL_INSTRUCTIONS, MODEL_ZHAOXIN, 0, false},
	{0x0082, SIGNAL_CYCLES, MODEL_ZHAOXIN, 0, false},
	{0x0083, INTEL_BUS_CYCLES, MODEL_ZHAOXIN, 0, false},
	{0x0028, SIGNAL_BRANCHES, MODEL_ZHAOXIN, 0, false},
	{0x0029, INTEL_MISPREDICTED, MODEL_ZHAOXIN, 0, false},
	{0x0515, SIGNAL_LOADING, MODEL_ZHAOXIN, 0, false},
	{0x051a, SIGNAL_MISSED_LOADS, MODEL_ZHAOXIN, 0, false},
	{.signal = INTEL_NOTHING,
	 .models = ALL_INTEL | MODEL_ZHAOXIN}, /* an event that is not listed never occurs */
};

bool intel_has_event(const struct intel_traits *traits, const struct intel_event *row, unsigned ctr)
{
	return row->models & traits->model && (!row->counters || row->counters >> ctr & 1);
}

const struct intel_event *intel_event_find(const struct intel_traits *traits, unsigned event,
					   unsigned ctr)
{
	const struct intel_event *row = intel_event_table;

	while (row->code && (row->code != event || !intel_has_event(traits, row, ctr)))
		row++;
	return row;
}

/* ---- what is counted ---- */

/* Adds up a number that no signal of the clock says alone. */
static unsigned sum(enum intel_signal signal, const uint8_t *n)
{
	const uint8_t *compute = n + SIGNAL_COMPUTE, *outcome = n + SIGNAL_OUTCOME;
	unsigned not_taken = outcome[NOT_TAKEN_PREDICTED] + outcome[NOT_TAKEN_MISPREDICTED];
	unsigned segments = 0;

	switch (signal) {
	case INTEL_LOADS_AND_STORES:
		return n[SIGNAL_LOADING] + n[SIGNAL_STORING];
	case INTEL_NOT_TAKEN:
		return not_taken;
	case INTEL_CONDITIONAL_TAKEN:
		return n[SIGNAL_CONDITIONAL] - not_taken;
	case INTEL_NEAR_TAKEN:
		return n[SIGNAL_TAKEN] - n[SIGNAL_FAR];
	case INTEL_INDIRECT:
		return n[SIGNAL_BRANCH_TYPE + TYPE_INDIRECT] - n[SIGNAL_NEAR_RETURNS];
	case INTEL_MISPREDICTED:
		return outcome[NOT_TAKEN_MISPREDICTED] + outcome[TAKEN_MISPREDICTED];
	case INTEL_SSE_PACKED:
		return compute[COMPUTE_PACKED_SP] + compute[COMPUTE_PACKED_DP];
	case INTEL_SSE_SCALAR:
		return compute[COMPUTE_SCALAR_SP] + compute[COMPUTE_SCALAR_DP];
	case INTEL_SSE_DOUBLE:
		return compute[COMPUTE_PACKED_DP] + compute[COMPUTE_SCALAR_DP];
	case INTEL_SEGMENT_LOADS:
		for (unsigned i = 0; i < 8; i++)
			segments += n[SIGNAL_SEGMENT + i];
		return segments;
	default:
		return 0;
	}
}

/* What became of the slots of a clock.  The model's own rule, but that each has one fate. */
static unsigned fate(enum intel_signal signal, unsigned slots, const uint8_t *n)
{
	const uint8_t *outcome = n + SIGNAL_OUTCOME;
	unsigned missed = outcome[NOT_TAKEN_MISPREDICTED] + outcome[TAKEN_MISPREDICTED];
	unsigned retiring = n[SIGNAL_UOPS] < slots ? n[SIGNAL_UOPS] : slots;
	unsigned bad = missed < slots - retiring ? missed : slots - retiring;
	unsigned front = (slots - retiring - bad) / 2;

	switch (signal) {
	case INTEL_RETIRING:
		return retiring;
	case INTEL_BAD_SPECULATION:
		return bad;
	case INTEL_FRONTEND_BOUND:
		return front;
	default:
		return slots - retiring - bad - front;
	}
}

/* Of all responses there are those alone that come from somewhere. */
#define OFFCORE_DATA_RD BIT(0)
#define OFFCORE_RFO     BIT(1)
#define OFFCORE_ANY     BIT(16)

static unsigned let_through(uint64_t filter, const uint8_t *n)
{
	if (!(filter & OFFCORE_ANY))
		return 0;
	return (filter & OFFCORE_DATA_RD ? n[SIGNAL_MISSED_LOADS] : 0u) +
	       (filter & OFFCORE_RFO ? n[SIGNAL_MISSED_STORES] : 0u);
}

/* Before version 5 loads of a counter are looked at only where a bit of its own says so. */
#define LOADS_OF_COUNTERS FIELD(35, 32)
enum { CLOCKS_OF_HIT = 5, CLOCKS_OF_MISS = 300, CLOCKS_OF_FETCH = 40 };

static unsigned late_loads(const struct pmu_intel *p, const uint8_t *n)
{
	const unsigned missed = n[SIGNAL_MISSED_LOADS], hit = n[SIGNAL_LOADING] - missed;
	const uint64_t more = core_acting(&p->core, INTEL_LD_LAT_THRESHOLD, 0, p->ld_lat);

	if (p->traits->version < 5 && !(p->pebs.enable & LOADS_OF_COUNTERS))
		return 0;
	return (more < CLOCKS_OF_HIT ? hit : 0) + (more < CLOCKS_OF_MISS ? missed : 0);
}

#define FETCH_CODE    FIELD(7, 0)
#define FETCH_BUBBLES FIELD(19, 8)
enum { FETCH_LATENCY = 0x06, FETCH_L1I_MISS = 0x12, FETCH_L2_MISS = 0x13 };

/* Whatever is missed is in no cache. */
static unsigned late_fetches(const struct pmu_intel *p, const uint8_t *n)
{
	const uint64_t by = core_acting(&p->core, INTEL_FRONTEND, 0, p->frontend);

	switch (field_get(FETCH_CODE, by)) {
	case FETCH_L1I_MISS:
	case FETCH_L2_MISS:
		return n[SIGNAL_MET + MET_TRACE_MISS];
	case FETCH_LATENCY:
		return field_get(FETCH_BUBBLES, by) <= CLOCKS_OF_FETCH
			       ? n[SIGNAL_MET + MET_TRACE_MISS]
			       : 0;
	default:
		return 0;
	}
}

bool intel_watches_hierarchy(const void *pmu)
{
	const struct pmu_intel *p = pmu;

	for (unsigned i = 0; i < p->traits->counters; i++)
		if (p->counted[i].signal == INTEL_LATE_FETCHES)
			return true;
	return false;
}

unsigned intel_occurrences(const struct pmu_intel *p, unsigned signal, const struct clock *clock)
{
	if (signal < SIGNAL_COUNT)
		return clock->n[signal];
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
	case INTEL_OFFCORE_0:
	case INTEL_OFFCORE_1:
		return let_through(p->offcore_acts[signal - INTEL_OFFCORE_0], clock->n);
	case INTEL_LATE_LOADS:
		return late_loads(p, clock->n);
	case INTEL_LATE_FETCHES:
		return late_fetches(p, clock->n);
	case INTEL_BAD_SPECULATION ... INTEL_RETIRING:
		return fate((enum intel_signal)signal, p->traits->slots, clock->n);
	default:
		return sum((enum intel_signal)signal, clock->n);
	}
}
