/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows that the boxes of Xeons E5 have in common, from Sandy Bridge-EP on: 327043-001, 329468.
 *
 * Room: the parts, a file of rows each
 * Uses: pmu/box
 */
#pragma once

#include "pmu/box/box.h"

/* Prefetchers: SDM vol. 4, MSR_MISC_FEATURE_CONTROL of 06_2DH and 06_3EH. */
#define INTEL_MODEL(model_)                                                                        \
	.vendors = "GenuineIntel", .first_family = 6, .last_family = 6, .model = (model_)
#define E5_MODEL(model_) INTEL_MODEL(model_), .prefetchers = {0x1a4, FIELD(3, 0)}

/* ---- control registers ---- */

#define E5_SELECT(event_, unit_mask_)                                                              \
	.event = (event_), .unit_mask = (unit_mask_), .edge = BIT(18), .enable = BIT(22)
#define E5_EVENT       FIELD(7, 0)
#define EXT            0x100u /* of an event's number: ev_sel_ext */
#define E5_EXTENDED    (FIELD(7, 0) | BIT(21)) /* of links and of power control */
#define E5_MASK        FIELD(15, 8)
#define E5_OCC_SEL     FIELD(15, 14) /* of power control */
#define E5_RESET       .reset = BIT(17) /* not of channels and home agents */
#define E5_INVERT      .invert = BIT(23)
#define E5_THRESHOLD_8 .threshold = FIELD(31, 24)
#define E5_THRESHOLD_5 .threshold = FIELD(28, 24)
#define E5_FIXED       .fixed = {.enable = BIT(22), .reset = BIT(19)}

/* An occupancy of the power control unit has other bits for inversion and edge. */
#define E5_OCCUPANCY       0x80u
#define E5_TOLD_BY(fields) .other_if = E5_OCCUPANCY, .other = &(fields)
extern const struct box_select xeon_e5_occupancy;
/* Of most boxes; of those whose controls reset counters, of slices, links, and of the system box;
 * and of boxes without counters. */
extern const struct box_select xeon_e5_select, xeon_e5_select_resets, xeon_e5_select_slice,
	xeon_e5_select_link, xeon_e5_select_system, xeon_e5_select_none;

/* ---- where registers are: in a PCI function, or from the first MSR of a box on ---- */

#define E5_NOT_FIXED .fixed_ctl = NOT_THERE, .fixed_ctr = NOT_THERE
#define E5_PCI_AT    .gate = 0xf4, .ctl = 0xd8, .ctl_step = 4
#define E5_PCI_CTRS  .ctr = 0xa0, .ctr_step = 8
#define E5_MSR_AT    .ctl = 0x10, .ctr = 0x16, .ctl_step = 1, .ctr_step = 1

#define E5_PCI(counters_)                                                                          \
	.space = REG_PCI, .counters = (counters_), .at = {E5_PCI_AT, E5_PCI_CTRS, E5_NOT_FIXED}
#define E5_PCI_LIST(counters_, list)                                                               \
	.space = REG_PCI, .counters = (counters_),                                                 \
	.at = {E5_PCI_AT, .ctr_list = (list), E5_NOT_FIXED}
#define E5_CHANNEL                                                                                 \
	.space = REG_PCI, .counters = 4, .width = 48, .fixed_width = 48,                           \
	.at = {E5_PCI_AT, E5_PCI_CTRS, .fixed_ctl = 0xf0, .fixed_ctr = 0xd0}, E5_FIXED
#define E5_MSR .space = REG_MSR, .counters = 4, .at = {E5_MSR_AT, .gate = 0x04, E5_NOT_FIXED}
#define E5_SYSTEM(fixed_width_)                                                                    \
	.space = REG_MSR, .counters = 2, .width = 44, .fixed_width = (fixed_width_),               \
	.at = {E5_MSR_AT, .gate = NOT_THERE, .fixed_ctl = 0x08, .fixed_ctr = 0x09},                \
	.fixed = {.enable = BIT(22)}

#define E5_FUNCTION(kind_, number_, device_, function_, id_, ...)                                  \
	{                                                                                          \
		.kind = (kind_), .number = (number_), .device = (device_),                         \
		.function = (function_), .id = (id_), __VA_ARGS__                                  \
	}
