/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks that retire at once, by what is remembered of them: the pipeline's states are few, so that
 * a block met again has its path (paths.h) known, in all but rare cases.  Clocks are counted when
 * someone looks, which core_now() tells: each kind of clock once, times how often it passed, in the
 * datapath of all others.  How many counters run does not matter meanwhile.
 *
 * What may depend on more than the sum of clocks takes the other way, instruction by instruction:
 * while the PMU says that it has no room (a record, a defect in its clocks, an overflow near), a
 * request is on its way (one that is held stays so), a pace is random, wrong paths are watched, or
 * another thread executes.  All clocks of a stretch are of one privilege level.
 */
#include "state.h"

/* ---- a block ---- */

void silicon_block(struct block *b)
{
	static uint32_t blocks;

	b->number = ++blocks;
	b->loads = b->stores = 0;
	b->strings = false;
	for (unsigned i = 0; i < b->count; i++) {
		b->loads += b->insn[i]->loads;
		b->stores += b->insn[i]->stores;
		b->strings |= b->insn[i]->string;
	}
	b->conditional = b->count && b->insn[b->count - 1]->class == INSN_JCC;
	if (b->conditional)
		b->predictor = b->insn[b->count - 1]->address % PREDICTOR_ENTRIES;
	b->most = pace_most(b->insn, b->count);
}

void silicon_remember(struct silicon *s, bool on)
{
	core_now(s);
	s->memo.off = !on;
}

/* ---- counting ---- */

/* There is room: the last one, too, makes no request. */
static void count(struct silicon *s)
{
	const struct paths_passed all = paths_count();

	if (all.kinds)
		s->core_ops->pass(s->settled.pmu, all.passed, all.kinds);
	if (all.last)
		s->core_ops->clock(s->settled.pmu, all.last);
	s->tally.clocks += all.total;
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
		m->last = NULL;
	}
	count(s);
}

/* ---- going ---- */

static bool may_begin(const struct silicon *s)
{
	const struct threads *threads = &s->settled.pipeline.threads;

	return !s->generated && !s->watches_bogus && !s->settled.pipeline.pace.random &&
	       threads->now == 0 && !threads->cpl[1] && threads->state[1] != THREAD_ACTIVE;
}

/* Besides what a block does: a clock is not over, and no instruction but a string instruction meets
 * more than so much on its way to memory. */
static unsigned reserve(const struct silicon *s)
{
	enum { INSN_METS = 64 };

	return paths_pending(s->memo.state) + (s->watches_hierarchy ? BLOCK_MOST * INSN_METS : 0);
}

COLD static bool begin(struct silicon *s, const struct block *b, unsigned cpl)
{
	struct memo *m = &s->memo;
	const struct pipeline *p = &core_now(s)->pipeline;
	unsigned least;

	if (m->off || (s->under_way && silicon_ages(s)))
		return false;
	if (s->idle)
		return true;
	if (p->cpl != cpl || !may_begin(s))
		return false;
	m->room = s->core_ops->room(s->settled.pmu);
	/* No path is gone more often than 32 bits can tell. */
	if (m->room > UINT32_MAX)
		m->room = UINT32_MAX;
	if (m->room <= b->most)
		return false;
	paths_begin(p);
	m->state = paths_state(p);
	least = reserve(s);
	if (m->room <= b->most + least)
		return false;
	m->room -= least;
	m->loads = p->loads;
	m->stores = p->stores;
	m->mode = cpl | (core_is_precise(s) ? PATH_CLOSES : 0) |
		  (core_has_edges(core_of(s)) ? PATH_EDGES : 0);
	m->mets.count = 0;
	m->ahead = true;
	return true;
}

HOT bool silicon_takes_block(struct silicon *s, const struct block *b, unsigned cpl)
{
	const struct memo *m = &s->memo;

	if (b->strings & s->watches_hierarchy)
		return false;
	return (m->ahead && m->room > b->most && (m->mode & PATH_CPL) == cpl && !paths_full) ||
	       begin(s, b, cpl);
}

void silicon_fetch_block(struct silicon *s, const struct block *b, unsigned first, unsigned count)
{
	struct hierarchy *h = &s->settled.pipeline.hierarchy;

	if (!s->watches_hierarchy)
		return;
	for (unsigned i = first; i < first + count; i++) {
		hierarchy_fetch(h, b->insn[i]);
		if (h->any)
			mets_take(&s->memo.mets, i, h);
	}
}

