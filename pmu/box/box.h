/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boxes outside of the cores.  A part, in parts/, is rows: which kinds of boxes it has, where they
 * are, and what a counter of them can be told.  All that is done with a box is done here, once.
 *
 * A box is a struct pmu.  After pmu_reset() it is frozen, its controls, counters and filters are 0.
 *
 * Room: the counters outside of the cores
 * Uses: pmu
 */
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
	uint64_t enable; /* 0: one counts as soon as its control says anything */
	uint32_t invert, edge;
	uint32_t reset; /* clears the counter; reads 0 */
	uint32_t thread; /* counts only requests of the thread in the filter */
	/* An overflow interrupts, with both of these bits, the core of this number. */
	uint32_t interrupt;
	uint64_t one_core, core;
	/* Whose requests it counts, where this register says so: of which slices of a cache, and of
	 * which threads that share it. */
	const struct box_scope *slices, *threads;
};

struct box_scope {
	uint64_t all; /* set: of all; a number is then to be 0, and the mask full */
	uint64_t number, mask; /* of one slice or core; a bit for each slice, or thread of it */
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

struct box_kind {
	const char *name; /* the first part of a box's name; NULL ends those of units */
	/* Its type in tables of discovery, where the part has these; and the device id of the
	 * functions that have such units, 0: they are behind MSRs or in memory, as .space says. */
	uint8_t unit;
	uint16_t unit_id;
	uint8_t model; /* of the part, that alone has it so; 0: all others have */
	uint32_t role; /* BOX_CHANNEL and so on */
	bool numbered;
	uint8_t space; /* enum pmu_space */
	uint8_t counters, width, fixed_width;
	uint8_t wider; /* so many bits, if counters keep more than width: sources differ; 0: they do
			  not */
	/* From the base of the box, or NOT_THERE; of counter n: ctl + n * ctl_step, and its value
	 * by the list if there is one. */
	struct {
		int16_t gate, ctl, ctr, fixed_ctl, fixed_ctr, status, clear;
		uint8_t ctl_step, ctr_step;
		const int16_t *ctr_list;
	} at;
	struct box_select select;
	uint32_t other_if; /* an event with these bits is told by the other fields */
	const struct box_select *other;
	/* Written to the gate: all counters stop, or go on. */
	struct {
		uint64_t run; /* or a bit for each counter, and behind those the fixed one's */
		uint32_t stop;
		uint32_t allows; /* in both: without it nothing stops; 0: there is no such bit */
		uint16_t reset_ctls, reset_ctrs; /* clear them all, and read 0 */
		bool bit_by_bit; /* as of struct pmu_reg */
	} gate;
	const struct box_interrupts *interrupts; /* NULL: it has none of its own */
	struct {
		uint32_t enable, reset;
	} fixed;
	const struct box_filters *filters; /* NULL: it has none */
	uint16_t residency; /* MSR of the first of two residencies that go with it; 0: none is known
			     */
	bool own_lines; /* a cache of which cores may have lines that it has not */
	bool clusters; /* memory may be that of some of the slices alone */
	uint8_t queue; /* enum box_event_id: the one that may occur more than once in a clock, if
			  there is */
	uint8_t most; /* of the queue's event in a clock: entries of the table, or cores that the
			 part may have; 0: not known */
	uint64_t awake; /* as of struct pmu_counter */
	const uint32_t *hz; /* rates at which its clock may run, where they are documented; 0 ends
			       them */
	/* Of what is like it beside it: so many instances, whose number is in the event's from this
	 * bit on. */
	uint8_t instances, instance_bit;
	/* RDPMC's index of the first four counters, and of those behind them, which follow each
	 * other, too; 0: it reads none. */
	uint8_t rdpmc, rdpmc_others;
	bool in_core; /* its counters are the core's, which count other events, too */
	bool fixed_halves; /* its fixed counter may count every other clock: sources differ */
	uint8_t meter_dwords; /* so many are one of what a meter counts inward; 0: one is */
	uint8_t channels; /* so many, numbered through, are a controller's, of the part's first
			     model; 0: not known */
	/* Counters take no writes, as far as is known: box control clears them. */
	bool read_only;
	uint32_t global_at; /* of its part's window: all boxes of the kind run with 0 there */
	bool whole; /* where registers of 8 bytes are in memory they take one access of 8 */
	uint8_t common; /* enum cpu_common: whose they are; 0: of the die, where they are MSRs */
	const struct box_event *events; /* one without a name ends them */
	const struct box_meter *meters; /* NULL: it has none */
};

/* What CPUID must say for boxes of AMD to be there. */
struct box_promise {
	uint8_t first_family, last_family; /* 0: nothing is promised */
	uint8_t bit; /* of 8000_0001h ECX; 0: none */
	uint8_t perfmon; /* 8000_0022h EAX bit 0 */
	uint32_t counters; /* field of 8000_0022h EBX that counts those of all boxes; 0: none */
	bool by_channel; /* a box for each bit of 8000_0022h ECX, else one */
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
	uint32_t base;
	uint32_t step; /* from one box to the next; of promised ones from counter to counter */
	uint32_t meters; /* MSR of the first box's, but for the one of clocks, */
	uint16_t meters_step; /* and to the next one's */
	/* Offset in the function of what shows where registers are, to which .base is added; 0: it
	 * has them itself. */
	uint8_t bar_at;
	struct box_promise promise;
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
	/* Where function 0:0.0, the host bridge, shows the address of a window of registers in
	 * memory, which is there with bit 0 set; 0: there is none. */
	uint8_t window_at;
	/* Device id of the functions that may have a table of discovery, which then says where all
	 * boxes are; 0: none has. */
	uint16_t discovery;
	struct {
		uint32_t first, last; /* box controls that a table may tell of */
	} unit_msrs;
	uint32_t prefetchers; /* MSR whose bits 3:0 switch them off; 0: none is known */
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

/* Members of struct pmu_ops. */
bool box_probe(struct pmu *pmu, const struct cpu_identity *cpu);
void box_give_back(const struct pmu *pmu);

/* ---- a box of this machine ---- */

struct box {
	const struct box_kind *kind;
	const struct box_part *part;
	uint8_t socket, number; /* among those of its kind in the socket */
	uint8_t counters, width;
	uint8_t node; /* of the socket, as its system box says */
	bool first; /* visible one of its kind */
	uint64_t base; /* of its registers: pmu_reg.address */
	uint64_t filter_base; /* where the function with its filters is mapped; 0: they are in the
				 box */
	const char *no_filter; /* why its filters are out of reach, or NULL */
	uint32_t meters; /* MSR of the first, but for the one of clocks */
	uint64_t global; /* what lets all of its kind run; 0: there is none in the window */
	char silent[80]; /* empty: all is well */
};

/* Registers of a box that can be saved beside its counters: filters, a fixed counter with its
 * control, what lets the counters of all boxes count, and what lets their interrupts in. */
#define BOX_SHARED_MAX (BOX_FILTERS_MAX + 4)

struct box_state {
	const struct box *box;
	struct pmu_bank bank;
	struct pmu_reg shared[BOX_SHARED_MAX];
	struct pmu_counter counter[]; /* as many as the box has; behind them what is saved */
};
#define BOX_STATE_SIZE(counters)                                                                   \
	(sizeof(struct box_state) + (counters) * sizeof(struct pmu_counter) +                      \
	 PMU_SAVED(counters, BOX_SHARED_MAX) * sizeof(uint64_t))

/* Those of the kind; without any, where it has none.  The first of .reg without fields ends them.
 */
static inline const struct box_filters *box_filters(const struct box_kind *kind)
{
	static const struct box_filters none;

	return kind->filters ? kind->filters : &none;
}

static inline const struct box *box_of(const struct pmu *pmu)
{
	return ((const struct box_state *)pmu->state)->box;
}

/* All boxes in the order of their probing, hidden ones too; NULL behind the last. */
const struct pmu *box_pmu(unsigned i);

/* ---- encode.c: what a control register says.  Pure. ---- */

/* How many bits are set.  The compiler's own would be in a library. */
static inline unsigned box_bits(uint64_t field)
{
	unsigned n = 0;

	for (; field; field &= field - 1)
		n++;
	return n;
}

/* The configuration of a counter. */
struct box_config {
	uint8_t event; /* enum box_event_id, */
	uint8_t row; /* or, not 0, the row of this number of the kind's events, from 1 on */
	uint8_t bit; /* not 0: of its unit mask bit number bit - 1 alone */
	uint16_t at_least, below; /* as in struct pmu_config */
	bool edge, thread;
	uint8_t slice, thread_of; /* ALL_OF_THEM and so on, by struct box_select */
	uint8_t instance;
	uint8_t interrupts; /* the core of this number less one, when it overflows; 0: none */
};

/* The row of this event; NULL: boxes of this kind do not have it. */
const struct box_event *box_event(const struct box_kind *kind, enum box_event_id event);

/* NULL, or what boxes of this kind do not have. */
const char *box_lacks(const struct box_kind *kind, const struct box_config *cfg);

/* The control register, enabled.  Panics where box_lacks() gives a reason. */
uint64_t box_encode(const struct box_kind *kind, const struct box_config *cfg);

/* The largest threshold. */
unsigned box_max_threshold(const struct box_kind *kind);

/* Package of the node by the two registers of a system box; -1: the map does not name the node. */
#define BOX_NODE FIELD(2, 0) /* of its own */
int box_socket(uint32_t node, uint32_t map);

/* ---- registers.c ---- */

/* REG_NONE where there is none, or it is out of reach. */
struct pmu_reg box_register(const struct box *box, int at, uint8_t bytes);
struct pmu_reg box_gate(const struct box *box);
struct pmu_reg box_ctl(const struct box *box, unsigned ctr);
struct pmu_reg box_ctr(const struct box *box, unsigned ctr);
struct pmu_reg box_filter(const struct box *box, unsigned i);
static inline bool box_has_fixed(const struct pmu *pmu)
{
	return box_of(pmu)->kind->at.fixed_ctl != NOT_THERE;
}
/* What lets the counters of all boxes count, in the known state, too. */
struct pmu_reg box_global(const struct box *box);
struct pmu_reg box_lets_in(const struct box *box);
struct pmu_reg box_status(const struct pmu *pmu);
struct pmu_reg box_clear(const struct pmu *pmu);
static inline bool box_has_gate(const struct box_kind *kind)
{
	return kind->at.gate != NOT_THERE;
}
struct pmu_reg box_fixed_ctl(const struct pmu *pmu);
struct pmu_reg box_fixed_ctr(const struct pmu *pmu);

/* Writes a counter's control register, enabled. */
void box_select(const struct pmu *pmu, unsigned ctr, const struct box_config *cfg);

/* All counters of the box stop, or run on, in the same clock, if it has a gate. */
void box_freeze(const struct pmu *pmu);
void box_run(const struct pmu *pmu);

/* pmu_reset() leaves a box alone that has not been written to since the last time: there are many.
 * This one freezes it in any case, and resets what has been written to. */
void box_reset(const struct pmu *pmu);

/* The running core's prefetchers, as they were found (true) or all off.  pmu_reset() puts them
 * back. A part says which MSR is documented for it; if that refuses the access it is left alone. */
void box_prefetchers(const struct pmu *pmu, bool on);

/* ---- promised.c ---- */

/* What CPUID says of a place that it may promise. */
struct box_promised {
	uint32_t boxes; /* bit n: number n is there; 0: none is */
	unsigned counters; /* of each */
};
struct box_promised box_promised(const struct box_place *place, const struct box_kind *kind);

/* ---- window.c ---- */

/* Finds a box's registers in the part's window, or where the function shows a block of them.  NULL,
 * or why they cannot be reached. */
const char *box_find_in_window(struct box *box, uint32_t offset);
/* Where a block is, by these two dwords of the function; 0: they show none. */
uint64_t box_block(uint32_t base, uint32_t block);
const char *box_find_in_block(struct box *box, uint16_t function, unsigned bar_at, uint32_t offset);

/* ---- fill.c, meters.c, alive.c, find.c: the driver's own ---- */

/* The boxes of this machine, which has such a part. */
unsigned box_find(const struct box_part *part, struct box **boxes);

/* The PMU of a box, with ops and state, or of a silent one, of which nothing is touched. */
void box_fill(struct pmu *pmu, const struct box *box);
void box_fill_silent(struct pmu *pmu, const struct box *box);
extern const struct pmu_event box_no_events[EV_OWN + 1]; /* of a box whose clock stands still */

/* The facet of what counts by itself, if the box has it and it can be read. */
void box_fill_meters(struct pmu *pmu, const struct box *box);

/* Can the MSR be read?  Under a hypervisor that proves nothing. */
bool box_reads(struct pmu_reg reg);

/* Is there a box behind the MSRs?  One keeps what is written, of some counter or control, and its
 * clock moves a counter or its controls reset one: memory does neither, and what a hypervisor
 * ignores keeps nothing.  One dead bit, or one dead register, does not matter.  Where RDMSR of one
 * faults, nobody could give it back, and what ignores registers ignores all: it is taken for a box
 * untried, whose tests report the fault.  All are left as they were found. */
bool box_acts(const struct box *box);

/* How wide are its counters, where sources differ?  Does a clock drive it?  pmu->idle is NULL, or
 * why not, which is as it may be; events are those of a box whose clock runs.  One that does not
 * even hold a value is silent; and under a hypervisor one in counters of the core, where these
 * count nothing of it.  The registers are left as they were found. */
void box_look(struct pmu *pmu, const struct cpu_identity *cpu);
