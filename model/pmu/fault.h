/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded defects: their data, where their hooks reach into a PMU, and what these see there. */
#pragma once

#include "model/signals/signals.h"

struct generated; /* model/faults/generated.h */
struct counter; /* datapath.h */
struct setting;
struct pebs_area; /* pebs.h */

/* How a value changes.  It does so if all bits of when are set, one bit of some (if there is any),
 * and no bit of unless. */
struct twist {
	uint64_t when, some, unless;
	uint64_t clear, set, flip; /* bits that are then cleared, set, inverted, in this order */
};
bool is_twisted(const struct twist *t, uint64_t value);
uint64_t twist(const struct twist *t, uint64_t value);

/* A register; each kind of PMU has its own kinds of registers. */
struct reg_id {
	unsigned kind, number;
	bool alias; /* accessed by its older name, if it has two */
};

/*
 * A point in the datapath of a counter: a hook sees it and may change it.  The comment at each hook
 * of struct defect names the members that matter there; others are set if they are known by then.
 */
struct point {
	const struct defect *defect; /* the hook's */
	uint64_t *memory; /* of the defect: a word for each counter, for its hooks */
	void *pmu; /* struct pmu_amd and the like */
	struct counter *counter; /* all counters */
	unsigned count; /* RDPMC reads counters 0 to count - 1 by their number */
	uint64_t mask; /* the bits of a counter */

	struct reg_id reg;
	uint64_t running; /* counters that are enabled, as bits: around a write */
	uint64_t raw; /* as it was written */
	uint64_t old, value; /* that a register or a counter held, and that it gets */
	enum access access;
	uint32_t index; /* of RDPMC */
	bool fast; /* RDPMC reads 32 bits only */
	unsigned cpl;

	unsigned ctr; /* NO_COUNTER: none in particular */
	unsigned event; /* that it counts: a number that depends on the kind of PMU; 0: unknown */
	struct setting *set;
	const struct clock *clock;
	bool enabled, frozen;
	bool stands; /* does not run, and is asked all the same: increment */
	unsigned n; /* occurrences in this clock */
	bool passes; /* the counter counts in the mode of this clock */
	bool before, now; /* the comparison in the clock before, and in this one */
	uint64_t amount;
	bool carry;

	uint64_t overflowed; /* status bits of the counters that interrupt in this clock */
	unsigned requests;

	const struct branch *branch;
	const struct machine *machine;
	struct pebs_area *area;
	uint64_t *record; /* that the processor writes down */
	unsigned words; /* in record */

	/* Outside of the core. */
	void *box; /* struct uncore_box and the like */
	bool high_half; /* of a counter of two dwords: a write of the high one alone */
	const void *segment; /* of this clock: struct uncore_segment and the like */
	void *request; /* struct uncore_request and the like */
};
enum { NO_COUNTER = ~0u >> 1 };

typedef void hook(struct point *at);

/* A defect of a PMU of any kind: one or two hooks, and data for them. */
struct defect {
	/* The hooks are called for these kinds of registers and these counters only (as bits), and
	 * where this event is counted.  0: for all. */
	uint64_t registers, counters;
	unsigned event;
	/* Boxes outside of the core that have it: of these roles, as bits; of each of them number
	 * box - 1; of all boxes of a socket number place - 1; with such a field in their registers.
	 * 0: all. */
	uint64_t roles;
	unsigned box, place, field;
	struct reg_id only; /* its kind not 0: of this register, or of the counter of its number */
	unsigned sockets; /* that it needs to be seen; 0: one is enough */
	bool apart; /* each processor has the boxes to itself */
	bool of_64_bits; /* it is in what 32-bit code has not */
	const char *as_lawful; /* why it cannot be told from some lawful variation; NULL: it can */
	struct twist twist;
	uint64_t arg;
	bool flips_lvt_mask; /* delivery masks the LVT entry if it should not, and vice versa */
	bool masks_extended_lvt; /* it masks the entry through which samples are announced */
	bool ibs_ctl2; /* AMD: the engines that sample have one more control each */
	bool sees_entry; /* the core is shown the LVT entry behind each write to a register */
	bool repeats; /* Intel: the request stands until its status bit is cleared */
	bool ignores_msrs; /* MSRs that there are not read 0, and forget what is written */
	bool locks_svm; /* CPUID shows AMD-V, which firmware has switched off for good */

