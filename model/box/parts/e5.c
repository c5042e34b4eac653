/* SPDX-License-Identifier: BSD-2-Clause */
/* The Xeon E5's boxes, by kind: where registers lie, and what occurs in them without traffic. */
#include "e5.h"

/* ---- registers ---- */

/* Which of them a kind has, its counters and filters say. */
const struct uncore_place e5_msrs[] = {
	{0x04, 1, 1, UNCORE_BOX_CTL, 0},
	{0x08, 1, 1, UNCORE_CTL, UNCORE_FIXED},
	{0x09, 1, 1, UNCORE_CTR, UNCORE_FIXED},
	{0x10, 1, E5_COUNTERS, UNCORE_CTL, 0},
	{0x14, 1, 1, UNCORE_FILTER, 0},
	{0x15, 1, 1, UNCORE_OVERFLOWS, 0},
	{0x16, 1, E5_COUNTERS, UNCORE_CTR, 0},
	{0x1a, 1, 1, UNCORE_FILTER, 1},
	{0},
};

/* Each a dword, unless it is a counter. */
#define COUNTERS                                                                                   \
	{0xa0, 8, E5_COUNTERS, UNCORE_CTR, 0}, {0xd0, 8, 1, UNCORE_CTR, UNCORE_FIXED},             \
		{0xd8, 4, E5_COUNTERS, UNCORE_CTL, 0}, {0xf0, 4, 1, UNCORE_CTL, UNCORE_FIXED},     \
		{0xf4, 4, 1, UNCORE_BOX_CTL, 0},                                                   \
	{                                                                                          \
		0xf8, 4, 1, UNCORE_OVERFLOWS, 0                                                    \
	}

const struct uncore_place e5_counters[] = {COUNTERS, {0}};
const struct uncore_place e5_home[] = {COUNTERS, {0x40, 4, 3, UNCORE_FILTER, 0}, {0}};
const struct uncore_place e5_link_filters[] = {
	{0x228, 4, 2, UNCORE_FILTER, FILTER_MATCH0},
	{0x238, 4, 2, UNCORE_FILTER, FILTER_MASK0},
	{0},
};

const struct msr_range e5_ranges[] = {{0x1a4, 0x1a4}, {0x3fc, 0x3fd}, {0xc00, 0xdff}, {0, 0}};

/* ---- without traffic ---- */

/* Nothing but the clock: a pattern with a period of any length. */
static const struct uncore_segment quiet[] = {{.clocks = 1000}};

/* VLW, MSI, IPI, doorbell and interrupt priority: from devices and other cores, to and fro. */
static const struct uncore_segment system[] = {
	{.clocks = 9000}, {.clocks = 1, .n = {[SYSTEM_MESSAGE] = 1}},
	{.clocks = 100},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 1] = 1}},
	{.clocks = 200},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 2] = 1}},
	{.clocks = 300},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 3] = 1}},
	{.clocks = 400},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 4] = 1}},
};

static const struct uncore_segment home[] = {{.clocks = 1000, .n = {[HOME_CONFLICT] = 1}}};

/* Read major mode, if there is nothing to write.  Clocks are kept going to half of the ranks at a
 * time. */
#define HALF_OF_RANKS(first)                                                                       \
	[CHANNEL_CKE + (first)] = 1, [CHANNEL_CKE + (first) + 1] = 1,                              \
		       [CHANNEL_CKE + (first) + 2] = 1, [CHANNEL_CKE + (first) + 3] = 1

static const struct uncore_segment channel[] = {
	{.clocks = 600, .n = {[CHANNEL_MODE] = 1, HALF_OF_RANKS(0)}},
	{.clocks = 400, .n = {[CHANNEL_MODE] = 1, HALF_OF_RANKS(4)}},
};

