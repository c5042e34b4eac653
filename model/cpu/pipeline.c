/* SPDX-License-Identifier: BSD-2-Clause */
/* A deterministic in-order retirement model: simple, but no two thresholds count the same. */
#include "pipeline.h"
#include "kernel/lib/string.h"

/*
 * The rules, in the order in which an instruction meets them:
 *
 * - At most `width` instructions retire in one clock, in program order and in one mode: a change
 *   of CPL starts a new clock.  The instruction that changes it belongs to the mode it goes TO.
 * - An instruction that reads a register written in this clock waits for the next one.
 * - Multiplication and division wait LATENCY empty clocks, after which they retire.
 * - Every MISS_EVERY-th load misses the cache and waits MISS clocks.  The phase is kept from one
 *   window to the next, so two runs of the same code differ in clocks as they do on silicon.
 *   CLFLUSH, which is checked like a load, misses nothing.
 * - Every MISS_EVERY-th store misses it, too, but nothing waits for that.
 * - A serialising instruction and every far transfer retire alone, and REFILL empty clocks follow,
 *   in the mode it goes to, until the first younger instruction can.
 * - A taken branch is the last of its clock.
 * - Delivery of an interrupt or exception does the same: its clock, in the new mode, is one
 *   instruction for 0C0h (K7 guide: interrupts and exceptions included), one taken branch, one
 *   far transfer.  For INT n this is the INT itself, which is not counted twice.
 *
 * Where micro-ops retire (NetBurst):
 *
 * - At most `width` micro-ops retire in one clock.  An instruction is one for each load, one for
 *   its operation, one for each store, in this order, and may straddle clocks: it counts, with all
 *   but its micro-ops, in the clock of its last.
 * - A serialising instruction, a far transfer, and a string instruction with a REP prefix come out
 *   of the microcode ROM as ROM_UOPS micro-ops, whatever they do to memory.
 * - A delivery is no instruction, but INT n is one.  The REFILL clocks follow all the same.
 *
 * A conditional branch is predicted to do what the last one at its address (modulo
 * PREDICTOR_ENTRIES) did, the first one not to be taken; all others are predicted rightly.
 * Instructions that are discarded after a misprediction have clocks of their own.
 *
 * An empty clock has n = 0 for everything but clocks.  Nothing is ever dropped: sums over clocks
 * are the architectural counts.  How many LATENCY and the like are, pace.c says.
 */

void pipeline_reset(struct pipeline *p, const struct retirement *rules,
		    void (*sink)(void *arg, const struct clock *clock), void *arg)
{
	memset(p, 0, sizeof(*p));
	p->rules = rules;
	p->sink = sink;
	p->arg = arg;
	p->pace = pace_usual(rules);
}

void pipeline_vary(struct pipeline *p, uint32_t seed)
{
	pace_vary(&p->pace, seed, p->rules->width);
}

HOT static void end_clock(struct pipeline *p)
{
	const struct threads *threads = &p->threads;
	unsigned other = 1 - threads->now;

	p->now.cpl = p->cpl;
	p->now.thread = threads->now;
	p->now.other_active = threads->state[other] == THREAD_ACTIVE;
	p->now.other_cpl = threads->cpl[other];
	p->now.bogus = p->discarding;
	p->now.n[SIGNAL_CYCLES] = 1;
	p->now.n[SIGNAL_MASKED_CYCLES] = !p->iflag;
	p->sink(p->arg, &p->now);
	p->now = (struct clock){0};
	p->filled = 0;
	p->written = 0;
}

void pipeline_close(struct pipeline *p)
{
	if (p->filled)
		end_clock(p);
}

void pipeline_switch(struct pipeline *p, const struct threads *threads)
{
	pipeline_close(p);
	p->threads = *threads;
	p->cpl = threads->cpl[threads->now];
}

static void bubbles(struct pipeline *p, unsigned clocks)
{
	pipeline_close(p);
	while (clocks--)
		end_clock(p);
}

void pipeline_wait(struct pipeline *p, unsigned cpl)
{
	pipeline_close(p);
	p->cpl = cpl;
	end_clock(p);
}

static void add(struct pipeline *p, unsigned signal, unsigned n)
{
	p->now.n[signal] = (uint8_t)(p->now.n[signal] + n);
}

/* ---- branches ---- */

static enum outcome predict(struct pipeline *p, const struct insn *insn, bool taken)
{
	bool *was_taken = &p->was_taken[insn->address % PREDICTOR_ENTRIES];
	bool predicted = *was_taken == taken;

