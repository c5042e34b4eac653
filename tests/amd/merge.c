/* SPDX-License-Identifier: BSD-2-Clause */
/* Merged counters: what comes more often than 15 times in a clock is counted by two of them. */
#include "amd.h"

#define GROUP "merge", "count"

/* Of family 17h and later; the odd counter has nothing else. */
#define EVENT_MERGE (PERF_CTL_EVENT_HIGH | field_put(PERF_CTL_EVENT_LOW, 0xff))
/* FpRetSseAvxOps: additions, each number of a vector. */
#define EVENT_ADDITIONS (field_put(PERF_CTL_EVENT_LOW, 0x03) | field_put(PERF_CTL_UNIT_MASK, 0x01))
#define EVENT           (PERF_CTL_EVENT_HIGH | PERF_CTL_UNIT_MASK | PERF_CTL_EVENT_LOW)
#define EXTENT_FULL     0xffffu /* 16 bits of the odd counter go on where the even one ends */

static const char *not_merging(const struct pmu *pmu, unsigned ctr)
{
	const struct amd_cpu *cpu = &((const struct amd *)pmu->state)->cpu;
	const enum amd_part part = amd_part(cpu->family, cpu->model);

	if (part < AMD_ZEN || part > AMD_ZEN5)
		return "of no counters here it is known that they merge";
	return ctr % 2 || ctr + 1 == pmu->counters ? "it is merged with another one" : NULL;
}

/* ---- a window of the pair: the counter under test, and the odd one ---- */

/* The manual's order: the odd one is started first, and stopped last. */
static void open_merged(const struct pmu *pmu, const struct window *w)
{
	const struct pmu_reg even = pmu->counter[w->c[0].ctr].ctl;

	pmu_put(pmu, pmu->counter[w->c[1].ctr].ctl, EVENT_MERGE);
	pmu_put(pmu, even, (pmu_get(even) & ~EVENT) | EVENT_ADDITIONS);
	pmu_start(pmu, BIT(w->c[1].ctr));
	pmu_start(pmu, BIT(w->c[0].ctr));
}

static void close_merged(const struct pmu *pmu, const struct window *w)
{
	pmu_stop(pmu, BIT(w->c[0].ctr));
	pmu_stop(pmu, BIT(w->c[1].ctr));
}

static const struct window_ops merged = {.open = open_merged, .close = close_merged};

enum { TURNS = 100, PER_TURN = 12 };
/* By erratum 990, and as measured on family 17h, some more: within so many. */
enum { ADDITIONS = TURNS * PER_TURN, SURPLUS = ADDITIONS / 100 };

struct counts {
	uint64_t even, odd;
};

static struct counts count_from(struct run *t, struct counts from, unsigned turns)
{
	struct window w = {
		.ops = &merged,
		.lvt = VECTOR_PMI,
		.n = 2,
		.c = {{.ctr = t->counter,
		       .from = from.even,
		       .cfg = {.event = EV_INSTRUCTIONS, .user = true, .interrupt = true}},
		      {.ctr = t->counter + 1, .from = from.odd, .cfg = gated(EV_INSTRUCTIONS)}},
		.work = in_ring3(&payload_vector, turns)};

	window_run(t, &w);
	return (struct counts){w.c[0].out, w.c[1].out};
}

/* All additions, by both counters; the carry is exact. */
static void check_merged(struct run *t, struct counts from, uint64_t odd, uint64_t interrupts)
{
	const struct counts got = count_from(t, from, TURNS);
	const uint64_t counted = (got.even - from.even) & pmu_mask(t->pmu, t->counter);

	CHECK_COUNT_LEAST(t, counted, ADDITIONS);
	CHECK_COUNT_MOST(t, counted, ADDITIONS + SURPLUS);
	CHECK_EQ(t, got.odd, odd);
	CHECK_EQ(t, t->log.count, interrupts);
}

TEST(carries,
     "an odd counter goes on where the even one ends, which interrupts when both have ended",
     .clause = "AMD PPR: large increment per cycle events; Linux, events/amd/core.c: merge event",
     .driver = &pmu_amd, .needs = PMU_INTERRUPT | PMU_USER_ALONE, .per_counter = true,
     .absent = not_merging)
{
	const uint64_t nearly = pmu_mask(t->pmu, t->counter) + 1 - ADDITIONS / 2;

	SKIP_IF(t, test_in_kvm(), "KVM merges none");
	CHECK_EQ(t, count_from(t, (struct counts){nearly, 5}, 1).odd, 5);
	check_merged(t, (struct counts){0, 0}, 0, 0);
	check_merged(t, (struct counts){nearly, 0}, 1, 0);
	check_merged(t, (struct counts){nearly, EXTENT_FULL - 1}, EXTENT_FULL, 0);
	check_merged(t, (struct counts){nearly, EXTENT_FULL}, 0, 1);
}
