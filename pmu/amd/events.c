/* SPDX-License-Identifier: BSD-2-Clause */
/* Event tables of AMD families: AMD Athlon guide 22007 (K7) and the guides of
 * each later family. */
#include "amd.h"

#define EXACT_PLAIN "exact on code free of interrupts, exceptions and x87 control"
#define NOT_CLOCKS  "clocks depend on all that the machine does"
#define PREDICTOR   "what is predicted depends on all that ran before"
#define REQUESTS    "what is fetched ahead counts, too"

/*
 * Upper bounds of a clock's occurrences.  K7 to 12h retire at most three operations in a clock and
 * an instruction is at least one.  Zen 2 retires at most eight (PMCx0C1); there this bounds
 * instructions in code without fused compare-and-branch pairs, as the payloads are.
 */
#define EVENT(text, code_, mask, width, exact_, why)                                               \
	{                                                                                          \
		.name = text, .code = code_, .unit_mask = mask, .max_per_clock = width,            \
		.exact = exact_, .reason = why                                                     \
	}

#define RETIRED(width)                                                                             \
	[EV_CYCLES] = EVENT("CPU clocks not halted", 0x076, 0, 1, false, NOT_CLOCKS),              \
	[EV_INSTRUCTIONS] = EVENT("retired instructions", 0x0c0, 0, width, true, EXACT_PLAIN),     \
	[EV_BRANCHES] = EVENT("retired branches", 0x0c2, 0, width, true, EXACT_PLAIN),             \
	[EV_TAKEN_BRANCHES] = EVENT("retired taken branches", 0x0c4, 0, width, true, EXACT_PLAIN), \
	[EV_FAR_TRANSFERS] =                                                                       \
		EVENT("retired far control transfers", 0x0c6, 0, width, true, EXACT_PLAIN),        \
	[EV_MISPREDICTED] =                                                                        \
		EVENT("retired taken branches mispredicted", 0x0c5, 0, width, false, PREDICTOR)

#define NEAR_RETURNS(width)                                                                        \
	[EV_NEAR_RETURNS] =                                                                        \
		EVENT("retired near returns", 0x0c8, 0, width, true, "exact: nothing but RET")

#define INTERRUPTS(number)                                                                         \
	[EV_INTERRUPTS] = EVENT("hardware interrupts taken", number, 0, 1, true,                   \
				"exact: nothing but hardware interrupts")

/* Zen 2 and later. */
#define SSE(width) [EV_SSE] = EVENT("retired SSE instructions", 0x0cb, 0x04, width, true, SUB_EXACT)

#define L2_READS                                                                                   \
	[EV_L2_STORES] = EVENT("L2 requests: data cache stores", 0x060, 0x40, 0, false, REQUESTS), \
	[EV_L2_READS] = EVENT("L2 requests: data cache reads", 0x060, 0x80, 0, false, REQUESTS),   \
	[EV_L2_MISSES] = EVENT("L2 requests: data cache misses", 0x064, 0x08, 0, false, REQUESTS), \
	[EV_L2_CODE_READS] = EVENT("L2 requests: code reads", 0x060, 0x10, 0, false, REQUESTS)

/* K8 to 12h, Zen 2 and 3. */
#define STREAMED_LINES(code, mask)                                                                 \
	[EV_STREAMED_LINES] =                                                                      \
		EVENT("lines streamed past the caches", code, mask, 0, false, REQUESTS)

/* Zen 2 and later. */
#define DIRECTION(width)                                                                           \
	[EV_MISPREDICTED_DIRECTION] = EVENT("retired conditional branches mispredicted", 0x1c7, 0, \
					    width, false, PREDICTOR)

#define SUB_EVENTS(width, is_exact, why)                                                           \
	[EV_SUB_A] = EVENT("retired x87 instructions", 0x0cb, 0x01, width, is_exact, why),         \
	[EV_SUB_B] = EVENT("retired MMX instructions", 0x0cb, 0x02, width, is_exact, why),         \
	[EV_SUB_BOTH] =                                                                            \
		EVENT("retired x87 and MMX instructions", 0x0cb, 0x03, width, is_exact, why)

#define SUB_EXACT "exact in published totals of family 10h"

#define EDITION_E "in edition E of the guide only: may count nothing"
#define SEGMENT_LOADS(mask, text)                                                                  \
	{                                                                                          \
		.name = "segment register loads: " text, .code = 0x020, .unit_mask = mask,         \
		.exact = true, .optional = true, .reason = EDITION_E                               \
	}

/* 01h ES is left to EV_SUB_A; what 40h HS is, no guide says. */
#define SEGMENT(text, mask, is_optional)                                                           \
	{                                                                                          \
		.name = "segment register loads: " text, .code = 0x020, .unit_mask = mask,         \
		.optional = is_optional, .reason = "loads that do not retire may count, too"       \
	}
#define SEGMENTS(is_optional)                                                                      \
	[EV_CS_LOADS] = SEGMENT("CS", 0x02, is_optional),                                          \
	[EV_SS_LOADS] = SEGMENT("SS", 0x04, is_optional),                                          \
	[EV_DS_LOADS] = SEGMENT("DS", 0x08, is_optional),                                          \
	[EV_FS_LOADS] = SEGMENT("FS", 0x10, is_optional),                                          \
	[EV_GS_LOADS] = SEGMENT("GS", 0x20, is_optional)

