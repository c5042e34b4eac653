/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A Xeon Scalable, Sapphire Rapids, with six cores and a part of its boxes, behind MSRs, in
 * functions and in memory: Linux, and its lists of events, from which what the bits of unit masks
 * mean is read off.  A table of discovery says where they are.
 */
#include "skx.h"

/* ---- registers ---- */

/* Behind box control, and a status that nothing sets here. */
static const struct uncore_place msrs[] = {
	{0, 1, 1, UNCORE_BOX_CTL, 0}, {2, 1, 4, UNCORE_CTL, 0}, {8, 1, 4, UNCORE_CTR, 0}, {0}};
static const struct uncore_place ubox[] = {{0, 1, 1, UNCORE_BOX_CTL, 0},
					   {2, 1, 2, UNCORE_CTL, 0},
					   {8, 1, 2, UNCORE_CTR, 0},
					   {0xe, 1, 1, UNCORE_CTL, UNCORE_FIXED},
					   {0xf, 1, 1, UNCORE_CTR, UNCORE_FIXED},
					   {0}};
/* Of a function's page. */
static const struct uncore_place memory_stop[] = {{0x438, 4, 1, UNCORE_BOX_CTL, 0},
						  {0x440, 8, 4, UNCORE_CTR, 0},
						  {0x468, 8, 4, UNCORE_CTL, 0},
						  {0}};
static const struct uncore_place channel[] = {
	{0x00, 4, 1, UNCORE_BOX_CTL, 0},        {0x08, 8, 4, UNCORE_CTR, 0},
	{0x38, 8, 1, UNCORE_CTR, UNCORE_FIXED}, {0x40, 4, 4, UNCORE_CTL, 0},
	{0x54, 4, 1, UNCORE_CTL, UNCORE_FIXED}, {0}};
static const struct msr_range ranges[] = {
	{0x1a4, 0x1a4},   {0x2000, 0x205f}, {0x2fc0, 0x2fdf}, {0x2ffe, 0x2ffe},
	{0x3000, 0x305f}, {0x3200, 0x325f}, {0x3400, 0x345f}, {0, 0}};

/* ---- events ---- */

static const struct uncore_event slice_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{0x34, ALL, COUNTS_CODED_LOOKUP, 0, 0xbf1, true}, /* LLC_LOOKUP */
	{0x35, ALL, COUNTS_CODED_INSERTS, 0, 0x8ff80301, true}, /* TOR_INSERTS */
	{UMASK(0x50, ALL, SLICE_REQUESTS, 0x05, true)}, /* REQUESTS */
	{SIGNAL(0x59, ALL, SLICE_IMC_READS, true)}, /* IMC_READS_COUNT */
	{UMASK(0x5b, ALL, SLICE_IMC_WRITES, 0x01, true)}, /* IMC_WRITES_COUNT */
	{0},
};
enum { OF_STACK = 0x30f05 };
static const struct uncore_event stack_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{0x83, C01, COUNTS_STACK, STACK_DATA, OF_STACK, false}, /* DATA_REQ_OF_CPU */
	{0x84, ALL, COUNTS_STACK, STACK_TRANSACTIONS, OF_STACK, false}, /* TXN_REQ_OF_CPU */
	{0},
};

static const struct uncore_event channel_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x02, ALL, CHANNEL_ACT, 0x01, true)}, /* ACT_COUNT */
	{UMASK(0x03, ALL, CHANNEL_PRE, 0x03, true)}, /* PRE_COUNT */
	{0x05, ALL, COUNTS_CAS, 0, 0xd5, true}, /* CAS_COUNT */
	{0x10, ALL, COUNTS_HALVES, CHANNEL_RPQ_INSERTS, 0x03, true}, /* RPQ_INSERTS */
	{0x20, ALL, COUNTS_HALVES, CHANNEL_WPQ_INSERTS, 0x03, true}, /* WPQ_INSERTS */
	{SIGNAL(0x80, ALL, CHANNEL_RPQ_OF_HALF, true)}, /* RPQ_OCCUPANCY_PCH0, */
	{SIGNAL(0x81, ALL, CHANNEL_RPQ_OF_HALF + 1, true)}, /* and _PCH1 */
	{SIGNAL(0x82, ALL, CHANNEL_WPQ_OF_HALF, true)}, /* WPQ_OCCUPANCY_PCH0, */
	{SIGNAL(0x83, ALL, CHANNEL_WPQ_OF_HALF + 1, true)}, /* and _PCH1 */
	{0},
};
static const struct uncore_event memory_stop_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x24, ALL, MESH_READS, 0x04, true)}, /* IMC_READS */
	{UMASK(0x25, ALL, MESH_WRITES, 0x10, true)}, /* IMC_WRITES */
	{0},
};

/* ---- boxes ---- */

#define UCLK_HZ         UINT64_C(2400000000)
#define PCU_HZ          UINT64_C(1000000000)
#define IIO_HZ          UINT64_C(1000000000)
#define DCLK_HZ         UINT64_C(2400000000) /* DDR5-4800 */

