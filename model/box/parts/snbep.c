/* SPDX-License-Identifier: BSD-2-Clause */
/* The Xeon E5-2600, Sandy Bridge-EP: uncore guide 327043-001. */
#include "e5.h"

static const struct uncore_event power_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{SIGNAL(EV_EXT | 0x00, ALL, POWER_FREQ_TRANS, false)}, /* FREQ_TRANS_CYCLES */
	{SIGNAL(0x01, ALL, POWER_VOLT_INCREASE, false)}, /* VOLT_TRANS_CYCLES_INCREASE */
	{SIGNAL(0x02, ALL, POWER_VOLT_DECREASE, false)}, /* VOLT_TRANS_CYCLES_DECREASE */
	{SIGNAL(0x03, ALL, POWER_VOLT_CHANGE, false)}, /* VOLT_TRANS_CYCLES_CHANGE */
	{SIGNAL(EV_EXT | 0x03, ALL, POWER_CORE_TRANSITION, false)}, /* CORE0_TRANSITION_CYCLES */
	{SIGNAL(EV_EXT | 0x04, ALL, POWER_CORE_TRANSITION + 1, false)},
	{SIGNAL(EV_EXT | 0x05, ALL, POWER_CORE_TRANSITION + 2, false)},
	{SIGNAL(EV_EXT | 0x06, ALL, POWER_CORE_TRANSITION + 3, false)},
	{SIGNAL(EV_EXT | 0x07, ALL, POWER_CORE_TRANSITION + 4, false)},
	{SIGNAL(EV_EXT | 0x08, ALL, POWER_CORE_TRANSITION + 5, false)},
	{SIGNAL(EV_EXT | 0x09, ALL, POWER_CORE_TRANSITION + 6, false)},
	{SIGNAL(EV_EXT | 0x0a, ALL, POWER_CORE_TRANSITION + 7, false)},
	{BAND(0x0b, 0)}, /* FREQ_BAND0_CYCLES */
	{BAND(0x0c, 1)}, /* FREQ_BAND1_CYCLES */
	{BAND(0x0d, 2)}, /* FREQ_BAND2_CYCLES */
	{BAND(0x0e, 3)}, /* FREQ_BAND3_CYCLES */
	{SIGNAL(EV_EXT | 0x0b, ALL, POWER_TOTAL_TRANSITION, false)}, /* TOTAL_TRANSITION_CYCLES */
	{SILENT(0x32, ALL)}, /* VR_HOT_CYCLES */
	{0},
};

/*
 * Ten microseconds.  Core 0 runs the program; the others wake up now and then, and
 * turbo frequencies come and go with them.
 */
