/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD's caches outside of a core: lines that this core loads, and whose requests a counter counts.
 * Others share the cache: what they do is counted too, and no law forbids it. */
#include "box.h"

#define GROUP "traffic", "count"
#define L3    "AMD PPR, 2.1.15: L3 cache performance monitor counters"
#define ON_L3 .clause = L3, .kinds = BOX_CACHE

/* Of all lines at least; others only add to them. */
#define ALL_LINES .n = MEMORY_LINES, .below = TRAFFIC_SLACK, .above = NO_LIMIT

/* Where hits and misses are of one event, all are both of them: in windows that hold each other. */
TRIALS(lookups, "each line loaded is a lookup, which hits or misses", (ON_L3),
       {LOADED, .around = true, COUNTS(.event = CACHE_LOOKUPS, ALL_LINES)},
       {LOADED, .around = true, COUNTS(.event = CACHE_NOTHING, EXACTLY(0))},
       {.prepare = memory_fill,
	.load = memory_load_many,
	.around = true,
	COUNTS(.event = CACHE_NOTHING, EXACTLY(0))},
       {LOADED, .around = true, .nested = true,
	.cfg = {{.event = CACHE_LOOKUPS}, {.event = CACHE_HITS}, {.event = CACHE_MISSES}},
	.law = {{{1, -1, -1}, AT_LEAST(0)}}},
       {LOADED, .around = true, .nested = true,
	.cfg = {{.event = CACHE_HITS}, {.event = CACHE_MISSES}, {.event = CACHE_LOOKUPS}},
	.law = {{{1, 1, -1}, AT_LEAST(0)}}})

/* Not on counter 0: by erratum 1067 it counts misses wrong on the first Zen.  Half of the lines: no
 * others miss as often in so short a time. */
TRIALS(misses, "a lookup misses if no cache has the line, and else does not", (ON_L3),
       {LOADED, .around = true, .first = 1, COUNTS(.event = CACHE_MISSES, ALL_LINES)},
       {.prepare = memory_load,
	.load = memory_load,
	.around = true,
	.first = 1,
	COUNTS(.event = CACHE_MISSES, AT_MOST(MEMORY_LINES / 2))})

/* ---- of one slice, of one thread ---- */

#define FEW_SLACK (MEMORY_FEW / 50) /* as TRAFFIC_SLACK */

enum { OF_ALL, OF_ONE };

/* The work, as all make it and, within that, as one of them does. */
static uint64_t count_one(struct run *t, struct trial work, struct box_config one)
{
	uint64_t out[TRIAL_COUNTERS];

	work.nested = true;
	work.cfg[OF_ALL] = (struct box_config){.event = CACHE_LOOKUPS};
	work.cfg[OF_ONE] = one;
	trial_run(t, &work, out);
	CHECK_IS(t, out[OF_ONE], <=, out[OF_ALL]);
	trial_end(t, &work);
	return out[OF_ONE];
}

static void check_nobody(struct run *t, struct box_config nobody)
{
	const struct trial trial = {LOADED, .around = true, .cfg = {nobody},
				    .law = {{{1}, EXACTLY(0)}}};

	judge(t, &trial);
}

static unsigned numbers(const struct box_scope *scope)
{
	return (scope->number ? (unsigned)field_max(scope->number) + 1 : 1) *
	       (scope->mask ? bits_in(scope->mask) : 1);
}

/* How many slices count so many lookups of the work, and what all of them count. */
struct slices {
	uint64_t sum;
	unsigned many;
};

static struct slices count_slices(struct run *t, const struct trial *work, uint64_t many)
{
	const unsigned n = numbers(&kind_of(t)->select->scopes->slices);
	struct slices s = {0};

	for (unsigned i = 0; i < n; i++) {
		const struct box_config one = {.event = CACHE_LOOKUPS,
					       .slice = (uint8_t)(FIRST_OF_THEM + i)};
		uint64_t count = count_one(t, *work, one);

		s.sum += count;
		s.many += count >= many;
	}
	return s;
}

/* The counter of the slice is the one behind first.  Half of the times: what others look up in that
 * slice meanwhile is rarer. */
static void check_slices(struct run *t, uint8_t first)
{
	const struct trial one_line = {.first = first,
				       .prepare = memory_clean,
				       .load = memory_repeat},
			   lines = {.first = first, .load = memory_burst};

	CHECK_EQ(t, count_slices(t, &one_line, MEMORY_REPEAT / 2).many, 1);
	CHECK_IS(t, count_slices(t, &lines, 0).sum + FEW_SLACK, >=, MEMORY_FEW);
}

BOX_TEST(slices, "a line is looked up in one slice, and all slices together look up all", ON_L3)
{
	for (unsigned first = 0; first < t->pmu->counters; first++)
		check_slices(t, (uint8_t)first);
	if (!kind_of(t)->select->scopes->slices.number)
		check_nobody(t, (struct box_config){.event = CACHE_LOOKUPS, .slice = NONE_OF_THEM});
}

#define CPUID_CACHES 0x8000001du
#define SHARED_BY    FIELD(25, 14) /* of EAX, less 1 */

/* Threads that share the cache. */
static unsigned sharers(void)
{
	return (unsigned)field_get(SHARED_BY, cpuid(CPUID_CACHES, 3).eax) + 1;
}

/* How many numbers of threads count this one's lookups on the counter behind first. */
static unsigned count_threads(struct run *t, uint8_t first)
{
	const struct trial loaded = {.first = first, .load = memory_burst};
	const unsigned n = numbers(&kind_of(t)->select->scopes->threads);
	unsigned mine = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct box_config one = {.event = CACHE_LOOKUPS,
					       .thread_of = (uint8_t)(FIRST_OF_THEM + i)};

		mine += count_one(t, loaded, one) > MEMORY_FEW / 2;
	}
	return mine;
}

/* Which number a core has is not documented for parts of which some cores are off. */
BOX_TEST(threads, "lookups of this thread are counted by one number of a thread alone", ON_L3)
{
	const unsigned mine = count_threads(t, 0);

	check_nobody(t, (struct box_config){.event = CACHE_LOOKUPS, .thread_of = NONE_OF_THEM});
	SKIP_IF(t, !mine && sharers() > numbers(&kind_of(t)->select->scopes->threads),
		"more threads share the cache than have a number");
	CHECK_EQ(t, mine, 1);
	for (unsigned first = 1; first < t->pmu->counters; first++)
		CHECK_EQ(t, count_threads(t, (uint8_t)first), 1);
}

/* ---- the second-level cache, where cores share it ---- */

#define ON_L2 .clause = "AMD BKDG 48751: L2I performance monitor counters", .kinds = BOX_L2

/* Of lines that this cache has, and the first one has not room for, fewer than half miss. */
TRIALS(l2_lines,
       "each line loaded is a request, which misses if no cache has it, and else does not", (ON_L2),
       {LOADED, .around = true, COUNTS(.event = L2_REQUESTS, ALL_LINES)},
       {LOADED, .around = true, COUNTS(.event = L2_MISSES, ALL_LINES)},
       {.prepare = memory_load,
	.load = memory_load,
	.around = true,
	COUNTS(.event = L2_REQUESTS, ALL_LINES)},
       {.prepare = memory_load,
	.load = memory_load,
	.around = true,
	COUNTS(.event = L2_MISSES, AT_MOST(MEMORY_LINES / 2))},
       {LOADED, .around = true, .nested = true,
	.cfg = {{.event = L2_REQUESTS}, {.event = L2_MISSES}}, .law = {{{1, -1}, AT_LEAST(0)}}})