	*was_taken = taken;
	if (taken)
		return predicted ? TAKEN_PREDICTED : TAKEN_MISPREDICTED;
	return predicted ? NOT_TAKEN_PREDICTED : NOT_TAKEN_MISPREDICTED;
}

static void count_conditional(struct pipeline *p, const struct insn *insn, bool taken)
{
	enum outcome outcome = predict(p, insn, taken);

	p->now.n[SIGNAL_CONDITIONAL]++;
	add(p, SIGNAL_TAKEN, taken);
	p->now.n[SIGNAL_OUTCOME + outcome]++;
	p->now.n[SIGNAL_BRANCH_TYPE + TYPE_CONDITIONAL]++;
	p->mispredicted = outcome == TAKEN_MISPREDICTED || outcome == NOT_TAKEN_MISPREDICTED;
	if (p->mispredicted)
		p->now.n[SIGNAL_MISPREDICTED_TYPE + TYPE_CONDITIONAL]++;
}

HOT static void count_branch(struct pipeline *p, const struct insn *insn, bool taken)
{
	uint8_t *n = p->now.n;

	n[SIGNAL_BRANCHES]++;
	if (insn->class == INSN_JCC) {
		count_conditional(p, insn, taken);
		return;
	}
	n[SIGNAL_TAKEN]++;
	n[SIGNAL_OUTCOME + TAKEN_PREDICTED]++;
	if (is_far(insn))
		n[SIGNAL_FAR]++;
	if (insn->class == INSN_JMP && !insn->indirect)
		n[SIGNAL_UNCONDITIONAL]++;
	if (insn->class == INSN_CALL)
		n[SIGNAL_BRANCH_TYPE + TYPE_CALL]++;
	if (insn->class == INSN_RET) {
		n[SIGNAL_NEAR_RETURNS]++;
		n[SIGNAL_BRANCH_TYPE + TYPE_RETURN]++;
	}
	if (insn->class == INSN_RET || insn->indirect)
		n[SIGNAL_BRANCH_TYPE + TYPE_INDIRECT]++;
}

/* ---- micro-ops ---- */

/* The next of left micro-ops, which signal counts too.  The last one's slot is the instruction's.
 */
static void place_uop(struct pipeline *p, unsigned signal, unsigned *left)
{
	p->now.n[SIGNAL_UOPS]++;
	p->now.n[signal]++;
	if (--*left && ++p->filled == p->pace.width)
		end_clock(p);
}

static void place_microcode(struct pipeline *p)
{
	unsigned left = ROM_UOPS;

	while (left)
		place_uop(p, SIGNAL_ROM_UOPS, &left);
	p->now.n[SIGNAL_MICROCODED]++;
}

HOT static void count_memory(struct pipeline *p, const struct insn *insn)
{
	if (!insn->loads && !insn->stores)
		return;
	add(p, SIGNAL_MISSED_LOADS, p->missed);
	p->stores += insn->stores;
	if (p->stores >= p->pace.miss_every) {
		p->stores -= p->pace.miss_every;
		p->now.n[SIGNAL_MISSED_STORES]++;
	}
	add(p, SIGNAL_LOADING, insn->loads > 0);
	add(p, SIGNAL_STORING, insn->stores > 0);
	add(p, SIGNAL_LOADING_AND_STORING, insn->loads && insn->stores);
}

/* All of them in the clock at hand. */
static void add_uops(struct pipeline *p, const struct insn *insn, unsigned uops)
{
	add(p, SIGNAL_UOPS, uops);
	add(p, SIGNAL_LOAD_UOPS, insn->loads);
	add(p, SIGNAL_COMPUTE + insn->compute, 1);
	add(p, SIGNAL_STORE_UOPS, insn->stores);
	p->filled += uops - 1;
}

HOT static void place_uops(struct pipeline *p, const struct insn *insn)
{
	unsigned left = insn->loads + 1u + insn->stores;

	if (p->filled + left <= p->pace.width) {
		add_uops(p, insn, left);
		return;
	}
	for (unsigned i = 0; i < insn->loads; i++)
		place_uop(p, SIGNAL_LOAD_UOPS, &left);
	place_uop(p, SIGNAL_COMPUTE + insn->compute, &left);
	for (unsigned i = 0; i < insn->stores; i++)
		place_uop(p, SIGNAL_STORE_UOPS, &left);
}

