/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A Xeon Scalable, Ice Lake-SP, with six cores, four controllers of memory of two channels each,
 * and a part of its other boxes: Linux, Intel's PCM, and its lists of events, from which what the
 * bits of unit masks mean is read off.
 */
#include "icx.h"

/* ---- registers ---- */

static const struct uncore_place slice[] = {
	{0, 1, 1, UNCORE_BOX_CTL, 0},   {1, 1, 4, UNCORE_CTL, 0}, {5, 1, 1, UNCORE_FILTER, 0},
	{7, 1, 1, UNCORE_OVERFLOWS, 0}, {8, 1, 4, UNCORE_CTR, 0}, {0}};
static const struct uncore_place power[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
					    {1, 1, 4, UNCORE_CTL, 0},
					    {6, 1, 1, UNCORE_OVERFLOWS, 0},
					    {7, 1, 4, UNCORE_CTR, 0},
					    {0}};
static const struct uncore_place io[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
					 {1, 1, 2, UNCORE_CTR, 0},
					 {3, 1, 2, UNCORE_CTL, 0},
					 {5, 1, 1, UNCORE_OVERFLOWS, 0},
					 {0}};
static const struct uncore_place pcie_stop[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
						{1, 1, 4, UNCORE_CTR, 0},
						{5, 1, 1, UNCORE_OVERFLOWS, 0},
						{6, 1, 4, UNCORE_CTL, 0},
						{0}};
static const struct uncore_place memory_stop[] = {{0x438, 4, 1, UNCORE_BOX_CTL, 0},
						  {0x440, 8, 4, UNCORE_CTR, 0},
						  {0x468, 8, 4, UNCORE_CTL, 0},
						  {0x4a8, 4, 1, UNCORE_OVERFLOWS, 0},
						  {0}};
static const struct uncore_place port[] = {{0x318, 4, 1, UNCORE_BOX_CTL, 0},
					   {0x320, 8, 4, UNCORE_CTR, 0},
					   {0x350, 8, 4, UNCORE_CTL, 0},
					   {0x37c, 4, 1, UNCORE_OVERFLOWS, 0},
					   {0}};
static const struct uncore_place link_stop[] = {{0xa0, 4, 1, UNCORE_BOX_CTL, 0},
						{0xa8, 8, 4, UNCORE_CTR, 0},
						{0xd8, 4, 4, UNCORE_CTL, 0},
						{0xf8, 4, 1, UNCORE_OVERFLOWS, 0},
						{0}};
/* In memory. */
static const struct uncore_place channel[] = {{0x00, 4, 1, UNCORE_BOX_CTL, 0},
					      {0x08, 8, 4, UNCORE_CTR, 0},
					      {0x38, 8, 1, UNCORE_CTR, UNCORE_FIXED},
					      {0x40, 4, 4, UNCORE_CTL, 0},
					      {0x54, 4, 1, UNCORE_CTL, UNCORE_FIXED},
					      {0x5c, 4, 1, UNCORE_OVERFLOWS, 0},
					      {0}};
static const struct uncore_place controller[] = {{0x00, 8, 5, UNCORE_METER, 0}, {0}};

/* Clocks, and what goes in by port, in 32 bytes; devices are behind the first four. */
#define METER(port_, signal_)                                                                      \
	{                                                                                          \
		.msr = 0xaa0 + (port_), .apart = 0x10, .gap = 0x60, .signal = (signal_),           \
		.unit = 8, .width = 48                                                             \
	}
#define DEVICE(port_) METER(port_, STACK_DATA + STACK_WRITES + (port_))
static const struct uncore_meter stack_meters[] = {
	{.msr = 0xa55, .apart = 0x20, .gap = 0x30, .clocks = true, .width = 48},
	DEVICE(0),
	DEVICE(1),
	DEVICE(2),
	DEVICE(3),
	METER(4, STACK_NOTHING),
	METER(5, STACK_NOTHING),
	METER(6, STACK_NOTHING),
	METER(7, STACK_NOTHING),
	{0},
};
/* Of memory that is persistent there is none. */
static const struct uncore_meter memory_meters[] = {
	{.width = 48, .lines = LINES_READ},
	{.width = 48, .lines = LINES_WRITTEN},
	{.width = 48},
	{.width = 48},
	{.width = 48, .clocks = true},
};
static const struct msr_range ranges[] = {
	{0x1a4, 0x1a4}, {0x700, 0x71f}, {0xa40, 0xbb3}, {0xe00, 0xff7}, {0, 0}};

