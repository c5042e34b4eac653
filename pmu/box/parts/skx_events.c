/* SPDX-License-Identifier: BSD-2-Clause */
/* Gates and events of Skylake-SP's boxes, and what its stacks count by themselves. */
#include "skx.h"

#define FREEZE .stop = 0x100, .run = 0
const struct box_gating xeon_scalable_freeze = {FREEZE},
			xeon_scalable_gate = {FREEZE, .reset_ctls = 1, .reset_ctrs = 2};

/* Of a request: whether it is a core's, and whether it hits or misses.  Its opcode is the filter's.
 */
const struct box_event xeon_scalable_slice_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "RxC_INSERTS", 0x13, 0x37, AGREES),
	EVENT(SLICE_HELD_BY_0, "COUNTER0_OCCUPANCY", 0x1f, 0x00, ON(1, 3), BY(MEMORY)),
	EVENT(SLICE_READ_LOOKUPS, "LLC_LOOKUP.DATA_READ", 0x34, 0x03),
	EVENT(SLICE_NO_LOOKUPS, "LLC_LOOKUP without bit 0", 0x34, 0x02),
	EVENT(SLICE_WRITE_LOOKUPS, "LLC_LOOKUP.WRITE", 0x34, 0x05, AGREES, .by_state = true),
	EVENT(SLICE_MISSES, "TOR_INSERTS.IA_MISS", 0x35, 0x21, AGREES, BY(MEMORY)),
	EVENT(SLICE_OF_OPCODE, "TOR_INSERTS.IA", 0x35, 0x31, AGREES, LINE(LOADED, 1),
	      LINE(STORED, 1)),
	EVENT(SLICE_MISSES_OF_OPCODE, "TOR_INSERTS.IA_MISS", 0x35, 0x21, LINE(LOADED, 1)),
	EVENT(SLICE_HELD, "TOR_OCCUPANCY.IA", 0x36, 0x31, ON(0, 1)),
	EVENT(SLICE_MISSES_HELD, "TOR_OCCUPANCY.IA_MISS", 0x36, 0x21, ON(0, 1)),
	EVENT(SLICE_VICTIMS, "LLC_VICTIMS.LOCAL_ALL", 0x37, 0x2f),
	EVENT(OTHER, "REQUESTS", 0x50, 0x3f, AGREES_BIT_BY_BIT),
	EVENT(SLICE_MEMORY_READS, "IMC_READS_COUNT.NORMAL", 0x59, 0x01, AGREES),
	EVENT(OTHER, "IMC_WRITES_COUNT", 0x5b, 0x03, AGREES_BIT_BY_BIT),
	EVENT(SLICE_RING, "VERT_RING_AD_IN_USE", 0xa6, 0x0f, AGREES_BIT_BY_BIT, BY(MEMORY)),
	{0},
};

/* Bits of the unit mask: the event's own, of the ports of a stack, and of classes of messages. */
#define OF_STACK(mask, ports) ((mask) | (ports) << 8 | UINT32_C(7) << 16)
const struct box_event xeon_scalable_stack_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(IO_DATA_WRITTEN, "DATA_REQ_OF_CPU.MEM_WRITE", 0x83, OF_STACK(0x01, 0xf), AGREES,
	      ON(0, 2)),
	EVENT(IO_READS, "TXN_REQ_OF_CPU.MEM_READ", 0x84, OF_STACK(0x04, 0xf), AGREES),
	EVENT(OTHER, "TXN_REQ_OF_CPU.MEM_WRITE", 0x84, OF_STACK(0x01, 0xf), AGREES),
	EVENT(OTHER, "DATA_REQ_BY_CPU.MEM_READ", 0xc0, OF_STACK(0x04, 0xf), AGREES, ON(2, 2)),
	{0},
};
const struct box_event xeon_scalable_io_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(OTHER, "CACHE_TOTAL_OCCUPANCY.ANY", 0x0f, 0x01, AGREES),
	EVENT(IO_READS, "COHERENT_OPS.PCIRDCUR", 0x10, 0x01),
	EVENT(OTHER, "COHERENT_OPS", 0x10, 0xdf, AGREES_BIT_BY_BIT),
	{0},
};

const struct box_event xeon_scalable_memory_stop_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x00, 0x00),
	EVENT(OTHER, "DIRECT2CORE_TAKEN", 0x23, 0x00, AGREES),
	EVENT(OTHER, "DIRECTORY_LOOKUP.ANY", 0x2d, 0x01, AGREES),
	EVENT(MESH_READS, "IMC_READS", 0x37, 0x07, AGREES_BIT_BY_BIT, BY(MEMORY)),
	EVENT(OTHER, "IMC_WRITES", 0x38, 0x93, AGREES_BIT_BY_BIT),
	{0},
};
const struct box_event xeon_scalable_stop_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	{0},
};
const struct box_event xeon_scalable_link_events[] = {
	EVENT(BOX_CLOCKS, "CLOCKTICKS", 0x01, 0x00),
	EVENT(OTHER, "TxL_FLITS", 0x02, 0xff, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "RxL_FLITS", 0x03, 0xff, AGREES_BIT_BY_BIT),
	EVENT(OTHER, "DIRECT_ATTEMPTS", 0x12, 0x03, AGREES_BIT_BY_BIT),
	{0},
};

const struct box_event xeon_scalable_power_events[] = {V3_POWER_EVENTS(.first = 0), {0}};

/* In dwords, of which a port of 16 lanes has no more than 16 GB/s. */
#define METER(name_, at_, ...)                                                                     \
	{                                                                                          \
		.name = (name_), .at = (at_), .width = 36, .most = 8000000, __VA_ARGS__            \
	}
const struct box_meter xeon_scalable_stack_meters[] = {
	{.name = "clocks", .at = 5, .width = 36, .of = METERED_CLOCKS},
	METER("bandwidth in, port 0", 0, .of = METERED_INWARD),
	METER("bandwidth in, port 1", 1, .of = METERED_INWARD),
	METER("bandwidth in, port 2", 2, .of = METERED_INWARD),
	METER("bandwidth in, port 3", 3, .of = METERED_INWARD),
	METER("bandwidth out, port 0", 4, .of = METERED_OTHER),
	METER("bandwidth out, port 1", 5, .of = METERED_OTHER),
	METER("bandwidth out, port 2", 6, .of = METERED_OTHER),
	METER("bandwidth out, port 3", 7, .of = METERED_OTHER),
	{0},
};
