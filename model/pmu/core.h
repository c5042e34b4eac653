/* SPDX-License-Identifier: BSD-2-Clause */
/* The core PMU, as far as all kinds have it in common: registers, RDPMC, requests. */
#pragma once

#include "datapath.h"
#include "fault.h"

enum { CORE_COUNTERS = 18, CORE_RANGES = 48 }; /* the most that any kind has */
enum { CORE_DEVIATIONS = 1 + LAWFUL_MAX }; /* the seeded fault is one */

/* Each PMU has these kinds of registers: one selects the event of a counter (on NetBurst the CCCR),
 * the other is the counter.  Further kinds have numbers from CORE_OTHERS on. */
enum { CORE_SELECT = 1, CORE_COUNTER, CORE_OTHERS };

/* The registers of one kind and their addresses. */
struct register_range {
	unsigned kind; /* 0: end of the list */
	uint32_t first;
	unsigned count; /* 0: this model has none */
	size_t cell, stride; /* where number 0 keeps its value in the state, bytes apart */
	uint64_t writable; /* bits that a write changes */
	bool read_only;
	bool alias; /* another range has newer names for these registers */
	unsigned number; /* of the first register */
	unsigned gap; /* addresses between two registers */
	uint64_t runs; /* as in struct pmu_register */
};

/* Where registers keep their values.  A command keeps none. */
#define CORE_CELLS(state_, member_, stride_) .cell = offsetof(state_, member_), .stride = (stride_)
#define CORE_CONTROLS                        CORE_CELLS(struct core_pmu, counter[0].control, sizeof(struct counter))
#define CORE_VALUES                          CORE_CELLS(struct core_pmu, counter[0].value, sizeof(struct counter))
#define CORE_COMMAND                         CORE_CELLS(struct core_pmu, zero, 0)

struct pmu_register; /* pmu.h */

/* How the kinds of PMU differ.  pmu points to a struct pmu_amd, pmu_intel or pmu_netburst. */
struct core_kind {
	bool faults_elsewhere; /* accesses to the registers of other kinds of PMU fault */
	bool masks_lvt; /* delivery sets the mask bit of the LVT entry */
	/* Bit n: registers of kind n are counters; software programs registers of kind n. */
	uint64_t cells, programmed;
	uint64_t interrupts; /* bit of the select register that enables the interrupt */
	uint32_t fast_bit; /* of RDPMC's index: read 32 bits only; 0: no such bit */
	/* Does the register exist?  NULL: all of its range do. */
	bool (*exists)(const void *pmu, unsigned reg_kind, unsigned number);
	/* The value that a read returns.  NULL: value itself. */
	uint64_t (*shows)(const void *pmu, const struct reg_id *reg, uint64_t value);
	/* Does a write of value fault?  NULL: no write does. */
	bool (*refuses)(const void *pmu, const struct reg_id *reg, uint64_t value);
	/* The writable bits, as a write of value leaves them.  NULL: as in value. */
	uint64_t (*keeps)(const void *pmu, const struct reg_id *reg, uint64_t value);
	/* Does what a write of value does; false: the value itself has still to be stored. */
	bool (*put)(void *pmu, const struct reg_id *reg, uint64_t value);
	/* The number of the counter that RDPMC reads, -1: none.  NULL: index is the number. */
	int (*indexed)(const void *pmu, uint32_t index);
	/* Does RDPMC read something that is no counter?  It may change by that.  NULL: it does not.
	 */
	bool (*reads_other)(void *pmu, uint32_t index, uint64_t *value);
	/* Do the enable bits let the counter run, in some mode? */
	bool (*runs)(const void *pmu, unsigned ctr);
};

/* The first member of the state of each kind.  Members that each clock needs come first. */
struct core_pmu {
	const struct core_kind *kind;
	const struct active *active; /* the first of the deviations; NULL: healthy */
	const struct active *in_clocks; /* the first that is in the clock of a counter */
	uint32_t enabled; /* bit n: counter n runs, if no hook says otherwise */
	uint32_t running; /* bit n: a clock may change counter n */
	uint32_t present; /* bit n: counter n exists */
	uint32_t woken; /* bit n: a hook may let counter n count though it stands still */
	uint32_t watched; /* bit n: runs() of its kind is asked of counter n; all others stand still
			   */
	unsigned count; /* RDPMC reads counters 0 to count - 1 by their number */
	bool holding; /* a counter may hold a request: held_by() knows */
	/* The next instruction may want an assist, and needs clocks of its own, so that it is known
	 * whose the assist is; the last one does: there is something to do to the machine's memory.
	 */
	bool precise, wants_assist;
	uint64_t mask; /* the bits of a counter */
	struct counter counter[CORE_COUNTERS];
	struct active deviation[CORE_DEVIATIONS], in_clock[CORE_DEVIATIONS];
	uint64_t memory[CORE_DEVIATIONS][CORE_COUNTERS]; /* of each */
	unsigned deviations;
	/* The entry of the local APIC, for defects that see it: its vector, and the first one. */
	struct {
		uint8_t vector, first;
		bool nmi;
	} entry;
	struct register_range range[CORE_RANGES];
	uint64_t zero; /* a read of a command returns this */
};

