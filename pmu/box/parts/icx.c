/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ice Lake-SP and Ice Lake-D: Linux (uncore_snbep.c), Intel's PCM, and its lists of events.  Slices
 * lie in three runs of MSRs, stacks and what is beside them in two; channels of memory, and what
 * their controllers count by themselves, have registers in memory.
 *
 * Of each controller two channels are driven, as Linux and Intel's PCM have them.
 */
#include "coded.h"
#include "xeon_scalable.h"

/* DDR4-2133 to -3200, and half of each: by Intel's list of events the fixed counter counts half
 * clocks, by its PCM whole ones. */
static const uint32_t ddr4[] = {533333333,  600000000,  666666667,  733333333,
				800000000,  1066666667, 1200000000, 1333333333,
				1466666667, 1600000000, 0};

/* ---- events ---- */

static const struct box_event slice_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "RxC_INSERTS", 0x13, 0xf7, AGREES),
	EVENT(SLICE_HELD_BY_0, "COUNTER0_OCCUPANCY", 0x1f, 0x00, ON(1, 3), BY(MEMORY)),
	EVENT(OTHER, "LLC_LOOKUP.ALL", 0x34, EXTENDED_BY(0x1fff, 0xff), AGREES, BY(MEMORY)),
	CODED_REQUESTS,
	EVENT(SLICE_HELD, "TOR_OCCUPANCY.IA", 0x36, EXTENDED_BY(0xc001ff, 0x01), ON(0, 1)),
	EVENT(SLICE_VICTIMS, "LLC_VICTIMS.ALL", 0x37, 0x0f),
	EVENT(OTHER, "REQUESTS", 0x50, 0x3f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(SLICE_MEMORY_READS, "IMC_READS_COUNT.NORMAL", 0x59, 0x01, AGREES, LINE(LOADED, 1)),
	EVENT(OTHER, "IMC_WRITES_COUNT", 0x5b, 0x03, AGREES_BIT_BY_BIT),
	{0},
};

/* Of two channels of each kind that memory may have the first one is DDR4's. */
static const struct box_event channel_events[] = {
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
static const struct box_event stack_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(IO_DATA_WRITTEN, "DATA_REQ_OF_CPU.MEM_WRITE", 0x83, OF_STACK(0x01, 0xff), AGREES,
	      ON(0, 2)),
	EVENT(IO_READS, "TXN_REQ_OF_CPU.MEM_READ", 0x84, OF_STACK(0x04, 0xff), AGREES),
	EVENT(OTHER, "TXN_REQ_OF_CPU.MEM_WRITE", 0x84, OF_STACK(0x01, 0xff), AGREES),
	EVENT(OTHER, "DATA_REQ_BY_CPU.MEM_READ", 0xc0, OF_STACK(0x04, 0xff), AGREES, ON(2, 2)),
	{0},
};
static const struct box_event io_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(OTHER, "CACHE_TOTAL_OCCUPANCY.ANY", 0x0f, 0x01, AGREES),
	EVENT(OTHER, "COHERENT_OPS", 0x10, 0xd8, AGREES_BIT_BY_BIT),
	EVENT(IO_READS, "FAF_INSERTS", 0x18, 0x00, AGREES),
	{0},
};

static const struct box_event memory_stop_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "DIRECTORY_LOOKUP.ANY", 0x2d, 0x01, AGREES),
	EVENT(MESH_READS, "IMC_READS.ALL", 0x37, EXTENDED_BY(0x07, 0x04), AGREES, BY(MEMORY)),
	EVENT(OTHER, "IMC_READS.CH0_NORMAL", 0x37, EXTENDED_BY(0x01, 0x01), AGREES, BY(MEMORY)),
	EVENT(OTHER, "IMC_READS.CH1_NORMAL", 0x37, EXTENDED_BY(0x02, 0x01), AGREES, BY(MEMORY)),
	EVENT(OTHER, "IMC_WRITES.CH0_ALL", 0x38, EXTENDED_BY(0x04, 0x10), AGREES),
	EVENT(OTHER, "IMC_WRITES.CH1_FULL", 0x38, EXTENDED_BY(0x08, 0x01), AGREES),
	{0},
};

