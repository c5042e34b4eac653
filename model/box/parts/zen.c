/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boxes of AMD from family 17h on: PPR of family 17h models 00h and 31h, 19h models 01h and 11h,
 * 1Ah model 44h; and Linux's lists of events (tools/perf/pmu-events/arch/x86/amdzen2 to amdzen5),
 * where these have them.
 */
#include "e5.h"

/* Control and counter by turns. */
static const struct uncore_place pairs[] = {
	{0, 2, UNCORE_COUNTERS, UNCORE_CTL, 0}, {1, 2, UNCORE_COUNTERS, UNCORE_CTR, 0}, {0}};

enum { ANY_COUNTER = 0xffff };

/* ---- events ---- */

/* Bits of the unit mask: those of which one by itself makes a difference here. */
#define AMD(code, rule, umask) code, ANY_COUNTER, rule, 0, umask, true

static const struct uncore_event cache_17h[] = {
	{AMD(0x04, COUNTS_CACHE, 0x01)}, /* L3LookupState */
	{AMD(0x06, COUNTS_CACHE, 0x01)}, /* L3CombClstrState */
	{0},
};
static const struct uncore_event cache_19h[] = {
	{AMD(0x04, COUNTS_CACHE, 0x01)}, /* l3_lookup_state */
	{0},
};
static const struct uncore_event fabric_17h[] = {
	{AMD(0x07, COUNTS_FABRIC, 0x18)}, /* dram_channel_data_controller_N */
	{0},
};
static const struct uncore_event fabric_v2[] = {
	{AMD(0x1f, COUNTS_BEATS, 0x7ff)}, /* local_or_remote_socket_..._dram_N */
	{0},
};
static const struct uncore_event controller[] = {
	{RULE(0x00, ANY_COUNTER, COUNTS_CLOCK, false)}, /* umc_mem_clk */
	{AMD(0x05, COUNTS_COMMANDS, 0x3)}, /* umc_act_cmd */
	{AMD(0x06, COUNTS_COMMANDS, 0x3)}, /* umc_pchg_cmd */
	{AMD(0x0a, COUNTS_COMMANDS, 0x3)}, /* umc_cas_cmd */
	{0x14, ANY_COUNTER, COUNTS_DATA, CONTROLLER_TRANSFERS, 0, true}, /* umc_data_slot_clks */
	{0},
};

/* ---- without traffic of the program ---- */

static const struct uncore_segment quiet[] = {{.clocks = 1000}};
static const struct uncore_pattern nothing = {PATTERN(quiet)};

/* Other cores and devices: a load and a store each few milliseconds, of lines of their own.  The
 * program is as much slower than on silicon. */
static const struct uncore_request others[] = {
	{.address = 0x1000, .miss = true, .tid = 1, .slice = 1, .channel = 1},
	{.address = 0x2040, .miss = true, .tid = 7, .slice = 2, .channel = 0, .write = true},
	{.address = 0x3080, .tid = 2, .slice = 3, .channel = 1},
};
static const struct uncore_segment shared[] = {
	{.clocks = 2400000}, {.clocks = 1, .arrival = &others[0]},
	{.clocks = 1700000}, {.clocks = 1, .arrival = &others[1]},
	{.clocks = 3100000}, {.clocks = 1, .arrival = &others[2]},
};
static const struct uncore_pattern busy = {PATTERN(shared)};

/* ---- kinds ---- */

#define BOX(name_, role_, boxes_, counters_, hz_, events_, msr_)                                   \
	.name = name_, .role = role_, .boxes = boxes_, .counters = counters_, .width = 48,         \
	.hz = hz_, .events = events_, .idle = &nothing, .busy = &busy, .msr = msr_,                \
	.msrs_apart = 2 * (counters_), .registers = pairs, .by_turns = true
#define EVENT_8_BITS [CTL_EVENT] = FIELD(7, 0), [CTL_UMASK] = FIELD(15, 8), [CTL_ENABLE] = BIT(22)

