/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of AMD families: AMD Athlon guide 22007 (K7) and the guides of each later family. */
#include "amd.h"

#include "kernel/lib/bits.h"

enum why {
	CLOCKS,
	RETIRED,
	PREDICTED,
	RETURNS,
	HARDWARE,
	TOTALS,
	VARIED,
	ERRATUM,
	VECTORS,
	MOVES,
	LOADS,
	AHEAD,
	PERHAPS,
	UNLISTED
};

static const struct pmu_reason reasons[] = {
	[CLOCKS] = {PMU_AT_LEAST, "clocks depend on all that the machine does"},
	[RETIRED] = {PMU_EXACT, "exact on code free of interrupts, exceptions and x87 control"},
	[PREDICTED] = {PMU_AT_LEAST, "predictions depend on all that ran before"},
	[RETURNS] = {PMU_EXACT, "exact: nothing but RET"},
	[HARDWARE] = {PMU_EXACT, "exact: nothing but hardware interrupts"},
	[TOTALS] = {PMU_EXACT, "exact in published totals of family 10h"},
	[VARIED] = {PMU_AT_LEAST, "varied by 1 in 114 million in published totals"},
	[ERRATUM] = {PMU_AT_LEAST, "erratum 990: may overcount"},
	[VECTORS] = {PMU_AT_LEAST, "shuffles and moves may count, too"},
	[MOVES] = {PMU_EXACT, "exact: nothing but moves to them"},
	[LOADS] = {PMU_AT_LEAST, "loads that do not retire may count, too"},
	[AHEAD] = {PMU_AT_LEAST, "lines and code fetched ahead count, too"},
	/* Does a line that is written whole count?  Does CLFLUSH of code throw it out of the op
	 * cache?  Which writes to the second-level cache have to read first? */
	[PERHAPS] = {PMU_UNCERTAIN, "lines and code fetched ahead count, too"},
	[UNLISTED] = {PMU_UNCERTAIN, "AMD's list for this part has no event 0CBh"},
};

#define BETWEEN(first, last) ((uint16_t)FIELD(AMD_##last, AMD_##first))
#define FROM(first)          BETWEEN(first, ZEN6)
#define ONLY(part)           BETWEEN(part, part)
#define EXACT_KINDS          (ONLY(K8) | BETWEEN(ZEN2, ZEN5))

/* Events of K7 alone are in edition E of its guide only. */
#define EVENT(id_, parts_, code_, mask, text, why_, occasion_)                                     \
	{                                                                                          \
		.id = id_, .parts = parts_, .event = {                                             \
			.name = text,                                                              \
			.code = code_,                                                             \
			.unit_mask = mask,                                                         \
			.edition = (parts_) == ONLY(K7),                                           \
			.why = &reasons[why_],                                                     \
			.occasion = occasion_                                                      \
		}                                                                                  \
	}
#define GENERIC(id, parts, code, text, why) EVENT(EV_##id, parts, code, 0, text, why, NULL)
#define OWN(parts, code, mask, text, why, occasion)                                                \
	EVENT(EV_OWN, parts, code, mask, text, why, occasion)
#define SEGMENT(part, mask, name, why, occasion)                                                   \
	OWN(ONLY(part), 0x020, mask, "segment register loads: " name, why, occasion)
#define SEGMENTS(part, why)                                                                        \
	SEGMENT(part, 0x02, "CS", why, "segments.cs"),                                             \
		SEGMENT(part, 0x04, "SS", why, "segments.ss"),                                     \
		SEGMENT(part, 0x08, "DS", why, "segments.ds"),                                     \
		SEGMENT(part, 0x10, "FS", why, "segments.fs"),                                     \
		SEGMENT(part, 0x20, "GS", why, "segments.gs")
#define KINDS(parts, why)                                                                          \
	OWN(parts, 0x0cb, 0x01, "retired x87 instructions", why, "sub.x87"),                       \
		OWN(parts, 0x0cb, 0x02, "retired MMX instructions", why, "sub.mmx"),               \
		OWN(parts, 0x0cb, 0x03, "retired x87 and MMX instructions", why, "sub.x87_mmx")
#define SSE_KIND(parts, why) OWN(parts, 0x0cb, 0x04, "retired SSE instructions", why, "kinds.sse")
#define L2(parts, code, mask, text, occasion)                                                      \
	OWN(parts, code, mask, "L2 requests: " text, AHEAD, occasion)

