/* SPDX-License-Identifier: BSD-2-Clause */
/* The pace of the pipeline, and what comes of it at most. */
#include "pace.h"

struct pace pace_usual(const struct retirement *rules)
{
	return (struct pace){
		.width = rules->width,
		.latency = LATENCY,
		.miss_every = MISS_EVERY,
		.miss = MISS,
		.refill = REFILL,
	};
}

unsigned pace_random(struct pace *pace, unsigned limit)
{
	uint32_t *x = &pace->random;

	if (!*x)
		return 0;
	/* Marsaglia's xorshift of 32 bits. */
	*x ^= *x << 13;
	*x ^= *x >> 17;
	*x ^= *x << 5;
	return *x % limit;
}

/*
 * A seed makes another processor of it: narrower, with other latencies, and with stalls of random
 * length before random instructions.  Rare long ones stand for what a real one does while its
 * caches are cold.
 */
void pace_vary(struct pace *pace, uint32_t seed, unsigned width)
{
	/* Neighbouring seeds must not be neighbours in the sequence. */
	pace->random = seed * UINT32_C(2654435761);
	if (!seed)
		return;
	pace->width = 1 + pace_random(pace, width);
	pace->latency = 1 + pace_random(pace, 40);
	pace->miss_every = 1 + pace_random(pace, 32);
	pace->miss = 1 + pace_random(pace, 60);
	pace->refill = 1 + pace_random(pace, 20);
	pace->stall_one_in = 2 + pace_random(pace, 30);
	pace->stall_most = 1 + pace_random(pace, 12);
}

/* ---- what comes of it at most ---- */

static unsigned bits(uint32_t value)
{
	unsigned n = 0;

	for (; value; value &= value - 1)
		n++;
	return n;
}

/* Each micro-op as such and by what it does, and all that pipeline_retire() adds besides. */
static unsigned most_occurrences(const struct insn *insn)
{
	enum { OF_ANY = 3, OF_MEMORY = 5, OF_BRANCH = 8 };
	unsigned uops = is_microcoded(insn) ? ROM_UOPS : insn->loads + 1u + insn->stores;

	return OF_ANY + insn->uops + 2 * uops + insn->additions + bits(insn->sub_event) +
	       (insn->loads || insn->stores ? OF_MEMORY : 0) + (is_branch(insn) ? OF_BRANCH : 0);
}

/* Each micro-op may begin a new clock. */
static unsigned most_clocks(const struct insn *insn)
{
	return 2u + (is_microcoded(insn) ? ROM_UOPS : insn->loads + insn->stores) +
	       (insn->loads ? MISS : 0) + (insn->long_latency ? LATENCY : 0) +
	       (is_alone(insn) ? REFILL : 0);
}

unsigned pace_most(const struct insn *const *insn, unsigned count)
{
	enum { OF_CLOCK = 2 };
	unsigned most = 0;

	for (unsigned i = 0; i < count; i++)
		most += most_occurrences(insn[i]) + most_clocks(insn[i]) * OF_CLOCK;
	return most;
}
