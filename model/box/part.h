/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The boxes of a part, as rows: kinds of boxes, where their registers lie, what their events are. A
 * part is one file of model/box/parts.
 */
#pragma once

#include <stdbool.h>

#include "fields.h"
#include "kernel/lib/bits.h"
#include "signals.h"

struct uncore_segment;

/* Room for any kind.  The fixed counter has a number of its own. */
enum {
	UNCORE_COUNTERS = 16,
	UNCORE_FIRST = 4, /* counters whose indices of RDPMC follow each other */
	UNCORE_FIXED = UNCORE_COUNTERS,
	UNCORE_ALL_COUNTERS,
	UNCORE_FILTERS = 4,
	UNCORE_METERS = 9,
	UNCORE_PATTERN = 16, /* segments */
	UNCORE_MSRS = 8, /* of no box */
	UNCORE_BOXES = 48, /* of one socket */
	UNCORE_BUSES = 4, /* of one socket, */
	UNCORE_BUSES_APART = 0x40, /* and of the next one */
	UNCORE_SOCKETS = 2,
};

/* Where the traffic of memory meets a kind of boxes, and which faults it can have. */
enum uncore_role {
	ROLE_SLICE,
	ROLE_SYSTEM,
	ROLE_POWER,
	ROLE_HOME,
	ROLE_CHANNEL,
	ROLE_LINK,
	ROLE_IO_FABRIC, /* between the ring and devices, */
	ROLE_LINK_FABRIC, /* and between it and links */
	ROLE_IO,
	ROLE_CACHE, /* AMD: all slices of the cores' last cache, */
	ROLE_L2, /* or the second level, where cores share it, */
	ROLE_FABRIC, /* what all traffic goes through, */
	ROLE_CONTROLLER, /* of a channel of memory, */
	ROLE_NORTHBRIDGE, /* or all of it in one */
	ROLE_RING_SWITCH, /* between two rings */
	ROLE_CORE_SLICE, /* clients: of the last cache, */
	ROLE_ARBITER, /* and what all requests to memory pass */
	ROLE_STACK, /* of devices behind a mesh, */
	ROLE_MESH_MEMORY, /* and where that meets memory, */
	ROLE_MESH_PCIE, /* PCIe, */
	ROLE_MESH_LINK, /* and links, */
	ROLE_MESH_PORT, /* to another socket */
	ROLE_WHOLE, /* the uncore as one: last cache, memory */
	ROLE_MEMORY, /* of a client: a controller of memory, which all requests reach */
	UNCORE_ROLES,
};

/* Registers of a box.  The fixed counter and its control have the number UNCORE_FIXED. */
enum uncore_register {
	UNCORE_CTR = 1,
	UNCORE_CTL,
	UNCORE_FILTER,
	UNCORE_BOX_CTL,
	UNCORE_METER,
	UNCORE_STATUS,
	UNCORE_OVERFLOWS, /* a status, of which ones that are written clear what they name */
	UNCORE_CLEAR
};

/* A row of a table that says where registers lie: count of them from first on, every stride.  The
 * table ends with one that has none. */
struct uncore_place {
	uint16_t first;
	uint8_t stride, count;
	enum uncore_register kind;
	uint8_t number; /* of the first */
};

/* A row of a table of MSRs that count by themselves, and cannot be written: of the first box, and
 * how far apart boxes are.  Their number is that of the row; the table ends with one that has none.
 */
struct uncore_meter {
	uint32_t msr;
	uint8_t apart, gap; /* gap: as that of the kind */
	bool clocks; /* else the signal, and */
	uint8_t signal;
	uint8_t unit; /* so many of these are one; 0: each is */
	uint8_t lines; /* that go through it: LINES_READ, LINES_WRITTEN */
	uint8_t width;
};
enum { LINES_READ = 1, LINES_WRITTEN = 2 };

/* Registers of boxes in memory: a window, whose address function 0:0.0 of the machine's own, which
 * has this id, shows at an offset, with bit 0 set; or a function of the part does. */
struct uncore_window {
	uint16_t id;
	uint8_t at;
	uint32_t size; /* 0: there is none; of each socket, one behind the other */
	uint64_t base;
	/* Where a function of each socket shows it: the function, at .at what stands below a block,
	 * in units of 8 MiB, and at .blocks_at, in pages, where in it that of each controller is,
	 * so far apart. */
	uint16_t shown_by, blocks_at;
	uint8_t controllers;
	uint32_t controllers_apart, first_block;
	/* Or its first page is a table of discovery, behind BAR 0 of this function, and this is
	 * the MSR of global control in it; which nothing here has. */
	uint16_t table_df;
	uint32_t table;
	/* A register whose bits freeze and clear all boxes of the window as box control does each;
	 * 0: there is none. */
	uint32_t global;
};

/* ---- filters of homes and links, and states of lines: the same in all parts ---- */