/* Every 4000 clocks a device polls, on one or the other half of a ring, in either direction. */
#define POLLING                                                                                    \
	{.clocks = 3970}, {.clocks = 3, .n = {[RING_AD] = 1}},                                     \
		{.clocks = 1, .n = {[RING_AD + 1] = 1}}, {.clocks = 2, .n = {[RING_AD + 2] = 1}},  \
		{.clocks = 4, .n = {[RING_AD + 3] = 1}},                                           \
		{.clocks = 8, .n = {[RING_BL] = 1, [RING_IV] = 1}},                                \
		{.clocks = 3, .n = {[RING_BL + 1] = 1}}, {.clocks = 5, .n = {[RING_BL + 2] = 1}},  \
	{                                                                                          \
		.clocks = 4, .n = { [RING_BL + 3] = 1 }                                            \
	}

/* Packets of the other socket's agents, by bits of unit masks: HOM, SNP, NDR, DRS, NCB, NCS. */
#define INSERTS(n_, class)                                                                         \
	{                                                                                          \
		.clocks = (n_), .n = { [RING_RXR_INSERTS + (class)] = 1 }                          \
	}

static const struct uncore_segment link_fabric[] = {
	POLLING,       INSERTS(7, 0), INSERTS(5, 1), INSERTS(6, 2),
	INSERTS(4, 3), INSERTS(2, 4), INSERTS(3, 5),
};

/* DRS, NCB and NCS, bits 3 to 5 of unit masks. */
#define MESSAGE(class, n_) [RING_RXR_NE + (class)] = 1, [RING_CREDITS + (class)] = (n_)

static const struct uncore_segment io_fabric[] = {
	POLLING,
	{.clocks = 1, .n = {MESSAGE(3, 1)}},
	{.clocks = 6, .n = {MESSAGE(3, 0)}},
	{.clocks = 2, .n = {MESSAGE(4, 1)}},
	{.clocks = 1, .n = {MESSAGE(5, 1)}},
	{.clocks = 3, .n = {MESSAGE(5, 0)}},
};

/* Two flit slots in each clock and direction: IDLE, DATA, NON_DATA. */
#define FLITS(idle, data, non_data)                                                                \
	[LINK_TX_G0] = idle, [LINK_TX_G0 + 1] = data,                                              \
	[LINK_TX_G0 + 2] = non_data, [LINK_RX_G0] = idle, [LINK_RX_G0 + 1] = data,                 \
	[LINK_RX_G0 + 2] = non_data

static const struct uncore_segment link[] = {{.clocks = 1000, .n = {FLITS(2, 0, 0)}}};

/* SNP, HOM request, HOM other, DRS data, DRS header in G1; NDR, NDR, NCB data and header, NCS in
 * G2. */
#define BOTH_G1(bit, flits) [LINK_TX_G1 + (bit)] = flits, [LINK_RX_G1 + (bit)] = flits
#define BOTH_G2(bit, flits) [LINK_TX_G2 + (bit)] = flits, [LINK_RX_G2 + (bit)] = flits

/* DataC_E to node 1, 9 flits; two reads; a snoop; an interrupt, 11 flits. */
static const struct uncore_header drs = {0x00001c00 | 1 << 13, 0x00040002};
static const struct uncore_header reads[2] = {{0x00000040 | 1 << 13, 3}, {0x00000040, 4}};
static const struct uncore_header snoop = {0x00000640, 5};
static const struct uncore_header interrupt = {0x00001900 | 1 << 13, 6};

