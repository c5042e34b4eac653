/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A Xeon Scalable, Skylake-SP, with six cores and a part of its boxes: uncore guide 336274, and
 * Linux where it names more.  Slices are homes, too; boxes lie on three buses, some of them with
 * registers beyond 100h; controls of stacks and ports have 64 bits.
 */
#include "skx.h"

#include "hsx.h"

/* ---- registers: of slices and of power control as on Haswell-EP ---- */

const struct uncore_place skx_ubox[] = {{0, 1, 1, UNCORE_CTL, UNCORE_FIXED},
					{1, 1, 1, UNCORE_CTR, UNCORE_FIXED},
					{2, 1, 2, UNCORE_CTL, 0},
					{5, 1, 1, UNCORE_OVERFLOWS, 0},
					{6, 1, 2, UNCORE_CTR, 0},
					{0}};
const struct uncore_place skx_stack[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
					 {1, 1, 4, UNCORE_CTR, 0},
					 {7, 1, 1, UNCORE_OVERFLOWS, 0},
					 {8, 1, 4, UNCORE_CTL, 0},
					 {0}};
static const struct uncore_place io[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
					 {1, 1, 2, UNCORE_CTR, 0},
					 {3, 1, 2, UNCORE_CTL, 0},
					 {7, 1, 1, UNCORE_OVERFLOWS, 0},
					 {0}};
static const struct uncore_place memory_stop[] = {{0x200, 8, 4, UNCORE_CTR, 0},
						  {0x228, 8, 4, UNCORE_CTL, 0},
						  {0x258, 4, 1, UNCORE_BOX_CTL, 0},
						  {0x260, 4, 1, UNCORE_OVERFLOWS, 0},
						  {0}};
static const struct uncore_place port[] = {{0x318, 8, 4, UNCORE_CTR, 0},
					   {0x350, 8, 4, UNCORE_CTL, 0},
					   {0x378, 4, 1, UNCORE_BOX_CTL, 0},
					   {0x37c, 4, 1, UNCORE_OVERFLOWS, 0},
					   {0}};
/* Clocks, and what goes in and out by port, in dwords. */
#define METER(msr_, signal_)                                                                       \
	{                                                                                          \
		.msr = (msr_), .apart = 0x10, .signal = STACK_DATA + (signal_), .width = 36        \
	}
static const struct uncore_meter meters[] = {
	{.msr = 0xa45, .apart = 0x20, .clocks = true, .width = 36},
	METER(0xb00, STACK_WRITES),
	METER(0xb01, STACK_WRITES + 1),
	METER(0xb02, STACK_WRITES + 2),
	METER(0xb03, STACK_WRITES + 3),
	METER(0xb04, STACK_READS),
	METER(0xb05, STACK_READS + 1),
	METER(0xb06, STACK_READS + 2),
	METER(0xb07, STACK_READS + 3),
	{0},
};
static const struct msr_range ranges[] = {{0x1a4, 0x1a4}, {0x300, 0x300}, {0x3fc, 0x3fd},
					  {0x700, 0x71f}, {0xa40, 0xb5f}, {0xe00, 0xfbf},
					  {0, 0}};

#define AT(msr_, apart_, registers_)                                                               \
	.msr = (msr_), .msrs_apart = (apart_), .registers = (registers_)

/* ---- boxes ---- */

#define UCLK_HZ UINT64_C(2400000000)
#define PCU_HZ  UINT64_C(1000000000)
#define DCLK_HZ UINT64_C(1200000000) /* DDR4-2400 */
#define UPI_HZ  UINT64_C(1300000000) /* 10.4 GT/s */
#define IIO_HZ  UINT64_C(1000000000)

#define INVERT  [CTL_INVERT] = BIT(23)
#define GATE    E5_FREEZE, E5_GATE_RESETS
/* Of functions: bits that say whether the global control stops it, and is told of overflows. */
#define GATE_OF_FUNCTION E5_FREEZE, [GATE_LISTENS] = BIT(16), [GATE_TELLS] = BIT(17)
#define CTL_8            E5_CTL, E5_UMASK, INVERT, E5_THRESHOLD, E5_TELLS