#define OPTIONAL .optional = true
/* The port is function 2 of its device, its match and mask registers are in function 6. */
#define E5_LINK(kind_, number_, device_, id_, filter_id_, ...)                                     \
	{                                                                                          \
		.kind = (kind_), .number = (number_), .device = (device_), .function = 2,          \
		.id = (id_), .filter_function = 6, .filter_id = (filter_id_), __VA_ARGS__          \
	}
#define E5_MSRS(kind_, base_, step_, count_)                                                       \
	{                                                                                          \
		.kind = (kind_), .base = (base_), .step = (step_), .count = (count_)               \
	}

/* ---- filters ---- */

#define E5_HOME_FILTERS .filters = &xeon_e5_home_filters
#define E5_LINK_FILTERS .filters = &xeon_e5_link_filters
/* Codes of requests, and room for them in the table of a slice. */
#define E5_REQUESTS      .drd = 0x182, .rfo = 0x180
#define E5_ENTRIES       .most = 20
#define E5_POWER_FILTERS .filters = &xeon_e5_power_filters, .residency = E5_RESIDENCY
#define E5_RESIDENCY     0x3fc /* MSR_CORE_C3_RESIDENCY, and C6 */

/* ---- events ---- */

#define EVENT(is_, name_, event_, unit_mask_, ...)                                                 \
	{                                                                                          \
		.is = (is_), .name = (name_), .event = (event_), .unit_mask = (unit_mask_),        \
		__VA_ARGS__                                                                        \
	}
#define OTHER             BOX_NO_EVENT
#define AGREES            .agree = AGREE
#define AGREES_BIT_BY_BIT .agree = AGREE_BIT_BY_BIT
#define BY(load_)         .load = BY_##load_
#define LINE(use_, n)     .per_line[LINE_##use_] = (n)
#define ON(first_, n)     .first = (first_), .counters = (n)

/* ---- runs of events that all of them have ---- */

#define E5_STOP_EVENTS                                                                             \
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),                                               \
		EVENT(RING_CLOCKWISE, "RING_AD_USED.CW", 0x07, 0x03),                              \
		EVENT(RING_COUNTERCLOCKWISE, "RING_AD_USED.CCW", 0x07, 0x0c),                      \
		EVENT(RING_REQUESTS, "RING_AD_USED", 0x07, 0x0f, AGREES_BIT_BY_BIT, BY(MEMORY)),   \
		EVENT(OTHER, "RING_BL_USED", 0x09, 0x0f, AGREES_BIT_BY_BIT),                       \
		EVENT(RING_INVALIDATIONS, "RING_IV_USED.ANY", 0x0a, 0x0f, AGREES)
/* 09h has a bit that else ACT_COUNT alone would have, and so has 41h; 83h is by rank. */
#define E5_CHANNEL_EVENTS_BEHIND_ACT                                                               \
	EVENT(OTHER, "PRE_COUNT", 0x02, 0x03, AGREES),                                             \
		EVENT(CHANNEL_ALL, "CAS_COUNT.ALL", 0x04, 0x0f, AGREES_BIT_BY_BIT, BY(MEMORY)),    \
		EVENT(CHANNEL_READS, "CAS_COUNT.RD", 0x04, 0x03, LINE(LOADED, 1),                  \
		      LINE(FLUSHED, 1), LINE(STREAMED, NONE)),                                     \
		EVENT(CHANNEL_WRITES, "CAS_COUNT.WR", 0x04, 0x0c, LINE(LOADED, NONE),              \
		      LINE(FLUSHED, 1), LINE(STREAMED, 1)),                                        \
		EVENT(OTHER, "MAJOR_MODES.READ and .WRITE", 0x07, 0x03, AGREES),                   \
		EVENT(CHANNEL_ERRORS, "ECC_CORRECTABLE_ERRORS", 0x09, 0x00, AGREES),               \
		EVENT(CHANNEL_READ_INSERTS, "RPQ_INSERTS", 0x10, 0x00, AGREES),                    \
		EVENT(CHANNEL_READ_BUSY, "RPQ_CYCLES_NE", 0x11, 0x00),                             \
		EVENT(CHANNEL_WRITE_INSERTS, "WPQ_INSERTS", 0x20, 0x00, AGREES),                   \
		EVENT(OTHER, "POWER_THROTTLE_CYCLES", 0x41, 0x01, AGREES),                         \
		EVENT(CHANNEL_READ_QUEUE, "RPQ_OCCUPANCY", 0x80, 0x00, AGREES, BY(MEMORY)),        \
		EVENT(OTHER, "POWER_CKE_CYCLES", 0x83, 0xff, AGREES_BIT_BY_BIT)
