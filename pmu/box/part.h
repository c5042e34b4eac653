/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of boxes: what a part's file has, and no function.  See box.h. */
#pragma once

#include "events.h"
#include "pmu/pmu.h"

/* ---- what a box is for, as bits: .kinds of a test, which goes by these and not by parts ---- */

#define BOX_CHANNEL     BIT(0) /* of memory */
#define BOX_HOME        BIT(1) /* home agent: takes requests for the memory of its socket */
#define BOX_LINK        BIT(2) /* to another socket */
#define BOX_PCIE_STOP   BIT(3) /* where PCIe meets the ring */
#define BOX_LINK_STOP   BIT(4) /* where links meet the ring */
#define BOX_SLICE       BIT(5) /* of the last-level cache */
#define BOX_SYSTEM      BIT(6) /* messages, locks, and the clock of the others */
#define BOX_POWER       BIT(7) /* frequencies and power states */
#define BOX_IO          BIT(8) /* transactions of devices */
#define BOX_CACHE       BIT(9) /* the last-level cache of some cores, all of its slices */
#define BOX_FABRIC      BIT(10) /* between cores, memory, links and devices */
#define BOX_CONTROLLER  BIT(11) /* of a channel of memory, which nothing stops at once */
#define BOX_NORTHBRIDGE BIT(12) /* memory controllers, links, and what goes through them */
#define BOX_RING_SWITCH BIT(13) /* between rings */
#define BOX_CORE_SLICE  BIT(14) /* of a client's last-level cache, which nothing stops at once */
#define BOX_ARBITER     BIT(15) /* of requests to a client's memory, with the clock of its uncore */
#define BOX_L2          BIT(16) /* the second-level cache of some cores */
#define BOX_MESH        BIT(17) /* where a mesh meets memory, PCIe or links */
#define BOX_WHOLE       BIT(18) /* all of an uncore in one: last cache, memory, clocks */
#define BOX_MEMORY      BIT(19) /* a controller, with what it counts by itself */
#define BOX_FIRST(kind) ((kind) << 32) /* the first visible one of its kind */

/* ---- rows ---- */

/* Fields of a control register, as masks whose bits need not be neighbours; 0: there is none. */
struct box_select {
	uint64_t event, unit_mask, threshold;
	uint32_t enable; /* 0: one counts as soon as its control says anything */
	uint32_t invert, edge;
	uint32_t reset; /* clears the counter; reads 0 */
	uint32_t thread; /* counts only requests of the thread in the filter */
	uint32_t interrupt; /* comes with an overflow */
	uint32_t awake; /* as of struct pmu_counter */
	uint32_t other_if; /* an event with these bits is told by the other fields */
	const struct box_select *other;
	const struct box_scopes *scopes; /* NULL: it has no such fields */
};

struct box_scope {
	uint64_t all; /* set: of all; a number is then to be 0, and the mask full */
	uint64_t number, mask; /* of one slice or core; a bit for each slice, or thread of it */
};

/* Where a control says whose requests it counts, of which slices of a cache, and of which threads
 * that share it; or with an interrupt that it is for one core, and for which, by its number. */
struct box_scopes {
	struct box_scope slices, threads;
	uint64_t one_core, core;
};

/* A line that no cache has is loaded, stored to, stored to and flushed, streamed past the caches.
 */
enum { NO_LINES, LINE_LOADED, LINE_STORED, LINE_FLUSHED, LINE_STREAMED, LINE_USES };

/* An event by the manual's name.  One that tests ask for says in .is what it is.  One with .agree
 * is counted by all counters that can count it, with its unit mask or with each bit of that alone:
 * together these rows have each bit of event and unit mask that can be told from 0. */
struct box_event {
	const char *name;
	uint32_t unit_mask;
	uint16_t event;
	uint8_t is; /* enum box_event_id */
	uint8_t agree : 2;
	uint8_t load : 2; /* what makes it occur, where tests know it */
	uint8_t by_state : 1; /* a slice counts it only where its filter names states */
	uint8_t or_more : 1; /* as below */
	uint8_t first : 4, counters : 4; /* so many counters have it, from this on; 0: all have */
	uint8_t below; /* counted are the clocks with fewer; 0: no such thing is in the event */
	/* So many come of each line, by what is done to it, or NONE; 0: nobody knows.  The headers
	 * among them may be of three flits each; there may be more. */
	int8_t per_line[LINE_USES];
	uint8_t headers;
};
#define NONE (-1)
enum { NOT_TRIED, AGREE, AGREE_BIT_BY_BIT }; /* .agree */
enum { BY_ITSELF, BY_MEMORY, BY_LOCKS }; /* .load */

struct box_filter {
	int16_t at;
	uint32_t fields;
};

