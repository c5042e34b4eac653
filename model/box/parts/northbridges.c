/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The northbridges of family 15h, models 00h to 0Fh, and 16h, and the second-level cache of the
 * latter: BKDG 42301 and 48751; bits that are kept as VirtualBox found them on an FX-8150.
 */
#include "e5.h"

static const struct uncore_place pairs[] = {
	{0, 2, UNCORE_COUNTERS, UNCORE_CTL, 0}, {1, 2, UNCORE_COUNTERS, UNCORE_CTR, 0}, {0}};

static const struct uncore_event events[] = {
	{UMASK(0x0e0, ALL, NODE_DRAM, 0x3f, true)}, /* DRAM accesses */
	{SILENT(0x0e9, ALL)}, /* CPU/IO requests to memory/IO: between nodes alone */
	{0},
};

/* Requests to the L2 cache, and misses of it: of data, as no code is fetched here. */
static const struct uncore_event cache_events[] = {
	{0x07d, ALL, COUNTS_L2, L2_REQUESTS, L2_DATA, true},
	{0x07e, ALL, COUNTS_L2, L2_MISSES, L2_DATA, true},
	{0},
};

static const struct uncore_segment quiet[] = {{.clocks = 1000}};
static const struct uncore_pattern nothing = {PATTERN(quiet)};

/* Devices, and the display, each few milliseconds. */
static const struct uncore_segment shared[] = {
	{.clocks = 2400000}, {.clocks = 1, .n = {[NODE_DRAM] = 1}},
	{.clocks = 1700000}, {.clocks = 1, .n = {[NODE_DRAM + 4] = 1}},
	{.clocks = 3100000}, {.clocks = 1, .n = {[NODE_DRAM + 2] = 1}},
};
static const struct uncore_pattern busy = {PATTERN(shared)};

/* The other cores. */
static const struct uncore_request others[] = {
	{.address = 0x1000, .miss = true, .tid = 1},
	{.address = 0x3080, .tid = 2},
};
static const struct uncore_segment shared_cache[] = {
	{.clocks = 2900000},
	{.clocks = 1, .arrival = &others[0]},
	{.clocks = 3700000},
	{.clocks = 1, .arrival = &others[1]},
};
static const struct uncore_pattern busy_cache = {PATTERN(shared_cache)};

#define BOX(name_, role_, hz_, events_, busy_, msr_, rdpmc_)                                       \
	KIND(name_, role_, 1, 4, 48, UINT64_C(hz_), events_, nothing),                             \
		.busy = &(busy_), .msr = msr_, .msrs_apart = 8, .registers = pairs,                \
		.by_turns = true, .rdpmc = rdpmc_
#define SELECT                                                                                     \
	[CTL_EVENT] = FIELD(7, 0) | FIELD(35, 32), [CTL_UMASK] = FIELD(15, 8),                     \
	[CTL_ENABLE] = BIT(22)

#define INTERRUPT [CTL_INTERRUPT] = BIT(20), [CTL_ONE_CORE] = BIT(36), [CTL_OF_CORE] = FIELD(40, 37)

static const struct uncore_kind kinds_piledriver[] = {
	{BOX("nb", ROLE_NORTHBRIDGE, 2200000000, events, busy, 0xc0010240, 6),
	 .field = {SELECT, INTERRUPT, [CTL_OTHER] = BIT(19)}},
	{0},
};

static const struct uncore_kind kinds_jaguar[] = {
	{BOX("nb", ROLE_NORTHBRIDGE, 1600000000, events, busy, 0xc0010240, 6),
	 .field = {SELECT, INTERRUPT}},
	{BOX("l2i", ROLE_L2, 2050000000, cache_events, busy_cache, 0xc0010230, 10),
	 .field = {SELECT, [CTL_OTHER] = BIT(20)}},
	{0},
};

static const struct uncore_msr msrs[] = {{0}};
static const struct msr_range ranges[] = {
	{0xc0010230, 0xc0010237}, {0xc0010240, 0xc0010247}, {0, 0}};

#define PART(token, channels_, core_ways_)                                                         \
	const struct uncore_part uncore_##token = {                                                \
		.kinds = kinds_##token,                                                            \
		.msrs = msrs,                                                                      \
		.ranges = ranges,                                                                  \
		.channels = (channels_),                                                           \
		.core_ways = (core_ways_),                                                         \
		.drops_reserved = true,                                                            \
	};                                                                                         \
	BOXES(uncore_ops, uncore_##token)

PART(piledriver, 2, 0);
PART(jaguar, 1, 1);
