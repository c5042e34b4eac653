/* SPDX-License-Identifier: BSD-2-Clause */
/* Facets of PMUs that keep records: samples of events, and the last branches. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct msr_switch;
struct pmu;
struct pmu_event;
struct pmu_config;

/* ---- samples ---- */

/* Things of which a sampler takes one in so many. */
enum pmu_period { PERIOD_CLOCKS = 1, PERIOD_OPS = 2, PERIOD_FETCHES = 4 };

/* Overflows to record: each one of these counters, which the record presets again.  There is room
 * for as many records as .room says, and an interrupt at number .interrupt_at; 0: none.  Of a
 * sampler with a period of its own: one record. */
enum { PMU_SAMPLED_MAX = 32 };
struct pmu_sampling {
	uint64_t counters; /* bit n: counter n, */
	uint64_t preset[PMU_SAMPLED_MAX]; /* and what it is preset to */
	unsigned room, interrupt_at;
	enum pmu_period of;
	uint64_t period; /* of these, */
	uint64_t passed; /* so many of which are taken as over */
	bool random; /* the hardware adds a random part to them */
	bool misses_only; /* records of loads alone that miss the last cache, */
	unsigned latency; /* and of those that take so many clocks; 0: any */
};

/* General registers, by their numbers in ModRM: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 on. */
enum { SAMPLE_RSP = 4, SAMPLE_RSI = 6, SAMPLE_RDI = 7, SAMPLE_GPRS = 16 };

/* Contents that a record can have, as bits. */
enum pmu_sample_has {
	SAMPLE_IP = 1, /* execution goes on there, */
	SAMPLE_NEXT_IP = 2, /* just behind the instruction of the event */
	SAMPLE_EVENT_IP = 4,
	SAMPLE_COUNTERS = 8,
	SAMPLE_REGISTERS = 16,
	SAMPLE_BRANCH = 32, /* whether a branch was taken, and whether it is a return, */
	SAMPLE_TARGET = 64, /* and where to, or what follows it */
	SAMPLE_ACCESS = 128, /* whether it loads or stores */
	SAMPLE_LINEAR = 256, /* the address of its operand, or of what was fetched, */
	SAMPLE_PHYSICAL = 512,
	SAMPLE_WIDTH = 1024, /* and how wide the operand is */
	SAMPLE_RETIREMENT = 2048, /* clocks up to it */
	SAMPLE_MISS = 4096, /* of a load: whether it missed the first cache, and clocks if it did */
};

/* Facts about a sampled instruction, as bits. */
enum pmu_sample_is {
	SAMPLE_IS_TAKEN = 1,
	SAMPLE_IS_RETURN = 2,
	SAMPLE_IS_FUSED = 4, /* with the branch behind it */
	SAMPLE_IS_LOAD = 8,
	SAMPLE_IS_STORE = 16,
	SAMPLE_IS_LOCKED = 32,
	SAMPLE_IS_MISS = 64,
};

struct pmu_sample {
	uint64_t size; /* bytes */
	uint64_t ip;
	uint64_t event_ip; /* the instruction of the event */
	uint64_t counters; /* bits of the global registers: those that are recorded */
	uint64_t flags, gpr[SAMPLE_GPRS]; /* SAMPLE_REGISTERS */
	/* Of a sampler with a period of its own: */
	uint32_t has; /* what the record vouches for, as bits of enum pmu_sample_has */
	uint32_t is; /* enum pmu_sample_is */
	uint64_t target, linear, physical;
	unsigned width; /* bytes */
	unsigned from_tag, from_completion; /* clocks up to retirement */
	unsigned latency; /* clocks */
};

/* What becomes of a thing that is tagged, to be sampled. */
enum pmu_fate {
	FATE_TAGGED,
	FATE_RETIRED,
	FATE_OVERTAKEN, /* the next period is over, and it is still under way */
	FATE_FILTERED,
	FATE_RECORDED,
	FATES
};

/* Records in memory, or in registers. */
struct pmu_sampler {
	uint32_t has; /* enum pmu_sample_has */
	uint16_t size; /* of a record that has all of it, in bytes */

	/* Programs one of these counters, disabled, so that its overflows are recorded, with all
	 * that a record can have: as cfg says, but for its event.  NULL: no counter of a generic
	 * event writes records. */
	void (*program)(const struct pmu *pmu, unsigned ctr, const struct pmu_config *cfg);
	unsigned event; /* the generic one that it then counts; EV_NONE: none is known */
	uint64_t counters; /* bit n: counter n */
	bool late; /* a record is of an event after the overflow, never of the one that overflows */

	void (*arm)(const struct pmu *pmu, const struct pmu_sampling *what);
	/* Ends it.  Returns how many bytes have been written. */
	uint64_t (*disarm)(const struct pmu *pmu);
	/* True: the buffer has reached the record that interrupts; and says so no more, unless
	 * there is room for one alone.  NULL: where records interrupt, nothing says why. */
	bool (*acknowledge)(const struct pmu *pmu);
	struct pmu_sample (*take)(const struct pmu *pmu, unsigned record);

