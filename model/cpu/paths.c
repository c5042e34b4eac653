/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of blocks through the pipeline: where they are kept, and how they are learnt. */
#include "paths.h"
#include "kernel/lib/string.h"

enum { STATES = 4096, CLOCKS = 4096, PATHS = 32768, PATH_CLOCKS = 262144 };
/* The most that one block can make new. */
enum { BLOCK_CLOCKS = 2 * 32 * BLOCK_MOST };

/* The pipeline between two instructions, but for what is in struct path_from. */
struct state {
	_Alignas(uint64_t) struct clock now;
	unsigned before; /* the clock that was the last, by its number alone; 0: it does not matter,
			    or is not known */
	unsigned filled, cpl;
	uint32_t written;
	bool iflag;
};

/* A clock, and the number of such a one before it that has none; 0: as above. */
struct kind {
	_Alignas(uint64_t) struct clock clock;
	unsigned before;
};

/* A set of things of equal size, each with a number, from 1 on. */
struct pool {
	uint8_t *things;
	uint16_t *places; /* twice as many as things, by hash */
	unsigned size, most, count;
};

static struct state states[STATES] LARGE;
static uint16_t state_places[2 * STATES] LARGE;
static struct kind clocks[CLOCKS] LARGE;
static uint16_t clock_places[2 * CLOCKS] LARGE;
static struct pool state_pool = {(uint8_t *)states, state_places, sizeof(*states), STATES, 0};
static struct pool clock_pool = {(uint8_t *)clocks, clock_places, sizeof(*clocks), CLOCKS, 0};

/* Occurrences of all signals in each of them, of a state in the clock that is not over. */
static uint16_t state_sums[STATES] LARGE, clock_sums[CLOCKS] LARGE;

static struct path paths[PATHS] LARGE;
static uint16_t path_clocks[PATH_CLOCKS] LARGE; /* numbers */
static unsigned path_clocks_count;
static struct path *gone[PATHS] LARGE; /* the first time since they were counted */
static unsigned gone_count;
static const struct path *last; /* gone of those that have a clock */
static unsigned empty[4][2]; /* numbers of states in which no slot is filled; 0: unknown */
static unsigned before; /* of the pipeline's state */
static unsigned width; /* by which all of them were learnt */
static bool by_uops;
bool paths_full;

/* ---- pools ---- */

typedef uint64_t word __attribute__((may_alias));

static uint32_t hash(const word *words, unsigned size)
{
	uint64_t h = 0;

	for (unsigned i = 0; i < size / sizeof(*words); i++) {
		h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

static bool same(const word *a, const word *b, unsigned size)
{
	word differs = 0;

	for (unsigned i = 0; i < size / sizeof(*a); i++)
		differs |= a[i] ^ b[i];
	return !differs;
}

/* The number of thing, which is put in if it is new. */
static unsigned number_of(struct pool *pool, const void *thing)
{
	unsigned at = hash(thing, pool->size) % (2 * pool->most);

	for (; pool->places[at]; at = (at + 1) % (2 * pool->most))
		if (same((word *)(pool->things + pool->places[at] * pool->size), thing, pool->size))
			return pool->places[at];
	memcpy(pool->things + ++pool->count * pool->size, thing, pool->size);
	return pool->places[at] = (uint16_t)pool->count;
}

static void clear(struct pool *pool)
{
	memset(pool->places, 0, 2 * pool->most * sizeof(*pool->places));
	pool->count = 0;
}

static bool has_room(const struct pool *pool, unsigned count)
{
	return pool->count + count < pool->most;
}

static void look_for_room(void)
{
	paths_full = !has_room(&state_pool, 2) || !has_room(&clock_pool, BLOCK_CLOCKS) ||
		     path_clocks_count + BLOCK_CLOCKS > PATH_CLOCKS;
}

/* ---- life ---- */

void paths_forget(void)
{
	clear(&state_pool);
	clear(&clock_pool);
	memset(paths, 0, sizeof(paths));
	memset(empty, 0, sizeof(empty));
	path_clocks_count = 0;
	last = NULL;
	paths_full = false;
}

void paths_begin(const struct pipeline *p)
{
	before = 0;
	if (p->pace.width == width && p->rules->by_uops == by_uops && !paths_full)
		return;
	width = p->pace.width;
	by_uops = p->rules->by_uops;
	paths_forget();
}

/* ---- states ---- */

static uint16_t sum_of(const struct clock *clock)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < SIGNAL_COUNT; i++)
		sum += clock->n[i];
	return (uint16_t)sum;
}

