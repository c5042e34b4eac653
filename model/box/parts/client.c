/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Clients: Skylake with four slices and an arbiter, Alder Lake with eight and two, Arrow Lake with
 * six and one: SDM volumes 3B and 4, and Linux (uncore_snb.c).  One register lets all counters
 * count; and what goes through the controllers of memory, one of Skylake and two of Alder Lake, is
 * counted by itself in a window of memory.
 */
#include "e5.h"

static const struct uncore_event slice_events[] = {
	{0x22, C01, COUNTS_NOTHING, 0, 0xff, false}, /* XSNP_RESPONSE: no other core answers */
	{0x34, C01, COUNTS_CORE_LOOKUP, 0, 0xff, true}, /* CACHE_LOOKUP */
	{0},
};
/* None is documented. */
static const struct uncore_event no_events[] = {{0}};
static const struct uncore_event arbiter_events[] = {
	{0x81, C01, COUNTS_TRACKED, 0, 0xa3, true}, /* TRK_REQUESTS */
	{0},
};
static const struct uncore_event mtl_arbiter_events[] = {
	{0x81, C01, COUNTS_TRACKED, 0, 0x02, true}, /* REQ_TRK_REQUEST */
	{0},
};

/* ---- registers ---- */

static const struct uncore_place skl_slice[] = {
	{0, 1, 2, UNCORE_CTL, 0}, {6, 1, 2, UNCORE_CTR, 0}, {0}};
/* From 394h on. */
static const struct uncore_place skl_arbiter[] = {{0x00, 1, 1, UNCORE_CTL, UNCORE_FIXED},
						  {0x01, 1, 1, UNCORE_CTR, UNCORE_FIXED},
						  {0x1c, 1, 2, UNCORE_CTR, 0},
						  {0x1e, 1, 2, UNCORE_CTL, 0},
						  {0}};
static const struct uncore_place adl_box[] = {
	{0, 1, 2, UNCORE_CTL, 0}, {2, 1, 2, UNCORE_CTR, 0}, {0}};
static const struct uncore_place adl_arbiter[] = {{0, 1, 2, UNCORE_CTL, 0},
						  {2, 1, 2, UNCORE_CTR, 0},
						  {0xe, 1, 1, UNCORE_CTL, UNCORE_FIXED},
						  {0xf, 1, 1, UNCORE_CTR, UNCORE_FIXED},
						  {0}};
static const struct uncore_place mtl_slice[] = {
	{0, 1, 2, UNCORE_CTL, 0}, {6, 1, 2, UNCORE_CTR, 0}, {0}};
/* From cNCU's at 2402h on. */
static const struct uncore_place mtl_arbiter[] = {{0x00, 1, 1, UNCORE_CTL, UNCORE_FIXED},
						  {0x06, 1, 1, UNCORE_CTR, UNCORE_FIXED},
						  {0x10, 1, 2, UNCORE_CTL, 0},
						  {0x16, 1, 2, UNCORE_CTR, 0},
						  {0}};

/* ---- memory ---- */

/* Requests of graphics, of cores, of devices; lines. */
static const struct uncore_place skl_memory[] = {
	{0x40, 4, 3, UNCORE_METER, 0}, {0x50, 4, 2, UNCORE_METER, 3}, {0}};
static const struct uncore_place adl_memory[] = {{0x40, 8, 1, UNCORE_METER, 0},
						 {0x58, 8, 1, UNCORE_METER, 1},
						 {0xa0, 8, 1, UNCORE_METER, 2},
						 {0x1c4, 4, 1, UNCORE_BOX_CTL, 0},
						 {0x1d0, 4, 5, UNCORE_CTL, 0},
						 {0x1e8, 8, 5, UNCORE_CTR, 0},
						 {0}};