static const struct uncore_segment cores[] = {
	{.clocks = 4900, .n = {CORES(1, 2, 5), FREQUENCY(24)}},
	{.clocks = 100, .n = {CORES(1, 2, 5), FREQUENCY(24), ANY_TRANSITION(1)}},
	{.clocks = 900, .n = {CORES(2, 2, 4), FREQUENCY(24)}},
	{.clocks = 60,
	 .n = {CORES(2, 2, 4), FREQUENCY(24), [POWER_VOLT_INCREASE] = 1, [POWER_VOLT_CHANGE] = 1}},
	{.clocks = 40,
	 .n = {CORES(2, 2, 4), FREQUENCY(24), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 1000, .n = {CORES(4, 1, 3), FREQUENCY(26)}},
	{.clocks = 460, .n = {CORES(8, 0, 0), FREQUENCY(31)}},
	{.clocks = 40,
	 .n = {CORES(8, 0, 0), FREQUENCY(31), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 30,
	 .n = {CORES(3, 1, 4), FREQUENCY(24), [POWER_VOLT_DECREASE] = 1, [POWER_VOLT_CHANGE] = 1}},
	{.clocks = 470, .n = {CORES(3, 1, 4), FREQUENCY(24)}},
};
static const struct uncore_pattern power_idle = {PATTERN(cores)};

#define UCLK_HZ     UINT64_C(2400000000)
#define PCU_HZ      UINT64_C(800000000)
#define DCLK_HZ     UINT64_C(666666667) /* DDR3-1333 */
#define QPI_HZ      UINT64_C(1000000000) /* 8 GT/s */

#define CTL         E5_CTL, [CTL_INVERT] = BIT(23)
#define CTL_8       CTL, E5_UMASK, E5_THRESHOLD
#define GATE        E5_FREEZE, [GATE_FREEZE_ENABLE] = BIT(16)
#define GATE_RESETS GATE, E5_GATE_RESETS

static const struct uncore_kind kinds[] = {
	{KIND("cbo", ROLE_SLICE, 8, 4, 44, UCLK_HZ, e5_slice_events, e5_quiet), BEHIND(0xd00),
	 .field = {CTL_8, E5_RESET, E5_THREAD,
		   GATE_RESETS, [FILTER_THREAD] = FIELD(4, 0), [FILTER_NODE] = FIELD(17, 10),
		   [FILTER_STATE] = FIELD(22, 18), [FILTER_OPCODE] = FIELD(31, 23)},
	 .filter = {0xfffffc1f}},
	{KIND("ubox", ROLE_SYSTEM, 1, 2, 44, UCLK_HZ, e5_system_events, e5_system_idle),
	 BEHIND(0xc00), .field = {CTL, E5_UMASK, E5_RESET, E5_THRESHOLD_5, E5_FIXED}},
	{KIND("pcu", ROLE_POWER, 1, 4, 48, PCU_HZ, power_events, power_idle), BEHIND(0xc20),
	 .field = {CTL, E5_RESET, E5_EXTENSION, E5_THRESHOLD_5, E5_OCCUPANCY, GATE_RESETS},
	 .filter = {0xffffffff}},
	{KIND("ha", ROLE_HOME, 1, 4, 48, UCLK_HZ, e5_home_events, e5_home_idle),
	 .field = {CTL_8, GATE}, E5_HOME_FILTERS},
	{KIND("imc", ROLE_CHANNEL, 4, 4, 48, DCLK_HZ, e5_channel_events, e5_channel_idle),
	 .field = {CTL_8, GATE, E5_FIXED, [FIXED_RESET] = BIT(19)}},
	{KIND("qpi", ROLE_LINK, 2, 4, 48, QPI_HZ, e5_link_events, e5_link_idle),
	 .linked = &e5_linked, .slots = 2, .field = {CTL_8, E5_RESET, E5_EXTENSION, GATE_RESETS},
	 E5_LINK_FILTERS},
	{KIND("r2pcie", ROLE_IO_FABRIC, 1, 4, 44, UCLK_HZ, e5_io_fabric_events, e5_io_fabric_idle),
	 .field = {CTL_8, E5_RESET, GATE_RESETS}},
	{KIND("r3qpi", ROLE_LINK_FABRIC, 2, 3, 44, UCLK_HZ, e5_link_fabric_events,
	      e5_link_fabric_idle),
	 .field = {CTL_8, E5_RESET, GATE_RESETS}},
	{0},
};

static const struct uncore_function functions[] = {
	{HAS(8, 2, 0x3c41, ROLE_LINK, 0, e5_counters)},
	{HAS(8, 6, 0x3c86, ROLE_LINK, 0, e5_link_filters)},
	{HAS(9, 2, 0x3c42, ROLE_LINK, 1, e5_counters)},
	{HAS(9, 6, 0x3c96, ROLE_LINK, 1, e5_link_filters)},
	{HAS(14, 1, 0x3c46, ROLE_HOME, 0, e5_home)},
	{HAS(16, 0, 0x3cb0, ROLE_CHANNEL, 0, e5_counters)},
	{HAS(16, 1, 0x3cb1, ROLE_CHANNEL, 1, e5_counters)},
	{HAS(16, 4, 0x3cb4, ROLE_CHANNEL, 2, e5_counters)},
	{HAS(16, 5, 0x3cb5, ROLE_CHANNEL, 3, e5_counters)},
	{HAS(19, 1, 0x3c43, ROLE_IO_FABRIC, 0, e5_counters)},
	{HAS(19, 5, 0x3c44, ROLE_LINK_FABRIC, 0, e5_counters)},
	{HAS(19, 6, 0x3c45, ROLE_LINK_FABRIC, 1, e5_counters)},
	{0},
};

static const uint32_t others[] = {ID(8, 0, 0x3c80),  ID(9, 0, 0x3c90),
				  ID(10, 0, 0x3cc0), ID(10, 1, 0x3cc1),
				  ID(10, 2, 0x3cc2), ID(10, 3, 0x3cd0),
				  ID(11, 0, 0x3ce0), ID(11, 3, 0x3ce3),
				  ID(12, 6, 0x3cf4), ID(12, 7, 0x3cf6),
				  ID(13, 6, 0x3cf5), ID(14, 0, 0x3ca0),
				  ID(15, 0, 0x3ca8), ID(15, 1, 0x3c71),
				  ID(15, 2, 0x3caa), ID(15, 3, 0x3cab),
				  ID(15, 4, 0x3cac), ID(15, 5, 0x3cad),
				  ID(16, 2, 0x3cb2), ID(16, 3, 0x3cb3),
				  ID(16, 6, 0x3cb6), ID(16, 7, 0x3cb7),
				  ID(17, 0, 0x3cb8), ID(19, 0, 0x3ce4),
				  ID(19, 4, 0x3ce6), 0};

enum { CLASS = 0x08, QPI_RATE = 0xd4, RATE_8_GT = 5 };
#define CLASS_PERFORMANCE 0x11010000

static const struct uncore_dword dwords[] = {
	{DF(8, 0), QPI_RATE, RATE_8_GT},
	{DF(9, 0), QPI_RATE, RATE_8_GT},
	{DF(19, 1), CLASS, CLASS_PERFORMANCE},
	{DF(19, 5), CLASS, CLASS_PERFORMANCE},
	{0},
};

static const struct uncore_msr msrs[] = {E5_OTHER_MSRS, {0}};

const struct uncore_part uncore_snbep = {
	.kinds = kinds,
	.functions = functions,
	.others = others,
	.dwords = dwords,
	E5_BUSES,
	.nodes_df = DF(11, 0),
	E5_NODES,
	.revision = 7, /* C2 */
	.msrs = msrs,
	.ranges = e5_ranges,
};
BOXES(uncore_ops, uncore_snbep);