static unsigned find_state(const struct pipeline *p)
{
	unsigned known = state_pool.count, number;
	struct state state;

	memset(&state, 0, sizeof(state));
	memcpy(state.now.n, p->now.n, sizeof(state.now.n));
	state.before = before;
	state.filled = p->filled;
	state.written = p->written;
	state.cpl = p->cpl;
	state.iflag = p->iflag;
	number = number_of(&state_pool, &state);
	if (number > known)
		state_sums[number] = p->filled ? sum_of(&p->now) : 0;
	return number;
}

unsigned paths_state(const struct pipeline *p)
{
	unsigned *number = &empty[p->cpl][p->iflag];

	if (p->filled || before)
		return find_state(p);
	if (!*number)
		*number = find_state(p);
	return *number;
}

void paths_restore(struct pipeline *p, unsigned number)
{
	const struct state *state = &states[number];

	before = state->before;
	p->now = state->now;
	p->filled = state->filled;
	p->written = state->written;
	p->cpl = state->cpl;
	p->iflag = state->iflag;
}

/* ---- what is met on the way to memory ---- */

void mets_take(struct mets *mets, unsigned index, struct hierarchy *h)
{
	uint8_t met[METS] = {0};

	hierarchy_take(h, met);
	for (unsigned what = 0; what < METS; what++)
		for (; met[what] && mets->count < METS_MOST; met[what]--) {
			mets->met[mets->count].index = (uint8_t)index;
			mets->met[mets->count++].what = (uint8_t)what;
		}
}

void mets_give(const struct mets *mets, unsigned *next, unsigned index, struct hierarchy *h)
{
	for (; *next < mets->count && mets->met[*next].index == index; ++*next) {
		h->met[mets->met[*next].what]++;
		h->any = true;
	}
}

unsigned paths_pending(unsigned state)
{
	return state_sums[state];
}

/* ---- paths ---- */

/* A phase matters only where a miss may come. */
HOT static unsigned phase(unsigned since_miss, unsigned accesses)
{
	return since_miss + accesses >= MISS_EVERY ? since_miss + 1 : 0;
}

HOT uint64_t paths_key(const struct block *b, unsigned state, unsigned loads, unsigned stores,
		       unsigned mode)
{
	return (uint64_t)b->number << 32 | state << 16 | phase(loads, b->loads) << 12 |
	       phase(stores, b->stores) << 8 | mode;
}

/* A digit for each, none of which is 0. */
uint64_t mets_key(const struct mets *mets)
{
	enum { DIGITS = BLOCK_MOST * METS + 1 };
	uint64_t met = 0;

	_Static_assert(METS_KNOWN == 6 && DIGITS <= 1625, "as many digits as fit in 64 bits");
	for (unsigned i = 0; i < mets->count; i++)
		met = met * DIGITS + mets->met[i].index * METS + mets->met[i].what + 1;
	return met;
}

