/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the modelled processor, for the files of this room that keep it. */
#pragma once

#include "model/faults/faults.h"
#include "paths.h"
#include "pipeline.h"
#include "silicon.h"

/* Requests of counters, and what samples announce through an entry of their own.  The first slot of
 * each is the healthy request; the other one the echo that only a fault makes. */
enum { OF_EACH = 2 };
enum line { LINE_COUNTERS, LINE_SAMPLES, LINES };
enum { REQUESTS = LINES * OF_EACH };

enum steadiness { NOT_TRIED, IS_STEADY, IS_UNSTEADY };

/* What a processor that goes along remembered paths has still to do to its core. */
struct memo {
	bool off; /* it goes along none */
	bool ahead; /* some are gone whose clocks the PMU has not counted */
	/* While it is ahead: */
	unsigned state, loads, stores; /* as in struct path_from */
	unsigned mode; /* PATH_CPL, which is that of all clocks, PATH_CLOSES, PATH_EDGES */
	uint64_t room; /* as of the PMU, for what may follow */
	struct path *last;
	struct mets mets; /* of the block that is being executed */
};

/* The modelled processor.  Members that each instruction needs come first. */
struct silicon {
	const struct core_ops *core_ops; /* ops->core */
	const struct generated *generated; /* the fault's, or NULL */
	bool watches_hierarchy, watches_bogus; /* the PMU does */
	bool idle; /* it counts nothing, and will not before its registers are written to */
	bool boxes_watch; /* some of the boxes wait for accesses to memory */
	enum steadiness steadiness; /* since registers were written to, or a counter overflowed */
	uint32_t steady; /* counters that go on alike in each period of the PMU's, as bits, */
	uint16_t beats[CORE_COUNTERS]; /* and by how much */
	unsigned latency; /* instructions from the next request to its interrupt */
	/* Instructions until request i is due, 0: no request, 1: due; line by line. */
	unsigned due_in[REQUESTS];
	unsigned entry; /* of LINE_SAMPLES */
	bool holds_request[THREADS]; /* some counter does, for this one */
	unsigned held_for[THREADS]; /* instructions since it was made */
	bool under_way; /* any of these requests is */
	bool ignores_msrs, locks_svm; /* a lawful variation does */
	struct silicon_tally tally;
	uint64_t accessed; /* tally.retired at the last access to a register */
	unsigned boxes_count;
	bool boxes_missing; /* they are there, and nothing of them answers */
	struct core {
		struct pipeline pipeline;
		_Alignas(uint64_t) uint8_t pmu[CORE_PMU_STATE]; /* ops work on this */
	} settled; /* for core_now(), which brings in what memo is ahead of it; the hierarchy is up
		      to date */
	struct memo memo;
	const struct profile *profile;
	const struct kind_ops *ops; /* of the core's PMU */
	bool own; /* silicon_show_32() is on */
	bool svm; /* AMD-V is lent to the guest */
	struct seat seat;
	uint64_t tsc_hz; /* the rate of the TSC, */
	uint64_t tsc; /* and what it showed at the last access to a register */
	uint64_t client_control[2]; /* client.c */
	const struct fault *fault; /* NULL where healthy */
	const struct fault *lawful[LAWFUL_MAX];
	unsigned lawful_count;
	/* Boxes, which are outside of the core. */
	struct boxes {
		const struct kind_ops *ops;
		const void *traits;
		_Alignas(uint64_t) uint8_t state[BOXES_STATE];
	} boxes[PROFILE_PMUS - 1];
};

static inline void tally_retired(struct silicon *s, uint64_t count, bool idle)
{
	s->tally.retired += count;
	s->tally.clocks += idle ? count : 0;
}

/* ---- memo.c ---- */

/* It is no longer ahead: the PMU has counted all. */
void memo_settle(struct silicon *s);

/* ---- the core ---- */

/* Pipeline and PMU as they are now: the one way to what changes with each clock. */
static inline struct core *core_now(struct silicon *s)
{
	if (s->memo.ahead)
		memo_settle(s);
	return &s->settled;
}

/* The part of the PMU's state with which all kinds begin, for what no clock changes that overflows
 * no counter: it has no counts. */
static inline const struct core_pmu *core_of(const struct silicon *s)
{
	return (const struct core_pmu *)s->settled.pmu;
}

/* May it record the very instruction that makes an event? */
static inline bool core_is_precise(const struct silicon *s)
{
	return !s->idle && core_of(s)->precise;
}

/* Adds value to the digest of what the program has read, and of where its interrupts came. */
void silicon_digest(struct silicon *s, uint64_t value);

/* ---- company.c ---- */

/* On its way to the one that has its turn next. */
enum { COMPANY_WRITES = 64 };
extern struct company {
	bool meeting; /* else nothing is */
	unsigned requests, writes;
	struct {
		uint32_t msr;
		uint64_t value;
	} write[COMPANY_WRITES];
	/* Instructions that were counted of the one that had its turn, and its tally before it. */
	uint64_t executed, before;
} company;

