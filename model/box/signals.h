/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals: events that can happen in one clock of each kind of uncore box, by number. */
#pragma once

/* Signals, by kind of box.  A name that stands for several, one for each bit of a unit mask, has
 * their number behind it. */
enum { SLICE_TXR = 0 /* 7 */, SLICE_RXR = 7 /* 5 */, SLICE_RXR_OCCUPANCY = 12 /* 5 */ };
enum { SLICE_RING_AD = 17 /* 4 */, SLICE_RING_AK = 21 /* 4 */, SLICE_RING_BL = 25 /* 4 */ };
enum { SLICE_MISC = 29 /* 4 */ };
/* Of one that is a home, too. */
enum { SLICE_REQUESTS = 33 /* 6 */, SLICE_IMC_READS = 39, SLICE_IMC_WRITES = 40 /* 2 */ };
enum { SYSTEM_LOCK = 0, SYSTEM_MESSAGE = 1 /* 5 */ };
enum {
	POWER_C0 = 1, /* by occ_sel: cores in C0, C3, C6 */
	POWER_C3,
	POWER_C6,
	POWER_FREQUENCY, /* in 100 MHz */
	POWER_FREQ_TRANS,
	POWER_VOLT_INCREASE,
	POWER_VOLT_DECREASE,
	POWER_VOLT_CHANGE,
	POWER_TOTAL_TRANSITION,
	POWER_CORE_TRANSITION, /* 8 */
};
enum {
	HOME_REQUESTS = 0, /* 4 */
	HOME_TRACKER = 4, /* 2 */
	HOME_CONFLICT = 6, /* 2 */
	HOME_DIRECTORY = 8, /* 2 */
	HOME_BL = 10, /* 3 */
	HOME_D2C = 13,
	HOME_BYPASS = 14, /* 2 */
	HOME_IMC_WRITES = 16, /* 4 */
	HOME_TAD = 20, /* 8 */
	HOME_BL_INSERTS = 28, /* 2 */
	HOME_BL_OCCUPANCY = 30, /* 2 */
	HOME_BL_NE = 32, /* 2 */
	HOME_RING_AD = 34, /* 4 */
	HOME_RING_BL = 38, /* 4 */
};
enum {
	CHANNEL_ACT = 0,
	CHANNEL_PRE = 1, /* 2 */
	CHANNEL_CAS = 3, /* 4 */
	CHANNEL_MODE = 7, /* 4 */
	CHANNEL_RPQ_INSERTS = 11,
	CHANNEL_RPQ_NE,
	CHANNEL_RPQ_OCCUPANCY,
	CHANNEL_WPQ_INSERTS,
	CHANNEL_WPQ_NE,
	CHANNEL_WPQ_OCCUPANCY,
	CHANNEL_CKE, /* 8: of each rank */
	CHANNEL_HALF = CHANNEL_CKE + 8, /* the number of that to which a command goes */
	CHANNEL_RPQ_OF_HALF, /* 2 */
	CHANNEL_WPQ_OF_HALF = CHANNEL_RPQ_OF_HALF + 2, /* 2 */
};
enum { RD_REG = 0, RD_UNDERFILL = 1, WR_WMM = 2, WR_RMM = 3 }; /* behind CHANNEL_CAS */
enum {
	LINK_TX_G0 = 0, /* 3 */
	LINK_RX_G0 = 3, /* 3 */
	LINK_TX_G1 = 6, /* 5 */
	LINK_RX_G1 = 11, /* 5 */
	LINK_TX_G2 = 16, /* 5 */
	LINK_RX_G2 = 21, /* 5 */
	LINK_RX_INSERTS = 26,
	LINK_RX_NE,
	LINK_RX_OCCUPANCY,
	LINK_RX_STALLS, /* 8 */
};
enum { RING_AD = 0 /* 4 */, RING_BL = 4 /* 4 */, RING_IV = 8 /* 4 */ };
enum { RING_RXR_NE = 12 /* 6 */, RING_CREDITS = 18 /* 6 */ }; /* R2PCIe */
enum { RING_RXR_INSERTS = 12 /* 6 */ }; /* R3QPI */

/* Of the northbridge: hits, misses and conflicts of pages, of each controller. */
enum { NODE_DRAM = 0 /* 6 */ };
enum { CONTROLLER_TRANSFERS = 0 };

/* Of the second-level cache: what is counted, and whose unit-mask bit that is. */
enum { L2_REQUESTS, L2_MISSES };
enum { L2_DATA = 0x02 };

/* By port, and sort; transactions, and dwords of them. */
enum { STACK_PORTS = 4, STACK_TRANSACTIONS = 0 /* 8 */, STACK_DATA = 8 /* 8 */ };
enum { STACK_BY_CPU = 16 /* 8 */, STACK_NOTHING = 24 /* of a port without a device */ };
enum { STACK_WRITES = 0, STACK_READS = 4 };
enum { IO_COHERENT = 0 /* 8 */, IO_ENTRIES = 8 };
/* Of a mesh, where it meets memory and links. */
enum { MESH_READS = 0 /* 3 */, MESH_WRITES = 3 /* 8 */, MESH_DIRECT = 11, MESH_DIRECTORY };
enum { PORT_TX = 0 /* 8 */, PORT_RX = 8 /* 8 */, PORT_DIRECT = 16 /* 2 */ };
/* Of the uncore as one, by bits of unit masks: reads and writes that the last cache has, or has
 * not; what memory reads and writes, by channel. */
enum { WHOLE_CHANNELS = 3 };
enum { WHOLE_HITS = 0 /* 2 */, WHOLE_MISSES = 2 /* 2 */ };
enum { WHOLE_READS = 4 /* 3 */, WHOLE_WRITES = 7 /* 3 */ };

/* What others than the core have a client's memory do. */
enum { MEMORY_QUIET, MEMORY_READS, MEMORY_WRITES };

enum { IO_TRANSACTIONS = 0 /* 3 */, IO_OCCUPANCY = 3 /* 2 */ };

/* Room for the signals of any kind. */
enum { UNCORE_SIGNALS = 48 };
