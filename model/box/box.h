/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: boxes of counters outside of the cores at register level, as pure computation.  A box
 * counts what a list of segments says: stretches of its clocks in which nothing changes.  Which
 * boxes a processor has, and where, is data: part.h.
 *
 * Register and event names are taken from Intel's uncore guides, 327043-001 first.
 * Uses: kernel/lib
 * Uses: model/pmu
 */
#pragma once

#include "kernel/lib/bits.h"
#include "memory.h"
#include "model/pmu/pmu.h"
#include "part.h"

/* ---- what happens in one clock ---- */

/* Header of a QPI packet, in the format of PKT_MATCH0 and PKT_MATCH1. */
struct uncore_header {
	uint32_t low, high;
};

/* A stretch of clocks, all of them the same. */
struct uncore_segment {
	uint32_t clocks;
	uint8_t n[UNCORE_SIGNALS];
	const struct uncore_request *arrival; /* looked up, inserted and matched; or NULL */
	const struct uncore_request *entries[UNCORE_BURST]; /* of the TOR */
	unsigned entry_count;
	const struct uncore_header *headers; /* at most two */
	unsigned header_count;
};

/* ---- boxes ---- */

/* The event that a counter counts, and how, by its control register. */
struct uncore_selection {
	const struct uncore_event *event; /* NULL: counts 0 */
	uint32_t umask;
	uint8_t instance;
	uint64_t ctl; /* all of it, as it acts */
	bool thread; /* filtered by it */
	/* The occupancy of state umask is compared, of no state if that is 0; event is the
	 * companion, if there is to be one. */
	bool occupancy, companion, companion_inverted;
};

/* Of a counter: what it adds in the segments of the idle pattern ahead of each; and bit n: its
 * edge detector's condition behind segment n. */
struct uncore_rhythm {
	uint64_t before[UNCORE_PATTERN + 1];
	unsigned conditions;
};

struct uncore_box {
	const struct uncore_kind *kind;
	unsigned socket, place, number; /* in the socket, and in its kind there */
	bool watching; /* one of its counters is enabled that memory traffic drives */
	bool frozen, held; /* held: by the part's global control */
	uint64_t clock; /* up to here it has counted */
	unsigned segment; /* of the idle pattern, and what has passed of it */
	uint32_t passed;
	uint64_t enabled; /* bit n: counter n is */
	uint64_t learnt; /* bit n: the rhythm of counter n, as it is set now */
	struct uncore_rhythm rhythm[UNCORE_ALL_COUNTERS];
	struct counter counter[UNCORE_ALL_COUNTERS];
	struct uncore_selection selection[UNCORE_ALL_COUNTERS];
	uint64_t added[UNCORE_ALL_COUNTERS]; /* to each by events, ever */
	uint64_t memory[UNCORE_ALL_COUNTERS]; /* of the defect, */
	struct active active; /* if it has one */
	/* As they read, and as they act. */
	uint32_t full; /* bit n: counter n has been at its largest value */
	uint64_t box_ctl, box_ctl_written; /* written: last, with what does not stay */
	uint64_t acting_box_ctl, status;
	uint32_t filter[UNCORE_FILTERS], acting_filter[UNCORE_FILTERS];
	uint64_t allowed; /* bit n: box control lets counter n count */
	struct uncore_queue queue, writes; /* writes: of channels, whose queue is of reads */
	uint64_t lines[2]; /* that went through it, for its meters: read, written */
};

/* ---- the whole ---- */

struct uncore {
	const struct uncore_part *part;
	unsigned boxes; /* of each socket */
	struct {
		unsigned first, count; /* places of those of a role */
	} role[UNCORE_ROLES];
	unsigned sockets, home; /* home: the core's own */
	unsigned core; /* its number there */
	unsigned requests; /* for its interrupt */
	uint8_t hidden[BOXES_HIDDEN]; /* device << 3 | function */
	unsigned hidden_count;
	uint64_t tsc_hz, origin, now; /* TSC values */
	uint64_t msr[UNCORE_MSRS]; /* of the part */
	const struct defect *defect; /* NULL: healthy */
	unsigned watching; /* boxes in which a counter is enabled that memory traffic drives */
	unsigned waiting; /* requests in their queues */
	uint64_t executed; /* instructions, up to this access */
	uint64_t metered; /* up to so many accesses to memory are told: a meter of lines was read */
	uint32_t variations; /* bit n: number n of enum uncore_variation acts */
	bool stopped; /* by the part's global register: not enabled, or */
	bool frozen; /* by its freeze, at this TSC value */
	uint64_t frozen_at;
	uint32_t window_global; /* as it reads */
	bool fixed_thaws; /* box control does not stop fixed counters: no source says whether it
			     does */
	struct uncore_box box[UNCORE_SOCKETS][UNCORE_BOXES];
	struct uncore_memory memory;
};