	/* One with a period of its own, of these things, as bits of enum pmu_period; 0: records are
	 * of overflows of counters, and all below is 0. */
	uint32_t periods;
	uint64_t shortest, longest; /* multiples of: */
	uint64_t step;
	bool presets, randomizes, misses; /* .passed, .random, .misses_only can be asked for */
	/* .latency can be, together with .misses_only: multiples of this up to so many; 0: not. */
	unsigned latency_step, latency_most;
	/* Does all but the one write that arms it: by->on; by->off ends it again.  NULL, or why
	 * that cannot be: nothing has happened. */
	const char *(*prepare)(const struct pmu *pmu, const struct pmu_sampling *what,
			       struct msr_switch *by);
	/* While its bits are set, this MSR stops the sampler, whatever else arms it; a reset clears
	 * them.  0: there is none. */
	uint32_t stopper;
	uint64_t stops;
	uint64_t kept; /* bits of by->msr that read as they were written while armed, */
	uint64_t full; /* and the one that says that there is a record */
	/* Counters of the same core count these, by enum pmu_fate; NULL: none is known to.  Listed:
	 * AMD's list of this very part has all of them. */
	const struct pmu_event *fates;
	bool listed;
	/* Each record interrupts through an extended entry of the local APIC: its number, and one
	 * more.  0: none is known. */
	unsigned entry;
	/* Reports the last record, for diagnostics. */
	void (*describe)(const struct pmu *pmu);
};

/* ---- Intel's debug store: SDM vol. 3B, DS save area ---- */

/* The places of a record's contents.  0 for event_ip or counters: the record has none. */
struct pmu_sample_layout {
	uint8_t word, gprs; /* bytes of each number; general registers */
	uint16_t size, flags, ip, gpr[SAMPLE_GPRS], event_ip, counters;
	uint64_t size_field; /* of its first word: its size; 0: they do not say */
};
/* Registers in all records of the debug store in their 64-bit form, but for adaptive ones. */
#define PMU_STORE_REGISTERS                                                                        \
	.word = 8, .gprs = SAMPLE_GPRS, .flags = 0, .ip = 0x08,                                    \
	.gpr = {0x10, 0x20, 0x28, 0x18, 0x48, 0x40, 0x30, 0x38,                                    \
		0x50, 0x58, 0x60, 0x68, 0x70, 0x78, 0x80, 0x88}

/* For drivers of PMUs that write their samples there: eight words, and reset values of 8 bytes for
 * general and fixed counters, NetBurst: for one. */
#define PMU_STORE_SIZE 3840u
struct pmu_store {
	const struct pmu_sample_layout *layout;
	uint8_t area[8 * 8 + 8 * (32 + 16)] __attribute__((aligned(64)));
	uint8_t records[PMU_STORE_SIZE] __attribute__((aligned(64)));
};

/* wide, or what a processor writes instead that has no 64-bit form in this mode: CPUID 1 ECX[2],
 * DTES64. */
const struct pmu_sample_layout *pmu_store_layout(const struct pmu_sample_layout *wide);
/* Records have this layout: fills in what the sampler says of them. */
void pmu_store_adopt(struct pmu_store *store, const struct pmu_sample_layout *layout,
		     struct pmu_sampler *sampler);
/* Empties it. */
void pmu_store_prepare(struct pmu_store *store, const struct pmu_sampling *what);
/* Sets the value that a record puts back into the counter of that slot. */
void pmu_store_preset(struct pmu_store *store, unsigned slot, uint64_t value);
uint64_t pmu_store_written(const struct pmu_store *store);
struct pmu_sample pmu_store_take(const struct pmu_store *store, unsigned record);
/* What the record there has. */
struct pmu_sample pmu_sample_at(const struct pmu_sample_layout *layout, const uint8_t *record);

/* ---- the last branches ---- */

/* In the order of Intel's and AMD's filters. */
enum pmu_branch_kind {
	BRANCH_CONDITIONAL,
	BRANCH_RELATIVE_CALL,
	BRANCH_INDIRECT_CALL,
	BRANCH_RETURN,
	BRANCH_INDIRECT_JMP,
	BRANCH_RELATIVE_JMP,
	BRANCH_FAR, /* interrupts, too */
	BRANCH_KINDS
};

/* Which branches are recorded: those of these kinds that end in these rings. */
struct pmu_branching {
	uint32_t kinds; /* bit n: enum pmu_branch_kind n */
	bool user, kernel;
	bool call_stack; /* a return removes the record of its call, and has none */
	bool stops_at_interrupt; /* of an overflow */
	unsigned entries; /* one of .sizes; 0: all of them */
};

/* Contents that a record can have beside both addresses, as bits. */
enum pmu_branch_has { BRANCH_HAS_KIND = 1, BRANCH_HAS_CLOCKS = 2, BRANCH_HAS_MISPREDICTED = 4 };

struct pmu_branch {
	uint64_t from, to;
	enum pmu_branch_kind kind;
	bool timed; /* the next is known: */
	unsigned clocks; /* since the record before, as many as .clocks_most */
	bool mispredicted;
};

struct pmu_branches {
	unsigned entries; /* at most */
	uint64_t sizes; /* bit n: there can also be 8 * (n + 1); 0: no other number */
	uint32_t has; /* enum pmu_branch_has */
	unsigned clocks_most;
	bool hides; /* a record from a ring that is left out has an address of all ones */
	bool fuses; /* where a conditional branch is one operation with what stands ahead, from is
		       that */
	/* Choices that struct pmu_branching may make. */
	uint32_t filters; /* kinds that can be left out */
	bool rings, call_stack;
	/* Does all but the one write that starts recording: by->on; by->off ends it again.  NULL,
	 * or why what is recorded would be more or less than that: nothing has happened. */
	const char *(*prepare)(const struct pmu *pmu, const struct pmu_branching *what,
			       struct msr_switch *by);
	/* No filter is left. */
	void (*stop)(const struct pmu *pmu);
	void (*clear)(const struct pmu *pmu);
	/* The record of that age, 0 for the newest; all zero: there is none. */
	struct pmu_branch (*read)(const struct pmu *pmu, unsigned age);
	/* So many entries are of branches on a path that proved wrong: older records have made room
	 * for them.  NULL: none is ever recorded. */
	unsigned (*failed)(const struct pmu *pmu);
	bool interrupts; /* they are documented to be recorded, as of kind BRANCH_FAR */
};
