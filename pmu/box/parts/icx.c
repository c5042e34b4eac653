/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ice Lake-SP and Ice Lake-D: Linux (uncore_snbep.c), Intel's PCM, and its lists of events.  Slices
 * lie in three runs of MSRs, stacks and what is beside them in two; channels of memory, and what
 * their controllers count by themselves, have registers in memory.
 *
 * Of each controller two channels are driven, as Linux and Intel's PCM have them.
 */
#include "icx.h"

/* DDR4-2133 to -3200, and half of each: by Intel's list of events the fixed counter counts half
 * clocks, by its PCM whole ones. */
const uint32_t icx_ddr4[] = {533333333,  600000000,  666666667,  733333333,  800000000, 1066666667,
			     1200000000, 1333333333, 1466666667, 1600000000, 0};

/* ---- events ---- */

static const struct box_event slice_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "RxC_INSERTS", 0x13, 0xf7, AGREES),
	ICX_QUEUE,
	CODED_REQUESTS,
	EVENT(OTHER, "REQUESTS", 0x50, 0x3f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	ICX_SLICE_EVENTS,
	{0},
};

/* Of two channels of each kind that memory may have the first one is DDR4's. */
#define WITH(mask) E5_SELECT(E5_EVENT, E5_MASK | (mask)), E5_INVERT
const struct box_select icx_slice = {WITH(FIELD(55, 32)), E5_THRESHOLD_8, E5_RESET,
				     .thread = BIT(19)};
const struct box_select icx_stack = {WITH(FIELD(50, 36)), .threshold = FIELD(35, 24)};
const struct box_select icx_memory_stop = {WITH(FIELD(39, 32)), E5_THRESHOLD_8};

const struct box_event icx_channel_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "ACT_COUNT.ALL", 0x01, 0x0b, AGREES),
	EVENT(OTHER, "PRE_COUNT.ALL", 0x02, 0x1c, AGREES),
	EVENT(CHANNEL_ALL, "CAS_COUNT.ALL", 0x04, 0x3f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(CHANNEL_READS, "CAS_COUNT.RD", 0x04, 0x0f, LINE(LOADED, 1), LINE(FLUSHED, 1),
	      LINE(STREAMED, NONE)),
	/* Directories in memory may be written to as a line is read. */
	EVENT(CHANNEL_WRITES, "CAS_COUNT.WR", 0x04, 0x30, LINE(FLUSHED, 1), LINE(STREAMED, 1)),
	EVENT(CHANNEL_READ_INSERTS, "RPQ_INSERTS", 0x10, 0x03, AGREES),
	EVENT(CHANNEL_READ_BUSY, "RPQ_CYCLES_NE.PCH0", 0x11, 0x01),
	EVENT(CHANNEL_WRITE_INSERTS, "WPQ_INSERTS", 0x20, 0x03, AGREES),
	EVENT(CHANNEL_ERRORS, "PARITY_ERRORS", 0x2c, 0x00, AGREES),
	EVENT(OTHER, "DRAM_REFRESH", 0x45, 0x07, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "POWER_CKE_CYCLES", 0x47, 0x0f, AGREES_BIT_BY_BIT),
	EVENT(CHANNEL_READ_QUEUE, "RPQ_OCCUPANCY_PCH0", 0x80, 0x00, AGREES, BY(MEMORY)),
	{0},
};

/* Bits of ports, and behind these of classes. */
#define OF_STACK(mask, ports) ((mask) | (ports) << 8 | UINT32_C(7) << 20)
const struct box_event icx_stack_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(IO_DATA_WRITTEN, "DATA_REQ_OF_CPU.MEM_WRITE", 0x83, OF_STACK(0x01, 0xff), AGREES,
	      ON(0, 2)),
	EVENT(IO_READS, "TXN_REQ_OF_CPU.MEM_READ", 0x84, OF_STACK(0x04, 0xff), AGREES),
	EVENT(OTHER, "TXN_REQ_OF_CPU.MEM_WRITE", 0x84, OF_STACK(0x01, 0xff), AGREES),
	EVENT(OTHER, "DATA_REQ_BY_CPU.MEM_READ", 0xc0, OF_STACK(0x04, 0xff), AGREES, ON(2, 2)),
	{0},
};
const struct box_event icx_io_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(OTHER, "CACHE_TOTAL_OCCUPANCY.ANY", 0x0f, 0x01, AGREES),
	EVENT(OTHER, "COHERENT_OPS", 0x10, 0xd8, AGREES_BIT_BY_BIT),
	EVENT(IO_READS, "FAF_INSERTS", 0x18, 0x00, AGREES),
	{0},
};

static const struct box_event memory_stop_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "DIRECTORY_LOOKUP.ANY", 0x2d, 0x01, AGREES),
	ICX_MESH_EVENTS,
	{0},
};