/* What lawful variations of boxes do: of each, .arg is one of these. */
enum uncore_variation {
	UNCORE_OTHERS = 1, /* others use memory, too */
	UNCORE_AWAKE, /* counters take writes at all times */
	UNCORE_GATED, /* clocks of memory's controllers are not counted */
	UNCORE_ALLOWED, /* boxes freeze only with the bits that else are ignored */
	UNCORE_LENIENT, /* box control takes any bits at once */
	UNCORE_CLUSTERS, /* half of the slices and channels get all lines */
	UNCORE_HOLLOW, /* MSRs of boxes that are not there read 0, and forget what is written */
	UNCORE_HIDDEN, /* what is in the window of registers reads all ones */
	UNCORE_CLOSED, /* the window's address has bit 0 clear */
	UNCORE_TWICE, /* a table of discovery has each unit twice, and an entry that is empty */
	UNCORE_WHOLE, /* fixed counters count each clock where others count every other one */
};

static inline bool uncore_varies(const struct uncore *u, enum uncore_variation variation)
{
	return u->variations >> variation & 1;
}

static inline void uncore_vary(struct uncore *u, enum uncore_variation variation)
{
	u->variations |= 1u << variation;
}

static inline uint64_t uncore_mask(const struct uncore_kind *kind, unsigned ctr)
{
	return ~UINT64_C(0) >> (64 - (ctr == UNCORE_FIXED ? 48 : kind->width));
}

static inline const struct active *uncore_active(const struct uncore_box *box)
{
	return box->active.defect ? &box->active : NULL;
}

/* A counter of the box, as a defect sees it. */
DATAPATH struct point uncore_point(struct uncore *u, struct uncore_box *box, unsigned ctr)
{
	return (struct point){
		.pmu = u,
		.counter = box->counter,
		.count = box->kind->counters,
		.mask = uncore_mask(box->kind, ctr),
		.box = box,
		.ctr = ctr,
		.event = box->selection[ctr].event ? box->selection[ctr].event->code : 0,
		.set = &box->counter[ctr].set,
	};
}

/* ---- ops.c ---- */

extern const struct kind_ops uncore_ops;

/* ---- unseen.c ---- */

/* As the member of struct kind_ops. */
const char *uncore_unseen(const struct uncore_kind *kind, struct reg_id reg, uint64_t bit,
			  bool inverted);

/* ---- life.c ---- */

/* Power-on state; fault is NULL where healthy. */
void uncore_reset(struct uncore *u, const struct uncore_part *part, const struct fault *fault);
/* As these members of struct boxes_ops. */
unsigned uncore_sockets(const struct fault *fault);
void uncore_configure(void *uncore, const struct boxes_config *config);
void uncore_share(void *uncore, const void *other, unsigned levels);
/* Looks again which counters are enabled; after a write to the box, or, by a defect, to another. */
void uncore_update_watching(struct uncore *u, struct uncore_box *written);

/* ---- rows.c ---- */

/* The kind of the box at that place of a socket, and its number in it; NULL: past the last. */
const struct uncore_kind *uncore_kind_at(const struct uncore_part *part, unsigned place,
					 unsigned *number);
const struct uncore_event *uncore_find_event(const struct uncore_kind *kind, unsigned code);
extern const struct uncore_event uncore_clock_event; /* of the fixed counters */
/* The register at offset, by the rows, if the kind has it. */
bool uncore_find(const struct uncore_kind *kind, const struct uncore_place *rows, unsigned offset,
		 struct reg_id *reg);
bool uncore_has(const struct uncore_kind *kind, struct reg_id reg);
/* The field's bits in this register. */
uint64_t uncore_field_in(const struct uncore_kind *kind, enum uncore_field field,
			 struct reg_id reg);
/* Of a register of two dwords: is the high one there? */
bool uncore_is_high(const struct uncore_place *rows, unsigned offset);
/* The bits of all fields from first on, and before end, in this register. */
uint64_t uncore_fields_in(const struct uncore_kind *kind, struct reg_id reg,
			  enum uncore_field first, enum uncore_field end);