HOT struct path *paths_at(uint64_t key, uint64_t met)
{
	return &paths[((key ^ met) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % PATHS];
}

HOT void paths_go(struct path *path)
{
	if (!path->times++)
		gone[gone_count++] = path;
	if (path->clocks)
		last = path;
}

/* ---- learning ---- */

static unsigned find_clock(const struct kind *kind)
{
	unsigned known = clock_pool.count, number = number_of(&clock_pool, kind);

	if (number > known)
		clock_sums[number] = sum_of(&kind->clock);
	return number;
}

static void note_clock(void *arg, const struct clock *clock)
{
	struct path *path = arg;
	struct kind noted;
	unsigned number;

	/* All else of a clock is 0 while one thread executes what retires. */
	memset(&noted, 0, sizeof(noted));
	noted.clock.cpl = clock->cpl;
	memcpy(noted.clock.n, clock->n, sizeof(noted.clock.n));
	number = find_clock(&noted);
	if (path->key & PATH_EDGES) {
		noted.before = before;
		before = number;
		number = find_clock(&noted);
	}
	path_clocks[path_clocks_count++] = (uint16_t)number;
	path->clocks++;
	path->most += clock_sums[number];
}

static void retire(const struct path_from *from, struct pipeline *p)
{
	const struct block *b = from->block;
	unsigned next = 0;

	for (unsigned i = 0; i < b->count; i++) {
		mets_give(from->mets, &next, i, &p->hierarchy);
		pipeline_retire(p, b->insn[i], from->mode & PATH_CPL,
				i + 1 == b->count && from->mode & PATH_TAKEN, from->mode & PATH_IF);
		if (from->mode & PATH_CLOSES)
			pipeline_close(p);
	}
}

/* How far the phase goes on, from one to the other. */
static uint8_t distance(unsigned from, unsigned to)
{
	return (uint8_t)((to + MISS_EVERY - from) % MISS_EVERY);
}

COLD void paths_learn(struct path *path, const struct path_from *from, struct pipeline *p)
{
	void (*sink)(void *arg, const struct clock *clock) = p->sink;
	void *arg = p->arg;

	*path = (struct path){
		.key = paths_key(from->block, from->state, from->loads, from->stores, from->mode),
		.met = mets_key(from->mets),
		.first = path_clocks_count};
	paths_restore(p, from->state);
	p->loads = from->loads;
	p->stores = from->stores;
	path->most = -paths_pending(from->state);
	if (from->block->conditional)
		p->was_taken[from->block->predictor] = from->mode & PATH_WAS_TAKEN;
	p->sink = note_clock;
	p->arg = path;
	retire(from, p);
	p->sink = sink;
	p->arg = arg;
	path->to = (uint16_t)paths_state(p);
	path->most += paths_pending(path->to);
	path->loads = distance(from->loads, p->loads);
	path->stores = distance(from->stores, p->stores);
	path->missed = p->missed;
	path->mispredicted = p->mispredicted;
	look_for_room();
}

/* ---- counting ---- */

static uint64_t times[CLOCKS] LARGE; /* that each clock passed */
static uint16_t passed_clocks[CLOCKS] LARGE; /* their numbers */
static struct passed passed[CLOCKS + 1] LARGE;

/* Sums up the clocks of all paths gone; returns how many kinds there are. */
static unsigned sum_up(void)
{
	unsigned kinds = 0;

	for (unsigned i = 0; i < gone_count; i++) {
		const uint16_t *number = path_clocks + gone[i]->first;

		for (unsigned left = gone[i]->clocks; left; left--, number++) {
			if (!times[*number])
				passed_clocks[kinds++] = *number;
			times[*number] += gone[i]->times;
		}
		gone[i]->times = 0;
	}
	gone_count = 0;
	return kinds;
}

static const struct clock *clock_of(unsigned number)
{
	return number ? &clocks[number].clock : NULL;
}

struct paths_passed paths_count(void)
{
	unsigned kinds = sum_up(), end = last ? path_clocks[last->first + last->clocks - 1] : 0;
	struct paths_passed all = {.passed = passed, .last = clock_of(end)};

	for (unsigned i = 0; i < kinds; i++) {
		unsigned number = passed_clocks[i];
		uint64_t before_end = times[number] - (number == end);

		all.total += times[number];
		times[number] = 0;
		if (before_end)
			passed[all.kinds++] = (struct passed){
				clock_of(number), clock_of(clocks[number].before), before_end};
	}
	if (clocks[end].before)
		passed[all.kinds++] = (struct passed){.clock = clock_of(clocks[end].before)};
	last = NULL;
	return all;
}
