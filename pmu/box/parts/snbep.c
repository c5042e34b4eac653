/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sandy Bridge-EP: Intel Xeon Processor E5-2600 Product Family Uncore Performance Monitoring Guide,
 * 327043-001, chapter 2.
 */
#include "xeon_e5.h"

/* ---- events ---- */

static const struct box_event link_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x14, 0x00, AGREES),
	EVENT(LINK_FLITS, "TxL_FLITS_G0", 0x00, 0x07, AGREES_BIT_BY_BIT),
	EVENT(LINK_IDLE, "TxL_FLITS_G0.IDLE", 0x00, 0x01),
	EVENT(LINK_DATA, "TxL_FLITS_G0.DATA", 0x00, 0x02),
	EVENT(LINK_NON_DATA, "TxL_FLITS_G0.NON_DATA", 0x00, 0x04),
	EVENT(OTHER, "TxL_FLITS_G1", EXT | 0x00, 0x1f, AGREES_BIT_BY_BIT),
	EVENT(LINK_SNOOPS, "TxL_FLITS_G1.SNP", EXT | 0x00, 0x01),
	EVENT(LINK_FULL_POWER, "TxL0_POWER_CYCLES", 0x0c, 0x00),
	EVENT(OTHER, "RxL0_POWER_CYCLES", 0x0f, 0x00, AGREES),
	E5_LINK_EVENTS_IN,
	EVENT(LINK_STALLS, "RxL_STALLS", 0x35, 0xff),
	EVENT(LINK_PACKETS, "CTO_COUNT", EXT | 0x38, 0x00, AGREES),
	{0},
};

static const struct box_event pcie_stop_events[] = {
	E5_STOP_EVENTS,
	EVENT(OTHER, "RxR_CYCLES_NE", 0x10, 0x38, AGREES_BIT_BY_BIT, ON(0, 2)),
	EVENT(OTHER, "IIO_CREDITS_ACQUIRED", 0x33, 0x38, AGREES_BIT_BY_BIT, ON(0, 2)),
	{0},
};
/* Bit 4 of the first, else clocks; bit 5 of the second. */
static const struct box_event link_stop_events[] = {
	E5_STOP_EVENTS,
	EVENT(OTHER, "RxR_INSERTS", 0x11, 0x3f, AGREES_BIT_BY_BIT, ON(0, 2)),
	EVENT(OTHER, "IIO_CREDITS_REJECT", 0x21, 0x38, AGREES_BIT_BY_BIT, ON(0, 2)),
	{0},
};

static const struct box_event slice_events[] = {
	E5_SLICE_EVENTS,
	EVENT(SLICE_RING, "RING_AD_USED", 0x1b, 0x0f, AGREES_BIT_BY_BIT, ON(2, 2), BY(MEMORY)),
	EVENT(OTHER, "RING_AK_USED", 0x1c, 0x0f, AGREES_BIT_BY_BIT, ON(2, 2)),
	EVENT(OTHER, "RING_BL_USED", 0x1d, 0x0f, AGREES_BIT_BY_BIT, ON(2, 2)),
	{0},
};

static const struct box_event power_events[] = {
	E5_POWER_EVENTS,
	EVENT(POWER_TRANSITIONS, "FREQ_TRANS_CYCLES", EXT | 0x00, 0x00, AGREES),
	{0},
};

/* ---- kinds ---- */

/* frz (8) acts where frz_en (16) allows it. */
#define WITHOUT_RESETS .stop = 0x10100, .run = 0x10000, .allows = 0x10000
static const struct box_gating no_resets = {WITHOUT_RESETS},
			       gate = {WITHOUT_RESETS, .reset_ctls = 1, .reset_ctrs = 2};

static const struct box_select power = {E5_SELECT(E5_EXTENDED, E5_OCC_SEL), E5_INVERT,
					E5_THRESHOLD_5, E5_RESET, E5_TOLD_BY(xeon_e5_occupancy)};

enum { IMC, HA, QPI, R2PCIE, R3QPI, CBO, UBOX, PCU };