/* Bits that may be written; and those of them that it holds. */
uint64_t uncore_writable(const struct uncore_kind *kind, struct reg_id reg);
uint64_t uncore_held(const struct uncore_kind *kind, struct reg_id reg);
/* Counters that may count while box control acts as value, as bits. */
uint64_t uncore_allowed(const struct uncore_kind *kind, uint64_t value);
/* Is the defect in this box of the kind? */
bool uncore_concerns(const struct defect *defect, const struct uncore_kind *kind, unsigned place,
		     unsigned number);

/* ---- match.c ---- */

/* How often the event of the counter occurs in each clock of the segment.  It is not shown the
 * struct point of who asks, which would have to be in memory for it. */
unsigned uncore_occurrences(struct uncore *u, struct uncore_box *box, unsigned ctr,
			    const struct uncore_segment *segment);
/* Does what is counted for the event depend on the filters by thread and by target node? */
bool uncore_tells_ids(const struct uncore_event *event);
/* The value of the field in the filters of a slice; 0 in other boxes. */
unsigned uncore_filtered(const struct uncore_box *box, enum uncore_field field);

/* ---- umask.c: what unit masks take by themselves, without a filter ---- */

/* Does the unit mask take the request? */
typedef bool uncore_takes(const struct uncore_selection *selection,
			  const struct uncore_request *request);
uncore_takes uncore_takes_coded_lookup, uncore_takes_insert; /* COUNTS_CODED_* */
uncore_takes uncore_takes_core_lookup, uncore_takes_tracked;
uncore_takes uncore_takes_lookup, uncore_takes_fill; /* COUNTS_CACHE, COUNTS_L2 */
uncore_takes uncore_takes_request, uncore_takes_beat, uncore_takes_command;
/* How many of the signals of a clock does it take? */
typedef unsigned uncore_sum(const struct uncore_selection *selection,
			    const struct uncore_segment *segment);
uncore_sum uncore_sum_signal, uncore_sum_umask, uncore_sum_any, uncore_sum_packed;
uncore_sum uncore_sum_of_channel, uncore_sum_data, uncore_sum_of_stack, uncore_sum_of_half;
uncore_sum uncore_sum_cas;

/* ---- count.c ---- */

/* The box counts the segment. */
void uncore_run(struct uncore *u, struct uncore_box *box, const struct uncore_segment *segment);
/* What a counter of a healthy box would add in the segment, of which its edge detector learns. */
uint64_t uncore_look(struct uncore *u, struct uncore_box *box, unsigned ctr,
		     const struct uncore_segment *segment);
/* The counter goes on by amount. */
void uncore_add(struct uncore *u, struct uncore_box *box, unsigned ctr, uint64_t amount);
/* The TSC at which the box has passed its clock; and its clock at a TSC. */
uint64_t uncore_tsc_of(struct uncore *u, struct uncore_box *box);
uint64_t uncore_clock_at(struct uncore *u, struct uncore_box *box, uint64_t tsc);
/* Counters that are enabled and not frozen, as bits. */
uint64_t uncore_running(struct uncore *u, struct uncore_box *box);

/* ---- idle.c ---- */

/* What goes on in it without the core. */
const struct uncore_pattern *uncore_pattern_of(const struct uncore *u,
					       const struct uncore_box *box);
/* The box counts up to the present, with its idle pattern. */
void uncore_advance(struct uncore *u, struct uncore_box *box);

/* ---- global.c: what is there for all boxes of a socket ---- */

/* From the present on all of them stand still, or go on. */
void uncore_freeze(struct uncore *u);
void uncore_unfreeze(struct uncore *u);
/* An overflow of the counter is told.  It is noticed when somebody looks: then all stop. */
void uncore_tell(struct uncore *u, const struct uncore_box *box, unsigned ctr);

/* ---- meters.c ---- */

/* The box behind the MSR, in the core's socket, and the number of its meter; NULL: there is none.
 */
struct uncore_box *uncore_find_meter(struct uncore *u, uint32_t msr, unsigned *number);
/* Is the MSR a meter of some box of the part, also of one that the guide lists for larger parts? */
bool uncore_is_meter(const struct uncore_part *part, uint32_t msr);
uint64_t uncore_read_meter(struct uncore *u, struct uncore_box *box, unsigned number);
/* A request that has come to the box goes through it. */
void uncore_meter_line(struct uncore_box *box, const struct uncore_request *request);
/* Must accesses to memory be told for the sake of meters? */
static inline bool uncore_is_metered(const struct uncore *u)
{
	return u->executed < u->metered;
}