static const struct row {
	uint8_t id;
	uint16_t parts; /* bit n: enum amd_part n has it */
	struct pmu_event event;
} rows[] = {
	GENERIC(CYCLES, FROM(K7), 0x076, "CPU clocks not halted", CLOCKS),
	GENERIC(INSTRUCTIONS, FROM(K7), 0x0c0, "retired instructions", RETIRED),
	GENERIC(BRANCHES, FROM(K7), 0x0c2, "retired branches", RETIRED),
	GENERIC(TAKEN_BRANCHES, FROM(K7), 0x0c4, "retired taken branches", RETIRED),
	GENERIC(FAR_TRANSFERS, FROM(K7), 0x0c6, "retired far control transfers", RETIRED),
	GENERIC(NEAR_RETURNS, ONLY(K7), 0x0c8, "retired near returns", RETURNS),
	GENERIC(NEAR_RETURNS, FROM(K8), 0x0c8, "retired near returns", RETURNS),
	GENERIC(INTERRUPTS, BETWEEN(K7, BULLDOZER), 0x0cf, "interrupts taken", HARDWARE),
	GENERIC(INTERRUPTS, FROM(ZEN), 0x02c, "interrupts taken", HARDWARE),
	OWN(FROM(K7), 0x0c5, 0, "retired taken branches mispredicted", PREDICTED, "guess"),
	OWN(FROM(ZEN2), 0x1c7, 0, "retired conditional branches mispredicted", PREDICTED, "guess"),
	OWN(FROM(ZEN), 0x0d1, 0, "retired conditional branches", RETIRED, "branches.conditional"),

	/* Bobcat has no unit-mask bit for MMX alone. */
	OWN(ONLY(BULLDOZER), 0x0cb, 0x01, "retired x87 instructions", VARIED, "sub"),
	OWN(ONLY(BULLDOZER), 0x0cb, 0x02, "retired MMX instructions", VARIED, "sub"),
	OWN(ONLY(BULLDOZER), 0x0cb, 0x03, "retired x87 and MMX instructions", VARIED, "sub"),
	KINDS(ONLY(ZEN), ERRATUM),
	KINDS(EXACT_KINDS, TOTALS),
	SSE_KIND(BETWEEN(ZEN2, ZEN5), TOTALS),
	/* Linux, pmu-events/arch/x86/amdzen6: all other events here are in it. */
	KINDS(ONLY(ZEN6), UNLISTED),
	SSE_KIND(ONLY(ZEN6), UNLISTED),
	/* The upper half of its unit mask is no mask but a code: F for operations of all types. */
	OWN(ONLY(ZEN4), 0x00a, 0xf0, "retired vector operations", VECTORS, "kinds.packed"),

	/* No guide says what 40h HS is. */
	SEGMENT(K7, 0x01, "ES", MOVES, "sub.es"),
	SEGMENT(K7, 0x08, "DS", MOVES, "sub.ds"),
	SEGMENT(K7, 0x09, "ES, DS", MOVES, "sub.es_ds"),
	SEGMENTS(K7, LOADS),
	SEGMENTS(K8, LOADS),

	OWN(ONLY(K7), 0x079, 0x80, "L2 read-modify-writes", PERHAPS, "store_misses"),
	OWN(ONLY(K7), 0x065, 0x40, "requests for memory of type WB", AHEAD, "misses"),
	OWN(ONLY(K8), 0x065, 0x80, "lines streamed past the caches", PERHAPS, "streams"),
	OWN(BETWEEN(ZEN2, ZEN3), 0x063, 0x20, "write-combining buffers closed", PERHAPS, "streams"),
	L2(FROM(ZEN2), 0x060, 0x40, "data cache stores", "store_misses"),
	L2(FROM(ZEN2), 0x060, 0x80, "data cache reads", "misses"),
	L2(FROM(ZEN2), 0x064, 0x08, "data cache misses", "misses"),
	L2(FROM(ZEN2), 0x060, 0x10, "code reads", "code_misses"),
	OWN(ONLY(ZEN2), 0x28a, 0x01, "switches to the op cache", PERHAPS, "code_misses"),
	OWN(FROM(ZEN3), 0x28f, 0x07, "op cache look-ups", AHEAD, "straight"),
};

#define EXACTLY 0xfffu
#define GROUP   0x0ffu
#define ALL_SIX FIELD(5, 0)
#define OF_UNIT FIELD(2, 0)
#define OF_FP   FIELD(5, 3)

/*
 * Family 15h: which of the six counters count an event goes by its number, and the first row that
 * has it decides.  BKDG 42301: "PERF_CTL[2:0]" and the like beside each event; Linux,
 * amd_get_event_constraints_f15h().  Where the unit mask decides, too, a row has what counts any
 * mask.  Events of the northbridge, 0E0h to 0FFh, have counters of their own.
 */