/* Every 40 ms: the other socket's cores wait to be started. */
static const struct uncore_segment linked[] = {
	{.clocks = 39999940, .n = {FLITS(2, 0, 0)}},
	{.clocks = 1,
	 .n = {FLITS(0, 0, 2),
	       BOTH_G1(1, 2), [LINK_RX_INSERTS] = 1, [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 2},
	 .headers = reads,
	 .header_count = 2},
	{.clocks = 10, .n = {FLITS(2, 0, 0), [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 2}},
	{.clocks = 1,
	 .n = {FLITS(1, 0, 1), BOTH_G1(0, 1), [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 1},
	 .headers = &snoop,
	 .header_count = 1},
	{.clocks = 20, .n = {FLITS(2, 0, 0)}},
	{.clocks = 1,
	 .n = {FLITS(0, 1, 1), BOTH_G1(3, 1),
	       BOTH_G1(4, 1), [LINK_RX_INSERTS] = 1, [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 1},
	 .headers = &drs,
	 .header_count = 1},
	{.clocks = 3,
	 .n = {FLITS(0, 2, 0), BOTH_G1(3, 2), [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 3}},
	{.clocks = 1,
	 .n = {FLITS(1, 1, 0), BOTH_G1(3, 1), [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 4}},
	{.clocks = 20, .n = {FLITS(2, 0, 0)}},
	{.clocks = 1,
	 .n = {FLITS(1, 0, 1), BOTH_G2(3, 1), [LINK_RX_INSERTS] = 1},
	 .headers = &interrupt,
	 .header_count = 1},
	{.clocks = 2, .n = {FLITS(1, 0, 1), BOTH_G2(0, 1)}},
};

/* The same, where the clock is twice as fast, and a flit goes in each. */
static const struct uncore_segment v3_link[] = {{.clocks = 1000, .n = {FLITS(1, 0, 0)}}};
static const struct uncore_segment v3_linked[] = {
	{.clocks = 79999880, .n = {FLITS(1, 0, 0)}},
	{.clocks = 1,
	 .n = {FLITS(0, 0, 1),
	       BOTH_G1(1, 1), [LINK_RX_INSERTS] = 1, [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 1},
	 .headers = &reads[0],
	 .header_count = 1},
	{.clocks = 1,
	 .n = {FLITS(0, 0, 1),
	       BOTH_G1(1, 1), [LINK_RX_INSERTS] = 1, [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 2},
	 .headers = &reads[1],
	 .header_count = 1},
	{.clocks = 20, .n = {FLITS(1, 0, 0), [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 2}},
	{.clocks = 1,
	 .n = {FLITS(0, 0, 1), BOTH_G1(0, 1), [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 1},
	 .headers = &snoop,
	 .header_count = 1},
	{.clocks = 40, .n = {FLITS(1, 0, 0)}},
	{.clocks = 1,
	 .n = {FLITS(0, 0, 1),
	       BOTH_G1(4, 1), [LINK_RX_INSERTS] = 1, [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 1},
	 .headers = &drs,
	 .header_count = 1},
	{.clocks = 8,
	 .n = {FLITS(0, 1, 0), BOTH_G1(3, 1), [LINK_RX_NE] = 1, [LINK_RX_OCCUPANCY] = 3}},
	{.clocks = 40, .n = {FLITS(1, 0, 0)}},
	{.clocks = 1,
	 .n = {FLITS(0, 0, 1), BOTH_G2(3, 1), [LINK_RX_INSERTS] = 1},
	 .headers = &interrupt,
	 .header_count = 1},
	{.clocks = 2, .n = {FLITS(0, 0, 1), BOTH_G2(0, 1)}},
};

const struct uncore_pattern e5_quiet = {PATTERN(quiet)};
const struct uncore_pattern e5_system_idle = {PATTERN(system)};
const struct uncore_pattern e5_home_idle = {PATTERN(home)};
const struct uncore_pattern e5_channel_idle = {PATTERN(channel)};
const struct uncore_pattern e5_io_fabric_idle = {PATTERN(io_fabric)};
const struct uncore_pattern e5_link_fabric_idle = {PATTERN(link_fabric)};
const struct uncore_pattern e5_link_idle = {PATTERN(link)};
const struct uncore_pattern e5_linked = {PATTERN(linked)};
const struct uncore_pattern e5_v3_link_idle = {PATTERN(v3_link)};
const struct uncore_pattern e5_v3_linked = {PATTERN(v3_linked)};
