/* SPDX-License-Identifier: BSD-2-Clause */
/* What can happen in one clock of each kind of uncore box, by number. */
#pragma once

/* Signals, by kind of box.  A name that stands for several, one for each bit of a unit mask, has
 * their number behind it. */
enum { CBO_TXR = 0 /* 7 */, CBO_RXR = 7 /* 5 */, CBO_RXR_OCCUPANCY = 12 /* 5 */ };
enum { CBO_RING_AD = 17 /* 4 */, CBO_RING_AK = 21 /* 4 */, CBO_RING_BL = 25 /* 4 */ };
enum { CBO_MISC = 29 /* 4 */ };
enum { UBOX_LOCK = 0, UBOX_MESSAGE = 1 /* 5 */ };
enum {
	PCU_C0 = 1, /* by occ_sel: cores in C0, C3, C6 */
	PCU_C3,
	PCU_C6,
	PCU_FREQUENCY, /* in 100 MHz */
	PCU_FREQ_TRANS,
	PCU_VOLT_INCREASE,
	PCU_VOLT_DECREASE,
	PCU_VOLT_CHANGE,
	PCU_TOTAL_TRANSITION,
	PCU_CORE_TRANSITION, /* 8 */
};
enum {
	HA_REQUESTS = 0, /* 4 */
	HA_TRACKER = 4, /* 2 */
	HA_CONFLICT = 6, /* 2 */
	HA_DIRECTORY = 8, /* 2 */
	HA_BL = 10, /* 3 */
	HA_D2C = 13,
	HA_BYPASS = 14, /* 2 */
	HA_IMC_WRITES = 16, /* 4 */
	HA_TAD = 20, /* 8 */
	HA_BL_INSERTS = 28, /* 2 */
	HA_BL_OCCUPANCY = 30, /* 2 */
	HA_BL_NE = 32, /* 2 */
	HA_RING_AD = 34, /* 4 */
	HA_RING_BL = 38, /* 4 */
};
enum {
	IMC_ACT = 0,
	IMC_PRE = 1, /* 2 */
	IMC_CAS = 3, /* 4 */
	IMC_MODE = 7, /* 4 */
	IMC_RPQ_INSERTS = 11,
	IMC_RPQ_NE,
	IMC_RPQ_OCCUPANCY,
	IMC_WPQ_INSERTS,
	IMC_WPQ_NE,
	IMC_WPQ_OCCUPANCY,
	IMC_CKE, /* 8: of each rank */
};
enum {
	QPI_TX_G0 = 0, /* 3 */
	QPI_RX_G0 = 3, /* 3 */
	QPI_TX_G1 = 6, /* 5 */
	QPI_RX_G1 = 11, /* 5 */
	QPI_TX_G2 = 16, /* 5 */
	QPI_RX_G2 = 21, /* 5 */
	QPI_RX_INSERTS = 26,
	QPI_RX_NE,
	QPI_RX_OCCUPANCY,
	QPI_RX_STALLS, /* 8 */
};
enum { RING_AD = 0 /* 4 */, RING_BL = 4 /* 4 */, RING_IV = 8 /* 4 */ };
enum { RING_RXR_NE = 12 /* 6 */, RING_CREDITS = 18 /* 6 */ }; /* R2PCIe */
enum { RING_RXR_INSERTS = 12 /* 6 */ }; /* R3QPI */

/* Room for the signals of any kind. */
enum { UNCORE_SIGNALS = 48 };
