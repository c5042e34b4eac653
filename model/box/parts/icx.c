/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A Xeon Scalable, Ice Lake-SP, with six cores, four controllers of memory of two channels each,
 * and a part of its other boxes: Linux, Intel's PCM, and its lists of events, from which what the
 * bits of unit masks mean is read off.
 */
#include "skx.h"

/* ---- registers ---- */

static const struct uncore_place slice[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
					    {1, 1, 4, UNCORE_CTL, 0},
					    {5, 1, 1, UNCORE_FILTER, 0},
					    {8, 1, 4, UNCORE_CTR, 0},
					    {0}};
static const struct uncore_place power[] = {
	{0, 1, 1, UNCORE_BOX_CTL, 0}, {1, 1, 4, UNCORE_CTL, 0}, {7, 1, 4, UNCORE_CTR, 0}, {0}};
static const struct uncore_place pcie_stop[] = {
	{0, 1, 1, UNCORE_BOX_CTL, 0}, {1, 1, 4, UNCORE_CTR, 0}, {6, 1, 4, UNCORE_CTL, 0}, {0}};
static const struct uncore_place memory_stop[] = {{0x438, 4, 1, UNCORE_BOX_CTL, 0},
						  {0x440, 8, 4, UNCORE_CTR, 0},
						  {0x468, 8, 4, UNCORE_CTL, 0},
						  {0}};
static const struct uncore_place port[] = {{0x318, 4, 1, UNCORE_BOX_CTL, 0},
					   {0x320, 8, 4, UNCORE_CTR, 0},
					   {0x350, 8, 4, UNCORE_CTL, 0},
					   {0}};
static const struct uncore_place link_stop[] = {{0xa0, 4, 1, UNCORE_BOX_CTL, 0},
						{0xa8, 8, 4, UNCORE_CTR, 0},
						{0xd8, 4, 4, UNCORE_CTL, 0},
						{0}};
/* In memory. */
static const struct uncore_place channel[] = {
	{0x00, 4, 1, UNCORE_BOX_CTL, 0},        {0x08, 8, 4, UNCORE_CTR, 0},
	{0x38, 8, 1, UNCORE_CTR, UNCORE_FIXED}, {0x40, 4, 4, UNCORE_CTL, 0},
	{0x54, 4, 1, UNCORE_CTL, UNCORE_FIXED}, {0}};
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

/* ---- events ---- */

enum { CODES_OF_INSERTS = 0x8ff80301, OF_STACK = 0x30f05 };

static const struct uncore_event slice_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x11, C0, SLICE_RXR_OCCUPANCY, 0x17, true)}, /* RxC_OCCUPANCY */
	{UMASK(0x13, ALL, SLICE_RXR, 0x17, true)}, /* RxC_INSERTS */
	{RULE(0x1f, C123, COUNTS_REPLAY, true)}, /* COUNTER0_OCCUPANCY */
	{0x34, ALL, COUNTS_CODED_LOOKUP, 0, 0xbf1, true}, /* LLC_LOOKUP */
	{0x35, ALL, COUNTS_CODED_INSERTS, 0, CODES_OF_INSERTS, true}, /* TOR_INSERTS */
	{0x36, C0, COUNTS_CODED_OCCUPANCY, 0, CODES_OF_INSERTS, true}, /* TOR_OCCUPANCY */
	{SILENT(0x37, ALL)}, /* LLC_VICTIMS */
	{UMASK(0x50, ALL, SLICE_REQUESTS, 0x05, true)}, /* REQUESTS */
	{SIGNAL(0x59, ALL, SLICE_IMC_READS, true)}, /* IMC_READS_COUNT */
	{UMASK(0x5b, ALL, SLICE_IMC_WRITES, 0x01, true)}, /* IMC_WRITES_COUNT */
	{0},
};
static const struct uncore_event channel_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x01, ALL, CHANNEL_ACT, 0x01, true)}, /* ACT_COUNT */
	{0x02, ALL, COUNTS_PACKED, CHANNEL_PRE, 0x14, true}, /* PRE_COUNT */
	{0x04, ALL, COUNTS_PACKED, CHANNEL_CAS, 0x35, true}, /* CAS_COUNT */
	{UMASK(0x10, ALL, CHANNEL_RPQ_INSERTS, 0x01, true)}, /* RPQ_INSERTS */
	{UMASK(0x11, ALL, CHANNEL_RPQ_NE, 0x01, true)}, /* RPQ_CYCLES_NE */
	{UMASK(0x20, ALL, CHANNEL_WPQ_INSERTS, 0x01, true)}, /* WPQ_INSERTS */
	{UMASK(0x21, ALL, CHANNEL_WPQ_NE, 0x01, true)}, /* WPQ_CYCLES_NE */
	{SILENT(0x45, ALL)}, /* DRAM_REFRESH */
	{0x47, ALL, COUNTS_ANY, CHANNEL_CKE, 0x0f, false}, /* POWER_CKE_CYCLES */
	{SIGNAL(0x80, ALL, CHANNEL_RPQ_OCCUPANCY, true)}, /* RPQ_OCCUPANCY_PCH0 */
	{SIGNAL(0x82, ALL, CHANNEL_WPQ_OCCUPANCY, true)}, /* WPQ_OCCUPANCY_PCH0 */
	{0},
};
static const struct uncore_event stack_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{0x83, C01, COUNTS_STACK, STACK_DATA, OF_STACK, false}, /* DATA_REQ_OF_CPU */
	{0x84, ALL, COUNTS_STACK, STACK_TRANSACTIONS, OF_STACK, false}, /* TXN_REQ_OF_CPU */
	{0xc0, C23, COUNTS_STACK, STACK_BY_CPU, OF_STACK, false}, /* DATA_REQ_BY_CPU */
	{0},
};
static const struct uncore_event io_events[] = {
	{RULE(0x01, C01, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x0f, C01, IO_ENTRIES, 0x01, false)}, /* CACHE_TOTAL_OCCUPANCY */
	{UMASK(0x10, C01, IO_COHERENT, 0xd8, false)}, /* COHERENT_OPS */
	{SIGNAL(0x18, C01, IO_COHERENT, false)}, /* FAF_INSERTS */
	{0},
};
/* Bits of channels are behind those of sorts. */
static const struct uncore_event memory_stop_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x2d, ALL, MESH_DIRECTORY, 0x01, true)}, /* DIRECTORY_LOOKUP */
	{0x37, ALL, COUNTS_OF_CHANNEL, MESH_READS, 0x305, true}, /* IMC_READS */
	{0x38, ALL, COUNTS_OF_CHANNEL, MESH_WRITES, 0xc11, true}, /* IMC_WRITES */
	{0},
};
static const struct uncore_event power_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{SILENT(0x30, ALL)}, /* DEMOTIONS */
	{SIGNAL(0x60, ALL, POWER_CORE_TRANSITION, false)}, /* CORE_TRANSITION_CYCLES */
	{SIGNAL(0x74, ALL, POWER_FREQ_TRANS, false)}, /* FREQ_TRANS_CYCLES */
	{0},
};
static const struct uncore_event no_events[] = {{0}};