/* No list of events has bands of frequencies, and so their filter is left alone. */
static const struct box_event power_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00, AGREES),
	EVENT(OTHER, "DEMOTIONS", 0x30, 0x00, AGREES),
	EVENT(POWER_TRANSITIONS, "FREQ_TRANS_CYCLES", 0x74, 0x00, AGREES),
	EVENT(POWER_C0, "POWER_STATE_OCCUPANCY.CORES_C0", E5_OCCUPANCY, 1, AGREES),
	EVENT(POWER_C3, "POWER_STATE_OCCUPANCY.CORES_C3", E5_OCCUPANCY, 2, AGREES),
	EVENT(POWER_C6, "POWER_STATE_OCCUPANCY.CORES_C6", E5_OCCUPANCY, 3),
	{0},
};

/* ---- what counts by itself ---- */

/* Sources had dwords before they had 32 bytes: the bound is that of the former. */
#define PORT(n)                                                                                    \
	{                                                                                          \
		.name = "bandwidth in, port " #n, .at = (n), .width = 48, .of = METERED_INWARD,    \
		.most = 8000000                                                                    \
	}
static const struct box_meter stack_meters[] = {
	{.name = "clocks", .at = 5, .width = 48, .of = METERED_CLOCKS},
	PORT(0),
	PORT(1),
	PORT(2),
	PORT(3),
	PORT(4),
	PORT(5),
	PORT(6),
	PORT(7),
	{0},
};

static const struct box_event nothing[] = {{0}};
/* In a millisecond: no controller moves 256 GB/s. */
#define LINES(name_, at_, of_)                                                                     \
	{                                                                                          \
		.name = (name_), .at = (at_), .width = 48, .of = (of_), .most = 4000000            \
	}
static const struct box_meter memory_meters[] = {
	LINES("reads", 0x00, METERED_READS),
	LINES("writes", 0x08, METERED_WRITES),
	LINES("reads of persistent memory", 0x10, METERED_OTHER),
	LINES("writes to persistent memory", 0x18, METERED_OTHER),
	{.name = "clocks", .at = 0x20, .width = 48, .of = METERED_CLOCKS},
	{0},
};

/* ---- kinds ---- */

#define IN_MEMORY           .space = REG_MMIO, .whole = true
#define BEYOND_100H         .space = REG_MMIO, .gate = {MESH_GATE}
#define WITH(mask, control) .select = {E5_SELECT(E5_EVENT, mask), V3_INVERT, control}
#define PLAIN               .select = {V3_PLAIN}, .gate = {MESH_GATE}

enum { CHANNEL, MC, CHA, SYSTEM, POWER, IIO, IO, M2PCIE, M2M, UPI, M3UPI };

static const struct box_filters slice_filters = {.reg = {{5, FIELD(8, 0)}}};