/* Places of filter[]. */
enum { FILTER_ADDRMATCH0 = 0, FILTER_ADDRMATCH1, FILTER_OPCODEMATCH };
enum { FILTER_MATCH0 = 0, FILTER_MATCH1, FILTER_MASK0, FILTER_MASK1 };

/* RNID in the two words of a packet's match and mask. */
#define MATCH_LOW_RNID  BIT(31)
#define MATCH_HIGH_RNID FIELD(3, 0)

/* LLC line states, as bits of the field of a slice's filter. */
enum { LINE_I = 1, LINE_S = 2, LINE_E = 4, LINE_M = 8, LINE_F = 16 };

/* ---- rows ---- */

/* How the occurrences of an event are found: each has its rule in match.c. */
enum uncore_counting {
	COUNTS_SIGNAL, /* n[signal] */
	COUNTS_UMASK, /* the sum over n[signal + bit] for each bit of the unit mask */
	COUNTS_ANY, /* one, if that sum is not 0 */
	COUNTS_CLOCK,
	COUNTS_LOOKUP,
	COUNTS_TOR_INSERTS,
	COUNTS_TOR_OCCUPANCY,
	COUNTS_SORTED_INSERTS, /* the same, where the unit mask has bits for who asks, hit, miss */
	COUNTS_SORTED_OCCUPANCY,
	COUNTS_CODED_LOOKUP, /* where the unit mask alone says which transactions are counted */
	COUNTS_CODED_INSERTS,
	COUNTS_CODED_OCCUPANCY,
	COUNTS_PACKED, /* as by unit mask, but signals are side by side, whichever bits they have */
	COUNTS_OF_CHANNEL, /* as by unit mask, of requests to channels that bits behind it name */
	COUNTS_REPLAY, /* COUNTER0_OCCUPANCY */
	COUNTS_ADDR_OPC_MATCH,
	COUNTS_CTO,
	COUNTS_BAND, /* signal: its number */
	COUNTS_CACHE, /* a request: bit 0 of the unit mask if it misses, any other one if it hits */
	COUNTS_L2, /* a request, or signal says one that misses, by the bit of data */
	COUNTS_FABRIC, /* one to the channel of this instance: bits for reads, and for writes */
	COUNTS_BEATS, /* the same: direction, and whose memory it is */
	COUNTS_COMMANDS, /* one to this channel that the unit mask does not leave out, */
	COUNTS_DATA, /* and the transfers of it in this clock */
	COUNTS_CORE_LOOKUP, /* of a client: by bits for states and for kinds of requests */
	COUNTS_TRACKED, /* of all requests, or of reads, writes, write-backs */
	COUNTS_STACK, /* by bits for writes and reads, then for ports, then for classes */
	COUNTS_HALVES, /* n[signal] of a channel, by bits for its halves; */
	COUNTS_CAS, /* its commands: by bits for sorts, then for halves */
	COUNTS_NOTHING,
	UNCORE_COUNTINGS,
};

/* Event numbers: the event's field, and its extension above it. */
#define EV_EXT 0x100u

struct uncore_event {
	uint16_t code; /* with EV_EXT */
	uint32_t counters; /* bit n: counter n has it; 0: the end of a table */
	enum uncore_counting counting;
	uint8_t signal;
	uint32_t umask; /* bits that mean something */
	bool traffic; /* the guest's accesses to memory drive it */
};

struct uncore_pattern {
	const struct uncore_segment *segments;
	unsigned count;
};

/* A kind of boxes; a part ends with one without boxes. */
struct uncore_kind {
	const char *name;
	enum uncore_role role;
	uint8_t unit; /* its type in a table of discovery */
	uint8_t boxes; /* of it in a socket */
	uint8_t listed; /* for so many the guide has MSRs; 0: for as many as there are */
	uint8_t counters, width;
	uint64_t hz;
	uint64_t field[UNCORE_FIELDS]; /* its bits; 0: there is none */
	/* Of the part's global status: bits of its boxes, side by side, or one for all of them; and
	 * that of the fixed counter, if it has its own.  0: no source has them. */
	uint64_t told, fixed_told;
	uint32_t filter[UNCORE_FILTERS]; /* bits of each; 0: no such register */
	const struct uncore_event *events;
	/* Repeated while there is no traffic; and if there is another socket, NULL: the same. */
	const struct uncore_pattern *idle, *linked;
	const struct uncore_pattern *busy; /* the same while others use memory, too */
	uint8_t instance_bit; /* from this bit of its number on an event says of which; 0: of none;
			       */
	uint8_t instances; /* so many are channels of memory */
	uint8_t slices; /* of a cache */
	/* Writes reach a counter only while some counter of the box is enabled; it stops at its
	 * largest value, and then bit 48 reads 1. */
	bool sleeps, saturates;
	bool read_only; /* no write reaches a counter: box control clears it */
	bool gate_bit_by_bit; /* box control takes one bit more than was written last, else #GP */
	bool fixed_halves; /* its fixed counter counts every other clock */
	uint8_t slots; /* of links: flits in each clock and direction */
	/* Where it is behind MSRs: the first one of its first box, and how far apart boxes are. */
	uint32_t msr;
	uint8_t msrs_apart;
	/* Behind so many boxes the others' MSRs are so much further; near is 0: they are not. */
	uint8_t near, gap;
	const struct uncore_place *registers;
	const struct uncore_meter *meters; /* NULL: it has none */
	/* Or where it is in the part's window, and how far apart boxes are there: of each
	 * controller so many, where there are several. */
	uint32_t window, window_apart;
	uint8_t of_controller;
	/* RDPMC's index of its first four counters; of the others, which follow each other, too.
	 * 0: it reads none. */
	uint8_t rdpmc, rdpmc_others;
	bool by_turns; /* AMD: one address each, behind the other: a register is not all of its
			  stride */
};