static const struct pmu_event k7_events[EV_COUNT] = {
	RETIRED(3),
	[EV_NEAR_RETURNS] = {.name = "retired near returns",
			     .code = 0x0c8,
			     .max_per_clock = 3,
			     .exact = true,
			     .optional = true,
			     .reason = EDITION_E},
	INTERRUPTS(0x0cf),
	[EV_SUB_A] = SEGMENT_LOADS(0x01, "ES"),
	[EV_SUB_B] = SEGMENT_LOADS(0x08, "DS"),
	[EV_SUB_BOTH] = SEGMENT_LOADS(0x09, "ES, DS"),
	SEGMENTS(true),
	[EV_L2_READ_MODIFY_WRITES] = {.name = "L2 requests: read-modify-writes",
				      .code = 0x079,
				      .unit_mask = 0x80,
				      .optional = true,
				      .reason = REQUESTS},
	[EV_CACHEABLE_REQUESTS] = {.name = "requests for memory of type WB",
				   .code = 0x065,
				   .unit_mask = 0x40,
				   .optional = true,
				   .reason = REQUESTS},
};

/* K8, 10h, 11h, 12h: the same pipeline width. */
static const struct pmu_event k8_events[EV_COUNT] = {
	RETIRED(3),
	NEAR_RETURNS(3),
	INTERRUPTS(0x0cf),
	SUB_EVENTS(3, true, SUB_EXACT),
	/* In the guides of all four. */
	SEGMENTS(false),
	/* Streaming store requests. */
	STREAMED_LINES(0x065, 0x80),
};

/* 14h and 16h: 0CBh has no unit-mask bit for MMX alone. */
static const struct pmu_event bobcat_events[EV_COUNT] = {
	RETIRED(0),
	NEAR_RETURNS(0),
	INTERRUPTS(0x0cf),
};

static const struct pmu_event bulldozer_events[EV_COUNT] = {
	RETIRED(0),
	NEAR_RETURNS(0),
	INTERRUPTS(0x0cf),
	SUB_EVENTS(0, false, "varied by 1 in 114 million in published totals"),
};

static const struct pmu_event zen1_events[EV_COUNT] = {
	RETIRED(0),
	NEAR_RETURNS(0),
	INTERRUPTS(0x02c),
	SUB_EVENTS(0, false, "erratum 990: may overcount"),
};

static const struct pmu_event zen2_events[EV_COUNT] = {
	RETIRED(8),
	NEAR_RETURNS(8),
	INTERRUPTS(0x02c),
	DIRECTION(8),
	SUB_EVENTS(8, true, SUB_EXACT),
	SSE(8),
	L2_READS,
	STREAMED_LINES(0x063, 0x20), /* write-combining buffers closed */
	[EV_TO_OP_CACHE] = EVENT("switches to the op cache", 0x28a, 0x01, 0, false, REQUESTS),
};

#define ZEN3_AND_LATER                                                                             \
	RETIRED(0), NEAR_RETURNS(0), INTERRUPTS(0x02c), DIRECTION(0),                              \
		SUB_EVENTS(0, true, SUB_EXACT), SSE(0), L2_READS,                                  \
		[EV_OP_CACHE] = EVENT("op cache look-ups", 0x28f, 0x07, 0, false, REQUESTS)

static const struct pmu_event zen3_events[EV_COUNT] = {
	ZEN3_AND_LATER,
	STREAMED_LINES(0x063, 0x20),
};

/* The upper half of the unit mask of 00Ah is no mask but a code: F for vector operations of all
 * types. */
static const struct pmu_event zen4_events[EV_COUNT] = {
	ZEN3_AND_LATER,
	[EV_PACKED_FP] = EVENT("retired vector floating-point operations", 0x00a, 0xf0, 0, false,
			       "shuffles and moves may count, too"),
};

static const struct pmu_event zen5_events[EV_COUNT] = {
	ZEN3_AND_LATER,
};

/* Of family 17h: which models have the Zen 2 core (the others have Zen or
 * Zen+). */
static bool is_zen2(unsigned model)
{
	return (model >= 0x30 && model <= 0x4f) || model >= 0x60;
}

/* Of family 19h: the others have the Zen 3 core. */
static bool is_zen4(unsigned model)
{
	return (model >= 0x10 && model <= 0x1f) || (model >= 0x60 && model <= 0xaf);
}

const struct pmu_event *amd_events(unsigned family, unsigned model)
{
	switch (family) {
	case 0x14:
	case 0x16:
		return bobcat_events;
	case 0x15:
		return bulldozer_events;
	case 0x17:
		return is_zen2(model) ? zen2_events : zen1_events;
	case 0x18:
		return zen1_events;
	case 0x19:
		return is_zen4(model) ? zen4_events : zen3_events;
	default:
		if (family > 0x19)
			return zen5_events;
		return family < 0x0f ? k7_events : k8_events;
	}
}