/* The counter, as a defect sees it.  Nothing but its hooks may change the PMU through this. */
DATAPATH struct point core_point(const struct core_pmu *core, unsigned ctr)
{
	struct core_pmu *pmu = (struct core_pmu *)core;

	return (struct point){
		.pmu = pmu,
		.counter = pmu->counter,
		.count = pmu->count,
		.mask = pmu->mask,
		.ctr = ctr,
		.set = ctr < CORE_COUNTERS ? &pmu->counter[ctr].set : NULL,
	};
}

/* The same point at the next counter, whose clock has still to be found out. */
DATAPATH void core_point_at(struct point *at, unsigned ctr)
{
	at->ctr = ctr;
	at->set = &at->counter[ctr].set;
	at->n = 0;
	at->passes = at->before = at->now = false;
	at->amount = 0;
	at->carry = false;
}

/* Does the counter stand still in this clock?  Without defects, those that do are not asked. */
DATAPATH bool core_stands(const struct core_pmu *core, unsigned ctr, const struct active *active)
{
	if (having(active, HOOK_BIT(runs)))
		return !core->kind->runs(core, ctr);
	return active && !(core->enabled >> ctr & 1);
}

/* Clears all size bytes of the state and sets what is common. */
void core_begin(struct core_pmu *core, size_t size, const struct core_kind *kind,
		const struct fault *fault);
/* One more defect; no more than CORE_DEVIATIONS. */
void core_deviate(void *pmu, const struct defect *defect);
/* Sets the ranges of registers; core_range() finds the first of a kind. */
void core_lay_out(struct core_pmu *core, const struct register_range *ranges, size_t count);
const struct register_range *core_range(const struct core_pmu *core, unsigned kind);
/* Call this when what enables counters has changed.  After each write it is called anyhow. */
void core_update_running(struct core_pmu *core);
/* The value as which a register acts that gets value; it acted as old before. */
uint64_t core_twisted(const struct core_pmu *core, unsigned kind, unsigned number, uint64_t old,
		      uint64_t value);
/* The same of a register that has value already. */
static inline uint64_t core_acting(const struct core_pmu *core, unsigned kind, unsigned number,
				   uint64_t value)
{
	return core->active ? core_twisted(core, kind, number, value, value) : value;
}

/* Writes the select register of a counter, or what stands for one; returns the value as which it
 * acts. */
uint64_t core_select(struct core_pmu *core, unsigned ctr, uint64_t value);
/* Counters are given by their status bits.  The bits that overflows set; the number of requests
 * that interrupting counters make. */
uint64_t core_status(struct core_pmu *core, uint64_t overflowed, uint64_t interrupting);
unsigned core_requests(struct core_pmu *core, const struct clock *clock, uint64_t interrupting);

/* What room of struct core_ops comes to by what all kinds have in common. */
uint64_t core_room(const struct core_pmu *core);
/* Does some counter look at edges?  Then the clock before each matters, too. */
bool core_has_edges(const struct core_pmu *core);

/* Tells of the entry of the local APIC, as it is now. */
void core_show_entry(struct core_pmu *core, uint8_t vector, bool nmi);

/* As the members of struct kind_ops and of its facet for cores. */
bool core_register_at(const void *pmu, unsigned index, struct pmu_register *reg);
enum access core_rdmsr(void *pmu, uint32_t msr, uint64_t *value);
enum access core_wrmsr(void *pmu, uint32_t msr, uint64_t value);
enum access core_rdpmc(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value);
bool core_counting(const void *pmu);
bool core_enabled(const void *pmu, unsigned counter);
uint64_t *core_cell(void *pmu, unsigned counter);
bool core_masks_lvt(const void *pmu);
/* Does delivery of what samples announce set the mask bit of its entry? */
bool core_masks_extended(const struct core_pmu *core);
