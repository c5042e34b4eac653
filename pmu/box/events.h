/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that tests ask of boxes, whatever a part calls them: each part's rows have its own events
 * for them. */
#pragma once

enum box_event_id {
	BOX_NO_EVENT,
	BOX_CLOCKS, /* one in each clock of the box */
	BOX_QUEUE, /* the event of the kind that may occur more than once in a clock: kind.queue */

	/* Memory channels: CAS commands, and their queues. */
	CHANNEL_READS,
	CHANNEL_WRITES,
	CHANNEL_ALL, /* reads and writes */
	CHANNEL_ERRORS, /* corrected ones */
	CHANNEL_READ_INSERTS,
	CHANNEL_READ_BUSY, /* clocks in which reads are queued */
	CHANNEL_READ_QUEUE, /* how many are */
	CHANNEL_WRITE_INSERTS,

	/* Home agents: requests of reads and of writes, and what they write to memory. */
	HOME_READS,
	HOME_WRITES,
	HOME_WRITES_FULL,
	HOME_WRITES_PARTIAL,
	HOME_WRITES_ISOCH, /* full and partial */
	HOME_WRITES_ALL,
	HOME_REGION, /* bit n of the unit mask: requests for region n of memory */
	HOME_ADDRESS, /* requests for the address in the filter, */
	HOME_ADDRESS_AND_OPCODE, /* and of its opcode */

	/* Links: what is sent, what comes in (IN), in flits of 80 bits. */
	LINK_IDLE,
	LINK_DATA,
	LINK_NON_DATA,
	LINK_FLITS, /* of all three */
	LINK_FULL_POWER, /* clocks */
	LINK_SNOOPS,
	LINK_DATA_IN,
	LINK_NON_DATA_IN,
	LINK_REQUESTS_IN, /* to the home agent */
	LINK_RESPONSE_DATA_IN,
	LINK_RESPONSE_HEADERS_IN,
	LINK_RESPONSES_IN, /* both */
	LINK_PACKETS, /* that match and mask let through */
	LINK_STALLS, /* by reason: bits of the unit mask */

	/* Stops of the ring: messages on its request ring, clockwise or not. */
	RING_CLOCKWISE,
	RING_COUNTERCLOCKWISE,
	RING_REQUESTS,
	RING_INVALIDATIONS,

	/* Slices: lookups of a line, and the table of requests. */
	SLICE_READ_LOOKUPS,
	SLICE_WRITE_LOOKUPS,
	SLICE_NO_LOOKUPS, /* reads without the bit that counts lookups */
	SLICE_VICTIMS,
	SLICE_OF_OPCODE, /* insertions of the opcode in the filter */
	SLICE_MISSES_OF_OPCODE,
	SLICE_MISSES_OF_NODE, /* the same, and to the nodes in the filter */
	SLICE_MISSES,
	SLICE_WRITE_BACKS,
	SLICE_HELD, /* in the table, at a time, */
	SLICE_MISSES_HELD,
	SLICE_HELD_BY_0, /* or what counter 0 counts of it */
	SLICE_RING, /* messages on the request ring */
	SLICE_ALIASES, /* lines streamed past the caches that one of them has dirty */
	SLICE_MEMORY_READS, /* as home of their lines */
	SLICE_LOADS, /* insertions of loads, */
	SLICE_LOADS_MISSED, /* of those that no cache has, */
	SLICE_STORES, /* and of stores */

	/* Where a mesh meets memory: reads of it. */
	MESH_READS,

	/* Power control. */
	POWER_BAND_0, /* clocks at or above the frequency of that band of the filter */
	POWER_BAND_1,
	POWER_BAND_2,
	POWER_BAND_3,
	POWER_TRANSITIONS, /* clocks */
	POWER_C0, /* cores in that state */
	POWER_C3,
	POWER_C6,

	/* Devices. */
	IO_READS, /* transactions */
	IO_DATA_WRITTEN, /* to memory, in dwords */

	/* Clients: lookups of a slice, those of reads, and of these the ones that find nothing; and
	 * requests to memory. */
	CORE_LOOKUPS,
	CORE_READS,
	CORE_MISSES,
	REQUESTS_TRACKED,

	/* Clients' memory: CAS commands. */
	MEMORY_READS,
	MEMORY_WRITES,

	/* An uncore in one: lines that the last cache has or has not, and what memory reads, by
	 * channel, and writes. */
	WHOLE_HITS,
	WHOLE_MISSES,
	WHOLE_READS_0,
	WHOLE_READS_1,
	WHOLE_READS_2,
	WHOLE_READS,
	WHOLE_WRITES,

	/* AMD's caches: lookups, of which each hits or misses; and with a unit mask of nothing. */
	CACHE_LOOKUPS,
	CACHE_HITS,
	CACHE_MISSES,
	CACHE_NOTHING,

	/* AMD's L2 caches that cores share: requests of data, fetched ahead or not, and misses. */
	L2_REQUESTS,
	L2_MISSES,

	/* AMD's data fabric: requests of 64 bytes to the memory of a channel, by instance; or
	 * transfers of as many, by direction and by whose memory it is. */
	FABRIC_REQUESTS,
	FABRIC_READS,
	FABRIC_WRITES,
	FABRIC_READS_HERE,
	FABRIC_READS_ELSEWHERE,

	/* AMD's memory controllers: CAS commands. */
	CONTROLLER_ALL,
	CONTROLLER_READS,
	CONTROLLER_WRITES,
	CONTROLLER_OPENS, /* pages */
	CONTROLLER_CLOSES,
	CONTROLLER_DATA, /* clocks in which data move */

	/* AMD's northbridges: accesses to memory, by what they find, by controller, and all. */
	NODE_PAGE_HITS,
	NODE_PAGE_MISSES,
	NODE_PAGE_CONFLICTS,
	NODE_DRAM_0,
	NODE_DRAM_1,
	NODE_DRAM,

	/* The system box. */
	SYSTEM_LOCKS, /* sequences started */
	SYSTEM_MESSAGES, /* bit n of the unit mask: of kind n */
};
