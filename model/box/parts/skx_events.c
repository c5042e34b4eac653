/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of Skylake-SP's boxes that the model drives, and what occurs without traffic. */
#include "skx.h"

const struct uncore_event skx_slice_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x11, C0, SLICE_RXR_OCCUPANCY, 0x17, true)}, /* RxC_OCCUPANCY */
	{UMASK(0x13, ALL, SLICE_RXR, 0x17, true)}, /* RxC_INSERTS */
	{RULE(0x1f, C123, COUNTS_REPLAY, true)}, /* COUNTER0_OCCUPANCY */
	{RULE(0x34, ALL, COUNTS_LOOKUP, true)}, /* LLC_LOOKUP */
	{0x35, ALL, COUNTS_SORTED_INSERTS, 0, 0x31, true}, /* TOR_INSERTS */
	{0x36, C0, COUNTS_SORTED_OCCUPANCY, 0, 0x31, true}, /* TOR_OCCUPANCY */
	{SILENT(0x37, ALL)}, /* LLC_VICTIMS */
	{UMASK(0x50, ALL, SLICE_REQUESTS, 0x05, true)}, /* REQUESTS */
	{SIGNAL(0x59, ALL, SLICE_IMC_READS, true)}, /* IMC_READS_COUNT */
	{UMASK(0x5b, ALL, SLICE_IMC_WRITES, 0x01, true)}, /* IMC_WRITES_COUNT */
	{UMASK(0xa6, ALL, SLICE_RING_AD, 0x0f, true)}, /* VERT_RING_AD_IN_USE */
	{0},
};

const struct uncore_event skx_power_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{BAND(0x0b, 0)}, /* FREQ_BAND0_CYCLES */
	{BAND(0x0c, 1)},
	{BAND(0x0d, 2)},
	{BAND(0x0e, 3)},
	{SILENT(0x30, ALL)}, /* DEMOTIONS */
	{SIGNAL(0x60, ALL, POWER_CORE_TRANSITION, false)}, /* CORE_TRANSITION_CYCLES */
	{SIGNAL(0x72, ALL, POWER_TOTAL_TRANSITION, false)}, /* TOTAL_TRANSITION_CYCLES */
	{SIGNAL(0x74, ALL, POWER_FREQ_TRANS, false)}, /* FREQ_TRANS_CYCLES */
	{0},
};

/* Unit masks: memory is written or read, of four ports, posted or not. */
enum { OF_STACK = 0x30f05 };
const struct uncore_event skx_stack_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{0x83, C01, COUNTS_STACK, STACK_DATA, OF_STACK, false}, /* DATA_REQ_OF_CPU */
	{0x84, ALL, COUNTS_STACK, STACK_TRANSACTIONS, OF_STACK, false}, /* TXN_REQ_OF_CPU */
	{0xc0, C23, COUNTS_STACK, STACK_BY_CPU, OF_STACK, false}, /* DATA_REQ_BY_CPU */
	{0},
};

const struct uncore_event skx_io_events[] = {
	{RULE(0x01, C01, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x0f, C01, IO_ENTRIES, 0x01, false)}, /* CACHE_TOTAL_OCCUPANCY */
	{UMASK(0x10, C01, IO_COHERENT, 0xdf, false)}, /* COHERENT_OPS */
	{0},
};

const struct uncore_event skx_channel_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x01, ALL, CHANNEL_ACT, 0x01, true)}, /* ACT_COUNT */
	E5_CHANNEL_EVENTS_BEHIND_ACT,
	{0},
};

