/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that go on by the same number in each clock, whatever happens in it, such as those of
 * clocks in all rings.  They need to be told nothing of what happens.
 */
#include "kernel/lib/string.h"
#include "state.h"

/* Kinds of clocks, and enough of them to meet what is counted every few clocks only. */
enum { BUSY = 1, USER = 2, BOGUS = 4, KINDS = 8, PROBES = 8 * KINDS };
/* A number that no signal reaches in a clock. */
enum { MANY = 20 };

static struct clock probe(unsigned kind)
{
	struct clock clock = {.cpl = kind & USER ? 3 : 0, .bogus = kind & BOGUS};

	if (kind & BUSY)
		memset(clock.n, MANY, sizeof(clock.n));
	clock.n[SIGNAL_CYCLES] = 1;
	return clock;
}

/* All kinds of them, as filters may let few through. */
static void branch(struct silicon *s)
{
	struct branch branch = {.vector = -1, .from = 1, .to = 2};

	for (unsigned i = 0; s->ops->branched && i < 4; i++) {
		branch.indirect = i & 1;
		branch.cpl = i & 2 ? 3 : 0;
		for (branch.class = INSN_JCC; branch.class <= INSN_SYSRET; branch.class ++)
			s->ops->branched(core_now(s)->pmu, &branch);
	}
}

static uint64_t *cell(struct silicon *s, uint32_t left)
{
	return s->ops->cell(core_now(s)->pmu, (unsigned)__builtin_ctz(left));
}

/* Finds the counters to which this clock adds 1, as bits.  False: it adds more to some. */
static bool count_one(struct silicon *s, const struct clock *clock, uint32_t *moved)
{
	const uint32_t running = core_of(s)->running;

	*moved = 0;
	for (uint32_t left = running; left; left &= left - 1)
		*cell(s, left) = 0;
	s->ops->clock(core_now(s)->pmu, clock);
	for (uint32_t left = running; left; left &= left - 1) {
		if (*cell(s, left) > 1)
			return false;
		*moved |= *cell(s, left) ? left & -left : 0;
	}
	return true;
}

static uint8_t kept[CORE_PMU_STATE] LARGE;

static bool all_alike(struct silicon *s)
{
	uint32_t first = 0, moved;

	branch(s);
	if (memcmp(kept, core_now(s)->pmu, sizeof(kept)) != 0)
		return false;
	for (unsigned i = 0; i < PROBES; i++) {
		struct clock clock = probe(i % KINDS);

		if (!count_one(s, &clock, &moved) || (i && moved != first))
			return false;
		first = moved;
	}
	s->steady = first;
	return true;
}

/* By trial, and then all is as before. */
static bool try(struct silicon *s)
{
	bool alike;

	if (core_of(s)->active || s->generated)
		return false;
	memcpy(kept, core_now(s)->pmu, sizeof(kept));
	alike = all_alike(s);
	memcpy(core_now(s)->pmu, kept, sizeof(kept));
	return alike;
}

bool silicon_is_steady(struct silicon *s)
{
	if (silicon_watches_memory(s) || silicon_precise(s))
		return false;
	if (!s->steadiness)
		s->steadiness = try(s) ? IS_STEADY : IS_UNSTEADY;
	return s->steadiness == IS_STEADY;
}

/* Until the one before the next overflow. */
static uint64_t most(struct silicon *s)
{
	uint64_t clocks = UINT64_MAX;

	for (uint32_t left = s->steady; left; left &= left - 1) {
		uint64_t before = core_of(s)->mask - *cell(s, left);

		clocks = before < clocks ? before : clocks;
	}
	return clocks;
}

static void skip(struct silicon *s, uint64_t clocks)
{
	for (uint32_t left = s->steady; left; left &= left - 1)
		*cell(s, left) += clocks;
}

uint64_t silicon_pass(struct silicon *s, uint64_t clocks, unsigned cpl)
{
	while (clocks && silicon_is_steady(s)) {
		uint64_t skipped = clocks - 1;

		if (clocks > most(s)) {
			skipped = most(s);
			s->steadiness = NOT_TRIED;
		}
		skip(s, skipped);
		s->tally.clocks += skipped;
		pipeline_wait(&core_now(s)->pipeline, cpl);
		clocks -= skipped + 1;
	}
	return clocks;
}
