/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Xeon E5-2600 v2, Ivy Bridge-EP, with six cores: uncore guide 329468, and Linux where it names
 * more.  No box inverts or has frz_en; a slice has two filters.  Its ov_en is reserved: whether its
 * overflows are told is not documented.
 */
#include "e5.h"

static const struct uncore_event power_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{BAND(0x0b, 0)}, /* FREQ_BAND0_CYCLES */
	{BAND(0x0c, 1)},
	{BAND(0x0d, 2)},
	{BAND(0x0e, 3)},
	{SILENT(0x32, ALL)}, /* VR_HOT_CYCLES */
	{SIGNAL(0x60, ALL, POWER_FREQ_TRANS, false)}, /* FREQ_TRANS_CYCLES */
	{SIGNAL(0x63, ALL, POWER_TOTAL_TRANSITION, false)}, /* TOTAL_TRANSITION_CYCLES */
	{SIGNAL(0x70, ALL, POWER_CORE_TRANSITION, false)}, /* CORE0_TRANSITION_CYCLES */
	{SIGNAL(0x71, ALL, POWER_CORE_TRANSITION + 1, false)},
	{SIGNAL(0x72, ALL, POWER_CORE_TRANSITION + 2, false)},
	{SIGNAL(0x73, ALL, POWER_CORE_TRANSITION + 3, false)},
	{SIGNAL(0x74, ALL, POWER_CORE_TRANSITION + 4, false)},
	{SIGNAL(0x75, ALL, POWER_CORE_TRANSITION + 5, false)},
	{SILENT(EV_EXT | 0x2a, ALL)}, /* PKG_C_STATE_RESIDENCY_C0_CYCLES and deeper */
	{SILENT(EV_EXT | 0x2d, ALL)},
	{0},
};