static const struct uncore_meter skl_meters[] = {
	{.width = 32, .signal = MEMORY_READS},
	{.width = 32, .lines = LINES_READ | LINES_WRITTEN},
	{.width = 32, .signal = MEMORY_WRITES},
	{.width = 32, .lines = LINES_READ, .signal = MEMORY_READS},
	{.width = 32, .lines = LINES_WRITTEN, .signal = MEMORY_WRITES},
};
static const struct uncore_meter adl_meters[] = {
	{.width = 64, .lines = LINES_READ | LINES_WRITTEN, .signal = MEMORY_READS},
	{.width = 64, .lines = LINES_READ, .signal = MEMORY_READS},
	{.width = 64, .lines = LINES_WRITTEN, .signal = MEMORY_WRITES},
};

/* Graphics read a line every 40 ns; devices write one at times. */
static const struct uncore_segment display[] = {
	{.clocks = 1, .n = {[MEMORY_READS] = 1}},
	{.clocks = 63},
	{.clocks = 1, .n = {[MEMORY_READS] = 1, [MEMORY_WRITES] = 1}},
	{.clocks = 63},
};
static const struct uncore_pattern displaying = {PATTERN(display)};

/* Of all channels: the mask of them is 0 where software asks for none. */
enum { CADL = BIT(5) - 1 };
static const struct uncore_event memory_events[] = {
	{0x01, CADL, COUNTS_CLOCK, 0, 0, false}, /* CLK */
	{0x02, CADL, COUNTS_SIGNAL, MEMORY_READS, 0, true}, /* VC0_REQUESTS_RD */
	{0x03, CADL, COUNTS_SIGNAL, MEMORY_WRITES, 0, true}, /* VC0_REQUESTS_WR */
	{0x22, CADL, COUNTS_SIGNAL, MEMORY_READS, 0, true}, /* CAS_RD */
	{0x23, CADL, COUNTS_SIGNAL, MEMORY_WRITES, 0, true}, /* CAS_WR */
	{0},
};

/* Without an enable bit; bit 20 freezes at an overflow, of which none comes. */
#define MEMORY_FIELDS                                                                              \
	[CTL_EVENT] = FIELD(7, 0), [CTL_UMASK] = FIELD(11, 8), [CTL_RESET] = BIT(17),              \
	[CTL_EDGE] = BIT(18), [CTL_INVERT] = BIT(23), [CTL_THRESHOLD] = FIELD(31, 24),             \
	[GATE_FREEZE] = BIT(0), [GATE_RESET_CONTROLS] = BIT(1), [GATE_RESET_COUNTERS] = BIT(2)

#define MEMORY(boxes_, counters_, window_, apart_, events_, registers_, meters_, ...)              \
	{                                                                                          \
		KIND("mc", ROLE_MEMORY, boxes_, counters_, 64, MEMORY_HZ, events_, e5_quiet),      \
			.busy = &displaying, .window = (window_), .window_apart = (apart_),        \
			.registers = (registers_), .meters = (meters_), __VA_ARGS__                \
	}

#define AT(msr_, apart_, registers_)                                                               \
	.msr = (msr_), .msrs_apart = (apart_), .registers = (registers_)

/* ---- boxes ---- */

#define UCLK_HZ   UINT64_C(3200000000)
#define MEMORY_HZ UINT64_C(1600000000)
#define CTL       E5_CTL, E5_UMASK, [CTL_INVERT] = BIT(23)

static const struct uncore_kind skl_kinds[] = {
	{KIND("cbo", ROLE_CORE_SLICE, 4, 2, 44, UCLK_HZ, slice_events, e5_quiet),
	 AT(0x700, 0x10, skl_slice), .field = {CTL, E5_THRESHOLD_5}},
	{KIND("arb", ROLE_ARBITER, 1, 2, 44, UCLK_HZ, arbiter_events, e5_quiet),
	 AT(0x394, 0x20, skl_arbiter), .field = {CTL, E5_THRESHOLD_5, E5_FIXED}},
	MEMORY(1, 0, 0x5000, 0x1000, no_events, skl_memory, skl_meters, .field = {0}),
	{0},
};
#define TWO_MEMORIES                                                                               \
	MEMORY(2, 5, 0xd800, 0x10000, memory_events, adl_memory, adl_meters, .read_only = true,    \
	       .field = {MEMORY_FIELDS})
