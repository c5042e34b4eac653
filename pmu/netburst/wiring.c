/* SPDX-License-Identifier: BSD-2-Clause */
/* NetBurst: how counters, ESCRs and events are wired, and the generic events. */
#include "wiring.h"

/* group, half, pair mate, cascade source, extended cascade source */
const struct netburst_counter netburst_counters[NETBURST_COUNTERS] = {
	{NB_BPU, 0, 1, 2, -1},    {NB_BPU, 0, 0, 3, -1},    {NB_BPU, 1, 3, 0, -1},
	{NB_BPU, 1, 2, 1, -1},    {NB_MS, 0, 5, 6, -1},     {NB_MS, 0, 4, 7, -1},
	{NB_MS, 1, 7, 4, -1},     {NB_MS, 1, 6, 5, -1},     {NB_FLAME, 0, 9, 10, -1},
	{NB_FLAME, 0, 8, 11, -1}, {NB_FLAME, 1, 11, 8, -1}, {NB_FLAME, 1, 10, 9, -1},
	{NB_IQ, 0, 13, 14, 16},   {NB_IQ, 0, 12, 15, -1},   {NB_IQ, 1, 15, 12, -1},
	{NB_IQ, 1, 14, 13, 17},   {NB_IQ, 0, 12, 14, 17},   {NB_IQ, 1, 14, 15, 16},
};

unsigned netburst_group_first(unsigned group)
{
	return 4 * group;
}

unsigned netburst_group_size(unsigned group)
{
	return group == NB_IQ ? 6 : 4;
}

/* ---- ESCRs ---- */

#define PAIR(group, select, unit, number, msr) [NB_##group][select] = {#unit, number, (msr)&0xff},
const struct netburst_escr_pair netburst_escr_pairs[NB_GROUPS][8] = {NETBURST_ESCR_PAIRS(PAIR)};

static uint32_t pair_msr(const struct netburst_escr_pair *pair, unsigned half)
{
	return 0x300u + pair->low + half;
}

uint32_t netburst_selected_escr(const struct pmu *pmu, unsigned group, unsigned half,
				unsigned select)
{
	const struct netburst_escr_pair *pair = &netburst_escr_pairs[group][select];
	uint32_t msr = pair_msr(pair, half);

	if (!pair->unit[0] || msr == MSR_SSU_ESCR1)
		return 0;
	if (msr - half == MSR_IQ_ESCR0 && netburst(pmu)->model > 2)
		return 0;
	return msr;
}

unsigned netburst_escrs(const struct pmu *pmu, uint32_t msr[NETBURST_ESCRS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < NB_GROUPS * 8 * 2; i++) {
		uint32_t escr = netburst_selected_escr(pmu, i / 16, i % 2, i / 2 % 8);

		if (escr)
			msr[n++] = escr;
	}
	return n;
}

/* ---- events ---- */

#define EVENT(id, name, group_, select_, escr_, mask_)                                             \
	[NB_##id] = {.group = NB_##group_, .select = select_, .escr = escr_, .mask = mask_},
const struct netburst_event netburst_events[NB_EVENTS] = {NETBURST_EVENTS(EVENT)};

/* One string, as pointers into it would need relocations larger than the names. */
const char *netburst_event_name(enum netburst_event_id event)
{
#define NAME(id, name, ...) #name "\0"
	static const char names[] = "no_event\0" NETBURST_EVENTS(NAME);
	const char *name = names;

	while (event--)
		while (*name++)
			;
	return name;
}

bool netburst_has_event(const struct pmu *pmu, enum netburst_event_id event)
{
	if (event == NB_IOQ_ALLOCATION || event == NB_IOQ_ACTIVE_ENTRIES)
		return netburst(pmu)->model < 6;
	return event != NB_INSTR_COMPLETED || netburst(pmu)->model > 2;
}

uint32_t netburst_escr_msr(enum netburst_event_id event, unsigned half)
{
	const struct netburst_event *e = &netburst_events[event];

	return pair_msr(&netburst_escr_pairs[e->group][e->escr], half);
}

/* ---- generic events ---- */

/* Masks of NETBURST_EVENTS, by the manual's names of their bits. */
#define NBOGUSNTAG     (1 << 0) /* instr_retired */
#define NBOGUSTAG      (1 << 1)
#define MMNP           (1 << 0) /* branch_retired: not taken, taken; predicted, mispredicted */
#define MMNM           (1 << 1)
#define MMTP           (1 << 2)
#define MMTM           (1 << 3)
#define RETURN         (1 << 3) /* retired_branch_type */
#define RUNNING        (1 << 0) /* global_power_events */
#define ALL            (1 << 15) /* 64bit_MMX_uop */

#define COUNTERS_0_3   0x0000fu
#define COUNTERS_4_7   0x000f0u
#define COUNTERS_8_11  0x00f00u
#define COUNTERS_12_17 0x3f000u

/* The manual calls no count exact: where this says so the event's definition leaves no room, on
 * differences of windows that differ in nothing but the number of iterations. */
#define GENERIC(text, id, mask, counters_, width, exact_, why)                                     \
	{                                                                                          \
		.name = text, .code = id, .unit_mask = mask, .max_per_clock = width,               \
		.exact = exact_, .reason = why, .counters = counters_                              \
	}
#define EXACT "exact on code free of interrupts, faults and FLDCW"

const struct pmu_event netburst_generic_events[EV_COUNT] = {
	[EV_CYCLES] = GENERIC("global_power_events RUNNING", NB_GLOBAL_POWER_EVENTS, RUNNING,
			      COUNTERS_0_3, 1, false, "clocks depend on all that the machine does"),
	/* At most three micro-operations retire in a clock. */
	[EV_INSTRUCTIONS] = GENERIC("instr_retired", NB_INSTR_RETIRED, NBOGUSNTAG | NBOGUSTAG,
				    COUNTERS_12_17, 3, true, EXACT),
	[EV_BRANCHES] = GENERIC("branch_retired", NB_BRANCH_RETIRED, MMNP | MMNM | MMTP | MMTM,
				COUNTERS_12_17, 0, true, EXACT),
	[EV_TAKEN_BRANCHES] = GENERIC("branch_retired taken", NB_BRANCH_RETIRED, MMTP | MMTM,
				      COUNTERS_12_17, 0, true, EXACT),
	[EV_NEAR_RETURNS] =
		GENERIC("retired_branch_type RETURN", NB_RETIRED_BRANCH_TYPE, RETURN, COUNTERS_4_7,
			0, false, "branch types may overcount, says the manual"),
	[EV_MMX_UOPS] = GENERIC("64bit_MMX_uop", NB_64BIT_MMX_UOP, ALL, COUNTERS_8_11, 0, false,
				"counts what executes: replayed and discarded ones too"),
};