/* ---- boxes ---- */

#define UCLK_HZ        UINT64_C(2400000000)
#define PCU_HZ         UINT64_C(1000000000)
#define DCLK_HZ        UINT64_C(1600000000) /* DDR4-3200 */
#define UPI_HZ         UINT64_C(1400000000) /* 11.2 GT/s */
#define IIO_HZ         UINT64_C(1000000000)

#define INVERT         [CTL_INVERT] = BIT(23)
#define GATE           E5_FREEZE, E5_GATE_RESETS
#define PLAIN(umask_)  E5_CTL, [CTL_UMASK] = (umask_), INVERT
#define CTL(umask_)    PLAIN(umask_), E5_TELLS
#define CTL_8          CTL(FIELD(15, 8)), E5_THRESHOLD
#define EXTENDED(bits) CTL(FIELD(15, 8) | (bits)), E5_THRESHOLD
#define AT(msr_, apart_, registers_)                                                               \
	.msr = (msr_), .msrs_apart = (apart_), .registers = (registers_)
/* Three of six that a part may have, and behind a gap the others. */
#define IN_THREES(msr_, registers_) AT(msr_, 0x20, registers_), .listed = 6, .near = 3, .gap = 0x30
#define IN_WINDOW(from_, each_, registers_)                                                        \
	.window = (from_), .window_apart = 0x4000, .of_controller = (each_),                       \
	.registers = (registers_)

enum { SLICES = 6, STACKS = 6, CONTROLLERS = 4, CHANNELS = 2 };

static const struct uncore_kind kinds[] = {
	{KIND("cha", ROLE_SLICE, SLICES, 4, 48, UCLK_HZ, icelake_sp_slice_events, e5_quiet),
	 AT(0xe00, 0x0e, slice), .near = 18, .gap = 0x0e, .listed = 34,
	 .field = {EXTENDED(FIELD(55, 32)), GATE, E5_RESET, E5_THREAD}, .filter = {0x1ff}},
	{KIND("ubox", ROLE_SYSTEM, 1, 2, 48, UCLK_HZ, e5_system_events, e5_system_idle),
	 AT(0x703, 0x0d, skx_ubox),
	 .field = {PLAIN(FIELD(15, 8)), E5_RESET, E5_THRESHOLD_5, E5_FIXED, E5_FIXED_TELLS}},
	{KIND("pcu", ROLE_POWER, 1, 4, 48, PCU_HZ, icelake_sp_power_events, skx_power_idle),
	 AT(0x710, 0x10, power),
	 .field = {E5_CTL, E5_RESET, INVERT, E5_THRESHOLD_5, E5_OCCUPANCY, GATE, E5_TELLS}},
	{KIND("iio", ROLE_STACK, STACKS, 4, 48, IIO_HZ, icelake_sp_stack_events, skx_stack_idle),
	 IN_THREES(0xa50, skx_stack), .meters = stack_meters,
	 .field = {CTL(FIELD(15, 8) | FIELD(43, 36) | FIELD(50, 48)),
		   GATE, [CTL_OTHER] = FIELD(47, 44), [CTL_THRESHOLD] = FIELD(35, 24)}},
	{KIND("irp", ROLE_IO, STACKS, 2, 48, IIO_HZ, icelake_sp_io_events, skx_io_idle),
	 IN_THREES(0xa4a, io), .field = {CTL_8, GATE}},
	{KIND("m2pcie", ROLE_MESH_PCIE, STACKS, 4, 48, UCLK_HZ, skx_stop_events, e5_quiet),
	 IN_THREES(0xa40, pcie_stop), .field = {CTL_8, GATE}},
	{KIND("imc", ROLE_CHANNEL, CONTROLLERS *CHANNELS, 4, 48, DCLK_HZ, icelake_sp_channel_events,
	      e5_channel_idle),
	 IN_WINDOW(0x22800, CHANNELS, channel), .fixed_halves = true,
	 .field = {PLAIN(FIELD(15, 8)), E5_THRESHOLD, GATE, E5_FIXED, E5_FIXED_TELLS}},
	{KIND("mc", ROLE_MEMORY, CONTROLLERS, 0, 48, DCLK_HZ, icelake_sp_no_events, e5_quiet),
	 IN_WINDOW(0x2290, 1, controller), .meters = memory_meters, .field = {0}},
	{KIND("m2m", ROLE_MESH_MEMORY, CONTROLLERS, 4, 48, UCLK_HZ, icelake_sp_memory_stop_events,
	      e5_quiet),
	 .field = {EXTENDED(FIELD(39, 32)), GATE}},
	{KIND("upi", ROLE_MESH_PORT, 2, 4, 48, UPI_HZ, skx_port_events, skx_port_idle),
	 .field = {EXTENDED(FIELD(55, 32)), GATE}},
	{KIND("m3upi", ROLE_MESH_LINK, 2, 4, 48, UCLK_HZ, skx_stop_events, e5_quiet),
	 .field = {CTL_8, GATE}},
	{0},
};