#define CTL             [CTL_EVENT] = FIELD(7, 0), [CTL_EDGE] = BIT(18), [CTL_INVERT] = BIT(23), E5_RESET
#define THRESHOLD(bits) [CTL_THRESHOLD] = (bits)
#define GATE            [GATE_FREEZE] = BIT(0), [GATE_RESET_CONTROLS] = BIT(8), [GATE_RESET_COUNTERS] = BIT(9)
#define AT(type_, msr_, registers_)                                                                \
	.unit = (type_), .msr = (msr_), .msrs_apart = 0x10, .registers = (registers_)

enum { SLICES = 6, STACKS = 4 };

static const struct uncore_kind kinds[] = {
	{KIND("cha", ROLE_SLICE, SLICES, 4, 48, UCLK_HZ, slice_events, e5_quiet),
	 AT(0, 0x2000, msrs),
	 .field = {CTL, GATE, [CTL_UMASK] = FIELD(15, 8) | FIELD(55, 32),
		   THRESHOLD(FIELD(31, 24))}},
	{KIND("iio", ROLE_STACK, STACKS, 4, 48, IIO_HZ, stack_events, skx_stack_idle),
	 AT(1, 0x3000, msrs),
	 .field = {CTL, GATE, [CTL_UMASK] = FIELD(15, 8) | FIELD(43, 36) | FIELD(50, 48),
		   [CTL_OTHER] = FIELD(47, 44), THRESHOLD(FIELD(35, 24))}},
	{KIND("irp", ROLE_IO, STACKS, 2, 48, IIO_HZ, skx_stop_events, e5_quiet),
	 AT(2, 0x3400, msrs), .field = {CTL, GATE, E5_UMASK, THRESHOLD(FIELD(31, 24))}},
	{KIND("m2pcie", ROLE_MESH_PCIE, STACKS, 4, 48, UCLK_HZ, skx_stop_events, e5_quiet),
	 AT(3, 0x3200, msrs), .field = {CTL, GATE, E5_UMASK, THRESHOLD(FIELD(31, 24))}},
	{KIND("pcu", ROLE_POWER, 1, 4, 48, PCU_HZ, skx_stop_events, skx_power_idle),
	 AT(4, 0x2fc0, msrs), .field = {CTL, GATE, E5_UMASK, THRESHOLD(FIELD(30, 24))}},
	{KIND("ubox", ROLE_SYSTEM, 1, 2, 48, UCLK_HZ, e5_system_events, e5_system_idle),
	 AT(5, 0x2fd0, ubox), .field = {CTL, GATE, E5_UMASK, THRESHOLD(FIELD(30, 24)), E5_FIXED}},
	{KIND("imc", ROLE_CHANNEL, 4, 4, 48, DCLK_HZ, channel_events, e5_channel_idle), .unit = 6,
	 .window = 0x1000, .window_apart = 0x400, .registers = channel,
	 .field = {CTL, GATE, E5_UMASK, THRESHOLD(FIELD(31, 24)), E5_FIXED}},
	{KIND("m2m", ROLE_MESH_MEMORY, 2, 4, 48, UCLK_HZ, memory_stop_events, e5_quiet), .unit = 7,
	 .registers = memory_stop,
	 .field = {CTL, GATE, [CTL_UMASK] = FIELD(15, 8), [CTL_OTHER] = FIELD(55, 32),
		   THRESHOLD(FIELD(31, 24))}},
	{0},
};

/* ---- the function that shows where the table is ---- */

enum { UNCORE = 0, MSM = DF_ON_BUS(UNCORE, 3, 1) };
#define TABLE 0xfeb00000
#define SIZE  0x2000 /* with what is in memory, behind it */

static const struct uncore_function functions[] = {
	{HAS_ON_BUS(UNCORE, 12, 0, 0x324a, ROLE_MESH_MEMORY, 0, memory_stop)},
	{HAS_ON_BUS(UNCORE, 13, 0, 0x324a, ROLE_MESH_MEMORY, 1, memory_stop)},
	{0},
};
static const uint32_t others[] = {ID_ON_BUS(UNCORE, 3, 0, 0x09a6), ID_ON_BUS(UNCORE, 3, 1, 0x09a7),
				  0};
/* Capabilities: PCI Express's, so that there is space beyond 100h, and there a designated
 * one, whose entry is of counters, and of that BAR. */
static const struct uncore_dword dwords[] = {{MSM, 0x04, 0x00100006},
					     {MSM, 0x34, 0x40},
					     {MSM, 0x40, 0x00920010},
					     {MSM, 0x100, 0x00010023},
					     {MSM, 0x104, 0x01008086},
					     {MSM, 0x108, 0x03010001},
					     {0}};

/* The prefetchers' switch, and how many slices there are. */
static const struct uncore_msr plain_msrs[] = {{0x1a4, 0, FIELD(3, 0)}, {0x2ffe, SLICES, 0}, {0}};

const struct uncore_part uncore_spr = {
	.kinds = kinds,
	.functions = functions,
	.others = others,
	.dwords = dwords,
	.bus = {[UNCORE] = 0x3f},
	.buses = 1,
	.revision = 4,
	.opcodes = 0x80,
	.msrs = plain_msrs,
	.ranges = ranges,
	.window = {.table_df = MSM, .base = TABLE, .size = SIZE, .table = 0x2ff0},
};
BOXES(uncore_ops, uncore_spr);
