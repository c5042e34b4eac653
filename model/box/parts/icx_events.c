/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Ice Lake-SP's boxes that the model drives. */
#include "icx.h"

enum { CODES_OF_INSERTS = 0x8ff80301, OF_STACK = 0x30f05 };

const struct uncore_event icelake_sp_slice_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x11, C0, SLICE_RXR_OCCUPANCY, 0x17, true)}, /* RxC_OCCUPANCY */
	{UMASK(0x13, ALL, SLICE_RXR, 0x17, true)}, /* RxC_INSERTS */
	{RULE(0x1f, C123, COUNTS_REPLAY, true)}, /* COUNTER0_OCCUPANCY */
	{0x34, ALL, COUNTS_CODED_LOOKUP, 0, 0xbf1, true}, /* LLC_LOOKUP */
	{0x35, ALL, COUNTS_CODED_INSERTS, 0, CODES_OF_INSERTS, true}, /* TOR_INSERTS */
	{0x36, C0, COUNTS_CODED_OCCUPANCY, 0, CODES_OF_INSERTS, true}, /* TOR_OCCUPANCY */
	{SILENT(0x37, ALL)}, /* LLC_VICTIMS */
	{UMASK(0x50, ALL, SLICE_REQUESTS, 0x05, true)}, /* REQUESTS */
	{SIGNAL(0x59, ALL, SLICE_IMC_READS, true)}, /* IMC_READS_COUNT */
	{UMASK(0x5b, ALL, SLICE_IMC_WRITES, 0x01, true)}, /* IMC_WRITES_COUNT */
	{0},
};
const struct uncore_event icelake_sp_channel_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x01, ALL, CHANNEL_ACT, 0x01, true)}, /* ACT_COUNT */
	{0x02, ALL, COUNTS_PACKED, CHANNEL_PRE, 0x14, true}, /* PRE_COUNT */
	{0x04, ALL, COUNTS_PACKED, CHANNEL_CAS, 0x35, true}, /* CAS_COUNT */
	{UMASK(0x10, ALL, CHANNEL_RPQ_INSERTS, 0x01, true)}, /* RPQ_INSERTS */
	{UMASK(0x11, ALL, CHANNEL_RPQ_NE, 0x01, true)}, /* RPQ_CYCLES_NE */
	{UMASK(0x20, ALL, CHANNEL_WPQ_INSERTS, 0x01, true)}, /* WPQ_INSERTS */
	{UMASK(0x21, ALL, CHANNEL_WPQ_NE, 0x01, true)}, /* WPQ_CYCLES_NE */
	{SILENT(0x45, ALL)}, /* DRAM_REFRESH */
	{0x47, ALL, COUNTS_ANY, CHANNEL_CKE, 0x0f, false}, /* POWER_CKE_CYCLES */
	{SIGNAL(0x80, ALL, CHANNEL_RPQ_OCCUPANCY, true)}, /* RPQ_OCCUPANCY_PCH0 */
	{SIGNAL(0x82, ALL, CHANNEL_WPQ_OCCUPANCY, true)}, /* WPQ_OCCUPANCY_PCH0 */
	{0},
};
const struct uncore_event icelake_sp_stack_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{0x83, C01, COUNTS_STACK, STACK_DATA, OF_STACK, false}, /* DATA_REQ_OF_CPU */
	{0x84, ALL, COUNTS_STACK, STACK_TRANSACTIONS, OF_STACK, false}, /* TXN_REQ_OF_CPU */
	{0xc0, C23, COUNTS_STACK, STACK_BY_CPU, OF_STACK, false}, /* DATA_REQ_BY_CPU */
	{0},
};
const struct uncore_event icelake_sp_io_events[] = {
	{RULE(0x01, C01, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x0f, C01, IO_ENTRIES, 0x01, false)}, /* CACHE_TOTAL_OCCUPANCY */
	{UMASK(0x10, C01, IO_COHERENT, 0xd8, false)}, /* COHERENT_OPS */
	{SIGNAL(0x18, C01, IO_COHERENT, false)}, /* FAF_INSERTS */
	{0},
};
/* Bits of channels are behind those of sorts. */
const struct uncore_event icelake_sp_memory_stop_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x2d, ALL, MESH_DIRECTORY, 0x01, true)}, /* DIRECTORY_LOOKUP */
	{0x37, ALL, COUNTS_OF_CHANNEL, MESH_READS, 0x305, true}, /* IMC_READS */
	{0x38, ALL, COUNTS_OF_CHANNEL, MESH_WRITES, 0xc11, true}, /* IMC_WRITES */
	{0},
};
const struct uncore_event icelake_sp_power_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{SILENT(0x30, ALL)}, /* DEMOTIONS */
	{SIGNAL(0x60, ALL, POWER_CORE_TRANSITION, false)}, /* CORE_TRANSITION_CYCLES */
	{SIGNAL(0x74, ALL, POWER_FREQ_TRANS, false)}, /* FREQ_TRANS_CYCLES */
	{0},
};
const struct uncore_event icelake_sp_no_events[] = {{0}};