/* ---- functions ---- */

enum { UNCORE, CORES };

static const struct uncore_function functions[] = {
	{HAS_ON_BUS(UNCORE, 12, 0, 0x344a, ROLE_MESH_MEMORY, 0, memory_stop)},
	{HAS_ON_BUS(UNCORE, 13, 0, 0x344a, ROLE_MESH_MEMORY, 1, memory_stop)},
	{HAS_ON_BUS(UNCORE, 14, 0, 0x344a, ROLE_MESH_MEMORY, 2, memory_stop)},
	{HAS_ON_BUS(UNCORE, 15, 0, 0x344a, ROLE_MESH_MEMORY, 3, memory_stop)},
	{HAS_ON_BUS(UNCORE, 2, 1, 0x3441, ROLE_MESH_PORT, 0, port)},
	{HAS_ON_BUS(UNCORE, 3, 1, 0x3441, ROLE_MESH_PORT, 1, port)},
	{HAS_ON_BUS(UNCORE, 5, 1, 0x3446, ROLE_MESH_LINK, 0, link_stop)},
	{HAS_ON_BUS(UNCORE, 6, 1, 0x3446, ROLE_MESH_LINK, 1, link_stop)},
	{0},
};
static const uint32_t others[] = {ID_ON_BUS(UNCORE, 0, 0, 0x3450),
				  ID_ON_BUS(UNCORE, 0, 1, 0x3451),
				  ID_ON_BUS(UNCORE, 2, 0, 0x3440),
				  ID_ON_BUS(UNCORE, 3, 0, 0x3440),
				  ID_ON_BUS(UNCORE, 5, 0, 0x3445),
				  ID_ON_BUS(UNCORE, 6, 0, 0x3445),
				  ID_ON_BUS(CORES, 30, 0, 0x3458),
				  ID_ON_BUS(CORES, 30, 3, 0x345b),
				  0};

/* CAPID6 has a bit for each slice, of which some of the die are switched off. */
enum { CAPID6 = 0x9c, SLICES_ON = 0x35c };
static const struct uncore_dword dwords[] = {{DF_ON_BUS(CORES, 30, 3), CAPID6, SLICES_ON}, {0}};

/* Which bit of the status is whose no source says. */
enum { GLOBAL_CTL = 0x700, GLOBAL_CONFIG = 0x702, GLOBAL_STATUS = 0x70e };
static const struct uncore_msr msrs[] = {{0x1a4, 0, FIELD(3, 0)},
					 {GLOBAL_CTL, 0, SKX_FREEZE | SKX_UNFREEZE},
					 {GLOBAL_CONFIG, SLICES, 0},
					 {GLOBAL_STATUS, 0, FIELD(63, 0)},
					 {GLOBAL_STATUS + 1, 0, FIELD(63, 0)},
					 {0}};

const struct uncore_part uncore_icx = {
	.kinds = kinds,
	.functions = functions,
	.others = others,
	.dwords = dwords,
	.bus = {[UNCORE] = 0x3f, [CORES] = 0x17},
	.buses = 2,
	.nodes_df = DF_ON_BUS(UNCORE, 0, 0),
	.node_at = 0xc0,
	.map_at = 0xd4,
	.revision = 4,
	.opcodes = 0x80,
	.msrs = msrs,
	.ranges = ranges,
	SKX_GLOBAL(GLOBAL_CTL, GLOBAL_STATUS, 2),
	.window = {.base = 0xfe000000,
		   .size = 0x100000,
		   .shown_by = DF_ON_BUS(UNCORE, 0, 1),
		   .at = 0xd0,
		   .blocks_at = 0xd8,
		   .controllers = CONTROLLERS,
		   .controllers_apart = 0x30000,
		   .first_block = 0x10000},
};
BOXES(uncore_ops, uncore_icx);