HOT static void count_uops(struct pipeline *p, const struct insn *insn)
{
	if (!p->rules->by_uops) {
		add(p, SIGNAL_UOPS, insn->uops);
		p->now.n[SIGNAL_COMPUTE + insn->compute]++;
		add(p, SIGNAL_ADDITIONS, insn->additions);
		if (insn->class == INSN_REP_STRING)
			p->now.n[SIGNAL_MICROCODED]++;
		count_memory(p, insn);
	} else if (is_microcoded(insn)) {
		place_microcode(p);
	} else {
		place_uops(p, insn);
		count_memory(p, insn);
	}
}

/* ---- retirement ---- */

static void stall(struct pipeline *p)
{
	if (pace_random(&p->pace, p->pace.stall_one_in))
		return;
	bubbles(p, 1 + pace_random(&p->pace, p->pace.stall_most));
	if (!pace_random(&p->pace, STALLS_RARE))
		bubbles(p, STALL_LONG);
}

static void load(struct pipeline *p, const struct insn *insn)
{
	if (insn->memory != MEMORY_FLUSH)
		p->loads += insn->loads;
	if (p->loads < p->pace.miss_every)
		return;
	/* Not in step with a program that repeats itself. */
	p->loads = (p->loads + pace_random(&p->pace, p->pace.miss_every)) % p->pace.miss_every;
	p->missed = true;
	bubbles(p, p->pace.miss);
}

HOT static void wait_for(struct pipeline *p, const struct insn *insn, unsigned cpl)
{
	if (p->written & insn->reads || cpl != p->cpl || is_alone(insn))
		pipeline_close(p);
	p->missed = false;
	if (insn->loads)
		load(p, insn);
	if (insn->long_latency)
		bubbles(p, p->pace.latency);
	if (p->pace.random)
		stall(p);
}

static void count_sub_events(struct pipeline *p, const struct insn *insn)
{
	for (unsigned i = 0; i < SUB_BITS; i++)
		add(p, SIGNAL_FP + i, insn->sub_event >> i & 1);
}

HOT void pipeline_retire(struct pipeline *p, const struct insn *insn, unsigned cpl, bool taken,
			 bool iflag)
{
	p->mispredicted = false;
	/* Delivered by hand: pipeline_deliver() counts it. */
	if (insn->class == INSN_INT)
		return;
	wait_for(p, insn, cpl);
	p->cpl = cpl;
	p->iflag = iflag;
	if (p->hierarchy.any)
		hierarchy_take(&p->hierarchy, &p->now.n[SIGNAL_MET]);
	count_uops(p, insn);
	p->now.n[SIGNAL_INSTRUCTIONS]++;
	if (insn->sub_event)
		count_sub_events(p, insn);
	p->written |= insn->writes;
	p->filled++;
	if (is_branch(insn))
		count_branch(p, insn, taken);
	if (is_alone(insn))
		bubbles(p, p->pace.refill);
	else if (p->filled == p->pace.width || p->now.n[SIGNAL_TAKEN])
		end_clock(p);
}

bool pipeline_discard(struct pipeline *p, const struct insn *insn)
{
	if (!insn->length || insn->class != INSN_PLAIN || insn->serializing)
		return false;
	pipeline_close(p);
	p->discarding = true;
	p->missed = false;
	count_uops(p, insn);
	p->now.n[SIGNAL_INSTRUCTIONS]++;
	p->filled++;
	pipeline_close(p);
	p->discarding = false;
	return true;
}

void pipeline_deliver(struct pipeline *p, enum delivery what, unsigned cpl)
{
	pipeline_close(p);
	p->cpl = cpl;
	p->now.n[SIGNAL_NMIS] = what == DELIVERY_NMI;
	p->now.n[SIGNAL_INTERRUPTS] = what == DELIVERY_HARDWARE || what == DELIVERY_NMI;
	if (what == DELIVERY_SOFTWARE || p->rules->counts_deliveries) {
		p->filled = 1;
		p->now.n[SIGNAL_INSTRUCTIONS] = 1;
		p->now.n[SIGNAL_UOPS] = 1;
		p->now.n[SIGNAL_BRANCHES] = 1;
		p->now.n[SIGNAL_TAKEN] = 1;
		p->now.n[SIGNAL_OUTCOME + TAKEN_PREDICTED] = 1;
		p->now.n[SIGNAL_FAR] = 1;
	}
	bubbles(p, p->pace.refill);
}
