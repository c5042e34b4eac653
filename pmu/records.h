/* SPDX-License-Identifier: BSD-2-Clause */
/* Facets of PMUs that keep records: samples of events, and the last branches. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pmu;

/* ---- samples ---- */

/* What to record: each overflow of counter ctr, which the record presets again.  There is room for
 * as many records as .room says, and an interrupt at number .interrupt_at; 0: none. */
struct pmu_sampling {
	unsigned ctr;
	uint64_t preset;
	unsigned room, interrupt_at;
};

/* Where a record has what; 0: nowhere. */
struct pmu_sample_layout {
	uint16_t size, ip, rax, rbx, rcx, rdx, rsi, rdi, event_ip, counters;
	bool says_size; /* each record does, in bits 63:48 of its first word */
};

struct pmu_sample {
	uint64_t size; /* bytes */
	uint64_t ip; /* execution goes on here */
	uint64_t event_ip; /* the instruction of the event */
	uint64_t counters; /* bits of the global registers: those that are recorded */
	uint64_t rax, rbx, rcx, rdx, rsi, rdi;
};

/* Records in memory, or in registers. */
struct pmu_sampler {
	const struct pmu_sample_layout *layout; /* NULL: this program does not know it */
	void (*arm)(const struct pmu *pmu, const struct pmu_sampling *what);
	/* Ends it.  Returns how many bytes have been written. */
	uint64_t (*disarm)(const struct pmu *pmu);
	/* True: the buffer has reached the record that interrupts; and says so no more.  NULL:
	 * where records interrupt, nothing says why. */
	bool (*acknowledge)(const struct pmu *pmu);
	struct pmu_sample (*take)(const struct pmu *pmu, unsigned record);
};

/* Intel's debug store (SDM vol. 3B, DS save area in its 64-bit layout), for drivers of PMUs that
 * write their samples there. */
#define PMU_STORE_SIZE 2400u
struct pmu_store {
	struct {
		uint64_t bts_base, bts_index, bts_maximum, bts_threshold;
		uint64_t base, index, maximum, threshold;
		uint64_t reset[32 + 16]; /* of general and fixed counters; NetBurst: of one */
	} area __attribute__((aligned(64)));
	uint8_t records[PMU_STORE_SIZE] __attribute__((aligned(64)));
};

/* Empties it.  The preset goes to reset[slot]. */
void pmu_store_prepare(struct pmu_store *store, const struct pmu_sample_layout *layout,
		       const struct pmu_sampling *what, unsigned slot);
uint64_t pmu_store_written(const struct pmu_store *store);
struct pmu_sample pmu_store_take(const struct pmu_store *store,
				 const struct pmu_sample_layout *layout, unsigned record);

/* ---- the last branches ---- */

struct pmu_branch {
	uint64_t from, to;
};

struct pmu_branches {
	unsigned entries;
	void (*clear)(const struct pmu *pmu);
	/* The record of that age, 0 for the newest; all zero: there is none. */
	struct pmu_branch (*read)(const struct pmu *pmu, unsigned age);
};
