/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kinds of uncore boxes differ in, and what goes on in each of them without traffic. */

#include "parts.h"

#define UCLK_HZ   UINT64_C(2400000000)
#define PCU_HZ    UINT64_C(800000000)
#define DCLK_HZ   UINT64_C(666666667) /* DDR3-1333 */
#define QPI_HZ    UINT64_C(1000000000) /* 8 GT/s */

#define THRESH_5  (uint32_t) FIELD(28, 24)
#define THRESH_8  (uint32_t) FIELD(31, 24)
#define CTL_BASIC (uint32_t)(CTL_EV_SEL | CTL_EDGE_DET | CTL_EN | CTL_INVERT)
#define CTL_PLAIN (uint32_t)(CTL_BASIC | CTL_UMASK | THRESH_8)

/* Nothing but the clock: a pattern with a period of any length. */
static const struct uncore_segment quiet[] = {{.clocks = 1000}};

/* VLW, MSI, IPI, doorbell and interrupt priority: from devices and other cores, to and fro. */
static const struct uncore_segment ubox_idle[] = {
	{.clocks = 9000}, {.clocks = 1, .n = {[SYSTEM_MESSAGE] = 1}},
	{.clocks = 100},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 1] = 1}},
	{.clocks = 200},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 2] = 1}},
	{.clocks = 300},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 3] = 1}},
	{.clocks = 400},  {.clocks = 1, .n = {[SYSTEM_MESSAGE + 4] = 1}},
};

static const struct uncore_segment ha_idle[] = {{.clocks = 1000, .n = {[HOME_CONFLICT] = 1}}};

/* Read major mode, if there is nothing to write.  Clocks are kept going to half of the ranks at a
 * time. */
#define HALF_OF_RANKS(first)                                                                       \
	[CHANNEL_CKE + (first)] = 1, [CHANNEL_CKE + (first) + 1] = 1,                              \
		       [CHANNEL_CKE + (first) + 2] = 1, [CHANNEL_CKE + (first) + 3] = 1

static const struct uncore_segment imc_idle[] = {
	{.clocks = 600, .n = {[CHANNEL_MODE] = 1, HALF_OF_RANKS(0)}},
	{.clocks = 400, .n = {[CHANNEL_MODE] = 1, HALF_OF_RANKS(4)}},
};

/*
 * Ten microseconds.  Core 0 runs the program; the others wake up now and then, and
 * turbo frequencies come and go with them.
 */
#define CORES(c0, c3, c6)    [POWER_C0] = c0, [POWER_C3] = c3, [POWER_C6] = c6
#define FREQUENCY(f)         [POWER_FREQUENCY] = f
#define ANY_TRANSITION(core) [POWER_TOTAL_TRANSITION] = 1, [POWER_CORE_TRANSITION + (core)] = 1

