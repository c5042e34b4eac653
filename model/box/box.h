/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Room: the uncore counters of the Xeon E5-2600 at register level, as pure computation.  A box
 * counts what a list of segments says: stretches of its clocks in which nothing changes.
 *
 * Register and event names are taken from the uncore guide 327043-001.
 * Uses: kernel/lib
 * Uses: model/pmu
 */
#pragma once

#include "kernel/lib/bits.h"
#include "memory.h"
#include "model/pmu/pmu.h"
#include "signals.h"

/* ---- what happens in one clock ---- */

/* Header of a QPI packet, in the format of PKT_MATCH0 and PKT_MATCH1. */
struct uncore_header {
	uint32_t low, high;
};

/* A stretch of clocks, all of them the same. */
struct uncore_segment {
	uint32_t clocks;
	uint8_t n[UNCORE_SIGNALS];
	const struct uncore_request *arrival; /* what is looked up, inserted and matched; or NULL */
	const struct uncore_request *entries[UNCORE_BURST]; /* of the TOR */
	unsigned entry_count;
	const struct uncore_header *headers; /* at most two */
	unsigned header_count;
};

/* ---- events ---- */

enum uncore_counting {
	COUNTS_SIGNAL, /* n[signal] */
	COUNTS_UMASK, /* the sum over n[signal + bit] for each bit of the unit mask */
	COUNTS_ANY, /* one, if that sum is not 0 */
	COUNTS_CLOCK,
	COUNTS_LOOKUP,
	COUNTS_TOR_INSERTS,
	COUNTS_TOR_OCCUPANCY,
	COUNTS_REPLAY, /* COUNTER0_OCCUPANCY */
	COUNTS_ADDR_OPC_MATCH,
	COUNTS_CTO,
	COUNTS_BAND, /* signal: its number */
	COUNTS_NOTHING,
};

struct uncore_event {
	uint16_t code; /* with EV_EXT */
	uint8_t counters; /* bit n: counter n has it */
	enum uncore_counting counting;
	uint8_t signal;
	uint8_t umask; /* bits that mean something */
	bool traffic; /* the guest's accesses to memory drive it */
};

/* What a counter counts, by its control register. */
struct uncore_selection {
	const struct uncore_event *event; /* NULL: counts 0 */
	uint8_t umask;
	bool tid_en;
	/* PCU: the occupancy number 1 to 3 is compared, of no state if 0; event is the companion,
	 * if there is to be one. */
	bool occupancy, companion, companion_inverted;
	uint8_t occ_sel;
};

/* ---- boxes ---- */

struct uncore_traits {
	enum uncore_kind kind;
	unsigned counters, width;
	uint64_t hz;
	uint32_t ctl_bits; /* that can be written, CTL_RST included */
	uint32_t thresh; /* its field in CTL */
	bool box_ctl, box_resets; /* has BOX_CTL; its bits 1:0 act */
	bool fixed; /* has a fixed counter */
	uint32_t fixed_ctl_bits;
	uint32_t filter_bits[UNCORE_FILTERS]; /* 0: no such register */
	const struct uncore_event *events; /* ended by one without counters */
	const struct uncore_segment *idle; /* repeated while there is no traffic, */
	unsigned idle_count; /* with two sockets: */
	const struct uncore_segment *idle_linked; /* NULL: the same */
	unsigned idle_linked_count;
};

struct uncore_box {
	const struct uncore_traits *traits;
	unsigned socket, number; /* number: BOX_* */
	bool watching; /* one of its counters is enabled that memory traffic drives */
	uint64_t clock; /* up to here it has counted */
	unsigned segment; /* of the idle pattern, and what has passed of it */
	uint32_t passed;
	struct counter counter[UNCORE_ALL_COUNTERS];
	struct uncore_selection selection[UNCORE_ALL_COUNTERS];
	uint64_t added[UNCORE_ALL_COUNTERS]; /* to each by events, ever */
	uint64_t memory[UNCORE_ALL_COUNTERS]; /* of the defect, */
	struct active active; /* if there is one */
	/* As they read, and as they act. */
	uint32_t box_ctl, filter[UNCORE_FILTERS];
	uint32_t acting_box_ctl, acting_filter[UNCORE_FILTERS];
};

/* Kinds of registers.  The fixed counter and its control have the number UNCORE_FIXED. */
enum uncore_register { UNCORE_CTR = 1, UNCORE_CTL, UNCORE_FILTER, UNCORE_BOX_CTL };

/* A row of a table that says where registers lie: count of them from first on, every stride. */
struct uncore_place {
	uint16_t first;
	uint8_t stride, count;
	enum uncore_register kind;
	uint8_t number; /* of the first */
};

/* ---- the whole ---- */

struct uncore {
	unsigned sockets, home; /* home: the core's own */
	uint8_t hidden[BOXES_HIDDEN]; /* device << 3 | function */
	unsigned hidden_count;
	uint64_t tsc_hz, origin, now; /* TSC values */
	uint64_t misc_feature_control;
	const struct defect *defect; /* NULL: healthy */
	bool watching; /* a counter is enabled that memory traffic drives */
	bool fixed_thaws; /* box control does not stop fixed counters: no source says whether it
			     does */
	struct uncore_box box[UNCORE_SOCKETS][UNCORE_BOXES];
	struct uncore_memory memory;
};

static inline uint64_t uncore_mask(const struct uncore_traits *traits, unsigned ctr)
{
	return BIT(ctr == UNCORE_FIXED ? 48 : traits->width) - 1;
}

