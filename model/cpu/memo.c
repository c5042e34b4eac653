/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks that retire at once, by what is remembered of them: the pipeline's states are few, so that
 * a block met again has its path (paths.h) known, in all but rare cases.  Clocks are counted when
 * someone looks, which core_now() tells: each kind of clock once, times how often it passed, in the
 * datapath of all others.  How many counters run does not matter meanwhile.
 *
 * What may depend on more than the sum of clocks takes the other way, instruction by instruction:
 * while the PMU says that it has no room (an edge, a record, a defect in its clocks, an overflow
 * near), a request is on its way (one that is held stays so), a pace is random, memory or wrong
 * paths are watched, or another thread executes.  All clocks of a stretch are of one privilege
 * level.
 */
#include "pace.h"
#include "state.h"

/* ---- a block ---- */

void silicon_block(struct block *b)
{
	static uint32_t blocks;

	b->number = ++blocks;
	b->loads = b->stores = 0;
	for (unsigned i = 0; i < b->count; i++) {
		b->loads += b->insn[i]->loads;
		b->stores += b->insn[i]->stores;
	}
	b->conditional = b->count && b->insn[b->count - 1]->class == INSN_JCC;
	if (b->conditional)
		b->predictor = b->insn[b->count - 1]->address % PREDICTOR_ENTRIES;
	b->most = pipeline_most(b->insn, b->count, CLOCK_MORE);
}

void silicon_remember(struct silicon *s, bool on)
{
	core_now(s);
	s->memo.off = !on;
}

/* ---- counting ---- */

static void pass(void *arg, const struct clock *clock, uint64_t times)
{
	struct silicon *s = arg;

	s->ops->pass(s->settled.pmu, clock, times);
}

COLD void memo_settle(struct silicon *s)
{
	struct memo *m = &s->memo;
	struct pipeline *p = &s->settled.pipeline;

	m->ahead = false;
	paths_restore(p, m->state);
	p->loads = m->loads;
	p->stores = m->stores;
	if (m->last) {
		p->missed = m->last->missed;
		p->mispredicted = m->last->mispredicted;
	}
	s->tally.clocks += paths_count(pass, s);
}

/* ---- going ---- */

static bool may_begin(const struct silicon *s)
{
	const struct threads *threads = &s->settled.pipeline.threads;

	return !s->generated && !s->watches_hierarchy && !s->watches_bogus &&
	       !s->settled.pipeline.pace.random && threads->now == 0 && !threads->cpl[1] &&
	       threads->state[1] != THREAD_ACTIVE;
}

COLD static bool begin(struct silicon *s, const struct block *b, unsigned cpl)
{
	struct memo *m = &s->memo;
	const struct pipeline *p = &core_now(s)->pipeline;

	if (m->off || (s->under_way && silicon_ages(s)))
		return false;
	if (s->idle)
		return true;
	if (p->cpl != cpl || !may_begin(s))
		return false;
	m->room = s->ops->room(s->settled.pmu);
	if (m->room <= b->most)
		return false;
	paths_begin(p);
	m->state = paths_state(p);
	m->loads = p->loads;
	m->stores = p->stores;
	m->mode = cpl | (silicon_precise(s) ? PATH_CLOSES : 0);
	m->last = NULL;
	m->ahead = true;
	return true;
}

HOT bool silicon_takes_block(struct silicon *s, const struct block *b, unsigned cpl)
{
	const struct memo *m = &s->memo;

	return (m->ahead && m->room > b->most && (m->mode & PATH_CPL) == cpl && !paths_full) ||
	       begin(s, b, cpl);
}

/* A path that makes room for another must have been counted. */
COLD static void learn(struct silicon *s, struct path *path, uint64_t key,
		       const struct path_from *from)
{
	if (path->times) {
		memo_settle(s);
		s->memo.ahead = true;
	}
	paths_learn(path, key, from, &s->settled.pipeline);
}

HOT static void go(struct memo *m, struct path *path)
{
	paths_go(path);
	m->last = path;
	m->state = path->to;
	m->loads = (m->loads + path->loads) % MISS_EVERY;
	m->stores = (m->stores + path->stores) % MISS_EVERY;
	m->room -= path->most;
}

HOT void silicon_retire_block(struct silicon *s, const struct block *b, bool taken, bool iflag)
{
	struct memo *m = &s->memo;
	bool *was_taken = &s->settled.pipeline.was_taken[b->predictor];
	struct path_from from = {.block = b, .state = m->state, .loads = m->loads};
	struct path *path;
	uint64_t key;

	s->tally.retired += b->count;
	if (!m->ahead) /* idle */
		return;
	from.stores = m->stores;
	from.mode = m->mode | (iflag ? PATH_IF : 0);
	/* Nothing else is told of branches at once. */
	if (b->conditional) {
		from.mode |= (taken ? PATH_TAKEN : 0) | (*was_taken ? PATH_WAS_TAKEN : 0);
		*was_taken = taken;
	}
	key = paths_key(&from);
	path = paths_at(key);
	if (path->key != key)
		learn(s, path, key, &from);
	go(m, path);
}