enum { SLICES = 6, STACKS = 6 };

static const struct uncore_kind kinds[] = {
	{KIND("cha", ROLE_SLICE, SLICES, 4, 48, UCLK_HZ, skx_slice_events, e5_quiet),
	 AT(0xe00, 0x10, hsx_slice), .listed = 28, .told = FIELD(8, 3),
	 .field = {CTL_8, GATE, E5_RESET, E5_THREAD, [FILTER_STATE] = FIELD(26, 17),
		   [FILTER_OPCODE] = FIELD(50, 41), [FILTER_ANY_OPCODE] = BIT(35),
		   [FILTER_REMOTE] = BIT(32), [FILTER_LOCAL] = BIT(33), [FILTER_FAR] = BIT(37)},
	 .filter = {0x07ffffff, 0xdffffe3b}},
	{KIND("ubox", ROLE_SYSTEM, 1, 2, 48, UCLK_HZ, e5_system_events, e5_system_idle),
	 AT(0x703, 0x0d, skx_ubox), .told = BIT(1), .fixed_told = BIT(0),
	 .field = {E5_CTL, E5_UMASK, E5_RESET, INVERT, E5_THRESHOLD_5, E5_FIXED, E5_FIXED_TELLS}},
	{KIND("pcu", ROLE_POWER, 1, 4, 48, PCU_HZ, skx_power_events, skx_power_idle),
	 AT(0x710, 0x10, hsx_power), .told = BIT(2),
	 .field = {E5_CTL, E5_RESET, INVERT, E5_THRESHOLD_5, E5_OCCUPANCY, GATE, E5_TELLS},
	 .filter = {0xffffffff}},
	{KIND("iio", ROLE_STACK, STACKS, 4, 48, IIO_HZ, skx_stack_events, skx_stack_idle),
	 AT(0xa40, 0x20, skx_stack), .listed = 6, .meters = meters,
	 .field = {E5_CTL, [CTL_UMASK] = FIELD(15, 8) | FIELD(46, 36),
		   INVERT, [CTL_THRESHOLD] = FIELD(35, 24), GATE, E5_TELLS}},
	{KIND("irp", ROLE_IO, STACKS, 2, 48, IIO_HZ, skx_io_events, skx_io_idle),
	 AT(0xa58, 0x20, io), .listed = 6, .field = {CTL_8, GATE}},
	{KIND("imc", ROLE_CHANNEL, 4, 4, 48, DCLK_HZ, skx_channel_events, e5_channel_idle),
	 .field = {E5_CTL, E5_UMASK, INVERT, E5_THRESHOLD, GATE_OF_FUNCTION, E5_FIXED,
		   E5_FIXED_TELLS, [FIXED_RESET] = BIT(19)}},
	{KIND("m2m", ROLE_MESH_MEMORY, 2, 4, 48, UCLK_HZ, skx_memory_stop_events, e5_quiet),
	 .field = {CTL_8, GATE_OF_FUNCTION}},
	{KIND("upi", ROLE_MESH_PORT, 2, 4, 48, UPI_HZ, skx_port_events, skx_port_idle),
	 .field = {E5_CTL, [CTL_UMASK] = FIELD(15, 8) | FIELD(43, 32) | FIELD(55, 45), INVERT,
		   E5_THRESHOLD, GATE_OF_FUNCTION, E5_TELLS}},
	{KIND("m3upi", ROLE_MESH_LINK, 2, 3, 48, UCLK_HZ, skx_stop_events, e5_quiet),
	 .field = {CTL_8, GATE_OF_FUNCTION}},
	{KIND("m2pcie", ROLE_MESH_PCIE, 1, 4, 48, UCLK_HZ, skx_stop_events, e5_quiet),
	 .field = {CTL_8, GATE_OF_FUNCTION}},
	{0},
};

enum { MEMORY_BUS, ROOT_BUS, CORES_BUS, LINKS_BUS };

