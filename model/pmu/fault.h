/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeded defects: what one consists of, where it reaches into a PMU, and what it sees there. */
#ifndef MODEL_FAULT_H
#define MODEL_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/signals/signals.h"

struct generated; /* model/faults/generated.h */
struct counter; /* datapath.h */
struct setting;
struct pebs_area; /* pebs.h */

/* How a value changes: not at all, unless all bits of when and one of some are set (where there
 * are such), and none of unless. */
struct twist {
	uint64_t when, some, unless;
	uint64_t clear, set, flip; /* else these bits are, in this order */
};
bool is_twisted(const struct twist *t, uint64_t value);
uint64_t twist(const struct twist *t, uint64_t value);

/* A register by what it is; each kind of PMU numbers its kinds of registers. */
struct pmu_reg {
	unsigned kind, number;
	bool alias; /* reached by its older name, where it has two */
};

/*
 * What a defect sees where it reaches into a PMU, and may change.  Each hook of struct defect says
 * which of all this is about to be used; the rest is as far as it is known by then.
 */
struct point {
	const struct defect *defect; /* NULL: healthy, nothing happens */
	uint64_t *memory; /* the defect's, a word for each counter */
	void *pmu; /* struct pmu_amd and the like */
	struct counter *counter; /* all of them, */
	unsigned count; /* of which RDPMC numbers so many from 0 on */
	uint64_t mask; /* the bits of one */

	struct pmu_reg reg;
	uint64_t running; /* counters that are enabled, as bits: around a write */
	uint64_t raw; /* as it was written */
	uint64_t old, value; /* what a register or a counter held, and what it gets */
	enum access access;
	uint32_t index; /* of RDPMC, */
	bool fast; /* and that it is to read 32 bits */
	unsigned cpl;

	unsigned ctr; /* NO_COUNTER: none in particular */
	unsigned event; /* what it counts, as its kind of PMU numbers events; 0: no matter */
	struct setting *set;
	const struct clock *clock;
	bool enabled, frozen;
	unsigned n; /* occurrences in this clock, */
	bool passes; /* whose mode the counter counts */
	bool before, now; /* results of the comparison, in the clock before and in this one */
	uint64_t amount;
	bool carry;

	uint64_t overflowed; /* in this clock: counters that interrupt, by their status bits */
	unsigned requests;

	const struct branch *branch;
	const struct machine *machine;
	struct pebs_area *area;
	uint64_t *record; /* what the processor writes down, */
	unsigned words; /* of so many words */

	/* Outside of the core. */
	void *box; /* struct uncore_box and the like */
	unsigned place; /* its number among the boxes of its socket */
	bool high_half; /* of a counter of two dwords: a write of the high one alone */
	const void *segment; /* what happens in this clock: struct uncore_segment and the like */
	void *request; /* struct uncore_request and the like */
};
enum { NO_COUNTER = ~0u >> 1 };

typedef void hook(struct point *at);

/* A defect of a PMU, whatever its kind: data that its hooks go by, and one or two hooks. */
struct defect {
	/* Its hooks are called of these boxes, of these registers, by kind, and of these counters
	 * alone, all of them as bits, and where this event is counted.  0: of all. */
	uint64_t boxes, registers, counters;
	unsigned event;
	struct pmu_reg only; /* its kind not 0: of this register, or of the counter of its number */
	unsigned sockets; /* that it needs to be seen; 0: one is enough */
	struct twist twist;
	uint64_t arg;
	bool flips_lvt_mask; /* delivery masks the LVT entry where it should not, and conversely */

	/* -- accesses to registers -- */
	hook *address; /* reg is what answers; access: or it faults */
	hook *refused; /* access: does raw fault in reg? */
	hook *kept; /* value goes into reg in place of old */
	hook *written; /* has gone into it, and all else is done */
	hook *shown; /* value is read from reg */
	hook *rdpmc; /* access and value are the outcome, of index, fast and cpl */
	/* -- what control registers mean -- */
	hook *acts; /* reg acts as value, and before that as old, whatever it reads as */
	hook *setting; /* set follows from that */
	/* -- one clock of a counter -- */
	hook *runs; /* it is enabled, and frozen, or not */
	hook *occurrences; /* n, passes */
	hook *compare; /* now, before passes is looked at */
	hook *amount; /* follows from n, passes, before and now */
	hook *increment; /* amount is added, if it is not 0; of all counters, if they run or not */
	hook *hold; /* value takes the place of old in the cells, also where it is written */
	hook *overflow; /* carry: value, which was old, has overflowed by amount */
	/* -- one clock of all counters -- */
	hook *status; /* value: status bits that are set, whether they are of overflowed or not */
	hook *requests; /* so many are made of overflowed */
	hook *freeze; /* value: what of the debug control register freezes because of them */
	/* -- boxes outside of the core -- */
	hook *rate; /* value is the rate of the box's clock, in Hz */
	hook *matches; /* passes: the filter of the box lets request through */
	hook *arrives; /* request reaches the box n times */
	/* -- records -- */
	hook *branch; /* passes the filter, of which its bits are value */
	hook *lbr; /* record is about to be put on the stack of last branches: from, to, info */
	hook *pebs; /* record is about to be written into area, which is then looked at */
};

/* What CPUID says amiss in a leaf: EAX, EBX, ECX, EDX. */
struct cpuid_lie {
	uint32_t leaf, clear[4], set[4];
};

/* One seeded fault. */
struct fault {
	const char *name;
	unsigned models; /* MODEL_*: where it can be seeded */
	/* Glob over the ids of the one test that must report it; "-": none, but the report must say
	 * clearly what is amiss. */
	const char *test;
	const char *says; /* what is broken, one sentence */
	struct twist lvt; /* how the local APIC takes its LVT entry when an interrupt is due */
	const struct cpuid_lie *cpuid; /* NULL: none */
	/* One of the simple defects that any kind of PMU may have. */
	const struct generated *generated;
	/* What is broken in the PMU of the core, in the boxes outside of it; NULL: nothing. */
	const struct defect *core, *boxes;
};

#endif