/* A field of a slice's filters: mask in filter number .filter. */
struct box_field {
	uint8_t filter;
	uint32_t mask;
};

#define BOX_FILTERS_MAX 4u

struct box_filters {
	struct box_filter reg[BOX_FILTERS_MAX];
	uint32_t rests[BOX_FILTERS_MAX]; /* what they hold where nothing is asked for: all passes */
	struct box_field thread, nodes, states, opcode;
	uint32_t any_opcode; /* bits of the filter of opcodes that let all of them pass */
	uint16_t drd, rfo; /* opcodes of a line that is loaded, and of one that is stored to */
};

/* What a box has that interrupts cores by itself, with each overflow that its controls tell so. */
struct box_interrupts {
	/* Of its gate: cores that overflows interrupt, each by a bit; the first of them stops. */
	uint64_t cores, freezes;
	/* Of a status register, and of what clears it: overflows as in its gate, an interrupt. */
	uint64_t overflows, interrupted;
	struct {
		uint32_t msr, bit;
	} lets_in; /* of a core: without it, it hears none of them */
};

#define BOX_COUNTERS_MAX 16u
#define NOT_THERE        INT16_MIN

/* Slices, or threads, of which a counter counts, by a configuration. */
enum { ALL_OF_THEM, NONE_OF_THEM, FIRST_OF_THEM /* and so on, by number */ };

/* A register that counts by itself and that nothing stops; from the base of the box, or from that
 * of its meters, on. */
struct box_meter {
	const char *name; /* NULL ends them */
	uint8_t at, width;
	uint8_t of; /* enum metered */
	uint32_t most; /* in a millisecond, but for clocks */
};

/* What a meter counts.  Lines are those of memory; who asks for them are cores, or all. */
enum metered {
	METERED_OTHER,
	METERED_CLOCKS, /* of the box */
	METERED_INWARD, /* to memory */
	METERED_READS, /* lines */
	METERED_WRITES,
	METERED_ASKED,
};

/* Written to a gate: all counters stop, or go on. */
struct box_gating {
	uint64_t run; /* or a bit for each counter, and behind those the fixed one's */
	uint32_t stop;
	uint32_t allows; /* in both: without it nothing stops; 0: there is no such bit */
	uint16_t reset_ctls, reset_ctrs; /* clear them all, and read 0 */
	bool bit_by_bit; /* as of struct pmu_reg */
	uint32_t global_at; /* of the part's window: all boxes of the kind run with 0 there */
};

/* The order is one without holes: there are many. */
struct box_kind {
	const char *name; /* the first part of a box's name; NULL ends those of units */
	/* Its type in tables of discovery, where the part has these; and the device id of the
	 * functions that have such units, 0: they are behind MSRs or in memory, as .space says. */
	uint8_t unit;
	uint8_t model; /* the first of the part that has it so; 0: all others have */
	uint16_t unit_id;
	uint32_t role; /* BOX_CHANNEL and so on */
	bool numbered : 1;
	bool whole : 1; /* where registers of 8 bytes are in memory they take one access of 8 */
	bool own_lines : 1; /* a cache of which cores may have lines that it has not */
	bool clusters : 1; /* memory may be that of some of the slices alone */
	bool in_core : 1; /* its counters are the core's, which count other events, too */
	bool fixed_halves : 1; /* its fixed counter may count every other clock: sources differ */
	/* Counters take no writes, as far as is known: box control clears them. */
	bool read_only : 1;
	/* enum cpu_common: whose they are; 0: of the die, where they are MSRs */
	uint8_t common : 4;
	uint8_t space : 4; /* enum pmu_space */
	uint8_t counters, width, fixed_width;
	uint8_t wider; /* so many bits, if counters keep more than width: sources differ; 0: they do
			  not */
	uint8_t queue; /* enum box_event_id: the one that may occur more than once in a clock, if
			  there is */
	uint8_t most; /* of the queue's event in a clock: entries of the table, or cores that the
			 part may have; 0: not known */
	/* From the base of the box, or NOT_THERE; of counter n: ctl + n * ctl_step, and its value
	 * by the list if there is one. */
	struct {
		int16_t gate, ctl, ctr, fixed_ctl, fixed_ctr;
		int16_t status, clear; /* flags of overflows; 0: none are known */
		uint8_t ctl_step, ctr_step;
		const int16_t *ctr_list;
	} at;
	const struct box_select *select; /* one for many kinds, which are alike in it */
	const struct box_gating *gate; /* NULL: it has none */
	const struct box_interrupts *interrupts; /* NULL: it has none of its own */
	struct {
		uint32_t enable, reset;
	} fixed;
	const struct box_filters *filters; /* NULL: it has none */
	uint16_t residency; /* MSR of the first of two residencies that go with it; 0: none is known
			     */
	/* Of what is like it beside it: so many instances, whose number is in the event's from this
	 * bit on. */
	uint8_t instances : 4, instance_bit : 4;
	/* RDPMC's index of the first four counters, and of those behind them, which follow each
	 * other, too; 0: it reads none. */
	uint8_t rdpmc, rdpmc_others;
	uint8_t meter_dwords; /* so many are one of what a meter counts inward; 0: one is */
	uint8_t channels; /* so many, numbered through, are a controller's, of the part's first
			     model; 0: not known */
	uint8_t last_model; /* with .model: 0 is that alone */
	const uint32_t *hz; /* rates at which its clock may run, where they are documented; 0 ends
			       them */
	const struct box_event *events; /* one without a name ends them */
	const struct box_meter *meters; /* NULL: it has none */
};