/* ---- window.c ---- */

/* As these members of struct boxes_ops. */
bool uncore_window(const void *part, uint64_t *first, uint64_t *size);
bool uncore_window_read(void *uncore, uint64_t physical, uint32_t *value);
bool uncore_window_write(void *uncore, uint64_t physical, uint32_t value);
bool uncore_window_register(void *uncore, uint64_t physical, bool *advances);
/* What the function that shows blocks of the window has at that offset. */
uint32_t uncore_window_shown(const struct uncore *u, unsigned socket, unsigned offset);
/* A read of the host bridge that shows the window: its id, or the window's address.  False: the
 * access is to neither of these. */
bool uncore_window_config(const struct uncore *u, const struct pci_access *access, uint32_t *value);

/* ---- table.c ---- */

uint32_t uncore_table_dword(const struct uncore *u, unsigned socket, uint64_t offset);

/* ---- registers.c ---- */

void uncore_box_reset(struct uncore *u, struct uncore_box *box, unsigned socket, unsigned place);
uint64_t uncore_read(struct uncore *u, struct uncore_box *box, struct reg_id reg);
/* Reserved bits are dropped.  high_half: of a register of two dwords, the high one is written. */
void uncore_write(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint64_t value,
		  bool high_half);
/* Clears what this value of box control clears. */
void uncore_clear_by(struct uncore *u, struct uncore_box *box, uint64_t value);
/* One dword of two, or all of it. */
void uncore_write_dword(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint32_t dword,
			bool high_half);
/* Does it read differently a moment later, by itself? */
bool uncore_advances(const struct uncore_box *box, struct reg_id reg);

/* ---- msr.c ---- */

/* ACCESS_NOT_MINE: no register of the uncore. */
enum access uncore_rdmsr(void *uncore, uint32_t msr, uint64_t *value);
enum access uncore_wrmsr(void *uncore, uint32_t msr, uint64_t value);
/* ACCESS_GP: no box has a counter of this index, or the privilege level may not read it. */
enum access uncore_rdpmc(void *uncore, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value);
/* One that the part has. */
bool uncore_is_msr(const void *part, uint32_t msr);
/* Does it read differently a moment later, by itself? */
bool uncore_msr_advances(void *uncore, uint32_t msr);

/* ---- pci.c ---- */

/* One that --hide may name. */
bool uncore_is_function(const void *part, uint8_t df);
/* One that an uncore has, of any number of sockets. */
bool uncore_is_bus(const void *part, unsigned bus);
/* False: the bus is not one of the uncore's. */
bool uncore_pci_read(void *uncore, const struct pci_access *access, uint32_t *value);
/* As uncore_advances(), of what is there. */
bool uncore_pci_advances(void *uncore, const struct pci_access *access);
bool uncore_pci_write(void *uncore, const struct pci_access *access, uint32_t value);

/* ---- lines.c ---- */

/* Has the access change the lines that it touches, and send requests for them. */
void uncore_access(struct uncore *u, const struct memory_access *access);
/* Is it known that the access changes nothing?  Then it need not be told. */
bool uncore_is_settled(const struct uncore *u, const struct memory_access *access);
/* The write-combining buffers are emptied. */
void uncore_flush_buffers(struct uncore *u);

/* ---- address.c: where a line lies ---- */

/* Says in the request whose memory it is, and in which slice and channel. */
void uncore_place(const struct uncore *u, struct uncore_request *request);
/* Slices of a cache, by number modulo so many as there are. */
uint64_t uncore_slice_of(uint64_t address);
/* So many of the role get lines. */
unsigned uncore_in_use(const struct uncore *u, enum uncore_role role);
/* The number of the controller, or the stop of a mesh, that has the channel of a line. */
uint64_t uncore_stop_of(const struct uncore *u, enum uncore_role role, uint64_t address);

/* ---- traffic.c ---- */

void uncore_request(struct uncore *u, enum uncore_type type, uint64_t address);
void uncore_count_lock(struct uncore *u);
/* Sends what waits; returns the TSC at which all of it has been counted. */
uint64_t uncore_drain(struct uncore *u);