static inline const struct active *uncore_active(const struct uncore *u,
						 const struct uncore_box *box)
{
	return u->defect ? &box->active : NULL;
}

/* What a defect sees of a counter of the box. */
DATAPATH struct point uncore_point(struct uncore *u, struct uncore_box *box, unsigned ctr)
{
	return (struct point){
		.pmu = u,
		.counter = box->counter,
		.count = box->traits->counters,
		.mask = uncore_mask(box->traits, ctr),
		.box = box,
		.place = box->number,
		.ctr = ctr,
		.event = box->selection[ctr].event ? box->selection[ctr].event->code : 0,
		.set = &box->counter[ctr].set,
	};
}

/* ---- ops.c ---- */

extern const struct kind_ops uncore_snbep_ops;

/* ---- unseen.c ---- */

/* As the member of struct kind_ops. */
const char *uncore_unseen(const struct uncore_traits *traits, struct reg_id reg, uint64_t bit,
			  bool inverted);

/* ---- uncore.c ---- */

/* Power-on state; fault is NULL where healthy. */
void uncore_reset(struct uncore *u, const struct fault *fault);
/* That the fault needs to be seen. */
unsigned uncore_sockets(const struct fault *fault);
void uncore_configure(void *uncore, const struct boxes_config *config);
/* Looks again which counters are enabled; after any write. */
void uncore_update_watching(struct uncore *u);

/* ---- traits.c ---- */

extern const struct uncore_traits uncore_traits[UNCORE_KINDS];

/* ---- events.c ---- */

extern const struct uncore_event uncore_cbo_events[], uncore_ubox_events[], uncore_pcu_events[],
	uncore_ha_events[], uncore_imc_events[], uncore_qpi_events[], uncore_r2pcie_events[],
	uncore_r3qpi_events[];
extern const struct uncore_event uncore_clock_event; /* of the fixed counters */
const struct uncore_event *uncore_find_event(const struct uncore_traits *traits, unsigned code);

/* ---- match.c ---- */

/* How often the event of the counter occurs in each clock of the segment.  It is not shown the
 * struct point of who asks, which would have to be in memory for it. */
unsigned uncore_occurrences(struct uncore *u, struct uncore_box *box, unsigned ctr,
			    const struct uncore_segment *segment);

/* ---- count.c ---- */

/* The box counts the segment. */
void uncore_run(struct uncore *u, struct uncore_box *box, const struct uncore_segment *segment);
/* The box counts up to the present, with its idle pattern. */
void uncore_advance(struct uncore *u, struct uncore_box *box);
/* The TSC at which the box has passed its clock. */
uint64_t uncore_tsc_of(struct uncore *u, struct uncore_box *box);

/* Counters that are enabled and not frozen, as bits: for defects. */
uint64_t uncore_running(struct uncore *u, struct uncore_box *box);

/* ---- box.c ---- */

/* Of box number BOX_*. */
const struct uncore_traits *uncore_traits_of(unsigned number);
void uncore_box_reset(struct uncore *u, struct uncore_box *box, unsigned socket, unsigned number);
/* The register at offset, by the rows; false: there is none. */
bool uncore_find(const struct uncore_place *rows, size_t count, unsigned offset,
		 struct reg_id *reg);
/* The register is there. */
bool uncore_has(const struct uncore_traits *traits, struct reg_id reg);
uint64_t uncore_read(struct uncore *u, struct uncore_box *box, struct reg_id reg);
/* Reserved bits are dropped.  high_half: of a counter of two dwords, the high one is written. */
void uncore_write(struct uncore *u, struct uncore_box *box, struct reg_id reg, uint64_t value,
		  bool high_half);
/* Does it read differently a moment later, by itself? */
bool uncore_advances(const struct uncore_box *box, struct reg_id reg);
/* Bits that may be written. */
uint64_t uncore_writable(const struct uncore_traits *traits, struct reg_id reg);

/* ---- msr.c ---- */

/* ACCESS_NOT_MINE: no register of the uncore. */
enum access uncore_rdmsr(void *uncore, uint32_t msr, uint64_t *value);
enum access uncore_wrmsr(void *uncore, uint32_t msr, uint64_t value);
/* One that the uncore guide lists. */
bool uncore_is_listed_msr(uint32_t msr);
/* Does it read differently a moment later, by itself? */
bool uncore_msr_advances(void *uncore, uint32_t msr);

/* ---- pci.c ---- */

/* One that --hide may name. */
bool uncore_is_function(uint8_t df);
/* One that an uncore has, of any number of sockets. */
bool uncore_is_bus(unsigned bus);
/* False: the bus is not one of the uncore's. */
bool uncore_pci_read(void *uncore, const struct pci_access *access, uint32_t *value);
/* As uncore_advances(), of what is there. */
bool uncore_pci_advances(void *uncore, const struct pci_access *access);
bool uncore_pci_write(void *uncore, const struct pci_access *access, uint32_t value);

/* ---- lines.c ---- */

/* What the access does to the lines that it touches. */
void uncore_access(struct uncore *u, const struct memory_access *access);
/* The write-combining buffers are emptied. */
void uncore_flush_buffers(struct uncore *u);

/* ---- traffic.c ---- */

void uncore_request(struct uncore *u, enum uncore_type type, uint64_t address);
void uncore_count_lock(struct uncore *u);
/* Sends what waits; returns the TSC at which all of it has been counted. */
uint64_t uncore_drain(struct uncore *u);
