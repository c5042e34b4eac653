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

#include "part.h"

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

static inline const struct box_gating *box_gating(const struct box_kind *kind)
{
	static const struct box_gating none;

	return kind->gate ? kind->gate : &none;
}

static inline const struct box *box_of(const struct pmu *pmu)
{
	return ((const struct box_state *)pmu->state)->box;
}

/* All boxes in the order of their probing, hidden ones too; NULL behind the last. */
const struct pmu *box_pmu(unsigned i);

/* ---- encode.c: what a control register says.  Pure. ---- */

/* The configuration of a counter; in an order without holes, as trials have four. */
struct box_config {
	uint8_t event; /* enum box_event_id, */
	uint8_t row; /* or, not 0, the row of this number of the kind's events, from 1 on */
	uint8_t bit; /* not 0: of its unit mask bit number bit - 1 alone */
	bool edge : 1, thread : 1;
	uint16_t at_least, below; /* as in struct pmu_config */
	uint8_t slice, thread_of; /* ALL_OF_THEM and so on, by struct box_select */
	uint8_t instance;
	uint8_t interrupts; /* the core of this number less one, when it overflows; 0: none */
};

/* The row of this event; NULL: boxes of this kind do not have it. */
const struct box_event *box_event(const struct box_kind *kind, enum box_event_id event);
const struct box_event *box_row(const struct box_kind *kind, const struct box_config *cfg);

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

/* The counters of all boxes of this package stop, or go on, as the part has it; false: its MSR
 * refuses.  Whether they stand still it does not tell; pmu_reset() lets them go on. */
bool box_run_package(const struct box_part *part, bool run);

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