static const struct uncore_segment pcu_idle[] = {
	{.clocks = 4900, .n = {CORES(1, 2, 5), FREQUENCY(24)}},
	{.clocks = 100, .n = {CORES(1, 2, 5), FREQUENCY(24), ANY_TRANSITION(1)}},
	{.clocks = 900, .n = {CORES(2, 2, 4), FREQUENCY(24)}},
	{.clocks = 60,
	 .n = {CORES(2, 2, 4), FREQUENCY(24), [POWER_VOLT_INCREASE] = 1, [POWER_VOLT_CHANGE] = 1}},
	{.clocks = 40,
	 .n = {CORES(2, 2, 4), FREQUENCY(24), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 1000, .n = {CORES(4, 1, 3), FREQUENCY(26)}},
	{.clocks = 460, .n = {CORES(8, 0, 0), FREQUENCY(31)}},
	{.clocks = 40,
	 .n = {CORES(8, 0, 0), FREQUENCY(31), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 30,
	 .n = {CORES(3, 1, 4), FREQUENCY(24), [POWER_VOLT_DECREASE] = 1, [POWER_VOLT_CHANGE] = 1}},
	{.clocks = 470, .n = {CORES(3, 1, 4), FREQUENCY(24)}},
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

/* What the other socket's agents send, by bits of unit masks: HOM, SNP, NDR, DRS, NCB, NCS. */
#define INSERTS(n_, class)                                                                         \
	{                                                                                          \
		.clocks = (n_), .n = { [RING_RXR_INSERTS + (class)] = 1 }                          \
	}

static const struct uncore_segment ring_idle[] = {
	POLLING,       INSERTS(7, 0), INSERTS(5, 1), INSERTS(6, 2),
	INSERTS(4, 3), INSERTS(2, 4), INSERTS(3, 5),
};

/* DRS, NCB and NCS, bits 3 to 5 of unit masks. */
#define MESSAGE(class, n_) [RING_RXR_NE + (class)] = 1, [RING_CREDITS + (class)] = (n_)

static const struct uncore_segment pcie_idle[] = {
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

static const struct uncore_segment link_idle[] = {{.clocks = 1000, .n = {FLITS(2, 0, 0)}}};

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
static const struct uncore_segment link_busy[] = {
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

#define IDLE(pattern) .idle = pattern, .idle_count = ARRAY_SIZE(pattern)
#define BOX(kind_, counters_, width_, hz_, events_)                                                \
	.kind = kind_, .counters = counters_, .width = width_, .hz = hz_, .events = events_
#define PLAIN(bits) .ctl_bits = CTL_PLAIN | (uint32_t)(bits), .thresh = THRESH_8, .box_ctl = true
#define RESETS      .box_resets = true

const struct uncore_traits uncore_traits[UNCORE_KINDS] = {
	[UNCORE_CBO] = {BOX(UNCORE_CBO, 4, 44, UCLK_HZ, uncore_cbo_events),
			PLAIN(CTL_RST | CTL_TID_EN), RESETS, IDLE(quiet),
			.filter_bits = {(uint32_t)(FILTER_TID | FILTER_NID | FILTER_STATE |
						   FILTER_OPC)}},
	[UNCORE_UBOX] = {BOX(UNCORE_UBOX, 2, 44, UCLK_HZ, uncore_ubox_events), IDLE(ubox_idle),
			 .ctl_bits = CTL_BASIC | (uint32_t)(CTL_UMASK | CTL_RST) | THRESH_5,
			 .thresh = THRESH_5, .fixed = true,
			 .fixed_ctl_bits = (uint32_t)FIXED_CTL_EN},
	[UNCORE_PCU] = {BOX(UNCORE_PCU, 4, 48, PCU_HZ, uncore_pcu_events), RESETS, IDLE(pcu_idle),
			.ctl_bits = CTL_BASIC | THRESH_5 |
				    (uint32_t)(CTL_OCC_SEL | CTL_RST | CTL_EV_SEL_EXT |
					       CTL_OCC_INVERT | CTL_OCC_EDGE_DET),
			.thresh = THRESH_5, .box_ctl = true, .filter_bits = {0xffffffff}},
	[UNCORE_HA] = {BOX(UNCORE_HA, 4, 48, UCLK_HZ, uncore_ha_events), PLAIN(0), IDLE(ha_idle),
		       .filter_bits = {0xffffffc0, 0x00003fff, 0x0000003f}},
	[UNCORE_IMC] = {BOX(UNCORE_IMC, 4, 48, DCLK_HZ, uncore_imc_events), PLAIN(0),
			IDLE(imc_idle), .fixed = true,
			.fixed_ctl_bits = (uint32_t)(FIXED_CTL_EN | FIXED_CTL_RST)},
	[UNCORE_QPI] = {BOX(UNCORE_QPI, 4, 48, QPI_HZ, uncore_qpi_events),
			PLAIN(CTL_RST | CTL_EV_SEL_EXT), RESETS, IDLE(link_idle),
			.filter_bits = {0x8003fff8, 0x000f000f, 0x8003fff8, 0x000f000f},
			.idle_linked = link_busy, .idle_linked_count = ARRAY_SIZE(link_busy)},
	[UNCORE_R2PCIE] = {BOX(UNCORE_R2PCIE, 4, 44, UCLK_HZ, uncore_r2pcie_events), PLAIN(CTL_RST),
			   RESETS, IDLE(pcie_idle)},
	[UNCORE_R3QPI] = {BOX(UNCORE_R3QPI, 3, 44, UCLK_HZ, uncore_r3qpi_events), PLAIN(CTL_RST),
			  RESETS, IDLE(ring_idle)},
};
