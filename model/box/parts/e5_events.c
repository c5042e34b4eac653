/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of the Xeon E5's boxes that the model drives.  All others that the guide lists count 0:
 * what they tell of (starvation, retries, errors, throttling, refresh) does not happen here.  A few
 * of them are listed as SILENT, for bits of their numbers that no other event has.
 */

#include "e5.h"

const struct uncore_event e5_slice_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x02, C01, SLICE_TXR, 0x7f, true)}, /* TxR_INSERTS */
	{UMASK(0x11, C0, SLICE_RXR_OCCUPANCY, 0x17, true)}, /* RxR_OCCUPANCY */
	{UMASK(0x13, C01, SLICE_RXR, 0x17, true)}, /* RxR_INSERTS */
	{UMASK(0x1b, C23, SLICE_RING_AD, 0x0f, true)}, /* RING_AD_USED */
	{UMASK(0x1c, C23, SLICE_RING_AK, 0x0f, true)}, /* RING_AK_USED */
	{UMASK(0x1d, C23, SLICE_RING_BL, 0x0f, true)}, /* RING_BL_USED */
	{RULE(0x1f, C123, COUNTS_REPLAY, true)}, /* COUNTER0_OCCUPANCY */
	{RULE(0x34, C01, COUNTS_LOOKUP, true)}, /* LLC_LOOKUP */
	{RULE(0x35, C01, COUNTS_TOR_INSERTS, true)}, /* TOR_INSERTS */
	{RULE(0x36, C0, COUNTS_TOR_OCCUPANCY, true)}, /* TOR_OCCUPANCY */
	{UMASK(0x39, C01, SLICE_MISC, 0x0f, true)}, /* MISC */
	{0},
};

/* CLOCKTICKS, 00h, counts 0: the guide parks an enabled counter on it. */
const struct uncore_event e5_system_events[] = {
	{UMASK(0x42, C01, SYSTEM_MESSAGE, 0x1f, false)}, /* EVENT_MSG */
	{SIGNAL(0x44, C01, SYSTEM_LOCK, true)}, /* LOCK_CYCLES */
	{0},
};

const struct uncore_event e5_home_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x01, ALL, HOME_REQUESTS, 0x0f, true)}, /* REQUESTS */
	{UMASK(0x06, ALL, HOME_TRACKER, 0x03, true)}, /* TRACKER_INSERTS */
	E5_HOME_EVENTS_BEHIND_TRACKER,
	{UMASK(0x33, ALL, HOME_BL_INSERTS, 0x03, true)}, /* TxR_BL_INSERTS */
	{UMASK(0x34, ALL, HOME_BL_OCCUPANCY, 0x03, true)}, /* TxR_BL_OCCUPANCY */
	{UMASK(0x35, ALL, HOME_BL_NE, 0x03, true)}, /* TxR_BL_CYCLES_NE */
	{UMASK(0x3e, ALL, HOME_RING_AD, 0x0f, true)}, /* RING_AD_USED */
	{UMASK(0x40, ALL, HOME_RING_BL, 0x0f, true)}, /* RING_BL_USED */
	{0},
};

const struct uncore_event e5_channel_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{SIGNAL(0x01, ALL, CHANNEL_ACT, true)}, /* ACT_COUNT */
	E5_CHANNEL_EVENTS_BEHIND_ACT,
	{0},
};

const struct uncore_event e5_link_events[] = {
	{UMASK(0x00, ALL, LINK_TX_G0, 0x07, true)}, /* TxL_FLITS_G0 */
	{UMASK(EV_EXT | 0x00, ALL, LINK_TX_G1, 0x1f, true)}, /* TxL_FLITS_G1 */
	{UMASK(0x01, ALL, LINK_RX_G0, 0x07, true)}, /* RxL_FLITS_G0 */
	E5_LINK_EVENTS_OF_MESSAGES,
	{UMASK(0x35, ALL, LINK_RX_STALLS, 0xff, true)}, /* RxL_STALLS */
	E5_LINK_EVENTS_OF_CLOCKS,
	{0},
};

const struct uncore_event e5_io_fabric_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x07, ALL, RING_AD, 0x0f, false)}, /* RING_AD_USED */
	{UMASK(0x09, ALL, RING_BL, 0x0f, false)}, /* RING_BL_USED */
	{UMASK(0x0a, ALL, RING_IV, 0x0f, false)}, /* RING_IV_USED */
	{UMASK(0x10, C01, RING_RXR_NE, 0x38, false)}, /* RxR_CYCLES_NE */
	{UMASK(0x33, C01, RING_CREDITS, 0x38, false)}, /* IIO_CREDITS_ACQUIRED */
	{0},
};

const struct uncore_event e5_link_fabric_events[] = {
	{RULE(0x01, C012, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x07, C012, RING_AD, 0x0f, false)}, /* RING_AD_USED */
	{UMASK(0x09, C012, RING_BL, 0x0f, false)}, /* RING_BL_USED */
	{UMASK(0x0a, C012, RING_IV, 0x0f, false)}, /* RING_IV_USED */
	{UMASK(0x11, C01, RING_RXR_INSERTS, 0x3f, false)}, /* RxR_INSERTS */
	{SILENT(0x33, C01)}, /* VNA_CREDITS_ACQUIRED */
	{0},
};
