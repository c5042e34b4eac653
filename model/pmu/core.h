/* SPDX-License-Identifier: BSD-2-Clause */
/* What the PMUs of cores do alike, whatever their kind: registers, RDPMC, requests. */
#ifndef MODEL_CORE_H
#define MODEL_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datapath.h"
#include "fault.h"

enum { CORE_COUNTERS = 18 }; /* of any kind at most */

/* Kinds of registers that each PMU has: what selects the event of a counter (on NetBurst its CCCR),
 * and the counter.  Its other ones are numbered from CORE_OTHERS on. */
enum { CORE_SELECT = 1, CORE_COUNTER, CORE_OTHERS };

/* What kinds differ in, as they answer accesses.  pmu: struct pmu_amd and the like. */
struct core_kind {
	bool faults_elsewhere; /* what it does not know faults, also where other kinds have it */
	bool masks_lvt; /* delivery sets the mask bit of the LVT entry */
	uint64_t cells; /* kinds of registers that are counters, as bits */
	uint32_t fast_bit; /* of RDPMC's index: asks for 32 bits; 0: there is none */
	/* The register at an address; false: none. */
	bool (*decode)(const void *pmu, uint32_t msr, struct pmu_reg *reg);
	uint64_t (*get)(void *pmu, const struct pmu_reg *reg);
	/* Does a write of value fault?  NULL: none does. */
	bool (*refuses)(const void *pmu, const struct pmu_reg *reg, uint64_t value);
	/* What the register keeps of it. */
	uint64_t (*keeps)(const void *pmu, const struct pmu_reg *reg, uint64_t value);
	void (*put)(void *pmu, const struct pmu_reg *reg, uint64_t value);
	/* The counter that RDPMC reads, -1: none. */
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
/* To be called when what enables counters has changed; after each write it is. */
void core_update_running(struct core_pmu *core);
uint64_t core_twisted(const struct core_pmu *core, struct pmu_reg reg, uint64_t old,
		      uint64_t value);
/* What reg, which has value, acts as; it acted as old. */
static inline uint64_t core_acting(const struct core_pmu *core, struct pmu_reg reg, uint64_t old,
				   uint64_t value)
{
	return core->defect ? core_twisted(core, reg, old, value) : value;
}

/* The select register of a counter gets value, or what says the same in its terms; returns what it
 * acts as. */
uint64_t core_select(struct core_pmu *core, struct pmu_reg reg, uint64_t value);
/* Of counters, by their status bits: the status bits that overflows set; the requests that those
 * among them make which interrupt. */
uint64_t core_status(struct core_pmu *core, uint64_t overflowed, uint64_t interrupting);
unsigned core_requests(struct core_pmu *core, const struct clock *clock, uint64_t interrupting);

/* As the members of struct pmu_ops. */
enum access core_rdmsr(void *pmu, uint32_t msr, uint64_t *value);
enum access core_wrmsr(void *pmu, uint32_t msr, uint64_t value);
enum access core_rdpmc(void *pmu, uint32_t index, unsigned cpl, bool cr4_pce, uint64_t *value);
bool core_counting(const void *pmu);
bool core_enabled(const void *pmu, unsigned counter);
uint64_t *core_cell(void *pmu, unsigned counter);
bool core_masks_lvt(const void *pmu);

#endif