/* What CPUID must say for boxes of AMD to be there. */
struct box_promise {
	uint8_t first_family, last_family; /* 0: nothing is promised */
	uint8_t bit; /* of 8000_0001h ECX; 0: none */
	uint8_t perfmon; /* 8000_0022h EAX bit 0 */
	uint32_t counters; /* field of 8000_0022h EBX that counts those of all boxes; 0: none */
};
enum { ANY_PERFMON, BEFORE_V2, FROM_V2 }; /* .perfmon */

/* Boxes of a kind in a socket: a PCI function, with another one for its filters or none, or which
 * shows where in memory so many of them are; or, where there is no device id, so many ranges of
 * MSRs, which promise may tell of. */
struct box_place {
	uint8_t kind, number; /* of the first */
	uint8_t device, function;
	uint16_t id;
	uint16_t filter_id; /* 0: there is none */
	uint8_t filter_function; /* of the same device */
	uint8_t count; /* at most */
	uint8_t model; /* of the part, that alone has it; 0: all have */
	bool optional : 1; /* not every machine of this part has it */
	bool on_io_bus : 1; /* of the socket, not on the bus of its system box */
	bool in_window : 1; /* the part's: .base is the offset there */
	bool behind : 1; /* on the first bus that shows it from the one of the system box on */
	bool promised : 1; /* by CPUID: .promise */
	bool by_channel : 1; /* a promised box for each bit of 8000_0022h ECX, else one */
	uint32_t base;
	uint32_t step; /* from one box to the next; of promised ones from counter to counter */
	union {
		struct box_promise promise;
		struct {
			uint32_t meters; /* MSR of the first box's, but for the one of clocks, */
			uint16_t meters_step; /* and to the next one's */
			/* Offset in the function of what shows where registers are, to which .base
			 * is added; 0: it has them itself. */
			uint8_t bar_at;
		};
	};
};

struct box_part {
	struct pmu_ops ops; /* .probe: box_probe */
	/* Processors that have it: vendors as CPUID 0 names them, one behind the other. */
	const char *vendors;
	uint16_t first_family, last_family, model, any_model;
	uint8_t models[8]; /* and these; 0 ends them */
	/* An MSR without whose bits no counter of any box counts, and what is written to it; 0:
	 * there is none.  Boxes without a gate of their own alone have it. */
	struct {
		uint32_t msr, on;
	} global;
	/* An MSR, and the numbers of its bits that stop the counters of all boxes of a package, and
	 * let them go on; 0: none is known well enough. */
	struct {
		uint16_t msr;
		uint8_t stop, run;
	} package;
	/* Where function 0:0.0, the host bridge, shows the address of a window of registers in
	 * memory, which is there with bit 0 set; 0: there is none. */
	uint8_t window_at;
	/* Device id of the functions that may have a table of discovery, which then says where all
	 * boxes are; 0: none has. */
	uint16_t discovery;
	struct {
		uint32_t first, last; /* box controls that a table may tell of */
	} unit_msrs;
	/* An MSR, and its bits that switch them off; 0: none is known. */
	struct {
		uint16_t msr, off;
	} prefetchers;
	struct box_place system; /* the function that says whose bus this is, or all 0, with */
	uint16_t node_at, map_at; /* its own node, and which package is which node */
	const struct box_kind *kinds;
	const struct box_place *places;
	unsigned places_count;
};

/* A part's file says BOX_PART(name) = {...}; once: there is no list to keep. */
#define BOX_PART(part)                                                                             \
	extern const struct box_part box_part_##part;                                              \
	static PMU_DRIVER_ENTRY(part) = &box_part_##part.ops;                                      \
	const struct box_part box_part_##part
/* Members of .ops: no box of the part has more counters than that. */
#define BOX_OPS(counters_)                                                                         \
	.state_size = BOX_STATE_SIZE(counters_), .uncore = true, .probe = box_probe,               \
	.reset = box_give_back
