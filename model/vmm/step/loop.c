/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loops: runs that jump back to their own begin, and all else of which is straight.  Many turns are
 * executed at once, with the guest's registers and flags.  How many are left is counted in memory,
 * by RCX, which is the guest's again before anything else is executed.
 */
#include "kernel/lib/string.h"
#include "native.h"

static uint64_t left; /* turns */

static uint8_t *put(uint8_t *at, const void *bytes, unsigned count)
{
	memcpy(at, bytes, count);
	return at + count;
}

/* The last four bytes of an instruction: how far it is from its end to there. */
static uint8_t *put_distance(uint8_t *at, const void *to)
{
	int32_t distance = (int32_t)((const uint8_t *)to - at - 4);

	return put(at, &distance, sizeof(distance));
}

static uint8_t *exchange_left(uint8_t *at)
{
	static const uint8_t exchange[] = {0x48, 0x87, 0x0d}; /* XCHG RCX, [RIP + ...] */

	return put_distance(put(at, exchange, sizeof(exchange)), &left);
}

static uint8_t *put_straight(const struct insn_run *run, uint8_t *at)
{
	for (unsigned i = 0; i + 1 < run->count; i++)
		at = put(at, run->piece[i].known->plan.slot, run->piece[i].known->plan.slot_length);
	return at;
}

/* LEA RCX, [RCX - 1], and JRCXZ over what goes on: neither changes a flag. */
static const uint8_t one_less[ONE_LESS] = {0x48, 0x8d, 0x49, 0xff, 0xe3, EXCHANGE + JUMP};

static void write_loop(const struct insn_run *run, uint8_t *slot)
{
	uint8_t condition = run->piece[run->count - 1].known->plan.condition;
	uint8_t *at = put_straight(run, slot), *leaves;

	*at++ = 0x0f; /* the opposite condition ends it */
	*at++ = (uint8_t)(0x80 | (condition ^ 1));
	leaves = at;
	at = exchange_left(at + 4);
	at = put(at, one_less, sizeof(one_less));
	at = exchange_left(at);
	*at++ = 0xe9; /* JMP */
	at = put_distance(at, slot);
	at = exchange_left(at);
	put_distance(leaves, at);
	native_end(at);
}

static bool is_loop(const struct insn_run *run)
{
	const struct plan *last = run->count ? &run->piece[run->count - 1].known->plan : NULL;

	return last && last->kind == PLAN_JCC && (uint64_t)last->displacement == run->rip &&
	       (run->count == 1 || run->piece[0].straight == run->count - 1);
}

void loop_join(struct insn_run *run)
{
	run->loops = is_loop(run);
	if (run->loops)
		write_loop(run, run->loop);
}

HOT unsigned loop_run(struct guest *g, const struct insn_run *run, unsigned most)
{
	left = most;
	native_run(g, run->loop, run->rip);
	if (!left)
		return most;
	g->vmcb->rip = run->rip + run->bytes;
	return most - (unsigned)left + 1;
}