/* Ten microseconds of six cores. */
static const struct uncore_segment cores[] = {
	{.clocks = 4900, .n = {CORES(1, 2, 3), FREQUENCY(26)}},
	{.clocks = 100, .n = {CORES(1, 2, 3), FREQUENCY(26), ANY_TRANSITION(1)}},
	{.clocks = 960, .n = {CORES(2, 2, 2), FREQUENCY(26)}},
	{.clocks = 40,
	 .n = {CORES(2, 2, 2), FREQUENCY(26), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 1000, .n = {CORES(4, 1, 1), FREQUENCY(28)}},
	{.clocks = 460, .n = {CORES(6, 0, 0), FREQUENCY(31)}},
	{.clocks = 40,
	 .n = {CORES(6, 0, 0), FREQUENCY(31), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 500, .n = {CORES(3, 1, 2), FREQUENCY(26)}},
};
static const struct uncore_pattern power_idle = {PATTERN(cores)};

static const struct uncore_event io_events[] = {
	{RULE(0x00, C01, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x12, C01, IO_OCCUPANCY, 0x03, false)}, /* CACHE_TOTAL_OCCUPANCY */
	{UMASK(0x15, C01, IO_TRANSACTIONS, 0x07, false)}, /* TRANSACTIONS */
	{0},
};

/* A device reads, writes, and fetches ahead. */
static const struct uncore_segment device[] = {
	{.clocks = 3900},
	{.clocks = 3, .n = {[IO_TRANSACTIONS] = 1, [IO_OCCUPANCY] = 1, [IO_OCCUPANCY + 1] = 1}},
	{.clocks = 40, .n = {[IO_OCCUPANCY] = 3, [IO_OCCUPANCY + 1] = 2}},
	{.clocks = 2, .n = {[IO_TRANSACTIONS + 1] = 1, [IO_OCCUPANCY] = 2}},
	{.clocks = 55, .n = {[IO_TRANSACTIONS + 2] = 1}},
};
static const struct uncore_pattern io_idle = {PATTERN(device)};

/* Its counters lie unevenly. */
static const struct uncore_place io[] = {
	{0xa0, 8, 1, UNCORE_CTR, 0},       {0xb0, 8, 3, UNCORE_CTR, 1},
	{0xd8, 4, 4, UNCORE_CTL, 0},       {0xf4, 4, 1, UNCORE_BOX_CTL, 0},
	{0xf8, 4, 1, UNCORE_OVERFLOWS, 0}, {0},
};

#define UCLK_HZ UINT64_C(2600000000)
#define PCU_HZ  UINT64_C(800000000)
#define DCLK_HZ UINT64_C(800000000) /* DDR3-1600 */
#define QPI_HZ  UINT64_C(900000000) /* 7.2 GT/s */

/* Bits 17:16 of box control are to be written as 1, or as 0, and do nothing. */
#define GATE  E5_FREEZE, E5_GATE_RESETS, [GATE_IGNORED] = FIELD(17, 16)
#define CTL_8 E5_CTL, E5_UMASK, E5_THRESHOLD, GATE

enum { SLICES = 6 };

static const struct uncore_kind kinds[] = {
	{KIND("cbo", ROLE_SLICE, SLICES, 4, 44, UCLK_HZ, e5_slice_events, e5_quiet), BEHIND(0xd00),
	 .listed = 15,
	 .field = {CTL_8, E5_RESET,
		   E5_THREAD, [FILTER_THREAD] = FIELD(4, 0), [FILTER_STATE] = FIELD(22, 17),
		   [FILTER_NODE] = FIELD(47, 32), [FILTER_OPCODE] = FIELD(60, 52)},
	 .filter = {0x007e01ff, 0xfff0ffff}},
	{KIND("ubox", ROLE_SYSTEM, 1, 2, 44, UCLK_HZ, e5_system_events, e5_system_idle),
	 BEHIND(0xc00), .told = BIT(1), .fixed_told = BIT(0),
	 .field = {E5_CTL, E5_UMASK, E5_RESET, E5_THRESHOLD_5, E5_FIXED, E5_FIXED_TELLS}},
	{KIND("pcu", ROLE_POWER, 1, 4, 48, PCU_HZ, power_events, power_idle), BEHIND(0xc20),
	 .told = BIT(2),
	 .field = {E5_CTL, E5_RESET, E5_EXTENSION, E5_THRESHOLD_5, E5_OCCUPANCY, GATE, E5_TELLS},
	 .filter = {0xffffffff}},
	{KIND("ha", ROLE_HOME, 1, 4, 48, UCLK_HZ, e5_home_events, e5_home_idle), .told = BIT(18),
	 .field = {CTL_8, E5_TELLS}, E5_HOME_FILTERS},
	{KIND("imc", ROLE_CHANNEL, 4, 4, 48, DCLK_HZ, e5_channel_events, e5_channel_idle),
	 .told = BIT(20), .field = {CTL_8, E5_FIXED, E5_FIXED_TELLS, [FIXED_RESET] = BIT(19)}},
	{KIND("qpi", ROLE_LINK, 2, 4, 48, QPI_HZ, e5_link_events, e5_link_idle),
	 .linked = &e5_linked, .slots = 2, .told = FIELD(23, 22),
	 .field = {CTL_8, E5_RESET, E5_EXTENSION, E5_TELLS}, E5_LINK_FILTERS},
	{KIND("r2pcie", ROLE_IO_FABRIC, 1, 4, 44, UCLK_HZ, e5_io_fabric_events, e5_io_fabric_idle),
	 .told = BIT(26), .field = {CTL_8, E5_RESET, E5_TELLS}},
	{KIND("r3qpi", ROLE_LINK_FABRIC, 2, 3, 44, UCLK_HZ, e5_link_fabric_events,
	      e5_link_fabric_idle),
	 .told = FIELD(25, 24), .field = {CTL_8, E5_RESET, E5_TELLS}},
	{KIND("irp", ROLE_IO, 1, 4, 44, UCLK_HZ, io_events, io_idle), .field = {CTL_8, E5_TELLS}},
	{0},
};

static const struct uncore_function functions[] = {
	{HAS_ON_BUS(DEVICES_BUS, 5, 6, 0x0e39, ROLE_IO, 0, io)},
	{HAS(8, 2, 0x0e32, ROLE_LINK, 0, e5_counters)},
	{HAS(8, 6, 0x0e86, ROLE_LINK, 0, e5_link_filters)},
	{HAS(9, 2, 0x0e33, ROLE_LINK, 1, e5_counters)},
	{HAS(9, 6, 0x0e96, ROLE_LINK, 1, e5_link_filters)},
	{HAS(14, 1, 0x0e30, ROLE_HOME, 0, e5_home)},
	{HAS(16, 4, 0x0eb4, ROLE_CHANNEL, 0, e5_counters)},
	{HAS(16, 5, 0x0eb5, ROLE_CHANNEL, 1, e5_counters)},
	{HAS(16, 0, 0x0eb0, ROLE_CHANNEL, 2, e5_counters)},
	{HAS(16, 1, 0x0eb1, ROLE_CHANNEL, 3, e5_counters)},
	{HAS(19, 1, 0x0e34, ROLE_IO_FABRIC, 0, e5_counters)},
	{HAS(19, 5, 0x0e36, ROLE_LINK_FABRIC, 0, e5_counters)},
	{HAS(19, 6, 0x0e37, ROLE_LINK_FABRIC, 1, e5_counters)},
	{0},
};
static const uint32_t others[] = {ID_ON_BUS(DEVICES_BUS, 5, 0, 0x0e28),
				  ID(8, 0, 0x0e80),
				  ID(9, 0, 0x0e90),
				  ID(11, 0, 0x0e1e),
				  ID(14, 0, 0x0ea0),
				  ID(15, 0, 0x0ea8),
				  ID(19, 0, 0x0e1d),
				  0};

enum { QPI_RATE = 0xd4, RATE_7_GT = 4 };
enum { GLOBAL_CTL = 0xc00, GLOBAL_STATUS, GLOBAL_CONFIG = 0xc06 };
static const struct uncore_dword dwords[] = {
	{DF(8, 0), QPI_RATE, RATE_7_GT}, {DF(9, 0), QPI_RATE, RATE_7_GT}, {0}};
#define PMI_CORES FIELD(14, 0) /* pmi_core_sel */
static const struct uncore_msr msrs[] = {
	E5_OTHER_MSRS, E5_GLOBAL_MSRS(PMI_CORES, FIELD(26, 0)), {GLOBAL_CONFIG, SLICES, 0}, {0}};

const struct uncore_part uncore_ivt = {
	.kinds = kinds,
	.functions = functions,
	.others = others,
	.dwords = dwords,
	E5_BUSES,
	.nodes_df = DF(11, 0),
	E5_NODES,
	.revision = 4,
	.msrs = msrs,
	.ranges = e5_ranges,
	E5_GLOBAL(PMI_CORES),
};
BOXES(uncore_ops, uncore_ivt);