#define E5_HOME_EVENTS_OF_REQUESTS                                                                 \
	EVENT(OTHER, "REQUESTS", 0x01, 0x0f, AGREES),                                              \
		EVENT(HOME_READS, "REQUESTS.READS", 0x01, 0x03, BY(MEMORY), LINE(LOADED, 1)),      \
		EVENT(HOME_WRITES, "REQUESTS.WRITES", 0x01, 0x0c, LINE(LOADED, NONE),              \
		      LINE(FLUSHED, 1))
#define E5_HOME_EVENTS_BEHIND_TRACKER                                                              \
	EVENT(OTHER, "DIRECTORY_LOOKUP", 0x0c, 0x03, AGREES),                                      \
		EVENT(OTHER, "TxR_BL", 0x10, 0x07, AGREES),                                        \
		EVENT(HOME_WRITES_FULL, "IMC_WRITES.FULL", 0x1a, 0x01, AGREES, LINE(STREAMED, 1)), \
		EVENT(HOME_WRITES_PARTIAL, "IMC_WRITES.PARTIAL", 0x1a, 0x02,                       \
		      LINE(STREAMED, NONE)),                                                       \
		EVENT(HOME_WRITES_ISOCH, "IMC_WRITES, ISOCH", 0x1a, 0x0c),                         \
		EVENT(HOME_WRITES_ALL, "IMC_WRITES.ALL", 0x1a, 0x0f),                              \
		EVENT(HOME_REGION, "TAD_REQUESTS_G0", 0x1b, 0xff, AGREES),                         \
		EVENT(HOME_ADDRESS, "ADDR_OPC_MATCH.ADDR", 0x20, 0x01),                            \
		EVENT(HOME_ADDRESS_AND_OPCODE, "ADDR_OPC_MATCH.FILT", 0x20, 0x03)
#define E5_BAND_EVENTS                                                                             \
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00, AGREES),                                       \
		EVENT(POWER_BAND_0, "FREQ_BAND0_CYCLES", 0x0b, 0x00, AGREES),                      \
		EVENT(POWER_BAND_1, "FREQ_BAND1_CYCLES", 0x0c, 0x00, AGREES),                      \
		EVENT(POWER_BAND_2, "FREQ_BAND2_CYCLES", 0x0d, 0x00),                              \
		EVENT(POWER_BAND_3, "FREQ_BAND3_CYCLES", 0x0e, 0x00)
/* The control register where it counts an occupancy. */
#define E5_OCCUPANCY_OF(event_)                                                                    \
	.event = (event_), .unit_mask = E5_OCC_SEL, .enable = BIT(22), E5_RESET, E5_THRESHOLD_5,   \
	.invert = BIT(30), .edge = BIT(31)

