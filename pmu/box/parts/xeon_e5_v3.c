/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Haswell-EP and Broadwell-EP.  Those that their guides list no more are not used. */
#include "xeon_e5_v3.h"

const uint32_t xeon_e5_v3_ddr4[] = {666666667, 800000000, 933333333, 1066666667, 1200000000, 0};

const struct box_select xeon_e5_v3_occupancy = {E5_OCCUPANCY_OF(E5_EVENT)};

const struct box_filters xeon_e5_v3_slice_filters = {
	.reg = {{5, FIELD(23, 17) | FIELD(9, 0)}, {6, FIELD(31, 20) | FIELD(15, 0)}},
	.thread = {0, FIELD(5, 0)},
	.states = {0, FIELD(23, 17)},
	.nodes = {1, FIELD(15, 0)},
	.opcode = {1, FIELD(28, 20)},
	E5_REQUESTS};
const struct box_filters xeon_e5_v3_power_filters = {.reg = {{5, FIELD(31, 0)}}};

const struct box_event xeon_e5_v3_channel_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "ACT_COUNT, RD and WR", 0x01, 0x03, AGREES),
	E5_CHANNEL_EVENTS_BEHIND_ACT,
	{0},
};

const struct box_event xeon_e5_v3_home_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	E5_HOME_EVENTS_OF_REQUESTS,
	E5_HOME_EVENTS_BEHIND_TRACKER,
	EVENT(OTHER, "RING_BL_USED", 0x40, 0x0f, AGREES_BIT_BY_BIT),
	{0},
};

/* Idle flits come in, others are counted as they are sent. */
const struct box_event xeon_e5_v3_link_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x14, 0x00, AGREES),
	EVENT(LINK_IDLE, "RxL_FLITS_G0.IDLE", 0x01, 0x01, AGREES),
	EVENT(OTHER, "TxL_FLITS_G0", 0x00, 0x06, AGREES_BIT_BY_BIT),
	EVENT(LINK_NON_DATA, "TxL_FLITS_G0.NON_DATA", 0x00, 0x04),
	EVENT(OTHER, "TxL_FLITS_G1", EXT | 0x00, 0x1f, AGREES_BIT_BY_BIT),
	EVENT(LINK_SNOOPS, "TxL_FLITS_G1.SNP", EXT | 0x00, 0x01),
	EVENT(LINK_FULL_POWER, "RxL0_POWER_CYCLES", 0x0f, 0x00, AGREES),
	EVENT(LINK_DATA_IN, "RxL_FLITS_G1.DRS_DATA", EXT | 0x02, 0x08, LINE(LOADED, 8)),
	EVENT(LINK_REQUESTS_IN, "RxL_FLITS_G1.HOM_REQ", EXT | 0x02, 0x02, LINE(LOADED, 1)),
	EVENT(LINK_RESPONSE_HEADERS_IN, "RxL_FLITS_G1.DRS_NONDATA", EXT | 0x02, 0x10,
	      LINE(LOADED, 1), .headers = 1),
	EVENT(LINK_RESPONSES_IN, "RxL_FLITS_G1.DRS", EXT | 0x02, 0x18, LINE(LOADED, 9),
	      .headers = 1),
	EVENT(LINK_PACKETS, "CTO_COUNT", EXT | 0x38, 0x00, AGREES),
	{0},
};

const struct box_event xeon_e5_v3_pcie_stop_events[] = {
	E5_STOP_EVENTS,
	EVENT(OTHER, "RxR_CYCLES_NE", 0x10, 0x30, AGREES_BIT_BY_BIT, ON(0, 2)),
	{0},
};
const struct box_event xeon_e5_v3_link_stop_events[] = {
	E5_STOP_EVENTS,
	EVENT(OTHER, "RxR_INSERTS", 0x11, 0x3f, AGREES_BIT_BY_BIT, ON(0, 2)),
	{0},
};

const struct box_event xeon_e5_v3_io_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(IO_READS, "TRANSACTIONS.READS", 0x16, 0x01),
	{0},
};

const struct box_event xeon_e5_v3_slice_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "TxR_INSERTS", 0x02, 0x7f, AGREES),
	EVENT(OTHER, "RxR_INSERTS", 0x13, 0x37, AGREES),
	EVENT(SLICE_RING, "RING_AD_USED", 0x1b, 0x0f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "RING_AK_USED", 0x1c, 0x0f, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "RING_BL_USED", 0x1d, 0x0f, AGREES_BIT_BY_BIT),
	EVENT(SLICE_HELD_BY_0, "COUNTER0_OCCUPANCY", 0x1f, 0x00, ON(1, 3), BY(MEMORY)),
	EVENT(SLICE_READ_LOOKUPS, "LLC_LOOKUP.DATA_READ", 0x34, 0x03),
	EVENT(SLICE_NO_LOOKUPS, "LLC_LOOKUP without bit 0", 0x34, 0x02),
	EVENT(SLICE_WRITE_LOOKUPS, "LLC_LOOKUP.WRITE", 0x34, 0x05, AGREES, .by_state = true),
	EVENT(SLICE_MISSES, "TOR_INSERTS.MISS_ALL", 0x35, 0x0a, AGREES, BY(MEMORY)),
	EVENT(SLICE_WRITE_BACKS, "TOR_INSERTS.WB", 0x35, 0x10, AGREES),
	EVENT(SLICE_OF_OPCODE, "TOR_INSERTS.OPCODE", 0x35, 0x01, LINE(LOADED, 1), LINE(STORED, 1)),
	EVENT(SLICE_MISSES_OF_OPCODE, "TOR_INSERTS.MISS_OPCODE", 0x35, 0x03, LINE(LOADED, 1)),
	EVENT(SLICE_MISSES_OF_NODE, "TOR_INSERTS.NID_MISS_OPCODE", 0x35, 0x43),
	EVENT(SLICE_HELD, "TOR_OCCUPANCY.ALL", 0x36, 0x08, ON(0, 1)),
	EVENT(SLICE_MISSES_HELD, "TOR_OCCUPANCY.MISS_ALL", 0x36, 0x0a, ON(0, 1)),
	EVENT(SLICE_VICTIMS, "LLC_VICTIMS", 0x37, 0x1f),
	EVENT(SLICE_ALIASES, "MISC.WC_ALIASING", 0x39, 0x02, ON(0, 2)),
	{0},
};

const struct box_event xeon_e5_v3_switch_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "RxR_INSERTS", 0x13, 0x3f, AGREES_BIT_BY_BIT),
	EVENT(RING_CLOCKWISE, "RING_AD_USED.UP", 0x1b, 0x03),
	EVENT(RING_COUNTERCLOCKWISE, "RING_AD_USED.DOWN", 0x1b, 0x0c),
	EVENT(RING_REQUESTS, "RING_AD_USED", 0x1b, 0x0f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "RING_BL_USED", 0x1d, 0x0f, AGREES_BIT_BY_BIT),
	EVENT(RING_INVALIDATIONS, "RING_IV_USED.ANY", 0x1e, 0x0f, AGREES),
	{0},
};

/* No event that a program causes for certain is listed. */
const struct box_event xeon_e5_v3_system_events[] = {
	EVENT(SYSTEM_MESSAGES, "EVENT_MSG.DOORBELL_RCVD", 0x42, 0x08),
	{0},
};