	/* -- accesses to registers -- */
	hook *address; /* reg answers, or access says that it faults */
	hook *refused; /* access: does raw fault in reg? */
	hook *kept; /* value replaces old in reg */
	hook *written; /* value is in reg, and all else is done */
	hook *shown; /* value is read from reg */
	hook *rdpmc; /* access and value: what comes of index, fast and cpl */
	/* -- what control registers mean -- */
	/* reg acts as value now, and acted as old before; reads do not show it.  Which counters run
	 * by it is looked up behind writes alone. */
	hook *acts;
	hook *setting; /* set follows from that */
	/* -- one clock of a counter -- */
	hook *runs; /* enabled, frozen */
	hook *occurrences; /* n, passes */
	hook *compare; /* now, before passes is looked at */
	hook *amount; /* amount, which follows from n, passes, before and now */
	hook *increment; /* amount is about to be added; called for counters that stand, too */
	hook *hold; /* value replaces old in the cells, also by a write */
	hook *overflow; /* carry: has the counter overflowed by going on from old to value? */
	/* -- one clock of all counters -- */
	hook *status; /* value: status bits that are set; of all overflows, not only overflowed */
	hook *requests; /* the number of requests that overflowed makes */
	hook *freeze; /* value: the debug control register, whose bits say what freezes */
	/* -- auto counter reload -- */
	hook *reload; /* overflowed: of these counters, which reload ctr; value replaces old in it
		       */
	hook *reloads_itself; /* value: of the counters that overflowed, whose status is set */
	/* -- boxes outside of the core -- */
	hook *rate; /* value is the rate of the box's clock, in Hz */
	hook *matches; /* passes: the filter of the box lets request through */
	hook *arrives; /* request reaches the box n times */
	/* -- records -- */
	hook *arms; /* n: which event after its overflow PEBS records; 0: the overflowing one */
	hook *branch; /* passes: the filter, raw, lets the branch pass; value: the bits that would
		       * not
		       */
	hook *untaken; /* passes: a branch that was not taken is recorded */
	hook *lbr; /* record is about to be put on the stack of last branches: from, to, info; of
		    * samples, if passes, into entry n, and the last one has number value */
	hook *pebs; /* record is about to be written into area; then area is looked at */
	/* An engine that samples by itself: amount, by which it goes on towards value, its period;
	 */
	hook *engine;
	hook *sample; /* record is about to be put into its registers, if passes */
	hook *announce; /* the number of requests that it makes, by the entry that is value */
};

/* The bit that stands for one of the hooks. */
#define HOOK_BIT(hook_)                                                                            \
	(UINT32_C(1) << (offsetof(struct defect, hook_) - offsetof(struct defect, address)) /      \
				sizeof(hook *))

/* A defect of this PMU, and the next one; NULL: healthy, nothing happens. */
struct active {
	const struct defect *defect;
	uint64_t *memory;
	const struct active *next;
	uint32_t hooks; /* that this one or a later one has */
};
struct active active_of(const struct defect *defect, uint64_t *memory, const struct active *next);

/* A leaf in which CPUID says something wrong: EAX, EBX, ECX, EDX. */
struct cpuid_lie {
	uint32_t leaf, clear[4], set[4];
	uint32_t subleaf;
	const struct cpuid_lie *next; /* in another leaf; NULL: that is all */
};

/* A defect of meters: what they count goes 2 to the power of times too fast, and is shown so. */
struct meter_defect {
	unsigned times;
	struct twist shown;
	bool second; /* by their second names alone */
};

/* Defects that show only while another processor executes, too.  Its neighbour is the one that has
 * its turn next. */
enum company_defect {
	COMPANY_NONE,
	COMPANY_STOPS, /* the write that stops its counters goes to its neighbour as well */
	COMPANY_INTERRUPTS, /* its interrupts come to its neighbour */
	COMPANY_COUNTS, /* its counters count the instructions of the one before it, too */
};

/* A seeded fault; or a lawful variation: what real parts do that their manual allows, or that an
 * erratum publishes. */
enum { LAWFUL_MAX = 32 }; /* at once */
struct fault {
	const char *name;
	uint64_t models; /* MODEL_*: where it can be seeded; 0: wherever a box may have it */
	/* Glob over the ids of the one test that must report it; "-": none, but the report must say
	 * clearly what is amiss.  For a lawful variation the tests that may say "known"; NULL:
	 * none. */
	const char *test;
	const char *says; /* one sentence on what is broken */
	unsigned rare; /* the least rare=EVENTS that shows it; 0: any */
	unsigned cpus; /* processors that it takes, and cpus=all; 0: one */
	enum company_defect company; /* it is seeded in processor 1, of cpus */
	/* How the local APIC takes its LVT entry when an interrupt is due, of counters and of
	 * samples. */
	struct twist lvt, extended_lvt;
	const struct cpuid_lie *cpuid; /* NULL: none */
	bool alone; /* lawful, but by its CPUID another processor: not together with others */
	/* One of the simple defects that any kind of PMU may have. */
	const struct generated *generated;
	/* The defect in the PMU of the core, and that in the boxes outside of it; NULL: none. */
	const struct defect *core, *boxes;
	/* Those in the meters of energy and of clocks. */
	const struct meter_defect *energy, *clocks;
};
