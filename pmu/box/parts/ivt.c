/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ivy Bridge-EP and -EX: Intel Xeon Processor E5-2600 v2 and E7 v2 Uncore Performance Monitoring
 * Reference Manual, 329468.  No threshold is inverted, but of an occupancy; box control has no
 * frz_en; the filter of a slice is two registers.
 */
#include "xeon_e5.h"

static const struct box_event link_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x14, 0x00, AGREES),
	EVENT(LINK_FLITS, "RxL_FLITS_G0", 0x01, 0x07, AGREES_BIT_BY_BIT),
	EVENT(LINK_IDLE, "RxL_FLITS_G0.IDLE", 0x01, 0x01),
	EVENT(LINK_DATA, "RxL_FLITS_G0.DATA", 0x01, 0x02),
	EVENT(LINK_NON_DATA, "RxL_FLITS_G0.NON_DATA", 0x01, 0x04),
	EVENT(OTHER, "TxL_FLITS_G1", EXT | 0x00, 0x1f, AGREES_BIT_BY_BIT),
	EVENT(LINK_SNOOPS, "TxL_FLITS_G1.SNP", EXT | 0x00, 0x01),
	EVENT(LINK_FULL_POWER, "RxL0_POWER_CYCLES", 0x0f, 0x00, AGREES),
	E5_LINK_EVENTS_IN,
	EVENT(LINK_PACKETS, "CTO_COUNT", EXT | 0x38, 0x00, AGREES),
	{0},
};

/* Masks of both virtual rings in both directions. */
static const struct box_event stop_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(RING_CLOCKWISE, "RING_AD_USED.CW", 0x07, 0x33),
	EVENT(RING_COUNTERCLOCKWISE, "RING_AD_USED.CCW", 0x07, 0xcc),
	EVENT(RING_REQUESTS, "RING_AD_USED", 0x07, 0xff, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "RING_BL_USED", 0x09, 0xff, AGREES_BIT_BY_BIT),
	EVENT(RING_INVALIDATIONS, "RING_IV_USED.ANY", 0x0a, 0xff, AGREES),
	{0},
};

static const struct box_event slice_events[] = {
	EVENT(SLICE_RING, "RING_AD_USED", 0x1b, 0xff, AGREES_BIT_BY_BIT, ON(2, 2), BY(MEMORY)),
	EVENT(OTHER, "RING_AK_USED", 0x1c, 0xff, AGREES_BIT_BY_BIT, ON(2, 2)),
	EVENT(OTHER, "RING_BL_USED", 0x1d, 0xff, AGREES_BIT_BY_BIT, ON(2, 2)),
	E5_SLICE_EVENTS,
	{0},
};

static const struct box_event power_events[] = {
	E5_POWER_EVENTS,
	EVENT(POWER_TRANSITIONS, "FREQ_TRANS_CYCLES", 0x60, 0x00, AGREES),
	{0},
};

/* Devices' transactions, on counters 0 and 1 alone, whose addresses are at no even distance. */
static const struct box_event io_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(IO_READS, "TRANSACTIONS.READS", 0x15, 0x01, AGREES),
	EVENT(OTHER, "TRANSACTIONS.WRITES", 0x15, 0x02, AGREES),
	{0},
};
static const int16_t io_counters[] = {0xa0, 0xb0};

/* ---- kinds ---- */

#define WITHOUT_RESETS .stop = 0x30100, .run = 0x30000 /* 17:16: written 1, say nothing */
static const struct box_gating no_resets = {WITHOUT_RESETS},
			       gate = {WITHOUT_RESETS, .reset_ctls = 1, .reset_ctrs = 2};
#define PLAIN E5_SELECT(E5_EVENT, E5_MASK), E5_THRESHOLD_8

enum { IMC, HA, QPI, R2PCIE, R3QPI, CBO, UBOX, PCU, IRP };

static const struct box_filters slice_filters = {
	.reg = {{0x14, FIELD(22, 17) | FIELD(8, 0)}, {0x1a, FIELD(31, 20) | FIELD(15, 0)}},
	.thread = {0, FIELD(4, 0)},
	.states = {0, FIELD(22, 17)},
	.nodes = {1, FIELD(15, 0)},
	.opcode = {1, FIELD(28, 20)},
	E5_REQUESTS,
};

static const struct box_select plain = {PLAIN}, resets = {PLAIN, E5_RESET},
			       slice = {PLAIN, E5_RESET, .thread = BIT(19)},
			       link = {E5_SELECT(E5_EXTENDED, E5_MASK), E5_THRESHOLD_8, E5_RESET},
			       ubox = {E5_SELECT(E5_EVENT, E5_MASK), E5_THRESHOLD_5, E5_RESET},
			       power = {E5_SELECT(E5_EXTENDED, E5_OCC_SEL), E5_THRESHOLD_5,
					E5_RESET, E5_TOLD_BY(xeon_e5_occupancy)};

