/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Xeon E5-2600 v3, Haswell-EP, with six cores: uncore guide 331051, and Linux where it names
 * more.  MSRs lie closer together; boxes join two rings, whose box control takes one bit at a time;
 * a flit goes in each clock of a link, and most events of a slice are of all counters.
 */
#include "hsx.h"

/* Eight microseconds of six cores, and of a device. */
static const struct uncore_segment cores[] = {
	{.clocks = 3900, .n = {CORES(1, 2, 3), FREQUENCY(24)}},
	{.clocks = 100, .n = {CORES(1, 2, 3), FREQUENCY(24), ANY_TRANSITION(1)}},
	{.clocks = 760, .n = {CORES(2, 2, 2), FREQUENCY(24)}},
	{.clocks = 40,
	 .n = {CORES(2, 2, 2), FREQUENCY(24), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 800, .n = {CORES(4, 1, 1), FREQUENCY(28)}},
	{.clocks = 360, .n = {CORES(6, 0, 0), FREQUENCY(32)}},
	{.clocks = 40,
	 .n = {CORES(6, 0, 0), FREQUENCY(32), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 400, .n = {CORES(3, 1, 2), FREQUENCY(24)}},
};
static const struct uncore_segment device[] = {
	{.clocks = 4900},
	{.clocks = 3, .n = {[IO_TRANSACTIONS] = 1}},
	{.clocks = 2, .n = {[IO_TRANSACTIONS + 1] = 1}},
	{.clocks = 95, .n = {[IO_TRANSACTIONS + 2] = 1}},
};
static const struct uncore_pattern power_idle = {PATTERN(cores)}, io_idle = {PATTERN(device)};

/* ---- registers: behind four controls, filters, if there are any, a status, and counters ---- */

const struct uncore_place hsx_slice[] = {
	{0, 1, 1, UNCORE_BOX_CTL, 0},   {1, 1, 4, UNCORE_CTL, 0}, {5, 1, 2, UNCORE_FILTER, 0},
	{7, 1, 1, UNCORE_OVERFLOWS, 0}, {8, 1, 4, UNCORE_CTR, 0}, {0}};
const struct uncore_place hsx_power[] = {
	{0, 1, 1, UNCORE_BOX_CTL, 0},   {1, 1, 4, UNCORE_CTL, 0}, {5, 1, 1, UNCORE_FILTER, 0},
	{6, 1, 1, UNCORE_OVERFLOWS, 0}, {7, 1, 4, UNCORE_CTR, 0}, {0}};
static const struct uncore_place ring_switch[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
						  {1, 1, 4, UNCORE_CTL, 0},
						  {5, 1, 1, UNCORE_OVERFLOWS, 0},
						  {6, 1, 4, UNCORE_CTR, 0},
						  {0}};
static const struct uncore_place ubox[] = {{0, 1, 1, UNCORE_CTL, UNCORE_FIXED},
					   {1, 1, 1, UNCORE_CTR, UNCORE_FIXED},
					   {2, 1, 2, UNCORE_CTL, 0},
					   {5, 1, 1, UNCORE_OVERFLOWS, 0},
					   {6, 1, 2, UNCORE_CTR, 0},
					   {0}};
static const struct msr_range ranges[] = {
	{0x1a4, 0x1a4}, {0x3fc, 0x3fd}, {0x700, 0x747}, {0xe00, 0xf1f}, {0, 0}};

#define AT(msr_, apart_, registers_)                                                               \
	.msr = (msr_), .msrs_apart = (apart_), .registers = (registers_)

/* ---- boxes ---- */

#define UCLK_HZ UINT64_C(2400000000)
#define PCU_HZ  UINT64_C(800000000)
#define DCLK_HZ UINT64_C(1066666667) /* DDR4-2133 */
#define QPI_HZ  UINT64_C(2000000000) /* 8 GT/s */

#define INVERT  [CTL_INVERT] = BIT(23)
#define GATE    E5_FREEZE, E5_GATE_RESETS, [GATE_IGNORED] = BIT(16)
/* No source names an inversion of slices. */
#define CTL_SLICE E5_CTL, E5_UMASK, E5_THRESHOLD, GATE
#define CTL_8     E5_CTL, E5_UMASK, INVERT, E5_THRESHOLD, GATE

enum { SLICES = 6, SWITCHES = 2 };

/* Which bits of the global status slices and what joins rings have no source says. */
static const struct uncore_kind kinds[] = {
	{KIND("cbo", ROLE_SLICE, SLICES, 4, 48, UCLK_HZ, hsx_slice_events, e5_quiet),
	 AT(0xe00, 0x10, hsx_slice), .listed = 18,
	 .field = {CTL_SLICE, E5_RESET, E5_TELLS,
		   E5_THREAD, [FILTER_THREAD] = FIELD(5, 0), [FILTER_STATE] = FIELD(23, 17),
		   [FILTER_NODE] = FIELD(47, 32), [FILTER_OPCODE] = FIELD(60, 52)},
	 .filter = {0x00fe03ff, 0xfff0ffff}},
	{KIND("sbo", ROLE_RING_SWITCH, SWITCHES, 4, 48, UCLK_HZ, hsx_switch_events,
	      e5_link_fabric_idle),
	 AT(0x720, 0x0a, ring_switch), .listed = 4, .gate_bit_by_bit = true,
	 .field = {CTL_8, E5_RESET, E5_TELLS}},
	{KIND("ubox", ROLE_SYSTEM, 1, 2, 44, UCLK_HZ, hsx_system_events, e5_system_idle),
	 AT(0x703, 0x0d, ubox), .told = BIT(1), .fixed_told = BIT(0),
	 .field = {E5_CTL, E5_UMASK, E5_RESET, INVERT, E5_THRESHOLD_5, E5_FIXED, E5_FIXED_TELLS}},
	{KIND("pcu", ROLE_POWER, 1, 4, 48, PCU_HZ, hsx_power_events, power_idle),
	 AT(0x710, 0x10, hsx_power), .told = BIT(2),
	 .field = {E5_CTL, E5_RESET, INVERT, E5_THRESHOLD_5, E5_OCCUPANCY, GATE, E5_TELLS},
	 .filter = {0xffffffff}},
	{KIND("ha", ROLE_HOME, 1, 4, 48, UCLK_HZ, hsx_home_events, e5_home_idle), .told = BIT(21),
	 .field = {CTL_8, E5_TELLS}, E5_HOME_FILTERS},
	{KIND("imc", ROLE_CHANNEL, 4, 4, 48, DCLK_HZ, hsx_channel_events, e5_channel_idle),
	 .told = BIT(23), .field = {CTL_8, E5_FIXED, E5_FIXED_TELLS, [FIXED_RESET] = BIT(19)}},
	{KIND("qpi", ROLE_LINK, 2, 4, 48, QPI_HZ, hsx_link_events, e5_v3_link_idle),
	 .linked = &e5_v3_linked, .slots = 1, .told = FIELD(26, 25),
	 .field = {CTL_8, E5_RESET, E5_EXTENSION, E5_TELLS}, E5_LINK_FILTERS},
	{KIND("r2pcie", ROLE_IO_FABRIC, 1, 4, 48, UCLK_HZ, hsx_io_fabric_events, e5_io_fabric_idle),
	 .told = BIT(29), .field = {CTL_8, E5_RESET, E5_TELLS}},
	{KIND("r3qpi", ROLE_LINK_FABRIC, 2, 3, 44, UCLK_HZ, e5_link_fabric_events,
	      e5_link_fabric_idle),
	 .told = FIELD(28, 27), .field = {CTL_8, E5_RESET, E5_TELLS}},
	/* Where its counters 1 to 3 lie sources differ. */
	{KIND("irp", ROLE_IO, 1, 1, 48, UCLK_HZ, hsx_io_events, io_idle), .told = BIT(34),
	 .field = {CTL_8, E5_TELLS}},
	{0},
};

static const struct uncore_function functions[] = {
	{HAS_ON_BUS(DEVICES_BUS, 5, 6, 0x2f39, ROLE_IO, 0, e5_counters)},
	{HAS(8, 2, 0x2f32, ROLE_LINK, 0, e5_counters)},
	{HAS(8, 6, 0x2f86, ROLE_LINK, 0, e5_link_filters)},
	{HAS(9, 2, 0x2f33, ROLE_LINK, 1, e5_counters)},
	{HAS(9, 6, 0x2f96, ROLE_LINK, 1, e5_link_filters)},
	{HAS(11, 1, 0x2f36, ROLE_LINK_FABRIC, 0, e5_counters)},
	{HAS(11, 2, 0x2f37, ROLE_LINK_FABRIC, 1, e5_counters)},
	{HAS(16, 1, 0x2f34, ROLE_IO_FABRIC, 0, e5_counters)},
	{HAS(18, 1, 0x2f30, ROLE_HOME, 0, e5_home)},
	{HAS(20, 0, 0x2fb0, ROLE_CHANNEL, 0, e5_counters)},
	{HAS(20, 1, 0x2fb1, ROLE_CHANNEL, 1, e5_counters)},
	{HAS(21, 0, 0x2fb4, ROLE_CHANNEL, 2, e5_counters)},
	{HAS(21, 1, 0x2fb5, ROLE_CHANNEL, 3, e5_counters)},
	{0},
};
static const uint32_t others[] = {ID_ON_BUS(DEVICES_BUS, 5, 0, 0x2f28),
				  ID(8, 0, 0x2f80),
				  ID(9, 0, 0x2f90),
				  ID(11, 0, 0x2f81),
				  ID(16, 0, 0x2f1d),
				  ID(16, 5, 0x2f1e),
				  ID(18, 0, 0x2fa0),
				  ID(30, 0, 0x2f98),
				  ID(30, 3, 0x2fc0),
				  0};

/* Bits 7:6 of CAPID4 are 0 on dies with two boxes between rings. */
enum { QPI_RATE = 0xd4, RATE_8_GT = 5 };
enum { GLOBAL_CTL = 0x700, GLOBAL_STATUS, GLOBAL_CONFIG };
static const struct uncore_dword dwords[] = {
	{DF(8, 0), QPI_RATE, RATE_8_GT}, {DF(9, 0), QPI_RATE, RATE_8_GT}, {0}};
#define PMI_CORES FIELD(17, 0) /* pmi_core_sel */
static const struct uncore_msr msrs[] = {
	E5_OTHER_MSRS, E5_GLOBAL_MSRS(PMI_CORES, FIELD(34, 0)), {GLOBAL_CONFIG, SLICES, 0}, {0}};

const struct uncore_part uncore_hsx = {
	.kinds = kinds,
	.functions = functions,
	.others = others,
	.dwords = dwords,
	E5_BUSES,
	.nodes_df = DF(16, 5),
	E5_NODES,
	.revision = 2,
	.msrs = msrs,
	.ranges = ranges,
	E5_GLOBAL(PMI_CORES),
};
BOXES(uncore_ops, uncore_hsx);