/* No list of events has bands of frequencies, and so their filter is left alone. */
const struct box_event icx_power_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00, AGREES),
	EVENT(OTHER, "DEMOTIONS", 0x30, 0x00, AGREES),
	EVENT(POWER_TRANSITIONS, "FREQ_TRANS_CYCLES", 0x74, 0x00, AGREES),
	EVENT(POWER_C0, "POWER_STATE_OCCUPANCY.CORES_C0", E5_OCCUPANCY, 1, AGREES),
	EVENT(POWER_C3, "POWER_STATE_OCCUPANCY.CORES_C3", E5_OCCUPANCY, 2, AGREES),
	EVENT(POWER_C6, "POWER_STATE_OCCUPANCY.CORES_C6", E5_OCCUPANCY, 3),
	{0},
};

/* ---- what counts by itself ---- */

static const struct box_meter stack_meters[] = {ICX_STACK_METERS(5)};
static const struct box_meter memory_meters[] = {
	ICX_LINES("reads", 0x00, METERED_READS),
	ICX_LINES("writes", 0x08, METERED_WRITES),
	ICX_LINES("reads of persistent memory", 0x10, METERED_OTHER),
	ICX_LINES("writes to persistent memory", 0x18, METERED_OTHER),
	ICX_MEMORY_CLOCKS,
	{0},
};
const struct box_event icx_nothing[] = {{0}};

/* ---- kinds ---- */

enum { CHANNEL, MC, CHA, SYSTEM, POWER, IIO, IO, M2PCIE, M2M, UPI, M3UPI };

const struct box_filters icx_slice_filters = {.reg = {{5, FIELD(8, 0)}}};

static const struct box_select link = {WITH(FIELD(55, 32)), E5_THRESHOLD_8};

static const struct box_kind kinds[] = {
	[CHANNEL] = {ICX_CHANNEL},
	[MC] = {ICX_MC, .meters = memory_meters},
	[CHA] = {ICX_CHA, .events = slice_events},
	[SYSTEM] = {V3_SYSTEM_AT, .width = 48, .events = xeon_e5_system_events},
	[POWER] = {ICX_POWER(7, 40)},
	[IIO] = {ICX_IIO, .meters = stack_meters},
	[IO] = {ICX_IO(3)},
	[M2PCIE] = {ICX_M2PCIE(6)},
	[M2M] = {ICX_M2M, .events = memory_stop_events},
	[UPI] = {LIES_AT(0x318, 0x350, 8, 0x320, E5_NOT_FIXED), BEYOND_100H, .select = &link,
		 .name = "upi", .role = BOX_LINK, .numbered = true,
		 .events = xeon_scalable_link_events},
	[M3UPI] = {LIES_AT(0xa0, 0xd8, 4, 0xa8, E5_NOT_FIXED), .space = REG_PCI, PLAIN,
		   .name = "m3upi", .role = BOX_MESH, .numbered = true,
		   .events = xeon_scalable_stop_events},
};

/* ---- places ---- */

#define THREE(kind_, number_, base_) RUN(kind_, number_, 3, base_, 0x20)
#define THREE_STACKS(number_, base_, meters_)                                                      \
	RUN(IIO, number_, 3, base_, 0x20, .meters = (meters_), .meters_step = 0x10)

static const struct box_place places[] = {
	ICX_CONTROLLER(0),
	ICX_CONTROLLER(1),
	ICX_CONTROLLER(2),
	ICX_CONTROLLER(3),
	RUN(CHA, 0, 18, 0xe00, 0x0e),
	RUN(CHA, 18, 16, 0xf0a, 0x0e),
	RUN(CHA, 34, 6, 0xb60, 0x0e),
	E5_MSRS(SYSTEM, 0x703, 0, 1),
	E5_MSRS(POWER, 0x710, 0, 1),
	THREE_STACKS(0, 0xa50, 0xaa0),
	THREE_STACKS(3, 0xae0, 0xb30),
	THREE(IO, 0, 0xa4a),
	THREE(IO, 3, 0xada),
	THREE(M2PCIE, 0, 0xa40),
	THREE(M2PCIE, 3, 0xad0),
	ON_MESH(M2M, 0, 12, 0, 0x344a),
	ON_MESH(M2M, 1, 13, 0, 0x344a),
	ON_MESH(M2M, 2, 14, 0, 0x344a),
	ON_MESH(M2M, 3, 15, 0, 0x344a),
	ON_MESH(UPI, 0, 2, 1, 0x3441),
	ON_MESH(UPI, 1, 3, 1, 0x3441),
	ON_MESH(UPI, 2, 4, 1, 0x3441),
	ON_MESH(M3UPI, 0, 5, 1, 0x3446),
	ON_MESH(M3UPI, 1, 6, 1, 0x3446),
	ON_MESH(M3UPI, 2, 7, 1, 0x3446),
};

BOX_PART(icx) = {
	.ops = {BOX_OPS(4), .name = "icx", .title = "uncore of Ice Lake-SP",
		.manual = "Linux; Intel's lists of events",
		.processors = "Intel family 6 models 6Ah, 6Ch (Ice Lake-SP, Ice Lake-D): as skx, "
			      "and controllers of memory"},
	E5_MODEL(0x6a),
	.models = {0x6c},
	.system = E5_FUNCTION(SYSTEM, 0, 0, 0, 0x3450),
	.node_at = 0xc0,
	.map_at = 0xd4,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