static const struct box_kind kinds[] = {
	[IMC] = {E5_CHANNEL, .name = "imc", .role = BOX_CHANNEL, .numbered = true, .select = &plain,
		 .gate = &no_resets, .queue = CHANNEL_READ_QUEUE, .hz = xeon_e5_ddr3,
		 .events = xeon_e5_channel_events},
	[HA] = {E5_PCI(4), .name = "ha", .role = BOX_HOME, .numbered = true, .width = 48,
		.select = &plain, .gate = &no_resets, E5_HOME_FILTERS,
		.events = xeon_e5_home_events},
	[QPI] = {E5_PCI(4), .name = "qpi", .role = BOX_LINK, .numbered = true, .width = 48,
		 .select = &link, .gate = &gate, E5_LINK_FILTERS, .queue = LINK_FLITS,
		 .events = link_events},
	[R2PCIE] = {E5_PCI(4), .name = "r2pcie", .role = BOX_PCIE_STOP, .width = 44,
		    .select = &resets, .gate = &gate, .events = stop_events},
	[R3QPI] = {E5_PCI(3), .name = "r3qpi", .role = BOX_LINK_STOP, .numbered = true, .width = 44,
		   .select = &resets, .gate = &gate, .events = stop_events},
	[CBO] = {E5_MSR, .name = "cbo", .role = BOX_SLICE, .numbered = true, .width = 44,
		 .select = &slice, .gate = &gate, .filters = &slice_filters, E5_ENTRIES,
		 .queue = SLICE_HELD_BY_0, .events = slice_events},
	[UBOX] = {E5_SYSTEM(48), .name = "ubox", .role = BOX_SYSTEM, .select = &ubox,
		  .events = xeon_e5_system_events},
	[PCU] = {E5_MSR, .name = "pcu", .role = BOX_POWER, .width = 48, .select = &power,
		 .gate = &gate, E5_POWER_FILTERS, .queue = POWER_C0, .most = 15,
		 .hz = xeon_e5_power, .events = power_events},
	[IRP] = {E5_PCI_LIST(2, io_counters), .name = "irp", .role = BOX_IO, .width = 44,
		 .wider = 48, .select = &plain, .gate = &no_resets, .events = io_events},
};

static const struct box_place places[] = {
	E5_FUNCTION(IMC, 0, 16, 4, 0x0eb4),
	E5_FUNCTION(IMC, 1, 16, 5, 0x0eb5),
	E5_FUNCTION(IMC, 2, 16, 0, 0x0eb0),
	E5_FUNCTION(IMC, 3, 16, 1, 0x0eb1),
	E5_FUNCTION(HA, 0, 14, 1, 0x0e30),
	E5_LINK(QPI, 0, 8, 0x0e32, 0x0e86),
	E5_LINK(QPI, 1, 9, 0x0e33, 0x0e96),
	E5_FUNCTION(R2PCIE, 0, 19, 1, 0x0e34),
	E5_FUNCTION(R3QPI, 0, 19, 5, 0x0e36),
	E5_FUNCTION(R3QPI, 1, 19, 6, 0x0e37),
	{.kind = IRP, .device = 5, .function = 6, .id = 0x0e39, .on_io_bus = true},
	/* Boxes of large dies, and of the E7, alone. */
	E5_FUNCTION(IMC, 4, 30, 4, 0x0ef4, OPTIONAL),
	E5_FUNCTION(IMC, 5, 30, 5, 0x0ef5, OPTIONAL),
	E5_FUNCTION(IMC, 6, 30, 0, 0x0ef0, OPTIONAL),
	E5_FUNCTION(IMC, 7, 30, 1, 0x0ef1, OPTIONAL),
	E5_FUNCTION(HA, 1, 28, 1, 0x0e38, OPTIONAL),
	E5_FUNCTION(R3QPI, 2, 18, 5, 0x0e3e, OPTIONAL),
	E5_MSRS(CBO, 0xd00, 0x20, 15),
	E5_MSRS(UBOX, 0xc00, 0, 1),
	E5_MSRS(PCU, 0xc20, 0, 1),
};

BOX_PART(ivt) = {
	.ops = {BOX_OPS(4), .name = "ivt", .title = "uncore of the Xeon E5-2600 v2",
		.manual = "Intel 329468, chapter 2",
		.processors = "Intel family 6 model 3Eh (Ivy Bridge-EP): as snbep, and PCIe's ring "
			      "port"},
	E5_MODEL(0x3e),
	.system = E5_FUNCTION(UBOX, 0, 11, 0, 0x0e1e),
	.node_at = 0x40,
	.map_at = 0x54,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
