/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that go on by the same number in each clock, or in each period of a few clocks, whatever
 * happens in it, such as those of core clocks and of reference clocks in all rings.  They need to
 * be told nothing of what happens.
 */
#include "kernel/lib/string.h"
#include "state.h"

/* Kinds of clocks, and how many of them are tried at least, to meet what is counted every few
 * clocks only. */
enum { BUSY = 1, USER = 2, BOGUS = 4, KINDS = 8, PROBES = 8 * KINDS };
enum { PERIOD_MOST = 256 };
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

	for (unsigned i = 0; s->core_ops->branched && i < 4; i++) {
		branch.indirect = i & 1;
		branch.cpl = i & 2 ? 3 : 0;
		for (branch.class = INSN_JCC; branch.class <= INSN_SYSRET; branch.class ++)
			s->core_ops->branched(core_now(s)->pmu, &branch);
	}
}

static uint64_t *cell(struct silicon *s, uint32_t left)
{
	return s->core_ops->cell(core_now(s)->pmu, (unsigned)__builtin_ctz(left));
}

/* Finds the counters to which this clock adds 1, as bits.  False: it adds more to some. */
static bool count_one(struct silicon *s, const struct clock *clock, uint32_t *moved)
{
	const uint32_t running = core_of(s)->running;

	*moved = 0;
	for (uint32_t left = running; left; left &= left - 1)
		*cell(s, left) = 0;
	s->core_ops->clock(core_now(s)->pmu, clock);
	for (uint32_t left = running; left; left &= left - 1) {
		if (*cell(s, left) > 1)
			return false;
		*moved |= *cell(s, left) ? left & -left : 0;
	}
	return true;
}

static unsigned period_of(struct silicon *s)
{
	return s->core_ops->period ? s->core_ops->period(core_now(s)->pmu) : 1;
}

/* A clock of the first period has added 1 to these counters. */
static void note(struct silicon *s, uint32_t moved)
{
	s->steady |= moved;
	for (uint32_t left = moved; left; left &= left - 1)
		s->beats[__builtin_ctz(left)]++;
}

static uint8_t kept[CORE_PMU_STATE] LARGE;

/* Does a clock of each kind do the same as those of other kinds at its place in the period? */
static bool all_alike(struct silicon *s, unsigned period)
{
	static uint32_t first[PERIOD_MOST];
	unsigned least = KINDS * period, probes = least > PROBES ? least : PROBES;

	s->steady = 0;
	memset(s->beats, 0, sizeof(s->beats));
	for (unsigned i = 0; i < probes; i++) {
		struct clock clock = probe(i / period % KINDS);
		uint32_t moved;

		if (!count_one(s, &clock, &moved) || (i >= period && moved != first[i % period]))
			return false;
		if (i < period)
			note(s, first[i] = moved);
	}
	return true;
}

static bool branches_matter(struct silicon *s)
{
	branch(s);
	return memcmp(kept, core_now(s)->pmu, sizeof(kept)) != 0;
}

/* By trial, and then all is as before. */
static bool try(struct silicon *s)
{
	unsigned period = period_of(s);
	bool alike;

	if (core_of(s)->active || s->generated || period > PERIOD_MOST)
		return false;
	memcpy(kept, core_now(s)->pmu, sizeof(kept));
	alike = !branches_matter(s) && all_alike(s, period);
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

/* Periods until the one before that of the next overflow. */
static uint64_t most(struct silicon *s)
{
	uint64_t periods = UINT64_MAX;

	for (uint32_t left = s->steady; left; left &= left - 1) {
		uint64_t before = core_of(s)->mask - *cell(s, left);
		uint64_t n = before / s->beats[__builtin_ctz(left)];

		periods = n < periods ? n : periods;
	}
	return periods;
}

static void skip(struct silicon *s, uint64_t periods, uint64_t clocks)
{
	for (uint32_t left = s->steady; left; left &= left - 1)
		*cell(s, left) += periods * s->beats[__builtin_ctz(left)];
	if (s->core_ops->skipped)
		s->core_ops->skipped(core_now(s)->pmu, clocks);
	s->tally.clocks += clocks;
}

/* The last clock, and where there is but part of a period, are left to the PMU itself. */
uint64_t silicon_pass(struct silicon *s, uint64_t clocks, unsigned cpl)
{
	while (clocks && silicon_is_steady(s)) {
		uint64_t period = period_of(s), periods = (clocks - 1) / period;

		if (periods >= most(s)) {
			periods = most(s);
			s->steadiness = NOT_TRIED;
		}
		skip(s, periods, periods * period);
		pipeline_wait(&core_now(s)->pipeline, cpl);
		clocks -= periods * period + 1;
	}
	return clocks;
}

void silicon_pass_ticks(struct silicon *s, uint64_t ticks, unsigned cpl)
{
	uint64_t end = silicon_tsc_ticks(s) + ticks, now;

	while ((now = silicon_tsc_ticks(s)) < end)
		if (silicon_pass(s, s->core_ops->tsc_clocks(end - now), cpl))
			return;
}