#define CACHE(slices_, events_)                                                                    \
	BOX("l3", ROLE_CACHE, 1, 6, UINT64_C(2400000000), events_, 0xc0010230),                    \
		.slices = (slices_), .rdpmc = 10, .rdpmc_others = 14
#define CACHE_17H                                                                                  \
	{                                                                                          \
		CACHE(4, cache_17h), .field = {                                                    \
			EVENT_8_BITS,                                                              \
			[CTL_SLICES] = FIELD(51, 48),                                              \
			[CTL_THREADS] = FIELD(63, 56)                                              \
		}                                                                                  \
	}
#define CACHE_19H                                                                                  \
	{                                                                                          \
		CACHE(8, cache_19h), .field = {                                                    \
			EVENT_8_BITS,                                                              \
			[CTL_CORE] = FIELD(44, 42),                                                \
			[CTL_ALL_SLICES] = BIT(46),                                                \
			[CTL_ALL_CORES] = BIT(47),                                                 \
			[CTL_SLICE] = FIELD(50, 48),                                               \
			[CTL_THREADS] = FIELD(57, 56)                                              \
		}                                                                                  \
	}

#define FABRIC(counters_, events_, instances_)                                                     \
	BOX("df", ROLE_FABRIC, 1, counters_, UINT64_C(1600000000), events_, 0xc0010240),           \
		.instance_bit = 6, .instances = (instances_), .rdpmc = 6, .rdpmc_others = 16
#define FABRIC_17H                                                                                 \
	{                                                                                          \
		FABRIC(4, fabric_17h, 8), .field = {                                               \
			[CTL_EVENT] = FIELD(7, 0) | FIELD(35, 32) | FIELD(60, 59),                 \
			[CTL_UMASK] = FIELD(15, 8),                                                \
			[CTL_ENABLE] = BIT(22)                                                     \
		}                                                                                  \
	}
#define FABRIC_V2(instances_)                                                                      \
	{                                                                                          \
		FABRIC(16, fabric_v2, instances_), .field = {                                      \
			[CTL_EVENT] = FIELD(7, 0) | FIELD(37, 32),                                 \
			[CTL_UMASK] = FIELD(15, 8) | FIELD(27, 24),                                \
			[CTL_ENABLE] = BIT(22)                                                     \
		}                                                                                  \
	}

#define CONTROLLER(channels_)                                                                      \
	{                                                                                          \
		BOX("umc", ROLE_CONTROLLER, channels_, 4, UINT64_C(2400000000), controller,        \
		    0xc0010800),                                                                   \
			.sleeps = true, .saturates = true, .field = {                              \
				[CTL_EVENT] = FIELD(7, 0),                                         \
				[CTL_UMASK] = FIELD(9, 8),                                         \
				[CTL_ENABLE] = BIT(31)                                             \
			}                                                                          \
	}

static const struct uncore_msr no_msrs[] = {{0}};
/* All that some of these parts have. */
static const struct msr_range ranges[] = {
	{0xc0010230, 0xc001023b}, {0xc0010240, 0xc001025f}, {0xc0010800, 0xc00108ff}, {0, 0}};

#define PART(token, channels_, ...)                                                                \
	static const struct uncore_kind kinds_##token[] = {__VA_ARGS__, {0}};                      \
	const struct uncore_part uncore_##token = {                                                \
		.kinds = kinds_##token,                                                            \
		.msrs = no_msrs,                                                                   \
		.ranges = ranges,                                                                  \
		.channels = (channels_),                                                           \
		.drops_reserved = true,                                                            \
	};                                                                                         \
	BOXES(uncore_ops, uncore_##token)

PART(zen2, 8, CACHE_17H, FABRIC_17H);
PART(zen3, 8, CACHE_19H, FABRIC_17H);
PART(zen4, 12, CACHE_19H, FABRIC_V2(12), CONTROLLER(12));
PART(zen5, 2, CACHE_19H, FABRIC_V2(2), CONTROLLER(2));