/* ---- boxes ---- */

#define UCLK_HZ        UINT64_C(2400000000)
#define PCU_HZ         UINT64_C(1000000000)
#define DCLK_HZ        UINT64_C(1600000000) /* DDR4-3200 */
#define UPI_HZ         UINT64_C(1400000000) /* 11.2 GT/s */
#define IIO_HZ         UINT64_C(1000000000)

#define INVERT         [CTL_INVERT] = BIT(23)
#define GATE           E5_FREEZE, E5_GATE_RESETS
#define CTL(umask_)    E5_CTL, [CTL_UMASK] = (umask_), INVERT
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
	{KIND("cha", ROLE_SLICE, SLICES, 4, 48, UCLK_HZ, slice_events, e5_quiet),
	 AT(0xe00, 0x0e, slice), .near = 18, .gap = 0x0e, .listed = 34,
	 .field = {EXTENDED(FIELD(55, 32)), GATE, E5_RESET, E5_THREAD}, .filter = {0x1ff}},
	{KIND("ubox", ROLE_SYSTEM, 1, 2, 48, UCLK_HZ, e5_system_events, e5_system_idle),
	 AT(0x703, 0x0d, skx_ubox),
	 .field = {CTL(FIELD(15, 8)), E5_RESET, E5_THRESHOLD_5, E5_FIXED}},
	{KIND("pcu", ROLE_POWER, 1, 4, 48, PCU_HZ, power_events, skx_power_idle),
	 AT(0x710, 0x10, power),
	 .field = {E5_CTL, E5_RESET, INVERT, E5_THRESHOLD_5, E5_OCCUPANCY, GATE}},
	{KIND("iio", ROLE_STACK, STACKS, 4, 48, IIO_HZ, stack_events, skx_stack_idle),
	 IN_THREES(0xa50, skx_stack), .meters = stack_meters,
	 .field = {CTL(FIELD(15, 8) | FIELD(43, 36) | FIELD(50, 48)),
		   GATE, [CTL_OTHER] = FIELD(47, 44), [CTL_THRESHOLD] = FIELD(35, 24)}},
	{KIND("irp", ROLE_IO, STACKS, 2, 48, IIO_HZ, io_events, skx_io_idle),
	 IN_THREES(0xa4a, skx_io), .field = {CTL_8, GATE}},
	{KIND("m2pcie", ROLE_MESH_PCIE, STACKS, 4, 48, UCLK_HZ, skx_stop_events, e5_quiet),
	 IN_THREES(0xa40, pcie_stop), .field = {CTL_8, GATE}},
	{KIND("imc", ROLE_CHANNEL, CONTROLLERS *CHANNELS, 4, 48, DCLK_HZ, channel_events,
	      e5_channel_idle),
	 IN_WINDOW(0x22800, CHANNELS, channel), .fixed_halves = true,
	 .field = {CTL_8, GATE, E5_FIXED}},
	{KIND("mc", ROLE_MEMORY, CONTROLLERS, 0, 48, DCLK_HZ, no_events, e5_quiet),
	 IN_WINDOW(0x2290, 1, controller), .meters = memory_meters, .field = {0}},
	{KIND("m2m", ROLE_MESH_MEMORY, CONTROLLERS, 4, 48, UCLK_HZ, memory_stop_events, e5_quiet),
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

enum { GLOBAL_CONFIG = 0x702 };
static const struct uncore_msr msrs[] = {{0x1a4, 0, FIELD(3, 0)}, {GLOBAL_CONFIG, SLICES, 0}, {0}};

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