static const struct uncore_function functions[] = {
	{HAS_ON_BUS(MEMORY_BUS, 10, 2, 0x2042, ROLE_CHANNEL, 0, e5_counters)},
	{HAS_ON_BUS(MEMORY_BUS, 10, 6, 0x2046, ROLE_CHANNEL, 1, e5_counters)},
	{HAS_ON_BUS(MEMORY_BUS, 12, 2, 0x2042, ROLE_CHANNEL, 2, e5_counters)},
	{HAS_ON_BUS(MEMORY_BUS, 12, 6, 0x2046, ROLE_CHANNEL, 3, e5_counters)},
	{HAS_ON_BUS(MEMORY_BUS, 8, 0, 0x2066, ROLE_MESH_MEMORY, 0, memory_stop)},
	{HAS_ON_BUS(MEMORY_BUS, 9, 0, 0x2066, ROLE_MESH_MEMORY, 1, memory_stop)},
	{HAS_ON_BUS(LINKS_BUS, 14, 0, 0x2058, ROLE_MESH_PORT, 0, port)},
	{HAS_ON_BUS(LINKS_BUS, 15, 0, 0x2058, ROLE_MESH_PORT, 1, port)},
	{HAS_ON_BUS(LINKS_BUS, 18, 1, 0x204d, ROLE_MESH_LINK, 0, e5_counters)},
	{HAS_ON_BUS(LINKS_BUS, 18, 2, 0x204e, ROLE_MESH_LINK, 1, e5_counters)},
	{HAS_ON_BUS(LINKS_BUS, 21, 1, 0x2088, ROLE_MESH_PCIE, 0, e5_counters)},
	{0},
};
static const uint32_t others[] = {
	ID_ON_BUS(MEMORY_BUS, 10, 0, 0x2040), ID_ON_BUS(MEMORY_BUS, 12, 0, 0x2040),
	ID_ON_BUS(ROOT_BUS, 8, 0, 0x2014),    ID_ON_BUS(CORES_BUS, 30, 0, 0x2080),
	ID_ON_BUS(CORES_BUS, 30, 3, 0x2083),  ID_ON_BUS(LINKS_BUS, 18, 0, 0x204c),
	ID_ON_BUS(LINKS_BUS, 21, 0, 0x2018),  0};

/* CAPID6 has a bit for each slice, of which some of the die are switched off. */
enum { CAPID6 = 0x9c, SLICES_ON = 0x35c };
static const struct uncore_dword dwords[] = {{DF_ON_BUS(CORES_BUS, 30, 3), CAPID6, SLICES_ON}, {0}};

/* CPU_BUS_NUMBER: numbers of buses, and whether they are valid. */
enum { CPU_BUS_NUMBER = 0x300, GLOBAL_CTL = 0x700, GLOBAL_STATUS, GLOBAL_CONFIG };
static const struct uncore_msr msrs[] = {E5_OTHER_MSRS,
					 {CPU_BUS_NUMBER, BIT(63) | 0x3f2d1700, 0},
					 {GLOBAL_CTL, 0, SKX_FREEZE | SKX_UNFREEZE},
					 {GLOBAL_STATUS, 0, FIELD(63, 0)},
					 {GLOBAL_CONFIG, SLICES, 0},
					 {0}};

const struct uncore_part uncore_skx = {
	.kinds = kinds,
	.functions = functions,
	.others = others,
	.dwords = dwords,
	.bus = {[MEMORY_BUS] = 0x3f, [ROOT_BUS] = 0, [CORES_BUS] = 0x17, [LINKS_BUS] = 0x2d},
	.buses = UNCORE_BUSES,
	.nodes_df = DF_ON_BUS(ROOT_BUS, 8, 0),
	.node_at = 0xc0,
	.map_at = 0xd4,
	.revision = 4,
	.opcodes = 0x80,
	.msrs = msrs,
	.ranges = ranges,
	SKX_GLOBAL(GLOBAL_CTL, GLOBAL_STATUS, 1),
};
BOXES(uncore_ops, uncore_skx);