static const struct box_kind kinds[] = {
	[CHANNEL] = {LIES_AT(0, 0x40, 4, 0x08, .fixed_ctl = 0x54, .fixed_ctr = 0x38), IN_MEMORY,
		     PLAIN, .name = "imc", .role = BOX_CHANNEL, .numbered = true, .fixed_width = 48,
		     .fixed = {.enable = BIT(22)}, .fixed_halves = true,
		     .queue = CHANNEL_READ_QUEUE, .hz = ddr4, .events = channel_events},
	[MC] = {IN_MEMORY, .name = "mc", .role = BOX_MEMORY, .numbered = true,
		.at = {.gate = NOT_THERE, .ctl = NOT_THERE, .ctr = NOT_THERE, E5_NOT_FIXED},
		.channels = 2, .events = nothing, .meters = memory_meters},
	/* Which thread is which number in its filter is not documented. */
	[CHA] = {V3_MSR(8), .name = "cha", .role = BOX_SLICE, .numbered = true, .width = 48,
		 .select = {E5_SELECT(E5_EVENT, E5_MASK | FIELD(55, 32)), V3_INVERT, E5_THRESHOLD_8,
			    E5_RESET, .thread = BIT(19)},
		 .gate = {MESH_GATE}, .filters = &slice_filters, .own_lines = true,
		 .clusters = true, .queue = SLICE_HELD_BY_0, .events = slice_events},
	[SYSTEM] = {V3_SYSTEM_AT, .width = 48, .events = xeon_e5_system_events},
	[POWER] = {V3_MSR(7), .name = "pcu", .role = BOX_POWER, .width = 48,
		   .select = {E5_SELECT(E5_EVENT, E5_OCC_SEL), V3_INVERT, E5_THRESHOLD_5, E5_RESET},
		   .other_if = E5_OCCUPANCY, .other = &xeon_e5_v3_occupancy, .gate = {MESH_GATE},
		   .queue = POWER_C0, .most = 40, .hz = xeon_scalable_power_hz,
		   .events = power_events},
	[IIO] = {BEHIND_MSRS(4, 8), WITH(E5_MASK | FIELD(50, 36), .threshold = FIELD(35, 24)),
		 .name = "iio", .role = BOX_IO, .numbered = true, .meter_dwords = 8,
		 .events = stack_events, .meters = stack_meters},
	[IO] = {BEHIND_MSRS(2, 3), .name = "irp", .role = BOX_IO, .numbered = true,
		.select = {V3_PLAIN}, .events = io_events},
	[M2PCIE] = {BEHIND_MSRS(4, 6), .name = "m2pcie", .role = BOX_MESH, .numbered = true,
		    .select = {V3_PLAIN}, .events = xeon_scalable_stop_events},
	[M2M] = {LIES_AT(0x438, 0x468, 8, 0x440, E5_NOT_FIXED), BEYOND_100H,
		 WITH(E5_MASK | FIELD(39, 32), E5_THRESHOLD_8), .name = "m2m", .role = BOX_MESH,
		 .numbered = true, .events = memory_stop_events},
	[UPI] = {LIES_AT(0x318, 0x350, 8, 0x320, E5_NOT_FIXED), BEYOND_100H,
		 WITH(E5_MASK | FIELD(55, 32), E5_THRESHOLD_8), .name = "upi", .role = BOX_LINK,
		 .numbered = true, .events = xeon_scalable_link_events},
	[M3UPI] = {LIES_AT(0xa0, 0xd8, 4, 0xa8, E5_NOT_FIXED), .space = REG_PCI, PLAIN,
		   .name = "m3upi", .role = BOX_MESH, .numbered = true,
		   .events = xeon_scalable_stop_events},
};

/* ---- places: how many of each there are, the die and the board say ---- */

/* Function 0.1 beside the system box shows where registers of each controller of memory are. */
#define IN_BLOCK(kind_, number_, bar_, ...)                                                        \
	E5_FUNCTION(kind_, number_, 0, 1, 0x3451, .behind = true, OPTIONAL, .bar_at = (bar_),      \
		    __VA_ARGS__)
#define CONTROLLER(n)                                                                              \
	IN_BLOCK(CHANNEL, 2 * (n), 0xd8 + 4 * (n), .base = 0x22800, .step = 0x4000, .count = 2),   \
		IN_BLOCK(MC, n, 0xd8 + 4 * (n), .base = 0x2290, .count = 1)
#define RUN(kind_, number_, count_, base_, step_)                                                  \
	{                                                                                          \
		.kind = (kind_), .number = (number_), .count = (count_), .base = (base_),          \
		.step = (step_), OPTIONAL                                                          \
	}
#define THREE(kind_, number_, base_) RUN(kind_, number_, 3, base_, 0x20)
#define THREE_STACKS(number_, base_, meters_)                                                      \
	{                                                                                          \
		.kind = IIO, .number = (number_), .count = 3, .base = (base_), .step = 0x20,       \
		.meters = (meters_), .meters_step = 0x10, OPTIONAL                                 \
	}

static const struct box_place places[] = {
	CONTROLLER(0),
	CONTROLLER(1),
	CONTROLLER(2),
	CONTROLLER(3),
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
