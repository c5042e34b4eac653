/* SPDX-License-Identifier: BSD-2-Clause */
/* Filters, and events that Sandy Bridge-EP and Ivy Bridge-EP have in common. */
#include "xeon_e5.h"

const struct box_select xeon_e5_occupancy = {E5_OCCUPANCY_OF(E5_EXTENDED)};

#define OF_8(event_)   E5_SELECT(event_, E5_MASK), E5_INVERT, E5_THRESHOLD_8
#define OF_8_AND_RESET OF_8(E5_EVENT), E5_RESET
const struct box_select xeon_e5_select = {OF_8(E5_EVENT)};
const struct box_select xeon_e5_select_resets = {OF_8_AND_RESET};
const struct box_select xeon_e5_select_slice = {OF_8_AND_RESET, .thread = BIT(19)};
const struct box_select xeon_e5_select_link = {OF_8(E5_EXTENDED), E5_RESET};
const struct box_select xeon_e5_select_system = {E5_SELECT(E5_EVENT, E5_MASK), E5_INVERT,
						 E5_THRESHOLD_5, E5_RESET};
const struct box_select xeon_e5_select_none;

const uint32_t xeon_e5_ddr3[] = {400000000, 533333333, 666666667, 800000000, 933333333, 0};
const uint32_t xeon_e5_power[] = {800000000, 0};

/* Physical address, bits 31:6 and 45:32, and opcode. */
const struct box_filters xeon_e5_home_filters = {
	.reg = {{0x40, FIELD(31, 6)}, {0x44, FIELD(13, 0)}, {0x48, FIELD(5, 0)}}};
/* Match and mask of a packet's header. */
const struct box_filters xeon_e5_link_filters = {.reg = {{0x228, BIT(31) | FIELD(17, 3)},
							 {0x22c, FIELD(19, 16) | FIELD(3, 0)},
							 {0x238, BIT(31) | FIELD(17, 3)},
							 {0x23c, FIELD(19, 16) | FIELD(3, 0)}}};
/* Four bands of 100 MHz each. */
const struct box_filters xeon_e5_power_filters = {.reg = {{0x14, FIELD(31, 0)}}};

const struct box_event xeon_e5_channel_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "ACT_COUNT", 0x01, 0x00, AGREES),
	E5_CHANNEL_EVENTS_BEHIND_ACT,
	{0},
};

const struct box_event xeon_e5_home_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	E5_HOME_EVENTS_OF_REQUESTS,
	EVENT(OTHER, "TRACKER_INSERTS", 0x06, 0x03, AGREES),
	E5_HOME_EVENTS_BEHIND_TRACKER,
	EVENT(OTHER, "TxR_BL_CYCLES_NE", 0x35, 0x03, AGREES),
	EVENT(OTHER, "RING_BL_USED", 0x40, 0x0f, AGREES_BIT_BY_BIT),
	{0},
};

/* Clocks are the fixed counter's alone. */
const struct box_event xeon_e5_system_events[] = {
	EVENT(SYSTEM_MESSAGES, "EVENT_MSG", 0x42, 0x1f),
	EVENT(SYSTEM_LOCKS, "LOCK_CYCLES", 0x44, 0x00, BY(LOCKS)),
	{0},
};