static const struct limit {
	uint16_t compared; /* bits of the number */
	uint16_t first, last;
	uint32_t counters;
} limits[] = {
	{EXACTLY, 0x000, 0x000, BIT(3)},          {EXACTLY, 0x003, 0x004, BIT(3)},
	{EXACTLY, 0x00b, 0x00b, BIT(3)},          {EXACTLY, 0x00d, 0x00d, BIT(3)},
	{EXACTLY, 0x023, 0x023, OF_UNIT},         {EXACTLY, 0x02d, 0x02d, BIT(3)},
	{EXACTLY, 0x02e, 0x02e, BIT(3) | BIT(0)}, {EXACTLY, 0x031, 0x031, OF_UNIT},
	{EXACTLY, 0x043, 0x043, OF_UNIT},         {EXACTLY, 0x045, 0x046, OF_UNIT},
	{EXACTLY, 0x054, 0x055, OF_UNIT},         {EXACTLY, 0x08f, 0x08f, BIT(0)},
	{EXACTLY, 0x0db, 0x0df, ALL_SIX},         {EXACTLY, 0x187, 0x188, BIT(0)},
	{EXACTLY, 0x1c0, 0x1c0, OF_FP},           {EXACTLY, 0x1d6, 0x1d6, ALL_SIX},
	{EXACTLY, 0x1d8, 0x1d8, ALL_SIX},         {GROUP, 0x000, 0x01f, OF_FP},
	{GROUP, 0x060, 0x09f, OF_UNIT},           {GROUP, 0x0d0, 0x0df, OF_UNIT},
};

uint32_t amd_counters_of(enum amd_part part, unsigned code)
{
	for (size_t i = 0; part == AMD_BULLDOZER && i < ARRAY_SIZE(limits); i++) {
		unsigned number = code & limits[i].compared;

		if (number >= limits[i].first && number <= limits[i].last)
			return limits[i].counters;
	}
	return 0;
}

/* Family 17h: which models have the Zen 2 core; the others have Zen or Zen+. */
static bool is_zen2(unsigned model)
{
	return (model >= 0x30 && model <= 0x4f) || model >= 0x60;
}

/* Family 19h: which models have the Zen 4 core; the others have Zen 3. */
static bool is_zen4(unsigned model)
{
	return (model >= 0x10 && model <= 0x1f) || (model >= 0x60 && model <= 0xaf);
}

/* Family 1Ah: which models have the Zen 5 core.  Linux, bsp_init_amd(). */
static bool is_zen5(unsigned model)
{
	return model <= 0x2f || (model >= 0x40 && model <= 0x4f) ||
	       (model >= 0x60 && model <= 0x7f);
}

enum amd_part amd_part(unsigned family, unsigned model)
{
	switch (family) {
	case 0x14:
	case 0x16:
		return AMD_BOBCAT;
	case 0x15:
		return AMD_BULLDOZER;
	case 0x17:
		return is_zen2(model) ? AMD_ZEN2 : AMD_ZEN;
	case 0x18:
		return AMD_ZEN;
	case 0x19:
		return is_zen4(model) ? AMD_ZEN4 : AMD_ZEN3;
	case 0x1a:
		return is_zen5(model) ? AMD_ZEN5 : AMD_ZEN6;
	default:
		if (family > 0x1a)
			return AMD_ZEN6;
		return family < 0x0f ? AMD_K7 : AMD_K8;
	}
}

/* K7 to 12h retire at most three operations in a clock, and an instruction is at least one.  Zen 2
 * retires at most eight (PMCx0C1); there this bounds instructions in code without fused
 * compare-and-branch pairs, as the payloads are. */
static uint8_t retired_per_clock(enum amd_part part)
{
	return part <= AMD_K8 ? 3 : part == AMD_ZEN2 ? 8 : 0;
}

/* Leaves those counters that are there of the ones that may count the event; false: there is none.
 */
static bool is_countable(uint32_t *may, unsigned counters)
{
	bool any = !*may;

	*may &= (uint32_t)(BIT(counters) - 1);
	return any || *may;
}

void amd_events(enum amd_part part, unsigned counters, struct pmu_event *events)
{
	_Static_assert(EV_OWN + ARRAY_SIZE(rows) < PMU_EVENTS_MAX, "room for all");

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pmu_event event = rows[i].event;

		event.counters = amd_counters_of(part, event.code);
		if (rows[i].parts >> part & 1 && is_countable(&event.counters, counters))
			pmu_take_event(events, rows[i].id, &event);
	}
	events[EV_CYCLES].max_per_clock = 1;
	events[EV_INSTRUCTIONS].max_per_clock = retired_per_clock(part);
	events[EV_BRANCHES].max_per_clock = retired_per_clock(part);
}
