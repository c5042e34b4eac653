/* SPDX-License-Identifier: BSD-2-Clause */
/* A deterministic in-order retirement model: simple, but no two thresholds count the same. */
#include "pipeline.h"
#include "string.h"

/*
 * The rules, in the order in which an instruction meets them:
 *
 * - At most `width` instructions retire in one clock, in program order and in one mode: a change
 *   of CPL starts a new clock.  The instruction that changes it belongs to the mode it goes TO.
 * - An instruction that reads a register written in this clock waits for the next one.
 * - Multiplication and division wait LATENCY empty clocks, after which they retire.
 * - Every MISS_EVERY-th load misses the cache and waits MISS clocks.  The phase is kept from one
 *   window to the next, so two runs of the same code differ in clocks as they do on silicon.
 * - A serialising instruction and every far transfer retire alone, and REFILL empty clocks follow,
 *   in the mode it goes to, until the first younger instruction can.
 * - A taken branch is the last of its clock.
 * - Delivery of an interrupt or exception does the same: its clock, in the new mode, is one
 *   instruction for 0C0h (K7 guide: interrupts and exceptions included), one taken branch, one
 *   far transfer.  For INT n this is the INT itself, which is not counted twice.
 *
 * An empty clock has n = 0 for everything but clocks.  Nothing is ever dropped: sums over clocks
 * are the architectural counts.
 */
enum { LATENCY = 3, MISS_EVERY = 8, MISS = 5, REFILL = 4 };

void pipeline_reset(struct pipeline *p, unsigned width,
		    void (*sink)(void *arg, const struct clock *clock), void *arg)
{
	memset(p, 0, sizeof(*p));
	p->width = width;
	p->sink = sink;
	p->arg = arg;
}

static void end_clock(struct pipeline *p)
{
	p->now.cpl = p->cpl;
	p->now.n[SIGNAL_CYCLES] = 1;
	p->now.n[SIGNAL_MASKED_CYCLES] = !p->iflag;
	p->sink(p->arg, &p->now);
	memset(&p->now, 0, sizeof(p->now));
	p->filled = 0;
	p->written = 0;
}

void pipeline_close(struct pipeline *p)
{
	if (p->filled)
		end_clock(p);
}

static void bubbles(struct pipeline *p, unsigned clocks)
{
	pipeline_close(p);
	while (clocks--)
		end_clock(p);
}

static bool is_far(const struct insn *insn)
{
	return insn->class == INSN_FAR || insn->class == INSN_SYSCALL || insn->class == INSN_SYSRET;
}

static bool reads_written(const struct pipeline *p, const struct insn *insn)
{
	return (insn->source >= 0 && (p->written >> insn->source & 1)) ||
	       (insn->other_source >= 0 && (p->written >> insn->other_source & 1));
}

static void count_branch(struct clock *now, const struct insn *insn, bool taken)
{
	switch (insn->class) {
	case INSN_JCC:
		now->n[SIGNAL_CONDITIONAL]++;
		now->n[SIGNAL_BRANCHES]++;
		now->n[SIGNAL_TAKEN] = (uint8_t)(now->n[SIGNAL_TAKEN] + taken);
		break;
	case INSN_RET:
		now->n[SIGNAL_NEAR_RETURNS]++;
		now->n[SIGNAL_BRANCHES]++;
		now->n[SIGNAL_TAKEN]++;
		break;
	case INSN_FAR:
	case INSN_SYSCALL:
	case INSN_SYSRET:
		now->n[SIGNAL_FAR]++;
		now->n[SIGNAL_BRANCHES]++;
		now->n[SIGNAL_TAKEN]++;
		break;
	case INSN_JMP:
	case INSN_CALL:
		now->n[SIGNAL_BRANCHES]++;
		now->n[SIGNAL_TAKEN]++;
		break;
	default:
		break;
	}
}

static void wait_for(struct pipeline *p, const struct insn *insn, unsigned cpl)
{
	if (insn->serializing || is_far(insn) || cpl != p->cpl || reads_written(p, insn))
		pipeline_close(p);
	p->loads += insn->loads;
	if (p->loads >= MISS_EVERY) {
		p->loads -= MISS_EVERY;
		bubbles(p, MISS);
	}
	if (insn->long_latency)
		bubbles(p, LATENCY);
}

void pipeline_retire(struct pipeline *p, const struct insn *insn, unsigned cpl, bool taken,
		     bool iflag)
{
	/* Delivered by hand: pipeline_deliver() counts it. */
	if (insn->class == INSN_INT)
		return;
	wait_for(p, insn, cpl);
	p->cpl = cpl;
	p->iflag = iflag;
	p->now.n[SIGNAL_INSTRUCTIONS]++;
	p->now.n[SIGNAL_UOPS] = (uint8_t)(p->now.n[SIGNAL_UOPS] + insn->uops);
	for (unsigned i = 0; i < 16; i++)
		p->now.n[SIGNAL_FP + i] =
			(uint8_t)(p->now.n[SIGNAL_FP + i] + (insn->sub_event >> i & 1));
	count_branch(&p->now, insn, taken);
	if (insn->destination >= 0)
		p->written |= 1u << insn->destination;
	p->filled++;
	if (insn->serializing || is_far(insn))
		bubbles(p, REFILL);
	else if (p->filled == p->width || p->now.n[SIGNAL_TAKEN])
		end_clock(p);
}

void pipeline_deliver(struct pipeline *p, enum delivery what, unsigned cpl)
{
	pipeline_close(p);
	p->cpl = cpl;
	p->filled = 1;
	p->now.n[SIGNAL_INSTRUCTIONS] = 1;
	p->now.n[SIGNAL_UOPS] = 1;
	p->now.n[SIGNAL_BRANCHES] = 1;
	p->now.n[SIGNAL_TAKEN] = 1;
	p->now.n[SIGNAL_FAR] = 1;
	p->now.n[SIGNAL_INTERRUPTS] = what == DELIVERY_HARDWARE;
	bubbles(p, REFILL);
}