static const struct box_filters slice_filters = {
	.reg = {{0x14, FIELD(31, 10) | FIELD(4, 0)}},
	.thread = {0, FIELD(4, 0)},
	.nodes = {0, FIELD(17, 10)},
	.states = {0, FIELD(22, 18)},
	.opcode = {0, FIELD(31, 23)},
	E5_REQUESTS,
};

static const struct box_kind kinds[] = {
	[IMC] = {E5_CHANNEL, .name = "imc", .role = BOX_CHANNEL, .numbered = true,
		 .select = &xeon_e5_select, .gate = &no_resets, .queue = CHANNEL_READ_QUEUE,
		 .hz = xeon_e5_ddr3, .events = xeon_e5_channel_events},
	[HA] = {E5_PCI(4), .name = "ha", .role = BOX_HOME, .width = 48, .select = &xeon_e5_select,
		.gate = &no_resets, E5_HOME_FILTERS, .events = xeon_e5_home_events},
	[QPI] = {E5_PCI(4), .name = "qpi", .role = BOX_LINK, .numbered = true, .width = 48,
		 .select = &xeon_e5_select_link, .gate = &gate, E5_LINK_FILTERS,
		 .queue = LINK_FLITS, .events = link_events},
	[R2PCIE] = {E5_PCI(4), .name = "r2pcie", .role = BOX_PCIE_STOP, .width = 44,
		    .select = &xeon_e5_select_resets, .gate = &gate, .events = pcie_stop_events},
	[R3QPI] = {E5_PCI(3), .name = "r3qpi", .role = BOX_LINK_STOP, .numbered = true, .width = 44,
		   .select = &xeon_e5_select_resets, .gate = &gate, .events = link_stop_events},
	[CBO] = {E5_MSR, .name = "cbo", .role = BOX_SLICE, .numbered = true, .width = 44,
		 .select = &xeon_e5_select_slice, .gate = &gate, .filters = &slice_filters,
		 E5_ENTRIES, .queue = SLICE_HELD_BY_0, .events = slice_events},
	/* Its fixed counter has 44 or 48 bits, by different pages of the manual. */
	[UBOX] = {E5_SYSTEM(44), .name = "ubox", .role = BOX_SYSTEM,
		  .select = &xeon_e5_select_system, .events = xeon_e5_system_events},
	[PCU] = {E5_MSR, .name = "pcu", .role = BOX_POWER, .width = 48, .select = &power,
		 .gate = &gate, E5_POWER_FILTERS, .queue = POWER_C0, .most = 8, .hz = xeon_e5_power,
		 .events = power_events},
};

/* ---- places: functions on the uncore bus of each socket, and MSRs ---- */

static const struct box_place places[] = {
	E5_FUNCTION(IMC, 0, 16, 0, 0x3cb0),
	E5_FUNCTION(IMC, 1, 16, 1, 0x3cb1),
	E5_FUNCTION(IMC, 2, 16, 4, 0x3cb4),
	E5_FUNCTION(IMC, 3, 16, 5, 0x3cb5),
	E5_FUNCTION(HA, 0, 14, 1, 0x3c46),
	E5_LINK(QPI, 0, 8, 0x3c41, 0x3c86),
	E5_LINK(QPI, 1, 9, 0x3c42, 0x3c96),
	E5_FUNCTION(R2PCIE, 0, 19, 1, 0x3c43),
	E5_FUNCTION(R3QPI, 0, 19, 5, 0x3c44),
	E5_FUNCTION(R3QPI, 1, 19, 6, 0x3c45),
	E5_MSRS(CBO, 0xd00, 0x20, 8),
	E5_MSRS(UBOX, 0xc00, 0, 1),
	E5_MSRS(PCU, 0xc20, 0, 1),
};

BOX_PART(snbep) = {
	.ops = {BOX_OPS(4), .name = "snbep", .title = "uncore of the Xeon E5-2600",
		.manual = "Intel 327043-001, chapter 2",
		.processors = "Intel family 6 model 2Dh (Sandy Bridge-EP): memory channels, home "
			      "agent, QPI, ring, cache slices, power control"},
	E5_MODEL(0x2d),
	.system = E5_FUNCTION(UBOX, 0, 11, 0, 0x3ce0),
	.node_at = 0x40,
	.map_at = 0x54,
	.kinds = kinds,
	.places = places,
	.places_count = ARRAY_SIZE(places),
};
