/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Haswell-EP's boxes that the model drives: as e5_events.c, where the guide has others.
 */
#include "hsx.h"

const struct uncore_event hsx_slice_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x02, ALL, SLICE_TXR, 0x7f, true)}, /* TxR_INSERTS */
	{UMASK(0x11, C0, SLICE_RXR_OCCUPANCY, 0x17, true)}, /* RxR_OCCUPANCY */
	{UMASK(0x13, ALL, SLICE_RXR, 0x17, true)}, /* RxR_INSERTS */
	{UMASK(0x1b, ALL, SLICE_RING_AD, 0x0f, true)}, /* RING_AD_USED */
	{UMASK(0x1c, ALL, SLICE_RING_AK, 0x0f, true)}, /* RING_AK_USED */
	{UMASK(0x1d, ALL, SLICE_RING_BL, 0x0f, true)}, /* RING_BL_USED */
	{RULE(0x1f, C123, COUNTS_REPLAY, true)}, /* COUNTER0_OCCUPANCY */
	{RULE(0x34, ALL, COUNTS_LOOKUP, true)}, /* LLC_LOOKUP */
	{RULE(0x35, ALL, COUNTS_TOR_INSERTS, true)}, /* TOR_INSERTS */
	{RULE(0x36, C0, COUNTS_TOR_OCCUPANCY, true)}, /* TOR_OCCUPANCY */
	{UMASK(0x39, ALL, SLICE_MISC, 0x0f, true)}, /* MISC */
	{0},
};

const struct uncore_event hsx_system_events[] = {
	{UMASK(0x42, C01, SYSTEM_MESSAGE, 0x08, false)}, /* EVENT_MSG.DOORBELL_RCVD */
	{0},
};

const struct uncore_event hsx_home_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x01, ALL, HOME_REQUESTS, 0x0f, true)}, /* REQUESTS */
	E5_HOME_EVENTS_BEHIND_TRACKER,
	{UMASK(0x3e, ALL, HOME_RING_AD, 0x0f, true)}, /* RING_AD_USED */
	{UMASK(0x40, ALL, HOME_RING_BL, 0x0f, true)}, /* RING_BL_USED */
	{0},
};

const struct uncore_event hsx_channel_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x01, ALL, CHANNEL_ACT, 0x01, true)}, /* ACT_COUNT */
	E5_CHANNEL_EVENTS_BEHIND_ACT,
	{0},
};

const struct uncore_event hsx_link_events[] = {
	{UMASK(0x00, ALL, LINK_TX_G0, 0x06, true)}, /* TxL_FLITS_G0 */
	{UMASK(EV_EXT | 0x00, ALL, LINK_TX_G1, 0x1f, true)}, /* TxL_FLITS_G1 */
	{UMASK(0x01, ALL, LINK_RX_G0, 0x01, true)}, /* RxL_FLITS_G0 */
	E5_LINK_EVENTS_OF_MESSAGES,
	E5_LINK_EVENTS_OF_CLOCKS,
	{0},
};

const struct uncore_event hsx_power_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{BAND(0x0b, 0)}, /* FREQ_BAND0_CYCLES */
	{BAND(0x0c, 1)},
	{BAND(0x0d, 2)},
	{BAND(0x0e, 3)},
	{SILENT(0x2d, ALL)}, /* PKG_RESIDENCY_C6_CYCLES */
	{SILENT(0x42, ALL)}, /* VR_HOT_CYCLES */
	{SIGNAL(0x60, ALL, POWER_CORE_TRANSITION, false)}, /* CORE0_TRANSITION_CYCLES */
	{SIGNAL(0x61, ALL, POWER_CORE_TRANSITION + 1, false)},
	{SIGNAL(0x72, ALL, POWER_TOTAL_TRANSITION, false)}, /* TOTAL_TRANSITION_CYCLES */
	{SIGNAL(0x74, ALL, POWER_FREQ_TRANS, false)}, /* FREQ_TRANS_CYCLES */
	{0},
};

/* Between the two rings: what goes on either way, and what comes in. */
const struct uncore_event hsx_switch_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x13, ALL, RING_RXR_INSERTS, 0x3f, false)}, /* RxR_INSERTS */
	{UMASK(0x1b, ALL, RING_AD, 0x0f, false)}, /* RING_AD_USED */
	{UMASK(0x1d, ALL, RING_BL, 0x0f, false)}, /* RING_BL_USED */
	{UMASK(0x1e, ALL, RING_IV, 0x0f, false)}, /* RING_IV_USED */
	{0},
};

const struct uncore_event hsx_io_fabric_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x07, ALL, RING_AD, 0x0f, false)}, /* RING_AD_USED */
	{UMASK(0x09, ALL, RING_BL, 0x0f, false)}, /* RING_BL_USED */
	{UMASK(0x0a, ALL, RING_IV, 0x0f, false)}, /* RING_IV_USED */
	{UMASK(0x10, C01, RING_RXR_NE, 0x30, false)}, /* RxR_CYCLES_NE */
	{0},
};

const struct uncore_event hsx_io_events[] = {
	{RULE(0x00, C0, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x16, C0, IO_TRANSACTIONS, 0x07, false)}, /* TRANSACTIONS */
	{0},
};