/* As silicon_retire(), of instructions that were fetched, and behind which nothing comes. */
COLD static void retire_some(struct silicon *s, const struct block *b, unsigned count, bool taken,
			     unsigned mode)
{
	struct pipeline *p = &core_now(s)->pipeline;
	struct mets *mets = &s->memo.mets;
	unsigned next = 0;

	for (unsigned i = 0; i < count; i++) {
		mets_give(mets, &next, i, &p->hierarchy);
		pipeline_retire(p, b->insn[i], mode & PATH_CPL, i + 1 == count && taken,
				mode & PATH_IF);
		if (mode & PATH_CLOSES)
			pipeline_close(p);
	}
	mets->count = 0;
}

void silicon_retire_part(struct silicon *s, const struct block *b, unsigned count, bool iflag)
{
	tally_retired(s, count, !s->memo.ahead);
	if (s->memo.ahead)
		retire_some(s, b, count, false, s->memo.mode | (iflag ? PATH_IF : 0));
}

/* A path that makes room for another must have been counted. */
COLD static void learn(struct silicon *s, struct path *path, const struct block *b, unsigned mode)
{
	struct memo *m = &s->memo;
	struct path_from from = {b, m->state, m->loads, m->stores, mode, &m->mets};

	if (path->times) {
		memo_settle(s);
		m->ahead = true;
	}
	paths_learn(path, &from, &s->settled.pipeline);
}

HOT static void go(struct memo *m, struct path *path)
{
	paths_go(path);
	m->last = path;
	m->state = path->to;
	m->loads = (m->loads + path->loads) % MISS_EVERY;
	m->stores = (m->stores + path->stores) % MISS_EVERY;
	m->room -= path->most;
	m->mets.count = 0;
}

/* Returns what is to be known of the branch at the end, and has its prediction follow: nothing else
 * is told of branches at once. */
HOT static unsigned predict(struct silicon *s, const struct block *b, bool taken)
{
	bool *was_taken = &s->settled.pipeline.was_taken[b->predictor];
	unsigned mode = 0;

	if (b->conditional) {
		mode = (taken ? PATH_TAKEN : 0) | (*was_taken ? PATH_WAS_TAKEN : 0);
		*was_taken = taken;
	}
	return mode;
}

/* The path of the block from here, by what is known of it. */
HOT static struct path *find(struct silicon *s, const struct block *b, unsigned mode)
{
	const struct memo *m = &s->memo;
	uint64_t key = paths_key(b, m->state, m->loads, m->stores, mode);
	uint64_t met = m->mets.count ? mets_key(&m->mets) : 0;
	struct path *path = paths_at(key, met);

	if (path->key != key || path->met != met)
		learn(s, path, b, mode);
	return path;
}

HOT void silicon_retire_block(struct silicon *s, const struct block *b, bool taken, bool iflag)
{
	struct memo *m = &s->memo;
	unsigned mode = m->mode | (iflag ? PATH_IF : 0);

	tally_retired(s, b->count, !m->ahead);
	if (!m->ahead) /* idle */
		return;
	if (m->mets.count > METS_KNOWN)
		retire_some(s, b, b->count, taken, mode);
	else
		go(m, find(s, b, mode | predict(s, b, taken)));
}

/* ---- loops ---- */

unsigned silicon_block_times(const struct silicon *s, const struct block *b)
{
	return s->memo.ahead ? (unsigned)((s->memo.room - 1) / b->most) : UINT32_MAX;
}

/* The path once more, so many times. */
HOT static void repeat(struct silicon *s, struct path *path, const struct block *b, unsigned times)
{
	path->times += times;
	s->memo.room -= (uint64_t)times * path->most;
	tally_retired(s, (uint64_t)times * b->count, !s->memo.ahead);
}

/* Retires it once more; true: by the path that it took before, as it will then take for ever, there
 * being no phase of misses.  By its key: in the place of a path another one may be learnt. */
HOT static bool retire_turn(struct silicon *s, const struct block *b, bool iflag)
{
	const struct path *before = s->memo.last;
	uint64_t key = before ? before->key : 0;

	silicon_retire_block(s, b, true, iflag);
	return !b->loads && !b->stores && before && s->memo.last == before && before->key == key;
}

HOT void silicon_retire_loop(struct silicon *s, const struct block *b, unsigned times, bool taken,
			     bool iflag)
{
	unsigned cpl = s->memo.mode & PATH_CPL;

	for (; times > 1; times--) {
		if (retire_turn(s, b, iflag) && times > 2) {
			repeat(s, s->memo.last, b, times - 2);
			times = 2;
		}
		if (s->memo.ahead && !silicon_takes_block(s, b, cpl))
			panic("a loop has outgrown the room that it had");
	}
	silicon_retire_block(s, b, taken, iflag);
}