const struct uncore_event skx_memory_stop_events[] = {
	{RULE(0x00, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{SIGNAL(0x23, ALL, MESH_DIRECT, true)}, /* DIRECT2CORE_TAKEN */
	{UMASK(0x2d, ALL, MESH_DIRECTORY, 0x01, true)}, /* DIRECTORY_LOOKUP */
	{UMASK(0x37, ALL, MESH_READS, 0x05, true)}, /* IMC_READS */
	{UMASK(0x38, ALL, MESH_WRITES, 0x11, true)}, /* IMC_WRITES */
	{0},
};

const struct uncore_event skx_port_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{UMASK(0x02, ALL, PORT_TX, 0xff, false)}, /* TxL_FLITS */
	{UMASK(0x03, ALL, PORT_RX, 0xff, false)}, /* RxL_FLITS */
	{UMASK(0x12, ALL, PORT_DIRECT, 0x03, false)}, /* DIRECT_ATTEMPTS */
	{0},
};

const struct uncore_event skx_stop_events[] = {
	{RULE(0x01, ALL, COUNTS_CLOCK, false)}, /* CLOCKTICKS */
	{0},
};

/* ---- without traffic ---- */

/* Eight microseconds of six cores. */
static const struct uncore_segment cores[] = {
	{.clocks = 4900, .n = {CORES(1, 2, 3), FREQUENCY(24)}},
	{.clocks = 100, .n = {CORES(1, 2, 3), FREQUENCY(24), ANY_TRANSITION(1)}},
	{.clocks = 960, .n = {CORES(2, 2, 2), FREQUENCY(24)}},
	{.clocks = 40,
	 .n = {CORES(2, 2, 2), FREQUENCY(24), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
	{.clocks = 1000, .n = {CORES(4, 1, 1), FREQUENCY(28)}},
	{.clocks = 960, .n = {CORES(6, 0, 0), FREQUENCY(32)}},
	{.clocks = 40,
	 .n = {CORES(6, 0, 0), FREQUENCY(32), [POWER_FREQ_TRANS] = 1, ANY_TRANSITION(0)}},
};

/* A device of each port reads and writes, 64 bytes at a time, in dwords by the clock. */
#define TRANSFER(sort, port, dwords)                                                               \
	{                                                                                          \
		.clocks = 1,                                                                       \
		.n = { [STACK_TRANSACTIONS + (sort) + (port)] = 1,                                 \
		       [STACK_DATA + (sort) + (port)] = (dwords) }                                 \
	}
static const struct uncore_segment devices[] = {
	{.clocks = 4000},
	TRANSFER(STACK_WRITES, 0, 16),
	TRANSFER(STACK_READS, 1, 16),
	{.clocks = 30},
	TRANSFER(STACK_WRITES, 2, 8),
	TRANSFER(STACK_READS, 3, 8),
	{.clocks = 20},
	TRANSFER(STACK_READS, 0, 4),
	TRANSFER(STACK_WRITES, 1, 4),
	{.clocks = 1, .n = {[STACK_BY_CPU + STACK_READS] = 1}},
	{.clocks = 2, .n = {[STACK_BY_CPU + STACK_READS + 1] = 1}},
	{.clocks = 3, .n = {[STACK_BY_CPU + STACK_READS + 2] = 1}},
	{.clocks = 4, .n = {[STACK_BY_CPU + STACK_READS + 3] = 1}},
	{.clocks = 10},
	TRANSFER(STACK_READS, 2, 2),
	TRANSFER(STACK_WRITES, 3, 2),
};

/* Operations by bits of the unit mask, each of other length. */
#define COHERENT(bit, n_)                                                                          \
	{                                                                                          \
		.clocks = (n_), .n = { [IO_COHERENT + (bit)] = 1, [IO_ENTRIES] = 1 }               \
	}
static const struct uncore_segment requests[] = {
	{.clocks = 3000}, COHERENT(0, 5), COHERENT(1, 2), COHERENT(2, 3),  COHERENT(3, 4),
	COHERENT(4, 6),   COHERENT(6, 1), COHERENT(7, 7), {.clocks = 200},
};

/* Of a link in use: flits of no slot, and each sort by bits of the unit mask. */
#define FLIT(bit, n_)                                                                              \
	{                                                                                          \
		.clocks = (n_), .n = { [PORT_TX + (bit)] = 1, [PORT_RX + 7 - (bit)] = 1 }          \
	}
static const struct uncore_segment flits[] = {
	{.clocks = 3000, .n = {[PORT_TX + 5] = 3, [PORT_RX + 5] = 3}},
	FLIT(0, 5),
	FLIT(1, 3),
	FLIT(2, 2),
	FLIT(3, 4),
	FLIT(4, 6),
	FLIT(6, 7),
	FLIT(7, 1),
	{.clocks = 2, .n = {[PORT_DIRECT] = 1}},
	{.clocks = 3, .n = {[PORT_DIRECT + 1] = 1}},
};

const struct uncore_pattern skx_power_idle = {PATTERN(cores)};
const struct uncore_pattern skx_stack_idle = {PATTERN(devices)};
const struct uncore_pattern skx_io_idle = {PATTERN(requests)};
const struct uncore_pattern skx_port_idle = {PATTERN(flits)};
