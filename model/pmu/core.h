/* SPDX-License-Identifier: BSD-2-Clause */
/* What the PMUs of cores do alike, whatever their kind: registers, RDPMC, requests. */
#ifndef MODEL_CORE_H
#define MODEL_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datapath.h"
#include "fault.h"

enum { CORE_COUNTERS = 18, CORE_RANGES = 28 }; /* of any kind at most */

/* Kinds of registers that each PMU has: what selects the event of a counter (on NetBurst its CCCR),
 * and the counter.  Its other ones are numbered from CORE_OTHERS on. */
enum { CORE_SELECT = 1, CORE_COUNTER, CORE_OTHERS };

/* Registers of one kind, by their addresses. */
struct register_range {
	unsigned kind; /* 0: no more of them */
	uint32_t first;
	unsigned count; /* 0: this model has none */
	size_t cell, stride; /* where number 0 keeps its value in the state, bytes apart */
	uint64_t writable; /* bits that a write changes */
	bool read_only;
	bool alias; /* these are older names of registers that another range has */
	unsigned number; /* that the first has */
	unsigned gap; /* addresses between them */
	uint64_t runs; /* as in struct pmu_register */
};

/* Where the registers of counters keep their values, and what is only a command. */
#define CORE_CELLS(state_, member_, stride_) .cell = offsetof(state_, member_), .stride = (stride_)
#define CORE_CONTROLS                        CORE_CELLS(struct core_pmu, counter[0].control, sizeof(struct counter))
#define CORE_VALUES                          CORE_CELLS(struct core_pmu, counter[0].value, sizeof(struct counter))
#define CORE_COMMAND                         CORE_CELLS(struct core_pmu, zero, 0)

struct pmu_register; /* pmu.h */

/* What kinds differ in, as they answer accesses.  pmu: struct pmu_amd and the like. */
struct core_kind {
	bool faults_elsewhere; /* what it does not know faults, also where other kinds have it */
	bool masks_lvt; /* delivery sets the mask bit of the LVT entry */
	/* Kinds of registers, as bits: those that are counters, and that software programs. */
	uint64_t cells, programmed;
	uint64_t interrupts; /* the bit of the select register */
	uint32_t fast_bit; /* of RDPMC's index: asks for 32 bits; 0: there is none */
	/* Is there one of that number in its range?  NULL: all are there. */
	bool (*exists)(const void *pmu, unsigned reg_kind, unsigned number);
	/* What it reads as.  NULL: as its value. */
	uint64_t (*shows)(const void *pmu, const struct pmu_reg *reg, uint64_t value);
	/* Does a write of value fault?  NULL: none does. */
	bool (*refuses)(const void *pmu, const struct pmu_reg *reg, uint64_t value);
	/* What it keeps of its writable bits.  NULL: all. */
	uint64_t (*keeps)(const void *pmu, const struct pmu_reg *reg, uint64_t value);
	/* Its value is written, and what follows from that.  False: nothing but the value. */
	bool (*put)(void *pmu, const struct pmu_reg *reg, uint64_t value);
	/* The counter that RDPMC reads, -1: none.  NULL: index is its number. */
	int (*indexed)(const void *pmu, uint32_t index);
	/* Do its enable bits let the counter run, whatever the mode? */
	bool (*runs)(const void *pmu, unsigned ctr);
};

/* The first member of the state of each kind. */
struct core_pmu {
	const struct core_kind *kind;
	const struct defect *defect; /* NULL: healthy */
	uint64_t memory[CORE_COUNTERS]; /* the defect's */
	struct counter counter[CORE_COUNTERS];
	struct register_range range[CORE_RANGES];
	uint64_t zero; /* what commands read as */
	uint32_t present; /* counters that there are, as bits */
	unsigned count; /* of which RDPMC numbers so many from 0 on */
	uint64_t mask; /* the bits of one */
	uint32_t running; /* counters that a clock may change, as bits: with a defect all of them */
};

/* What a defect sees of a counter; only its hooks change anything. */
DATAPATH struct point core_point(const struct core_pmu *core, const struct defect *defect,
				 unsigned ctr)
{
	struct core_pmu *pmu = (struct core_pmu *)core;

	return (struct point){
		.defect = defect,
		.memory = pmu->memory,
		.pmu = pmu,
		.counter = pmu->counter,
		.count = pmu->count,
		.mask = pmu->mask,
		.ctr = ctr,
		.set = ctr < CORE_COUNTERS ? &pmu->counter[ctr].set : NULL,
	};
}

/* All size bytes of the state are 0, but for what is common. */
void core_begin(struct core_pmu *core, size_t size, const struct core_kind *kind,
		const struct fault *fault);
/* Ranges of registers, an array, of which a kind has its first one before others. */
void core_lay_out(struct core_pmu *core, const struct register_range *ranges, size_t count);
const struct register_range *core_range(const struct core_pmu *core, unsigned kind);
/* To be called when what enables counters has changed; after each write it is. */
void core_update_running(struct core_pmu *core);
uint64_t core_twisted(const struct core_pmu *core, unsigned kind, unsigned number, uint64_t old,
		      uint64_t value);
/* What a register, which has value, acts as; it acted as old. */
static inline uint64_t core_acting(const struct core_pmu *core, unsigned kind, unsigned number,
				   uint64_t old, uint64_t value)
{
	return core->defect ? core_twisted(core, kind, number, old, value) : value;
}

/* The select register of a counter gets value, or what says the same in its terms; returns what it
 * acts as. */
uint64_t core_select(struct core_pmu *core, unsigned ctr, uint64_t value);
/* Of counters, by their status bits: the status bits that overflows set; the requests that those
 * among them make which interrupt. */
uint64_t core_status(struct core_pmu *core, uint64_t overflowed, uint64_t interrupting);
unsigned core_requests(struct core_pmu *core, const struct clock *clock, uint64_t interrupting);

/* As the members of struct pmu_ops. */
bool core_register_at(const void *pmu, unsigned index, struct pmu_register *reg);
enum access core_rdmsr(void *pmu, uint32_t msr, uint64_t *value);
enum access core_wrmsr(void *pmu, uint32_t msr, uint64_t value);
enum access core_rdpmc(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value);
bool core_counting(const void *pmu);
bool core_enabled(const void *pmu, unsigned counter);
uint64_t *core_cell(void *pmu, unsigned counter);
bool core_masks_lvt(const void *pmu);

#endif