/* Has it such a defect, and company? */
bool company_spoils(const struct silicon *s, enum company_defect how);
/* So many interrupts, or a write, are its neighbour's. */
void company_interrupts(unsigned requests);
void company_writes(uint32_t msr, uint64_t value);

/* ---- requests.c ---- */

/* So many interrupts are asked for. */
void silicon_request(struct silicon *s, enum line line, unsigned requests);
/* How late the next one comes. */
void silicon_draw_latency(struct silicon *s);
/* Does an instruction change what is known of requests?  Not while one is held that has come. */
bool silicon_ages(const struct silicon *s);
/* One instruction closer; a request made by this very instruction waits its full latency. */
void silicon_age_requests(struct silicon *s);
/* To be called after whatever may make or withdraw a held request. */
void silicon_look_for_request(struct silicon *s);
/* And after whatever may have made a sample, or ended an engine that makes some, or has had
 * counters of boxes go on. */
void silicon_look_for_announcement(struct silicon *s);

/* ---- execution.c ---- */

/* So many instructions of ring 3 are taken for its own. */
void silicon_count_foreign(struct silicon *s, uint64_t instructions);

/* ---- boxes.c ---- */

void silicon_reset_boxes(struct silicon *s);
/* Those of s that the other processor has, too, are as the other's. */
void silicon_share_boxes(struct silicon *s, const struct silicon *other);
void silicon_deviate_boxes(struct silicon *s, const struct defect *defect);
/* ACCESS_NOT_MINE: no register of boxes that there are. */
enum access silicon_boxes_rdmsr(struct silicon *s, uint32_t msr, uint64_t *value);
enum access silicon_boxes_wrmsr(struct silicon *s, uint32_t msr, uint64_t value);
/* ACCESS_GP: none of them has a counter of this index, or the privilege level may not read it. */
enum access silicon_boxes_rdpmc(struct silicon *s, uint32_t index, unsigned cpl, bool cr4_pce,
				uint64_t *value);
/* As silicon_advances(). */
bool silicon_boxes_advance(struct silicon *s, uint32_t msr);
/* As silicon_memory(), where any of them waits for it. */
uint64_t silicon_boxes_memory(struct silicon *s, const struct memory_access *access);
/* Interrupts of this core that counters of boxes have asked for since the last call. */
unsigned silicon_boxes_requests(struct silicon *s);
/* The index-th range of MSRs of boxes that any profile may have; NULL: past the end. */
const struct msr_range *silicon_boxes_range(unsigned index);
/* Is msr in any of these ranges? */
bool silicon_boxes_intercept_msr(uint32_t msr);

/* ---- part.c ---- */

/* ACCESS_NOT_MINE: unless silicon_is_part_msr(), or where the part lacks what the register is
 * modelled for.  One that goes on by itself, or says what does, reads as 0. */
enum access part_rdmsr(const struct silicon *s, uint32_t msr, uint64_t *value);
/* meters.c.  False: the part has no such meter. */
bool energy_rdmsr(const struct silicon *s, uint32_t msr, uint64_t *value);
enum access part_wrmsr(const struct silicon *s, uint32_t msr);
/* Replaces what cpuid_answer() has said in r of the part's clocks by facts of this machine's. */
void part_cpuid(const struct silicon *s, uint32_t leaf, uint32_t r[4]);

/* ---- features.c ---- */

/* Adds to what cpuid_answer() has said in r of a leaf what is lent. */
void features_lend(const struct silicon *s, uint32_t leaf, uint32_t r[4]);

/* ---- client.c: the uncore of a client's processor ---- */

/* Is it a register of those that are there without a box?  Then the functions below are for it. */
bool client_has(const struct silicon *s, uint32_t msr);
uint64_t client_rdmsr(const struct silicon *s, uint32_t msr);
enum access client_wrmsr(struct silicon *s, uint32_t msr, uint64_t value);

/* ---- cpuid.c ---- */

/* The entry of a leaf in the part's table; NULL: the leaf is 0. */
const struct cpuid_leaf *cpuid_find(const struct profile *profile, uint32_t leaf, uint32_t subleaf);
bool cpuid_is_amd(const struct profile *profile);
/* As silicon_cpuid() and silicon_cpuid_leaf(), but for the leaves of a hypervisor, and for where
 * the processor is.  own: as the part is, else as a 64-bit image sees it, which not each part can
 * run. */
void cpuid_answer(const struct profile *profile, bool own, uint32_t leaf, uint32_t subleaf,
		  uint32_t r[4]);
uint32_t cpuid_stands_for(const struct profile *profile, bool own, uint32_t leaf);

/* ---- topology.c ---- */

/* Turns what cpuid_answer() has said in r into the answer on this seat. */
void cpuid_seat(const struct profile *profile, const struct seat *seat, unsigned thread,
		uint32_t leaf, uint32_t subleaf, uint32_t r[4]);
/* AMD's: do processors of a package have their cache of this level, 2 or 3, in common? */
bool cpuid_shares(const struct profile *profile, const struct seat *a, const struct seat *b,
		  unsigned level);