/* Rings are a part's own. */
#define E5_SLICE_EVENTS                                                                            \
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),                                               \
		EVENT(OTHER, "TxR_INSERTS", 0x02, 0x7f, AGREES, ON(0, 2)),                         \
		EVENT(OTHER, "RxR_INSERTS", 0x13, 0x17, AGREES, ON(0, 2)),                         \
		EVENT(SLICE_HELD_BY_0, "COUNTER0_OCCUPANCY", 0x1f, 0x00, ON(1, 3), BY(MEMORY)),    \
		EVENT(SLICE_READ_LOOKUPS, "LLC_LOOKUP.DATA_READ", 0x34, 0x03, ON(0, 2)),           \
		EVENT(SLICE_NO_LOOKUPS, "LLC_LOOKUP without bit 0", 0x34, 0x02, ON(0, 2)),         \
		EVENT(SLICE_WRITE_LOOKUPS, "LLC_LOOKUP.WRITE", 0x34, 0x05, AGREES, ON(0, 2),       \
		      .by_state = true),                                                           \
		EVENT(SLICE_MISSES, "TOR_INSERTS.MISS_ALL", 0x35, 0x0a, AGREES, ON(0, 2),          \
		      BY(MEMORY)),                                                                 \
		EVENT(SLICE_WRITE_BACKS, "TOR_INSERTS.WB", 0x35, 0x10, AGREES, ON(0, 2)),          \
		EVENT(SLICE_OF_OPCODE, "TOR_INSERTS.OPCODE", 0x35, 0x01, ON(0, 2),                 \
		      LINE(LOADED, 1), LINE(STORED, 1)),                                           \
		EVENT(SLICE_MISSES_OF_OPCODE, "TOR_INSERTS.MISS_OPCODE", 0x35, 0x03, ON(0, 2),     \
		      LINE(LOADED, 1)),                                                            \
		EVENT(SLICE_MISSES_OF_NODE, "TOR_INSERTS.NID_MISS_OPCODE", 0x35, 0x43, ON(0, 2)),  \
		EVENT(SLICE_HELD, "TOR_OCCUPANCY.ALL", 0x36, 0x08, ON(0, 1)),                      \
		EVENT(SLICE_MISSES_HELD, "TOR_OCCUPANCY.MISS_ALL", 0x36, 0x0a, ON(0, 1)),          \
		EVENT(SLICE_VICTIMS, "LLC_VICTIMS", 0x37, 0x0f, ON(0, 2)),                         \
		EVENT(SLICE_ALIASES, "MISC.WC_ALIASING", 0x39, 0x02, ON(0, 2))

/* Flits that come in, of a line from another socket: a request, a header, eight of data.  The
 * sockets' other messages, snoops and their responses, are in NON_DATA alone. */
#define E5_LINK_EVENTS_IN                                                                          \
	EVENT(LINK_DATA_IN, "RxL_FLITS_G0.DATA", 0x01, 0x02, LINE(LOADED, 8)),                     \
		EVENT(LINK_NON_DATA_IN, "RxL_FLITS_G0.NON_DATA", 0x01, 0x04, LINE(LOADED, 2),      \
		      .or_more = true),                                                            \
		EVENT(LINK_REQUESTS_IN, "RxL_FLITS_G1.HOM_REQ", EXT | 0x02, 0x02,                  \
		      LINE(LOADED, 1)),                                                            \
		EVENT(LINK_RESPONSE_DATA_IN, "RxL_FLITS_G1.DRS_DATA", EXT | 0x02, 0x08,            \
		      LINE(LOADED, 8)),                                                            \
		EVENT(LINK_RESPONSE_HEADERS_IN, "RxL_FLITS_G1.DRS_NONDATA", EXT | 0x02, 0x10,      \
		      LINE(LOADED, 1), .headers = 1),                                              \
		EVENT(LINK_RESPONSES_IN, "RxL_FLITS_G1.DRS", EXT | 0x02, 0x18, LINE(LOADED, 9),    \
		      .headers = 1)

/* Transitions are a part's own.  Bit 4 of the first demotion, else BAND3; bit 5 of the other, else
 * clocks. */
#define E5_POWER_EVENTS                                                                            \
	E5_BAND_EVENTS, EVENT(OTHER, "DEMOTIONS_CORE0", 0x1e, 0x00, AGREES),                       \
		EVENT(OTHER, "DEMOTIONS_CORE2", 0x20, 0x00, AGREES),                               \
		EVENT(POWER_C0, "POWER_STATE_OCCUPANCY.CORES_C0", E5_OCCUPANCY, 1, AGREES),        \
		EVENT(POWER_C3, "POWER_STATE_OCCUPANCY.CORES_C3", E5_OCCUPANCY, 2, AGREES),        \
		EVENT(POWER_C6, "POWER_STATE_OCCUPANCY.CORES_C6", E5_OCCUPANCY, 3)

/* ---- rates of clocks ---- */

/* Half as many as transfers, of DDR3-800 to -1866; and the PCU's, 800 MHz. */
extern const uint32_t xeon_e5_ddr3[], xeon_e5_power[];

extern const struct box_filters xeon_e5_home_filters, xeon_e5_link_filters, xeon_e5_power_filters;
extern const struct box_event xeon_e5_channel_events[], xeon_e5_home_events[],
	xeon_e5_system_events[];