/* A function in configuration space with registers of a box; the last one has no id. */
struct uncore_function {
	uint16_t df; /* bus of the part << 8 | device << 3 | function */
	uint16_t id;
	enum uncore_role role; /* of the box; */
	uint8_t number; /* among those of that role */
	const struct uncore_place *registers;
};

/* A dword of configuration space that is always the same; the last one is at offset 0. */
struct uncore_dword {
	uint16_t df, offset;
	uint32_t value;
};

/* An MSR of no box; the last one is 0. */
struct uncore_msr {
	uint32_t msr;
	uint64_t value, writable; /* at power-on; bits */
};

struct uncore_part {
	const struct uncore_kind *kinds;
	const struct uncore_function *functions; /* NULL: it has nothing in configuration space */
	const uint32_t *others; /* functions without, df << 16 | id; ended by 0 */
	const struct uncore_dword *dwords;
	/* Of the first socket, and where there is another one 40h apart; bus 0 is the machine's,
	 * too. */
	uint8_t bus[UNCORE_BUSES], buses;
	/* The function that knows the numbers of nodes; its own one, and which package has which.
	 */
	uint16_t nodes_df, node_at, map_at;
	uint8_t revision; /* of all functions */
	uint16_t opcodes; /* by so much those of requests are above the Xeon E5's */
	const struct uncore_msr *msrs;
	const struct msr_range *ranges; /* of all of these, and of boxes; ended by 0 */
	uint8_t channels; /* AMD: of memory, in a socket */
	uint8_t core_ways; /* of its core's own caches, 32 KiB each; 0: of both levels */
	bool drops_reserved; /* bits written to an MSR, which others refuse */
	struct uncore_window window;
	/* An MSR of .msrs without whose bit no counter counts, or with whose bits, which read 0,
	 * all counters stop and go on; 0: there is none.  They stop, too, at an overflow that is
	 * told.  It interrupts those of these cores that the control names, and stands in the
	 * first of so many statuses, MSRs of .msrs, in which ones that are written clear. */
	uint32_t global, global_status;
	uint8_t global_statuses;
	uint64_t global_enable, global_freeze, global_unfreeze, global_cores;
};

#define DF(device, function)             ((device) << 3 | (function))
#define DF_ON_BUS(bus, device, function) ((bus) << 8 | DF(device, function))

/* Where an MSR lies that is so far from the first one of a kind, as if all were equally far apart.
 * In the gap between them is none: UINT32_MAX. */
static inline uint32_t uncore_without_gap(const struct uncore_kind *kind, uint32_t offset,
					  unsigned apart, unsigned gap)
{
	const uint32_t near = kind->near * apart;

	if (!near || offset < near)
		return offset;
	return offset < near + gap ? UINT32_MAX : offset - gap;
}

/* The bits of field that are in value, from the lowest one on, side by side. */
static inline uint64_t uncore_gather(uint64_t field, uint64_t value)
{
	uint64_t gathered = 0;

	for (unsigned n = 0; field; n++, field &= field - 1)
		gathered |= (uint64_t)((value & field & -field) != 0) << n;
	return gathered;
}

/* The bits of value, from the lowest one on, in those of field. */
static inline uint64_t uncore_scatter(uint64_t field, uint64_t value)
{
	uint64_t scattered = 0;

	for (; field; field &= field - 1, value >>= 1)
		scattered |= value & 1 ? field & -field : 0;
	return scattered;
}

static inline bool uncore_is_whole(uint64_t field)
{
	uint64_t lowest = field & -field;

	return !((field + lowest) & field);
}

/* The field's value in that of its register; 0: the kind has no such field. */
static inline unsigned uncore_get(const struct uncore_kind *kind, enum uncore_field field,
				  uint64_t value)
{
	uint64_t bits = kind->field[field];

	if (!bits)
		return 0;
	return (unsigned)(uncore_is_whole(bits) ? field_get(bits, value)
						: uncore_gather(bits, value));
}