/* The second arbiter, between 2FD8h and the fixed counter, is of no requests here. */
static const struct uncore_kind adl_kinds[] = {
	{KIND("cbo", ROLE_CORE_SLICE, 8, 2, 44, UCLK_HZ, no_events, e5_quiet),
	 AT(0x2000, 8, adl_box), .field = {CTL, [CTL_THRESHOLD] = FIELD(29, 24)}},
	{KIND("arb", ROLE_ARBITER, 1, 2, 44, UCLK_HZ, arbiter_events, e5_quiet),
	 AT(0x2fd0, 0x10, adl_arbiter), .field = {CTL, E5_THRESHOLD_5, E5_FIXED}},
	TWO_MEMORIES,
	{0},
};

static const struct uncore_kind mtl_kinds[] = {
	{KIND("cbo", ROLE_CORE_SLICE, 6, 2, 48, UCLK_HZ, no_events, e5_quiet),
	 AT(0x2442, 0x10, mtl_slice), .field = {CTL, [CTL_THRESHOLD] = FIELD(29, 24)}},
	{KIND("arb", ROLE_ARBITER, 1, 2, 48, UCLK_HZ, mtl_arbiter_events, e5_quiet),
	 AT(0x2402, 0x20, mtl_arbiter), .field = {CTL, [CTL_THRESHOLD] = FIELD(29, 24), E5_FIXED}},
	TWO_MEMORIES,
	{0},
};

/* Of the global control bits 4:0 select cores for interrupts, 30 and 31 wake upon and freeze at an
 * overflow: none comes. */
enum { CBO_CONFIG = 0x396 };
#define GLOBAL_EN   BIT(29)
#define GLOBAL_BITS (FIELD(31, 29) | FIELD(4, 0))
#define PREFETCHERS                                                                                \
	{                                                                                          \
		0x1a4, 0, FIELD(3, 0)                                                              \
	}

static const struct uncore_msr skl_msrs[] = {
	PREFETCHERS, {CBO_CONFIG, 4, 0}, {0xe01, 0, GLOBAL_BITS}, {0}};
static const struct uncore_msr adl_msrs[] = {
	PREFETCHERS, {CBO_CONFIG, 8, 0}, {0x2ff0, 0, FIELD(31, 29)}, {0}};
/* The other control is of boxes beside the devices, of which none is here. */
static const struct uncore_msr mtl_msrs[] = {
	PREFETCHERS, {CBO_CONFIG, 6, 0}, {0x240e, 0, BIT(29)}, {0x200e, 0, BIT(29)}, {0}};
static const struct msr_range mtl_ranges[] = {{0x1a4, 0x1a4},   {0x396, 0x396},   {0x200e, 0x200e},
					      {0x2402, 0x2419}, {0x2442, 0x24a1}, {0, 0}};
static const struct msr_range skl_ranges[] = {{0x1a4, 0x1a4}, {0x394, 0x396}, {0x3b0, 0x3b3},
					      {0x700, 0x73f}, {0xe01, 0xe01}, {0, 0}};
static const struct msr_range adl_ranges[] = {{0x1a4, 0x1a4},   {0x396, 0x396},   {0x2000, 0x203f},
					      {0x2fd0, 0x2fdf}, {0x2ff0, 0x2ff0}, {0, 0}};

/* Where firmware puts them as a rule. */
#define PART(token, global_, ...)                                                                  \
	const struct uncore_part uncore_##token = {                                                \
		.kinds = token##_kinds,                                                            \
		.msrs = token##_msrs,                                                              \
		.ranges = token##_ranges,                                                          \
		.global = (global_),                                                               \
		.global_enable = GLOBAL_EN,                                                        \
		.window = {.at = 0x48, __VA_ARGS__},                                               \
	};                                                                                         \
	BOXES(uncore_ops, uncore_##token)

PART(skl, 0xe01, .id = 0x191f, .base = 0xfed10000, .size = 0x8000);
#define FOR_TWO .base = 0xfedc0000, .size = 0x20000, .global = 0x1d9c0
PART(adl, 0x2ff0, .id = 0x4660, FOR_TWO);
PART(mtl, 0x240e, .id = 0x7d14, FOR_TWO);
